"""The equations of the mechanism, as formulas in MathML, which browsers show without any script."""

from __future__ import annotations

from html import escape
from typing import Any

import sympy
from sympy.printing.mathml import MathMLPresentationPrinter

from ...analysis.explain.explain import explain
from ...model.model import Model
from ...results.motion import Motion
from .page import paragraph

WIDEST = 12
"""columns of a matrix that a page can show"""
DIGITS = 5
SYMBOLS = {
    "q": "<mi class=bold>q</mi>",
    "Phi": "<mi class=bold>Φ</mi>",
    "Phi_q": "<msub><mi class=bold>Φ</mi><mi class=bold>q</mi></msub>",
    "gamma": "<mi class=bold>γ</mi>",
    "M": "<mi class=bold>M</mi>",
    "Q": "<mi class=bold>Q</mi>",
    "Q_v": "<msub><mi class=bold>Q</mi><mi>v</mi></msub>",
}
EQUATION = (
    "<math display=block><mi class=bold>M</mi><mover><mi class=bold>q</mi><mo>¨</mo></mover><mo>+</mo>"
    "<msubsup><mi class=bold>Φ</mi><mi class=bold>q</mi><mi>T</mi></msubsup>"
    "<mi class=bold>λ</mi><mo>=</mo><mi class=bold>Q</mi><mo>,</mo><mspace width=1.5em></mspace>"
    "<mi class=bold>Φ</mi><mo>=</mo><mn class=bold>0</mn></math>"
)


def equations(model: Model, motion: Motion | None) -> str:
    """q, Phi, Phi_q, gamma, M and Q in natural coordinates."""
    told = explain(model)
    low = told.symbolic.equations
    out = [paragraph(f"In {told.coordinates} coordinates; the reaction of the joints on the bodies is −Φ_qᵀ λ.")]
    out.append(f'<div class="formula">{EQUATION}</div>')
    for name, _, resolved, matrix in told.terms():
        out.append(f"<h3>{escape(resolved[0].upper() + resolved[1:])}</h3>")
        if matrix.rows == 0:
            out.append(paragraph("There are none: nothing constrains the coordinates."))
            continue
        if matrix.cols > WIDEST:
            said = f"{matrix.rows} × {matrix.cols}: too wide for a page; `biela explain` prints it."
            out.append(paragraph(said))
            continue
        out.append(f'<div class="formula"><math display=block>{SYMBOLS[name]}<mo>=</mo>{mathml(matrix)}</math></div>')
        if name == "Phi":
            out.append(paragraph("Rows: " + ", ".join(r.name for r in low.rows), "labels"))
    return "".join(out)


class _Printer(MathMLPresentationPrinter):
    """Rates with a dot, names after an underscore as indices."""

    def _print_Symbol(self, sym: Any, style: str = "plain") -> Any:
        base, _, index = str(sym.name).rstrip("'").partition("_")
        letter = self._leaf("mi", _GREEK.get(base, base))
        if sym.name.endswith("'"):
            dotted = self.dom.createElement("mover")
            dotted.appendChild(letter)
            dotted.appendChild(self._leaf("mo", "˙"))
            letter = dotted
        if not index:
            return letter
        out = self.dom.createElement("msub")
        out.appendChild(letter)
        out.appendChild(self._leaf("mi", index))
        return out

    def _leaf(self, kind: str, text: str) -> Any:
        element = self.dom.createElement(kind)
        element.appendChild(self.dom.createTextNode(text))
        return element


_GREEK = {name: chr(code) for code, name in enumerate(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho - sigma tau upsilon phi "
    "chi psi omega".split(), 0x3B1)}  # fmt: skip


def mathml(expression: Any) -> str:
    """An expression or a matrix; numbers to five digits.

    >>> x = sympy.Symbol("x_P'")
    >>> mathml(x)
    '<msub><mover><mi>x</mi><mo>&#729;</mo></mover><mi>P</mi></msub>'
    """
    short = {number: sympy.Float(number, DIGITS) for number in expression.atoms(sympy.Float)}
    long = {n: sympy.Float(n, DIGITS) for n in expression.atoms(sympy.Rational) if n.q > 9999 or abs(n.p) > 99999}
    if short or long:
        expression = expression.xreplace({**short, **long})
    text = _Printer().doprint(expression)
    # brackets that grow need a font for mathematics, which many machines lack: the page draws them as borders
    text = text.replace("<mrow><mo>[</mo><mtable>", '<mrow><mtable displaystyle="true">')
    text = text.replace("</mtable><mo>]</mo></mrow>", "</mtable></mrow>")
    return text.replace("&InvisibleTimes;", "\u2062").replace("&ApplyFunction;", "\u2061")
