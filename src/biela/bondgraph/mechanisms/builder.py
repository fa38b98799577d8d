"""Puts the parts of a mechanism together as a bond graph."""

from __future__ import annotations

import re
from typing import Any

from ...model.expression import RESERVED, Binary, Name, Node, Unary, differentiate, names, parse, substitute, to_text
from ...model.model import Model
from ...model.resolve.problems import Problems
from ...model.resolved import ResolvedDriver, ResolvedForce, ResolvedLaw, ResolvedModel
from ..model.domains import quantity
from ..model.graph import BondGraph
from ..model.laws import VARIABLES

Relation = dict[str, float]
"""rate = sum of factors times the speeds of bodies"""


class Builder:
    """Elements and bonds as they come."""

    def __init__(self, model: Model, problems: Problems):
        self.model, self.problems = model, problems
        self.renamed = {n: f"{n}_0" for n in model.parameters if n in VARIABLES or n in RESERVED}
        self.elements: dict[str, dict[str, Any]] = {}
        self.bonds: dict[str, tuple[str, str]] = {}
        self.initial: dict[str, float] = {}
        self.angular: dict[str, bool] = {}
        self.joined: dict[tuple, str] = {}
        self.notes: list[str] = []

    # ---------------------------------------------------------------------------------------- the parts
    def body(self, name: str, angular: bool, inertia: float, text: str, speed: float, weight: str | None) -> None:
        """A 1-junction of the body's speed, with its inertia and its weight."""
        self.angular[name] = angular
        v = self._add(f"{'w' if angular else 'v'}_{name}", type="1", domain="rotation" if angular else "translation")
        self.joined[((name, 1.0),)] = v
        if inertia > 0:
            store = self._add(name, type="I", inertia=self._text(text))
            self._bond(v, store)
            if speed:
                self.initial[store] = inertia * speed
        if weight is not None and inertia > 0:
            self._bond(self._add(f"weight_{name}", type="Se", effort=self._text(weight)), v)

    def depends(self, name: str, relation: Relation) -> None:
        """A body whose speed follows from others: by transformers."""
        target = self.joined.pop(((name, 1.0),))
        self._connect(relation, target, self.angular[name], name)
        self.joined[((name, 1.0),)] = target

    def element(self, f: ResolvedForce, g: ResolvedForce, relation: Relation, start: float) -> None:
        """A spring, a damper or an actuator on the rate that it feels."""
        law, symbols = f.law, g.law
        split = self._terms(symbols, f"forces.{f.name}")
        plain = not split and law.table is None and law.function is None and not float(law.constant)
        flip = plain and len(relation) == 1 and next(iter(relation.values())) == -1.0  # linear laws look the same
        if not relation:
            self.notes.append(f"{f.name} joins parts that do not move against each other: it does no work")
            return
        sign = -1.0 if flip else 1.0
        angular = f.type == "angle" or self._is_angle(f)
        port = self._port({b: sign * c for b, c in relation.items()}, angular, f.name)
        if float(law.stiffness):
            store = self._add(f.name, type="C", stiffness=self._text(str(symbols.stiffness)))
            self._bond(port, store)
            elongation = sign * (start - float(law.free))
            if abs(elongation) > 1e-15 * max(abs(start), abs(float(law.free)), 1e-300):
                self.initial[store] = elongation
        if float(law.damping):
            name = f.name if not float(law.stiffness) else f"{f.name}_damping"
            self._bond(port, self._add(name, type="R", resistance=self._text(str(symbols.damping))))
        if float(law.constant):
            self._bond(self._add(f"{f.name}_constant", type="Se", effort=self._text(str(symbols.constant))), port)
        for variable, node in split.items():
            self._split(f, variable, node, port, start)
        self._is_formula(law, f"forces.{f.name}")

    def _split(self, f: ResolvedForce, variable: str, node: Node, port: str, start: float) -> None:
        if variable == "t":
            self._bond(self._add(f.name, type="Se", effort=self._text(to_text(node))), port)
        elif variable == "v":
            minus = to_text(substitute(Unary("-", node), {"v": Name("f")}))
            self._bond(port, self._add(f"{f.name}_damping", type="R", effort=self._text(minus)))
        else:
            # q is the length itself; the energy counts from zero length, which shifts it by a constant
            minus = to_text(substitute(Unary("-", node), {"x": Name("q")}))
            store = self._add(f"{f.name}_spring", type="C", effort=self._text(minus))
            self._bond(port, store)
            self.initial[store] = start

    def load(self, name: str, law: ResolvedLaw, part: float, body: str, where: str) -> None:
        """A force or moment of time on a body."""
        value = to_text(law.expression) if law.expression is not None else str(law.constant)
        if not self._is_formula(law, where) or value in ("0", "0.0"):
            return
        part = round(part, 12)
        factor = "" if part == 1.0 else "-" if part == -1.0 else f"{part!r}*"
        effort = f"{factor}({value})" if factor else value
        self._bond(self._add(name, type="Se", effort=self._text(effort)), self.joined[((body, 1.0),)])

    def driver(self, d: ResolvedDriver, relation: Relation | None) -> None:
        """A driver is a source of flow: the rate of its law."""
        law = d.law
        if relation is None or not self._is_formula(law, f"drivers.{d.name}"):
            return
        flow = "0" if law.expression is None else to_text(differentiate(law.expression, "t"))
        angular = all(self.angular[b] for b in relation) and d.place is None and self._angle_named(d.coordinate)
        port = self._port(relation, angular, d.name)
        self._bond(self._add(d.name, type="Sf", flow=self._text(flow)), port)

    def _is_formula(self, law: ResolvedLaw, where: str) -> bool:
        """Whether a law is a formula; else it is reported."""
        if law.function is None and law.table is None:
            return True
        why = "a bond graph made from a mechanism has formulas only"
        self.problems.add("the law is a table or a Python function", where, why, "give a formula")
        return False

    def _terms(self, law: ResolvedLaw, where: str) -> dict[str, Node]:
        """The terms of an actuator's law by the variable they are of; a term of several has no element."""
        found: dict[str, Node] = {}
        for sign, node in _summands(law.expression, 1) if law.expression is not None else ():
            of = sorted(names(node) & {"t", "x", "v"}) or ["t"]
            if len(of) > 1:
                what = f"the term {to_text(node)!r} depends on {' and '.join(of)}"
                cure = "write the law as a sum of terms of t (a source), x (a spring) or v (a damper)"
                self.problems.add(what, where, "no single element of a bond graph does that", cure)
                return {}
            term = node if sign > 0 else Unary("-", node)
            found[of[0]] = Binary("+", found[of[0]], term) if of[0] in found else term
        return found

    # -------------------------------------------------------------------------------------- connections
    def _port(self, relation: Relation, angular: bool, name: str) -> str:
        """The 1-junction whose flow is a rate; made if there is none."""
        key = tuple(sorted(relation.items()))
        if key not in self.joined:
            domain = "rotation" if angular else "translation"
            self.joined[key] = self._add(f"rate_{name}", type="1", domain=domain)
            self._connect(relation, self.joined[key], angular, name)
        return self.joined[key]

    def _connect(self, relation: Relation, target: str, angular: bool, name: str) -> None:
        """sum of factor times speed = flow of the target."""
        if len(relation) == 1:
            ((body, factor),) = relation.items()
            self._through(self.joined[((body, 1.0),)], target, factor, self.angular[body] != angular)
            return
        zero = self._add(f"sum_{name}", type="0", domain="rotation" if angular else "translation")
        for body, factor in relation.items():
            here = self.joined[((body, 1.0),)]
            across = self.angular[body] != angular
            if factor > 0:
                self._through(here, zero, factor, across)
            else:
                self._through(zero, here, -1.0 / factor, across)
        self._bond(zero, target)

    def _through(self, start: str, end: str, factor: float, across: bool) -> None:
        """A bond, or a transformer where flows or domains differ: flow at the end = factor times flow at the start."""
        if factor == 1.0 and not across:
            self._bond(start, end)
            return
        tf = self._add(f"ratio_{start.split('_', 1)[-1]}_{end.split('_', 1)[-1]}", type="TF", modulus=factor)
        self._bond(start, tf)
        self._bond(tf, end)

    # ---------------------------------------------------------------------------------------- bookkeeping
    def _add(self, name: str, **data: Any) -> str:
        name = re.sub(r"\W", "_", name)
        fresh, k = name, 2
        while fresh in self.elements or fresh in self.renamed.values():
            fresh, k = f"{name}_{k}", k + 1
        self.elements[fresh] = data
        return fresh

    def _bond(self, start: str, end: str) -> None:
        self.bonds[f"b{len(self.bonds) + 1}"] = (start, end)

    def _text(self, formula: str) -> str:
        """With parameters whose names mean something else in laws renamed."""
        node = parse(formula)
        used = names(node) & self.renamed.keys()
        return to_text(substitute(node, {n: Name(self.renamed[n]) for n in used}) if used else node)

    def _is_angle(self, f: ResolvedForce) -> bool:
        return f.type == "coordinate" and f.coordinate is not None and self._angle_named(f.coordinate)

    def _angle_named(self, coordinate: str) -> bool:
        from ...analysis.kinematics.inputs import is_angle

        return is_angle(self.model, coordinate)

    def graph(self, resolved: ResolvedModel) -> BondGraph:
        """What was built, with junctions that join only two bonds left out where they say nothing."""
        self._shorten()
        parameters = {
            self.renamed.get(n, n): self._text(v) if isinstance(v, str) and quantity(v) is None else v
            for n, v in self.model.parameters.items()
        }
        taken = {*self.elements}
        self.bonds = {(k if k not in taken else f"{k}_"): pair for k, pair in self.bonds.items()}
        run = {k: v for k, v in (("duration", resolved.duration), ("step", resolved.step)) if v is not None}
        reference = {"source": f"the mechanism {resolved.name!r}", "note": "; ".join(self.notes)}
        return BondGraph(
            name=resolved.name, title=self.model.title, parameters=parameters, elements=self.elements,
            bonds=self.bonds, initial=self.initial, run=run, reference=reference,
        )  # type: ignore[arg-type]  # fmt: skip

    def _shorten(self) -> None:
        for name in [n for n, e in self.elements.items() if e["type"] == "1" and n.startswith("rate_")]:
            mine = {k: pair for k, pair in self.bonds.items() if name in pair}
            into = [k for k, pair in mine.items() if pair[1] == name]
            out = [k for k, pair in mine.items() if pair[0] == name]
            if len(into) == 1 and len(out) == 1:
                start, end = self.bonds[into[0]][0], self.bonds[out[0]][1]
                if self.elements[start]["type"] in ("0", "TF"):
                    domain = self.elements.pop(name)["domain"]
                    self.elements[end].setdefault("domain", domain)
                    self.bonds[into[0]] = (start, end)
                    del self.bonds[out[0]]
        self.bonds = {f"b{k}": pair for k, pair in enumerate(self.bonds.values(), 1)}


def _summands(node: Node, sign: int) -> list[tuple[int, Node]]:
    if isinstance(node, Binary) and node.op in "+-":
        return [*_summands(node.left, sign), *_summands(node.right, sign if node.op == "+" else -sign)]
    if isinstance(node, Unary):
        return _summands(node.arg, -sign)
    return [(sign, node)]
