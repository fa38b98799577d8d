"""Causality by sequential assignment (SCAP): which end of each bond is given the effort, and which gives the flow.

Sources first, then laws that only work one way, then stores with integral causality, then resistors; after each
decision all that follows from it along junctions, transformers and gyrators. A store that finds its bond decided the
other way has derivative causality. Karnopp, Margolis & Rosenberg, System Dynamics, chapter 5; [B.5]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...errors import ModelError, Problem
from ..model.network import Bond, Network, Node

MOST_DECISIONS = 5000
"""decisions that are tried before the search for a causality is given up"""


@dataclass
class Conflict(Exception):
    """Two demands that exclude each other."""

    node: str
    bonds: tuple[str, ...]
    what: str


@dataclass
class Causality:
    """The strokes: for each bond the element at whose end the stroke is, which is the one that is given the effort."""

    stroke: dict[str, str] = field(default_factory=dict)
    because: dict[str, str] = field(default_factory=dict)
    """bond -> the element whose decision settled it"""
    derivative: list[str] = field(default_factory=list)
    """stores with derivative causality: their energy depends on that of others"""

    def gives_effort(self, bond: Bond, element: str) -> bool:
        """Whether an element determines the effort of its bond (the other end then determines the flow)."""
        return self.stroke[bond.name] != element

    def copy(self) -> Causality:
        return Causality(dict(self.stroke), dict(self.because), list(self.derivative))


def candidates(network: Network) -> Iterator[Causality]:
    """Causalities of a network, the preferred one first; or an error that names the bonds in conflict.

    The others are for graphs with loops in which signed sums cancel: there the first may determine nothing. [B.5]
    """
    c = Causality()
    for node in network.of("Se", "Sf"):
        _demand(network, c, node, gives_effort=node.kind == "Se")
    stores = network.of("I", "C")
    stores.sort(key=lambda n: len(n.laws) == 2)  # those that cannot be inverted come first
    one_way = [n for n in network.of("R") if len(n.laws) == 1]
    preferences = [(n.bond, _end(n, gives_effort="effort" in n.laws), n.name) for n in one_way]
    preferences += [(n.bond, integral_stroke(n), n.name) for n in stores]
    preferences += [(n.bond, _end(n, gives_effort=True), n.name) for n in network.of("R")]
    preferences += [(b, b.end, b.name) for b in network.bonds.values()]
    search = _Search(network, preferences)
    none = True
    for found in search.complete(c):
        none = False
        found.derivative = [n.name for n in network.of("I", "C") if found.stroke[n.bond.name] != integral_stroke(n)]
        yield found
    if none:
        assert search.first is not None
        raise search.first


@dataclass
class _Search:
    """The preferences one after another. In structures with loops one may turn out to be impossible only later:
    then the last ones are taken back."""

    network: Network
    preferences: list[tuple[Bond, str, str]]
    first: ModelError | None = None
    tried: int = 0

    def complete(self, c: Causality) -> Iterator[Causality]:
        """All preferences decided, in every way there is."""
        stack = [(c, 0, 0)]  # what is decided, the preference that comes next, and whether it or its opposite is tried
        while stack and self.tried <= MOST_DECISIONS:
            c, k, way = stack.pop()
            while k < len(self.preferences) and self.preferences[k][0].name in c.stroke:
                bond, stroke, because = self.preferences[k]
                if c.stroke[bond.name] != stroke and self._one_way(c, bond, because):
                    break
                k += 1
            if k == len(self.preferences):
                yield c
                continue
            bond, wanted, because = self.preferences[k]
            if bond.name in c.stroke:
                continue  # a store in a causality that it cannot have
            if way == 0:
                stack.append((c, k, 1))
            self.tried += 1
            trial = c.copy()
            stroke = wanted if way == 0 else bond.other(wanted)
            try:
                _set(self.network, trial, bond, stroke, because)
            except Conflict as conflict:
                self.first = self.first or _error(self.network, trial, conflict, because)
                continue
            if way == 0 or not self._one_way(trial, bond, because):
                stack.append((trial, k + 1, 0))

    def _one_way(self, c: Causality, bond: Bond, name: str) -> bool:
        """A store that cannot have derivative causality, because its law cannot be inverted."""
        node = self.network.nodes.get(name)
        if node is None or node.kind not in ("I", "C") or len(node.laws) == 2:
            return False
        needed, have, variable = ("momentum", "flow", "f") if node.kind == "I" else ("displacement", "effort", "e")
        by = c.because[bond.name]
        self.first = self.first or ModelError(
            Problem(
                f"causal conflict on bond {bond.name!r}: {node.kind} {name!r} would have derivative causality, and its "
                f"law {have!r} cannot be inverted",
                f"elements.{name}", f"{by!r} already determines what the element should determine",
                f"give {needed} = a formula of {variable} too, or put an R or a store between {by!r} and it",
            ),
            f"bond graph {self.network.name!r}",
        )  # fmt: skip
        return True


def integral_stroke(node: Node) -> str:
    """Where the stroke of a store is with integral causality: an I gives the flow, a C the effort."""
    return _end(node, gives_effort=node.kind == "C")


def _end(node: Node, gives_effort: bool) -> str:
    return node.bond.other(node.name) if gives_effort else node.name


def _demand(network: Network, c: Causality, node: Node, gives_effort: bool) -> None:
    """A causality that an element insists on."""
    try:
        _set(network, c, node.bond, _end(node, gives_effort), node.name)
    except Conflict as conflict:
        raise _error(network, c, conflict, node.name) from None


def _set(network: Network, c: Causality, bond: Bond, stroke: str, because: str) -> None:
    """Decide a bond, and everything that follows."""
    waiting = [(bond, stroke)]
    while waiting:
        bond, stroke = waiting.pop()
        present = c.stroke.get(bond.name)
        if present == stroke:
            continue
        if present is not None:
            old = c.because[bond.name]
            both = f"{old!r} and {because!r}" if old != because else f"{old!r}, on two ways,"
            raise Conflict(stroke, (bond.name,), f"{both} make opposite demands on bond {bond.name!r}")
        c.stroke[bond.name], c.because[bond.name] = stroke, because
        for end in (bond.start, bond.end):
            waiting += _follows(network.nodes[end], c)


def _follows(node: Node, c: Causality) -> Iterator[tuple[Bond, str]]:
    """Strokes that those already set leave no choice for."""
    bonds, name = node.bonds, node.name
    here = [b for b in bonds if c.stroke.get(b.name) == name]
    away = [b for b in bonds if b.name in c.stroke and c.stroke[b.name] != name]
    free = [b for b in bonds if b.name not in c.stroke]
    if node.kind in ("0", "1"):
        # one bond alone determines what is common: the effort of a 0 (stroke here), the flow of a 1 (stroke away)
        strong, weak = (here, away) if node.kind == "0" else (away, here)
        common, sum_of = ("effort", "flow") if node.kind == "0" else ("flow", "effort")
        if len(strong) > 1:
            names = tuple(b.name for b in strong)
            raise Conflict(name, names, f"bonds {_listed(names)} all determine the {common} of junction {name!r}")
        if len(weak) == len(bonds):
            names = tuple(b.name for b in weak)
            raise Conflict(name, names, f"no bond of junction {name!r} determines its {common}: all give a {sum_of}")
        if strong:
            yield from ((b, name if node.kind == "1" else b.other(name)) for b in free)
        elif len(free) == 1:
            yield free[0], name if node.kind == "0" else free[0].other(name)
    elif node.kind in ("TF", "GY") and len(here) + len(away) == 2:
        wrong = len(here) != 1 if node.kind == "TF" else len(here) == 1
        if wrong:
            names = tuple(b.name for b in bonds)
            raise Conflict(name, names, f"the strokes of bonds {_listed(names)} do not pass through {name!r}")
    elif node.kind in ("TF", "GY") and free and len(bonds) == 2:
        opposite = bool(here) == (node.kind == "TF")
        yield free[0], free[0].other(name) if opposite else name


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(repr(name) for name in names)


def _error(network: Network, c: Causality, conflict: Conflict, latest: str) -> ModelError:
    by = dict.fromkeys([c.because[b] for b in conflict.bonds if b in c.because] + [latest])
    kinds = [f"{network.nodes[e].kind} {e!r}" if e in network.nodes else f"bond {e!r}" for e in by]
    where = "bonds " + ", ".join(conflict.bonds)
    cure = "remove one of them, or put an element (R, I or C) between, on a junction of its own"
    settled = {e: [b for b, by_ in c.because.items() if by_ == e and b in network.bonds] for e in by}
    why = "; ".join(f"{kind} settles bonds {', '.join(settled[e])}" if settled[e] else f"{kind} comes last"
                    for kind, e in zip(kinds, by, strict=True))  # fmt: skip
    return ModelError(Problem(f"causal conflict: {conflict.what}", where, why, cure), f"bond graph {network.name!r}")
