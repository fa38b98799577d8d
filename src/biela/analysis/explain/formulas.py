"""Formulas made short enough to be read."""

from __future__ import annotations

from typing import Any

import sympy

from ...system.symbols.symbolic_system import exact, tidy


def plain(e: Any) -> Any:
    """Numbers that nobody would write out, such as roots of long decimals, as decimals of fourteen digits."""
    e = sympy.sympify(e)
    if e.is_number:
        return exact(float(e)) if len(str(e)) > 16 else e
    if not e.args:
        return e
    if e.is_Add or e.is_Mul:
        numbers = [x for x in e.args if x.is_number]
        rest = [plain(x) for x in e.args if not x.is_number]
        return e.func(plain(e.func(*numbers)), *rest) if numbers else e.func(*rest)
    return e.func(*(plain(x) for x in e.args))


def shortened(e: Any) -> Any:
    """The shorter form where it is quick to find."""
    e = plain(e)
    if sympy.count_ops(e) > 150:
        return e
    return min((e, sympy.trigsimp(sympy.expand(e))), key=sympy.count_ops)


def tidied(matrix: sympy.Matrix) -> sympy.Matrix:
    def angle(e: Any) -> Any:
        """atan2 of a sine and a cosine is the angle itself (but for whole turns)."""
        a, b = sympy.Wild("a"), sympy.Wild("b", exclude=[0])
        return e.replace(sympy.atan2(b * sympy.sin(a), b * sympy.cos(a)), a)

    return tidy(matrix.applyfunc(lambda e: angle(shortened(sympy.sympify(e)))))


