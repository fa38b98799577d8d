"""Tabulated functions as piecewise cubics, for use in compiled loops.

A table of n points has n + 1 pieces: before the first point, between points, after the last. Piece j
is a cubic in ``x - breaks[j]``; where a piece starts at no point (the first), it still refers to one.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...machine.compiled import compiled
from ...model.interpolation import Interpolation, pieces

Outside = Literal["hold", "linear"]


class Tables:
    """Collects tables into arrays for `table_value`.

    >>> tables = Tables()
    >>> tables.add([0, 1, 2], [0, 1, 4])
    0
    >>> table_value(*tables.arrays(), 0, 1.5, -1)
    (2.25, 3.0, 2.0)
    """

    def __init__(self) -> None:
        self._ptr = [0]
        self._breaks: list[NDArray[np.float64]] = []
        self._coefficients: list[NDArray[np.float64]] = []

    def __len__(self) -> int:
        return len(self._breaks)

    def add(
        self, x: ArrayLike, y: ArrayLike, interpolation: Interpolation = "cubic", outside: Outside = "hold"
    ) -> int:
        """Add the table through the points (x, y); gives its number.

        What joins the points is told in `biela.model.interpolation`. Outside the points the end value is held,
        or with ``outside="linear"`` the table goes on along its end slope.
        """
        for choice, choices in ((interpolation, Interpolation), (outside, Outside)):
            if choice not in get_args(choices):
                raise ValueError(f"{choice!r} is not one of {', '.join(map(repr, get_args(choices)))}")
        xs, ys = _points(x, y)
        inner = pieces(xs, ys, interpolation)
        table = np.zeros((len(xs) + 1, 4))
        table[1:-1] = inner
        table[0, 0], table[-1, 0] = ys[0], ys[-1]
        if outside == "linear":
            h, c = xs[-1] - xs[-2], inner[-1]
            table[0, 1], table[-1, 1] = inner[0, 1], c[1] + h * (2 * c[2] + 3 * h * c[3])
        if not np.isfinite(table).all():
            raise ValueError("the points are too close or too far apart to interpolate")
        self._breaks.append(np.concatenate([xs[:1], xs]))
        self._coefficients.append(table)
        self._ptr.append(self._ptr[-1] + len(table))
        return len(self._breaks) - 1

    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """``ptr`` (table k is pieces ``ptr[k]:ptr[k + 1]``), ``breaks``, and four coefficients per piece."""
        breaks = np.concatenate([np.empty(0), *self._breaks])
        coefficients = np.concatenate([np.empty(0), *(pieces.ravel() for pieces in self._coefficients)])
        return np.array(self._ptr, dtype=np.int64), breaks, coefficients


def _points(x: ArrayLike, y: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    xs, ys = np.array(x, dtype=np.float64), np.array(y, dtype=np.float64)
    if xs.ndim != 1 or xs.shape != ys.shape:
        raise ValueError(f"x and y must be two lists of the same length, not {xs.shape} and {ys.shape}")
    if len(xs) < 2:
        raise ValueError(f"a table needs at least 2 points, not {len(xs)}")
    for name, values in (("x", xs), ("y", ys)):
        for index in np.flatnonzero(~np.isfinite(values)):
            raise ValueError(f"{name}[{index}] = {values[index]} is not finite")
    for index in np.flatnonzero(xs[1:] <= xs[:-1]):
        raise ValueError(f"x must increase, but after x[{index}] = {xs[index]} comes {xs[index + 1]}")
    with np.errstate(over="ignore"):
        if np.isinf(xs[-1] - xs[0]):
            raise ValueError("the points are too far apart")
    return xs, ys


@compiled()
def table_value(ptr, breaks, coefs, k, x, piece):
    """Value, first and second derivative of table ``k`` at ``x``; at a break, those of the piece after it.

    Only at the last point it is the piece before it: a motion that ends there is still moving. ``piece`` is -1, or the
    piece that holds wherever x is: within a step of an integrator a law is one polynomial (`switching`).

    >>> tables = Tables()
    >>> k = tables.add([0, 1], [5, 7], "linear")
    >>> table_value(*tables.arrays(), k, 1.0, -1), table_value(*tables.arrays(), k, 1.1, -1)
    ((7.0, 2.0, 0.0), (7.0, 0.0, 0.0))
    """
    low, last = ptr[k], ptr[k + 1] - 1
    # Invariant: piece `low` begins at or before x (the first has no beginning), piece `high` after it.
    high = last + 1
    while high - low > 1:
        middle = (low + high) // 2
        if breaks[middle] <= x:
            low = middle
        else:
            high = middle
    if low == last and x == breaks[last]:
        low -= 1
    if piece >= 0:
        low = piece
    s = x - breaks[low]
    c0, c1, c2, c3 = coefs[4 * low], coefs[4 * low + 1], coefs[4 * low + 2], coefs[4 * low + 3]
    y = c0 + s * (c1 + s * (c2 + s * c3))
    dy = c1 + s * (2.0 * c2 + 3.0 * s * c3)
    return y, dy, 2.0 * c2 + 6.0 * s * c3
