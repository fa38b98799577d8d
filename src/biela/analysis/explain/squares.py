"""Constraint rows as they are written by hand: (x_A - x_B)**2 + (y_A - y_B)**2 - l**2."""

from __future__ import annotations

from typing import Any

import sympy


def by_hand(e: Any, variables: list[Any]) -> Any:
    """A row as a sum of squares and a constant, or of products with differences; else as it is.

    >>> x, y, l = sympy.symbols("x y l")
    >>> written(by_hand(sympy.expand((x - y) ** 2 - l**2), [x, y]))
    '(x - y)**2 - l**2'
    """
    own = [s for s in variables if s in e.free_symbols]
    if not own or not e.is_polynomial(*own):
        return e
    poly = sympy.Poly(sympy.expand(e), *own)
    if poly.total_degree() != 2:
        return e
    squares = _squares(poly)
    if squares is not None:
        return squares
    crossing = [s for k, s in enumerate(own) if sum(1 for m in poly.monoms() if m[k] == 1 and sum(m) == 2) > 1]
    return min((e, sympy.collect(sympy.expand(e), crossing)), key=sympy.count_ops) if crossing else e


def written(e: Any) -> str:
    """A formula in plain characters, its terms in their order; long fractions as decimals."""
    e = decimals(e)
    return sympy.StrPrinter({"order": "none", "full_prec": False}).doprint(e) if _kept(e) else _plain(e)


def decimals(e: Any) -> Any:
    """Fractions that nobody would write out, as decimals of fifteen digits."""
    long = {r: sympy.Float(r, 15) for r in e.atoms(sympy.Rational) if r.q > 10**7 or abs(r.p) > 10**12}
    return e.xreplace(long) if long else e


def in_latex(e: Any, names: dict[Any, str]) -> str:
    """The same in LaTeX."""
    e = decimals(e)
    return sympy.latex(e, symbol_names=names, order="none" if _kept(e) else None, full_prec=False)


class _Sum(sympy.Add):
    """A sum whose terms stay in the order in which they were written."""


def _sum(*terms: Any) -> Any:
    terms = tuple(x for x in terms if x != 0)
    return terms[0] if len(terms) == 1 else _Sum(*terms, evaluate=False)


def _kept(e: Any) -> bool:
    return isinstance(e, _Sum)


def _plain(e: Any) -> str:
    return sympy.StrPrinter({"full_prec": False}).doprint(e)


def _squares(poly: sympy.Poly) -> Any:
    """Sum of c (x - y + d)^2 and a constant, None if it is something else."""
    x, n = poly.gens, len(poly.gens)

    def power(*which: int) -> tuple[int, ...]:
        return tuple(which.count(k) for k in range(n))

    rest: dict[tuple[int, ...], Any] = dict(poly.as_dict(native=False))
    constant, terms = rest.pop((0,) * n, sympy.Integer(0)), []
    for i in range(n):
        c = rest.pop(power(i, i), 0)
        if c == 0:
            continue
        partners = [j for j in range(n) if j != i and power(i, j) in rest]
        b = rest.pop(power(i), 0)
        inside = [x[i]]
        if partners:
            j = partners[0]
            fits = len(partners) == 1 and sympy.simplify(rest.pop(power(i, j)) + 2 * c) == 0
            fits = fits and sympy.simplify(rest.pop(power(j, j), 0) - c) == 0
            if not fits or sympy.simplify(rest.pop(power(j), 0) + b) != 0:
                return None
            inside.append(-x[j])
        shift: Any = sympy.factor(b / (2 * c))
        constant = constant - c * shift**2
        square = sympy.Pow(_sum(*inside, *sympy.Add.make_args(shift)), 2, evaluate=False)
        terms.append(square if c == 1 else sympy.Mul(c, square, evaluate=False))
    if rest or not terms:
        return None
    return _sum(*terms, *sympy.Add.make_args(sympy.simplify(sympy.expand(constant))))
