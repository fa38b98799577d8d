"""Formulas made short enough to be read."""

from __future__ import annotations

from typing import Any

import sympy

from ...system.symbols.normal_form import NormalForm
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
    e = constant_lengths(plain(e))
    if sympy.count_ops(e) > 150:
        return e
    return min((e, sympy.trigsimp(sympy.expand(e))), key=sympy.count_ops)


def constant_lengths(e: Any) -> Any:
    """Roots and denominators without sin^2 + cos^2, which the length of a rigid line is full of.

    >>> a, l = sympy.symbols("a l", positive=True)
    >>> constant_lengths(a / sympy.sqrt(l**2 * sympy.sin(a) ** 2 + l**2 * sympy.cos(a) ** 2))
    a/l
    """

    def of_angles(x: Any) -> bool:
        return x.is_Pow and x.base.is_Add and not (x.exp.is_Integer and x.exp > 0) and x.base.has(sympy.sin)

    def shorter(x: Any) -> Any:
        return x.func(min((x.base, NormalForm()(x.base)), key=sympy.count_ops), x.exp)

    return e.replace(of_angles, shorter) if e.has(sympy.sin) else e


def tidied(matrix: sympy.Matrix) -> sympy.Matrix:
    def angle(e: Any) -> Any:
        """atan2 of a sine and a cosine is the angle itself (but for whole turns)."""
        a, b = sympy.Wild("a"), sympy.Wild("b", exclude=[0])
        return e.replace(sympy.atan2(b * sympy.sin(a), b * sympy.cos(a)), a)

    return tidy(matrix.applyfunc(lambda e: angle(shortened(sympy.sympify(e)))))
