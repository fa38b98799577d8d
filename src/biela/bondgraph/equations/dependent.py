"""Stores with derivative causality: their energy follows from that of the others, and the equations are solved for it.

With z = G(t, x, u) the dependent energy variables and w = z' what they give, x' = f(t, x, u, w) and
w = G_x f + G_u u' + G_t: linear in w. [B.9]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy

from ...errors import ModelError, Problem
from .element_laws import T
from .symbols import Expr, is_small, solve

if TYPE_CHECKING:
    from .equations import Equations


def solve_dependent(eq: Equations, rates: dict[str, Expr]) -> None:
    """Put w in: in closed form where that is possible, else among the unknowns."""
    from .equations import neat

    network = eq.network
    hidden = set(rates.values()) | set(eq.unknowns)
    residuals = []
    for name, w in rates.items():
        G, bond = eq.dependent[name], network.nodes[name].bond.name
        if G.free_symbols & hidden or G.atoms(sympy.core.function.AppliedUndef):
            kind = network.nodes[name].kind
            raise ModelError(
                Problem(
                    f"{kind} {name!r} on bond {bond!r} has derivative causality behind a law without derivative",
                    f"elements.{name}",
                    "its energy depends on an algebraic loop without a closed form, on a Python function or a table",
                    "give the laws of the resistors both ways (effort and flow), as formulas; or add a small I or C",
                ),
                f"bond graph {network.name!r}",
            )
        terms = [sympy.diff(G, x) * f for x, f in zip(eq.x, eq.f, strict=True) if x in G.free_symbols]
        terms += [sympy.diff(G, u) * eq.rates[s] for s, u in eq.inputs.items() if u in G.free_symbols]
        residuals.append(sympy.Add(*terms) + (sympy.diff(G, T) if T in G.free_symbols else 0) - w)
    symbols = list(rates.values())
    J = sympy.Matrix(residuals).jacobian(symbols)
    straight = not any(J.has(w) for w in symbols) and not any(r.has(*eq.unknowns) for r in residuals if eq.unknowns)
    rest = sympy.Matrix(residuals).xreplace(dict.fromkeys(symbols, sympy.S.Zero))
    solution = solve(J, rest) if straight and is_small(J) else None
    if solution is None:
        eq.unknowns, eq.residuals = [*eq.unknowns, *symbols], [*eq.residuals, *residuals]
        return
    found = dict(zip(symbols, solution, strict=True))
    eq.f = [neat(f.xreplace(found)) for f in eq.f]
    eq.values = {v: d.xreplace(found) for v, d in eq.values.items()}
    eq.residuals = [r.xreplace(found) for r in eq.residuals]
