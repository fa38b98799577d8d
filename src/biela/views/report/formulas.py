"""SymPy's expressions as MathML, which browsers show without any script."""

from __future__ import annotations

from typing import Any

import sympy
from sympy.printing.mathml import MathMLPresentationPrinter

DIGITS = 5


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
