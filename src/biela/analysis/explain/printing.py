"""Formulas as they are written by hand: rows as (x_A - x_B)**2 + (y_A - y_B)**2 - l**2, matrices in brackets."""

from __future__ import annotations

from typing import Any

import sympy

WIDEST = 160
"""characters of a row; a wider matrix is written entry by entry"""
LONGEST_ENTRY = 400
"""operations of an entry, some two thousand characters; of a longer one only its size is printed"""


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
    order = {"order": "none"} if isinstance(e, _Sum) else {}
    return sympy.StrPrinter({"full_prec": False, **order}).doprint(e)


def decimals(e: Any) -> Any:
    """Fractions that nobody would write out, as decimals of fifteen digits."""
    long = {r: sympy.Float(r, 15) for r in e.atoms(sympy.Rational) if r.q > 10**7 or abs(r.p) > 10**12}
    return e.xreplace(long) if long else e


def in_latex(e: Any, names: dict[Any, str]) -> str:
    """The same in LaTeX."""
    e = decimals(e)
    return sympy.latex(e, symbol_names=names, order="none" if isinstance(e, _Sum) else None, full_prec=False)


class _Sum(sympy.Add):
    """A sum whose terms stay in the order in which they were written."""


def _sum(*terms: Any) -> Any:
    terms = tuple(x for x in terms if x != 0)
    return terms[0] if len(terms) == 1 else _Sum(*terms, evaluate=False)


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


# -------------------------------------------------------------------------------------------------------- matrices
def table(matrix: Any, labels: list[str] | None = None, column: list[str] | None = None) -> list[str]:
    """The lines of a matrix, with a label to each row; `column`: its entries, where they are written already."""
    cells = [[written_entry(matrix[i, j]) for j in range(matrix.cols)] for i in range(matrix.rows)]
    if column is not None:
        cells = [[text] for text in column]
    width = [max((len(row[j]) for row in cells), default=0) for j in range(matrix.cols)]
    if sum(width) > WIDEST:
        mirrored = [list(column) for column in zip(*cells, strict=True)]
        return _entries(cells, matrix.cols > 1 and matrix.is_square and cells == mirrored, labels)
    lines = []
    for i, row in enumerate(cells):
        text = "  ".join(c.rjust(w) for c, w in zip(row, width, strict=True))
        label = f"   {labels[i]}" if labels and i < len(labels) else ""
        lines.append(f"  [ {text} ]{label}")
    return lines or ["  [ ]"]


def too_long(e: Any) -> bool:
    """Whether an entry is too long to be read."""
    return e.count_ops() > LONGEST_ENTRY if e.args else False


def written_entry(e: Any) -> str:
    """In plain characters; only the size of what is too long."""
    return f"... {e.count_ops()} operations ..." if too_long(e) else written(e)


def _entries(cells: list[list[str]], symmetric: bool, labels: list[str] | None) -> list[str]:
    """What is not zero, one entry a line."""
    which = "symmetric; entries on and above the diagonal that are" if symmetric else "entries that are"
    lines = [f"  {which} not 0:"]
    for i, row in enumerate(cells):
        for j, text in enumerate(row):
            if text != "0" and (j >= i or not symmetric):
                place = f"[{i + 1}, {j + 1}]" if len(row) > 1 else f"[{i + 1}]"
                lines.append(f"  {place}  {text}" + (f"   {labels[i]}" if labels else ""))
    return lines
