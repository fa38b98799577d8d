"""Causality by sequential assignment (SCAP): which end of each bond is given the effort, and which gives the flow.

Sources first, then laws that only work one way, then stores with integral causality, then resistors; after each
decision all that follows from it along junctions, transformers and gyrators. A store that finds its bond decided the
other way has derivative causality. Karnopp, Margolis & Rosenberg, System Dynamics, chapter 5; [B.5]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..errors import ModelError, Problem
from .network import Bond, Network, Node


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
    chosen: list[str] = field(default_factory=list)
    """resistors (or bonds) whose causality was free: an algebraic loop runs through them"""

    def gives_effort(self, bond: Bond, element: str) -> bool:
        """Whether an element determines the effort of its bond (the other end then determines the flow)."""
        return self.stroke[bond.name] != element

    def copy(self) -> Causality:
        return Causality(dict(self.stroke), dict(self.because), list(self.derivative), list(self.chosen))


def assign(network: Network) -> Causality:
    """The causality of a network, or an error that names the bonds in conflict."""
    c = Causality()
    for node in network.of("Se", "Sf"):
        _demand(network, c, node, gives_effort=node.kind == "Se")
    one_way = [n for n in network.of("R") if len(n.laws) == 1]
    for node in one_way:
        _demand(network, c, node, gives_effort="effort" in node.laws)
    stores = network.of("I", "C")
    stores.sort(key=lambda n: len(n.laws) == 2)  # those that cannot be turned round come first
    for node in stores:
        c = _prefer_integral(network, c, node)
    for node in network.of("R"):
        if node.bond.name not in c.stroke:
            c = _try(network, c, node.bond, _end(node, gives_effort=True), node.name)
            c.chosen.append(node.name)
    for bond in network.bonds.values():
        if bond.name not in c.stroke:
            c = _try(network, c, bond, bond.end, bond.name)
            c.chosen.append(bond.name)
    return c


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


def _prefer_integral(network: Network, c: Causality, node: Node) -> Causality:
    wanted, bond = integral_stroke(node), node.bond
    if bond.name not in c.stroke:
        trial = c.copy()
        try:
            _set(network, trial, bond, wanted, node.name)
            return trial
        except Conflict:
            c = _try(network, c, bond, bond.other(wanted), node.name)
    if c.stroke[bond.name] != wanted:
        needed = "momentum" if node.kind == "I" else "displacement"
        if needed not in node.laws:
            have = "flow" if node.kind == "I" else "effort"
            variable = "f" if node.kind == "I" else "e"
            by = c.because[bond.name]
            raise ModelError(
                Problem(
                    f"causal conflict on bond {bond.name!r}: {node.kind} {node.name!r} would have derivative causality, "
                    f"and its law {have!r} cannot be turned round",
                    f"elements.{node.name}", f"{by!r} already determines what the element should determine",
                    f"give {needed} = a formula of {variable} too, or put an R or a store between {by!r} and it",
                ),
                f"bond graph {network.name!r}",
            )  # fmt: skip
        c.derivative.append(node.name)
    return c


def _try(network: Network, c: Causality, bond: Bond, stroke: str, because: str) -> Causality:
    """One way, or else the other."""
    trial = c.copy()
    try:
        _set(network, trial, bond, stroke, because)
        return trial
    except Conflict as first:
        trial = c.copy()
        try:
            _set(network, trial, bond, bond.other(stroke), because)
            return trial
        except Conflict:
            raise _error(network, c, first, because) from None


def _set(network: Network, c: Causality, bond: Bond, stroke: str, because: str) -> None:
    """Decide a bond, and everything that follows."""
    waiting = [(bond, stroke)]
    while waiting:
        bond, stroke = waiting.pop()
        present = c.stroke.get(bond.name)
        if present == stroke:
            continue
        if present is not None:
            raise Conflict(stroke, (bond.name,), f"both ends of bond {bond.name!r} determine the same variable")
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
    where = "bonds " + ", ".join(conflict.bonds) if len(conflict.bonds) > 1 else f"bonds.{conflict.bonds[0]}"
    cure = "remove one of them, or put an element (R, I or C) between, on a junction of its own"
    why = f"decided by {', '.join(kinds)}"
    return ModelError(Problem(f"causal conflict: {conflict.what}", where, why, cure), f"bond graph {network.name!r}")
