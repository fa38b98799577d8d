"""Formulas of angles and unit quaternions in one form, so that what is zero shows and sums stay short.

Sums of products, with sin^2 = 1 - cos^2 and p0^2 = 1 - p1^2 - p2^2 - p3^2: two equal polynomials of sines, cosines and
quaternions are then the same sum, as long as their angles are independent.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy
from sympy.polys.domains import QQ
from sympy.simplify.fu import TR8

from ...errors import MethodError, Problem

LONGEST = 2500
"""terms of one formula, beyond which nobody reads it"""
MOST_WORK = 4_000_000
"""products of two terms for the formulas of one mechanism: some ten seconds"""
BITS = 8
"""of an exponent: the monomial x_0^a x_1^b ... is the number a + 2^8 b + ..., so that products of monomials are sums"""
HIGHEST = 2 ** (BITS - 1)
Sum = dict[int, Any]
"""monomial -> coefficient"""


class NormalForm:
    """The form of formulas in the coordinates of one mechanism, `quaternions` being four symbols each.

    >>> a = sympy.Symbol("a", real=True)
    >>> NormalForm()(sympy.sin(a) ** 3 + sympy.sin(a) * sympy.cos(a) ** 2)
    sin(a)
    """

    def __init__(self, quaternions: list[tuple[Any, ...]] | None = None):
        self.work = 0
        self._rest = {four[0]: 1 - sum(p**2 for p in four[1:]) for four in quaternions or []}
        self._factors: list[Any] = []
        """what sums of products are made of: symbols, sines, cosines, roots, quotients"""
        self._index: dict[Any, int] = {}
        self._rules: dict[int, Sum] = {}
        """factor -> what its square is"""
        self._squares = 0
        """the bits of an exponent of two or more, of every factor that has a rule"""
        self._known: dict[Any, Sum] = {}

    def __call__(self, e: Any) -> Any:
        """The sum of products."""
        e = sympy.sympify(e)
        if not e.args:
            return e
        found = self._reduced(self._sum(e))
        if len(found) > LONGEST:
            self._refuse(f"one of them has {len(found)} terms, at most {LONGEST}")
        out = sympy.Add(*(self._term(m, c) for m, c in found.items()))
        self._known[out] = self._again(out, found)
        return out

    # ---------------------------------------------------------------------------- formulas to sums and back
    def _sum(self, e: Any) -> Sum:
        if e.is_Rational:
            return {0: QQ(e.p, e.q)} if e else {}
        if (known := self._known.get(e)) is not None:
            return known
        if e.is_Add:
            out: Sum = {}
            for x in e.args:
                for m, c in self._sum(x).items():
                    out[m] = out.get(m, 0) + c
            out = {m: c for m, c in out.items() if c}
        elif e.is_Mul:
            out = self._product(map(self._sum, sorted(e.args, key=lambda x: x.is_Add)))
        elif e.is_Pow and e.exp.is_Integer and 0 < e.exp < HIGHEST:
            out = self._product([self._sum(e.base)] * int(e.exp))
        else:
            out = self._factor(e)
        if e.is_Add or e.is_Pow:
            self._known[e] = out
        return out

    def _product(self, sums: Iterable[Sum]) -> Sum:
        out: Sum = {0: QQ(1)}
        for other in sums:
            self._count(len(out) * len(other))
            product: Sum = {}
            for m, c in out.items():
                for n, d in other.items():
                    product[m + n] = product.get(m + n, 0) + c * d
            out = self._reduced({m: c for m, c in product.items() if c})
        return out

    def _factor(self, e: Any) -> Sum:
        """A formula that is no sum, product or whole power."""
        if e not in self._index:
            opened = e.func(self(e.base), e.exp) if e.is_Pow else sympy.expand(e)
            if opened != e:
                return self._sum(opened)
            k = self._index[e] = len(self._factors)
            self._factors.append(e)
            square = 1 - sympy.cos(e.args[0]) ** 2 if isinstance(e, sympy.sin) else self._rest.get(e)
            if square is not None:
                self._rules[k] = self._sum(square)
                self._squares |= (2**BITS - 2) << BITS * k
        return {1 << BITS * self._index[e]: QQ(1)}

    def _reduced(self, found: Sum) -> Sum:
        """Without squares of sines, and of the first parts of quaternions."""
        while any(m & self._squares for m in found):
            out: Sum = {}
            for m, c in found.items():
                rule: Sum = {0: QQ(1)}
                if m & self._squares:
                    k = next(k for k in self._rules if (m >> BITS * k) % 2**BITS > 1)
                    m, rule = m - (2 << BITS * k), self._rules[k]
                for n, d in rule.items():
                    out[m + n] = out.get(m + n, 0) + c * d
            self._count(len(found))
            found = {m: c for m, c in out.items() if c}
        return found

    def _term(self, monomial: int, coefficient: Any) -> Any:
        powers, k = [QQ.to_sympy(coefficient)], 0
        while monomial:
            n = monomial % 2**BITS
            if n:
                powers.append(self._factors[k] ** n)
            monomial, k = monomial >> BITS, k + 1
        return sympy.Mul(*powers)

    def _again(self, e: Any, found: Sum) -> Sum:
        """The sum of a formula just made; where roots or quotients have met, it is another one."""
        plain = all(x.is_Symbol or x.is_Function for x in self._factors)
        terms = len(e.args) if e.is_Add else min(len(found), 1)
        return found if plain and terms == len(found) else self._sum(e)

    def _count(self, work: int) -> None:
        self.work += work
        if self.work > MOST_WORK:
            self._refuse(f"they take more than {MOST_WORK} products of terms")

    @staticmethod
    def _refuse(why: str) -> None:
        cure = "`biela explain` in natural coordinates has shorter ones; or look at the numbers: System.at(q, v), and "
        cure += "`biela minimal` without symbols"
        raise MethodError(Problem("these formulas are too long to be written out", why=why, cure=cure))


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
