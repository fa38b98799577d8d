"""State equations in symbols, read off the causal graph.

Every effort and every flow has one element that determines it; following the definitions gives x' as a function of
the momenta and displacements x and of the sources u. Definitions in a circle are algebraic loops (`loops`); stores with
derivative causality make the equations implicit, and they are solved for (`dependent`). [B.6]-[B.9]
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

import sympy

from ..model.network import Network, Node
from .causality import Causality, candidates
from .dependent import solve_dependent
from .element_laws import E, F, P, Q
from .loops import Loop, SingularLoop, order, solve_loop
from .symbols import Expr, symbol

ATTEMPTS = 24
"""causalities that are tried before a graph is refused"""


@dataclass
class Equations:
    """x' = f(t, x, u): names and symbols, and what had to be solved on the way."""

    network: Network
    causality: Causality
    states: dict[str, Expr]
    """"mass.p" -> symbol, in the order of the stores"""
    inputs: dict[str, Expr]
    """source -> symbol, for sources that depend on time only"""
    laws: dict[str, Expr]
    """source -> its law of t"""
    rates: dict[str, Expr]
    """source -> symbol of its time derivative (it enters through stores with derivative causality)"""
    f: list[Expr]
    """x'"""
    values: dict[Expr, Expr]
    """every effort and flow"""
    dependent: dict[str, Expr]
    """energy variables of stores with derivative causality, by name"""
    loops: list[Loop]
    unknowns: list[Expr] = field(default_factory=list)
    """what no closed form was found for; a Newton iteration finds it"""
    residuals: list[Expr] = field(default_factory=list)

    @property
    def x(self) -> list[Expr]:
        return list(self.states.values())

    @property
    def u(self) -> list[Expr]:
        return list(self.inputs.values())

    @cached_property
    def linear(self) -> bool:
        """Whether x' = A x + B u (+ B1 u') with constant matrices."""
        return all(node.linear for node in self.network.nodes.values())

    @property
    def explicit(self) -> bool:
        """Whether x' is there in closed form."""
        return not self.unknowns

    def effort(self, bond: str) -> Expr:
        """The effort of a bond, in symbols."""
        return self.values[symbol(f"e_{bond}")]

    def flow(self, bond: str) -> Expr:
        """The flow of a bond, in symbols."""
        return self.values[symbol(f"f_{bond}")]

    @cached_property
    def A(self) -> sympy.Matrix:
        """∂x'/∂x; of a linear graph, its matrix."""
        return self._jacobian(self.f, self.x)

    @cached_property
    def B(self) -> sympy.Matrix:
        """∂x'/∂u."""
        return self._jacobian(self.f, self.u)

    @cached_property
    def B1(self) -> sympy.Matrix:
        """∂x'/∂u': not zero where a source moves a store with derivative causality."""
        return self._jacobian(self.f, list(self.rates.values()))

    def _jacobian(self, rows: list[Expr], by: list[Expr]) -> sympy.Matrix:
        from ...errors import MethodError, Problem

        if self.unknowns:
            names = "; ".join(str(loop) for loop in self.loops)
            raise MethodError(
                Problem("there are no matrices in symbols", why=f"an algebraic loop has no closed form: {names}",
                        cure="linear() gives them in numbers, at a state")
            )  # fmt: skip
        entries = [[neat(sympy.diff(row, s)) if s in row.free_symbols else sympy.S.Zero for s in by] for row in rows]
        return sympy.Matrix(len(rows), len(by), [entry for row in entries for entry in row])

    def facts(self) -> dict[str, Any]:
        """What causality says, for other programs."""
        return {
            "states": list(self.states),
            "sources": list(self.inputs),
            "linear": self.linear,
            "strokes": dict(self.causality.stroke),
            "derivative_causality": list(self.dependent),
            "algebraic_loops": [{"bonds": x.bonds, "elements": x.elements, "closed": x.closed} for x in self.loops],
        }

    def summary(self) -> str:
        """The states, and what causality found."""
        from .writing import remarks

        kind, states = "linear" if self.linear else "non-linear", ", ".join(self.states) or "(none)"
        return "\n".join([f"{len(self.states)} states ({kind}): {states}", *remarks(self)])

    def text(self) -> str:
        """For a terminal."""
        from .writing import equations_text

        return equations_text(self)

    def latex(self) -> str:
        """For a document."""
        from .writing import equations_latex

        return equations_latex(self)


def neat(expression: Any) -> Expr:
    """A short form, at a price that stays low."""
    if expression.is_Atom or sympy.count_ops(expression) > 500 or expression.has(sympy.Function, sympy.Piecewise):
        return expression
    return sympy.factor_terms(sympy.cancel(sympy.together(expression)))


def solved(network: Network) -> Equations:
    """The equations with the first causality that determines everything."""
    first: SingularLoop | None = None
    for causality in islice(candidates(network), ATTEMPTS):
        try:
            return derive(network, causality)
        except SingularLoop as error:
            first = first or error
    assert first is not None
    raise first


