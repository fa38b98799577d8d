"""Formulas of angles and unit quaternions in one form, so that what is zero shows and sums stay short.

Sums of products, with sin^2 = 1 - cos^2 and p0^2 = 1 - p1^2 - p2^2 - p3^2: two equal polynomials of sines, cosines and
quaternions are then the same sum, as long as their angles are independent.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy.simplify.fu import TR8

from ...errors import MethodError, Problem

LONGEST = 2500
"""terms of one formula, beyond which nobody reads it"""


class NormalForm:
    """The form of formulas in the coordinates of one mechanism, `quaternions` being four symbols each.

    >>> a = sympy.Symbol("a", real=True)
    >>> NormalForm()(sympy.sin(a) ** 3 + sympy.sin(a) * sympy.cos(a) ** 2)
    sin(a)
    """

    def __init__(self, quaternions: list[tuple[Any, ...]] | None = None):
        self.lengths = {sum(p**2 for p in four): sympy.Integer(1) for four in quaternions or []}
        self.rest = {four[0]: 1 - sum(p**2 for p in four[1:]) for four in quaternions or []}

    def __call__(self, e: Any) -> Any:
        """The sum of products."""
        e = sympy.sympify(e)
        if not e.args:
            return e
        if self.lengths:
            e = e.xreplace(self.lengths)
        e = sympy.expand(e)
        while squares := {p: q for p in e.atoms(sympy.Pow) if (q := self._square(p)) is not None}:
            e = sympy.expand(e.xreplace(squares))
        if e.is_Add and len(e.args) > LONGEST:
            raise MethodError(
                Problem(
                    "these formulas are too long to be written out",
                    why=f"one of them has {len(e.args)} terms, at most {LONGEST}",
                    cure="natural coordinates have shorter ones; or look at the numbers, System.at(q, v)",
                )
            )
        return e

    def _square(self, power: Any) -> Any:
        """An even power of a sine, or of the first part of a quaternion, by the others."""
        base, n = power.args
        if not (n.is_Integer and n > 1):
            return None
        if isinstance(base, sympy.sin):
            return (1 - sympy.cos(base.args[0]) ** 2) ** (n // 2) * base ** (n % 2)
        return self.rest[base] ** (n // 2) * base ** (n % 2) if base in self.rest else None


def of_sums(e: Any) -> Any:
    """Products of sines and cosines as sines and cosines of sums.

    >>> a, b = sympy.symbols("a b", real=True)
    >>> of_sums(sympy.cos(a) * sympy.cos(b) - sympy.sin(a) * sympy.sin(b))
    cos(a + b)
    """
    return sympy.expand(TR8(sympy.expand(e))) if e.has(sympy.sin, sympy.cos) else e


class Written(list):
    """An array of formulas that takes each in its form."""

    def __init__(self, size: int, form: Any):
        super().__init__([sympy.Integer(0)] * size)
        self.form = form

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(int(index), self.form(value))
