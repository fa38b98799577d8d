"""Equations as text and as LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy

if TYPE_CHECKING:
    from .equations import Equations


def _sources(eq: Equations) -> list[str]:
    return [f"{eq.inputs[name]} = {law}" for name, law in eq.laws.items()]


def remarks(eq: Equations) -> list[str]:
    """What causality found, dependent stores and algebraic loops, by name; and what may not be meant."""
    lines = []
    for name, G in eq.dependent.items():
        node = eq.network.nodes[name]
        by = eq.causality.because[node.bond.name]
        lines.append(
            f"derivative causality: {node.kind} {name} on bond {node.bond.name} (imposed by {by}): {node.state} = {G}"
        )
    lines += [f"algebraic loop: {loop}" for loop in eq.loops]
    return lines + eq.network.doubts


def equations_text(eq: Equations) -> str:
    """For a terminal: x, u, and A and B of a linear graph or x' of another."""
    lines = [f"x = [{', '.join(map(str, eq.x))}]"]
    if eq.inputs:
        lines += [f"u = [{', '.join(map(str, eq.u))}],  {';  '.join(_sources(eq))}"]
    if eq.linear and eq.explicit:
        lines += ["", "x' = A x" + (" + B u" if eq.inputs else "") + (" + B1 u'" if _uses_rates(eq) else "")]
        lines += ["", "A =", sympy.pretty(eq.A, use_unicode=False, wrap_line=False)]
        if eq.inputs:
            lines += ["", "B =", sympy.pretty(eq.B, use_unicode=False, wrap_line=False)]
        if _uses_rates(eq):
            lines += ["", "B1 =", sympy.pretty(eq.B1, use_unicode=False, wrap_line=False)]
    else:
        lines += ["", *(f"{x}' = {f}" for x, f in zip(eq.x, eq.f, strict=True))]
        lines += [f"0 = {r}" for r in eq.residuals]
        if eq.unknowns:
            lines += [f"(unknown at each instant: {', '.join(map(str, eq.unknowns))})"]
    found = remarks(eq)
    return "\n".join(lines + (["", *found] if found else []))


def equations_latex(eq: Equations) -> str:
    """For a document."""
    x = sympy.Matrix(eq.x)
    lines = [rf"x = {sympy.latex(x)}"]
    if eq.inputs:
        laws = r",\quad ".join(f"{sympy.latex(eq.inputs[s])} = {sympy.latex(law)}" for s, law in eq.laws.items())
        lines += [rf"u = {sympy.latex(sympy.Matrix(eq.u))},\quad {laws}"]
    if eq.linear and eq.explicit:
        right = rf"{sympy.latex(eq.A)} x"
        if eq.inputs:
            right += rf" + {sympy.latex(eq.B)} u"
        if _uses_rates(eq):
            right += rf" + {sympy.latex(eq.B1)} \dot u"
        lines += [rf"\dot x = {right}"]
    else:
        lines += [rf"\dot x = {sympy.latex(sympy.Matrix(eq.f))}"]
        lines += [rf"0 = {sympy.latex(r)}" for r in eq.residuals]
    return "\n".join(f"\\[ {line} \\]" for line in lines)


def _uses_rates(eq: Equations) -> bool:
    rates = set(eq.rates.values())
    return any(f.free_symbols & rates for f in eq.f)