def derive(network: Network, causality: Causality) -> Equations:
    """The equations of a network with its causality."""
    stores = network.of("I", "C")
    states = {n.state: _state_symbol(n.state) for n in stores if n.name not in causality.derivative}
    dependent_rates = {name: symbol(f"w_{name}") for name in causality.derivative}
    inputs, laws, signals = _inputs(network), {}, {}
    for n in stores:
        if n.state in states:
            signals[symbol(n.state)] = states[n.state]
        else:
            law, variable, bond = (n.laws["momentum"], F, "f") if n.kind == "I" else (n.laws["displacement"], E, "e")
            signals[symbol(n.state)] = law.xreplace({variable: symbol(f"{bond}_{n.bond.name}")})
    for name in inputs:
        node = network.nodes[name]
        laws[name] = node.laws["effort" if node.kind == "Se" else "flow"]
    own = {**inputs, **dependent_rates, **{n.name: states[n.state] for n in stores if n.state in states}}
    definitions = {k: v.xreplace(signals) for k, v in _definitions(network, causality, own).items()}
    values: dict[Expr, Expr] = {}
    loops, unknowns, residuals = [], [], []
    owners = _owners(network, causality)
    for part in order(definitions):
        if len(part) == 1 and part[0] not in definitions[part[0]].free_symbols:
            values[part[0]] = definitions[part[0]].xreplace(values)
            continue
        loop = solve_loop(network, part, {v: definitions[v].xreplace(values) for v in part}, owners)
        loops.append(loop)
        values.update(loop.values)
        unknowns += loop.unknowns
        residuals += loop.residuals
    f = [values[symbol(f"{'e' if n.kind == 'I' else 'f'}_{n.bond.name}")] for n in stores if n.state in states]
    dependent = {n.name: signals[symbol(n.state)].xreplace(values) for n in stores if n.state not in states}
    rates = {name: symbol(f"{u}'") for name, u in inputs.items()}
    eq = Equations(network, causality, states, inputs, laws, rates, f, values, dependent, loops, unknowns, residuals)
    if dependent_rates:
        solve_dependent(eq, dependent_rates)
    return eq


def _state_symbol(name: str) -> Expr:
    element, kind = name.split(".")
    return symbol(f"{kind}_{element}")


def _inputs(network: Network) -> dict[str, Expr]:
    """Sources that depend on nothing in the graph."""
    taken = {str(p) for p in network.parameters}
    sources = [n for n in network.of("Se", "Sf") if not n.modulated]
    return {n.name: symbol(f"u_{n.name}" if n.name in taken else n.name) for n in sources}


def _owners(network: Network, c: Causality) -> dict[Expr, str]:
    """Which element determines each variable."""
    found = {}
    for bond in network.bonds.values():
        for end in (bond.start, bond.end):
            found[symbol(f"{'e' if c.gives_effort(bond, end) else 'f'}_{bond.name}")] = end
    return found


def _definitions(network: Network, c: Causality, own: dict[str, Expr]) -> dict[Expr, Expr]:
    """For each effort and flow, what the element that determines it says; own: the symbols of sources and stores."""
    out: dict[Expr, Expr] = {}
    for node in network.nodes.values():
        for bond in node.bonds:
            effort = c.gives_effort(bond, node.name)
            variable = symbol(f"{'e' if effort else 'f'}_{bond.name}")
            out[variable] = _definition(node, bond, effort, c, own)
    return out


def _definition(node: Node, bond: Any, effort: bool, c: Causality, own: dict[str, Expr]) -> Expr:
    e, f = symbol(f"e_{bond.name}"), symbol(f"f_{bond.name}")
    letter = "e" if effort else "f"
    if node.kind in ("Se", "Sf"):
        return own[node.name] if node.name in own else node.laws["effort" if effort else "flow"]
    if node.kind in ("I", "C"):
        if node.name in c.derivative:
            return own[node.name]
        law, variable = (node.laws["flow"], P) if node.kind == "I" else (node.laws["effort"], Q)
        return law.xreplace({variable: own[node.name]})
    if node.kind == "R":
        out, cause, variable, key, other = (e, f, F, "effort", "flow") if effort else (f, e, E, "flow", "effort")
        if key in node.laws:
            return node.laws[key].xreplace({variable: cause})
        # known the other way only: out = out + (cause - law(out))
        return out + cause - node.laws[other].xreplace({E if effort else F: out})
    if node.kind in ("0", "1"):
        others = [b for b in node.bonds if b is not bond]
        if effort == (node.kind == "0"):  # what is common: from the one bond that brings it
            strong = next(b for b in others if c.gives_effort(b, node.name) != effort)
            return symbol(f"{letter}_{strong.name}")
        signed = [b.sign(node.name) * symbol(f"{letter}_{b.name}") for b in others]
        return -bond.sign(node.name) * sympy.Add(*signed)
    into = next(b for b in node.bonds if b.sign(node.name) == 1)
    other = next(b for b in node.bonds if b is not bond)
    m = node.laws["modulus"]
    if node.kind == "TF":  # f2 = m f1, e1 = m e2
        gain = m if (bond is into) == effort else 1 / m
        return gain * symbol(f"{letter}_{other.name}")
    opposite = "f" if effort else "e"  # e2 = r f1, e1 = r f2
    return (m if effort else 1 / m) * symbol(f"{opposite}_{other.name}")
