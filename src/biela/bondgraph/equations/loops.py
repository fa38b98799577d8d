"""Algebraic loops: variables that determine one another in a circle, cut at resistors and solved. [B.8]"""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy

from ...errors import ModelError, Problem
from ..model.network import Network
from .symbols import Expr, is_small, solve

Definitions = dict[Expr, Expr]


class SingularLoop(ModelError):
    """A loop whose equations determine nothing, or contradict one another."""


@dataclass
class Loop:
    """One loop: where it runs, and what cutting it gave."""

    bonds: list[str]
    elements: list[str]
    cut: list[Expr]
    closed: bool
    """whether it was solved in closed form"""
    values: Definitions = field(default_factory=dict)
    unknowns: list[Expr] = field(default_factory=list)
    residuals: list[Expr] = field(default_factory=list)

    def __str__(self) -> str:
        how = "solved in closed form" if self.closed else "solved by iteration"
        if len(self.bonds) == 1:
            return f"the law of {self.elements[0]} on bond {self.bonds[0]} inverted, {how}"
        return f"{' - '.join(self.elements)} (bonds {', '.join(self.bonds)}), {how}"


def order(definitions: Definitions) -> list[list[Expr]]:
    """The strongly connected parts of the definitions, each after those it needs (Tarjan's algorithm, no recursion)."""
    index: dict[Expr, int] = {}
    low: dict[Expr, int] = {}
    stack: list[Expr] = []
    parts: list[list[Expr]] = []
    needs = {v: [s for s in sorted(d.free_symbols, key=str) if s in definitions] for v, d in definitions.items()}
    for root in definitions:
        if root in index:
            continue
        work = [(root, iter(needs[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack = {root, *stack}
        while work:
            v, successors = work[-1]
            for s in successors:
                if s not in index:
                    index[s] = low[s] = len(index)
                    stack.append(s)
                    on_stack.add(s)
                    work.append((s, iter(needs[s])))
                    break
                if s in on_stack:
                    low[v] = min(low[v], index[s])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[v])
                if low[v] == index[v]:
                    part = []
                    while True:
                        s = stack.pop()
                        on_stack.discard(s)
                        part.append(s)
                        if s == v:
                            break
                    parts.append(part[::-1])
    return parts


def solve_loop(network: Network, part: list[Expr], definitions: Definitions, owners: dict) -> Loop:
    """Cut a loop at resistors and modulated laws, and solve for what was cut: in closed form if it is linear."""
    cut = _cuts(network, part, definitions, owners)
    inner = {v: definitions[v] for v in part if v not in cut}
    values: Definitions = {}
    for (v,) in order(inner):
        values[v] = inner[v].xreplace(values)
    residuals = [sympy.expand(definitions[v].xreplace(values) - v) for v in cut]
    bonds = list(dict.fromkeys(str(v)[2:] for v in part))
    elements = list(dict.fromkeys(owners[v] for v in part if network.nodes[owners[v]].kind not in ("0", "1")))
    elements = elements or list(dict.fromkeys(owners[v] for v in part))
    J = sympy.Matrix(residuals).jacobian(cut)
    straight = not any(J.has(v) for v in cut)
    loop = Loop(bonds, elements, cut, straight and is_small(J))
    if straight:
        _refuse_singular(network, loop, J)
    if loop.closed:
        rest = sympy.Matrix(residuals).xreplace(dict.fromkeys(cut, sympy.S.Zero))
        solution = solve(J, rest)
        if solution is None:
            raise _singular(network, loop)
        found = dict(zip(cut, solution, strict=True))
        loop.values = {**found, **{v: d.xreplace(found) for v, d in values.items()}}
    else:
        loop.unknowns, loop.residuals = cut, residuals
        loop.values = {**{v: v for v in cut}, **values}
    return loop


def _cuts(network: Network, part: list, definitions: Definitions, owners: dict) -> list[Expr]:
    """Variables without which nothing goes in a circle any more; outputs of resistors first."""
    cut: list[Expr] = []
    remaining = {v: definitions[v] for v in part}
    while True:
        circles = [p for p in order(remaining) if len(p) > 1 or p[0] in remaining[p[0]].free_symbols]
        if not circles:
            return cut
        circle = sorted(circles[0], key=lambda v: part.index(v))
        rank = {"R": 0, "Se": 1, "Sf": 1, "TF": 2, "GY": 2}
        best = min(circle, key=lambda v: rank.get(network.nodes[owners[v]].kind, 3))
        cut.append(best)
        del remaining[best]


def _refuse_singular(network: Network, loop: Loop, J: sympy.Matrix) -> None:
    """A linear loop whose equations determine nothing, or contradict one another."""
    numbers = J.xreplace(network.numbers)
    if numbers.free_symbols:
        return  # modulated: it may be singular at some instants only
    import numpy as np

    M = np.array(numbers.tolist(), dtype=float)
    s = np.linalg.svd(M, compute_uv=False)
    if s[-1] > 1e-13 * max(1.0, s[0]):
        return
    raise _singular(network, loop)


def _singular(network: Network, loop: Loop) -> SingularLoop:
    names = ", ".join(repr(b) for b in loop.bonds)
    return SingularLoop(
        Problem(
            f"the algebraic loop through bonds {names} has no unique solution",
            "elements " + ", ".join(loop.elements),
            "its equations are not independent: gains along the loop multiply to one, or an effort or flow circulates",
            "add an element (R, I or C) to the loop, or change a modulus or a resistance",
        ),
        f"bond graph {network.name!r}",
    )
