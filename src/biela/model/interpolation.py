"""Functions given by points: straight lines, a shape-preserving curve, or a spline.

    linear   straight lines; the slope jumps at every point
    pchip    a cubic between every two points, with slopes that never carry it beyond them: it rises where the points
             rise and is level where they are level; the slope is continuous     Fritsch, Butland (1984)
    cubic    the spline: slope and curvature are continuous, so that it has accelerations, but it may swing far out
             between points that jump (not-a-knot; a parabola through three points, a line through two)

Forces are as the points tell unless something else is asked for, drivers need accelerations: see `OF_FORCES`,
`OF_DRIVERS`. How far a curve leaves its points is told by `overshoot`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Interpolation = Literal["pchip", "cubic", "linear"]
OF_FORCES: Interpolation = "pchip"
"""what joins the points of a force that do not say"""
OF_DRIVERS: Interpolation = "cubic"
"""what joins the points of a driver that do not say: it needs a velocity and an acceleration"""
NOTICEABLE = 0.05
"""of the range of all values: a curve that leaves its neighbouring points by more is spoken of. (Eight points in a
period of a sine: 0.04.)"""


def pieces(x: Any, y: Any, interpolation: Interpolation) -> Any:
    """The cubics between the points: four coefficients each, of rising powers of the distance from the left point.

    >>> pieces([0, 1, 2], [0, 1, 4], "cubic").round(9).tolist()
    [[0.0, 0.0, 1.0, 0.0], [1.0, 2.0, 1.0, 0.0]]
    >>> pieces([0, 1, 2], [0, 1, 1], "pchip").tolist()[1]  # level, as the points are
    [1.0, 0.0, 0.0, 0.0]
    """
    import numpy as np

    xs, ys = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    with np.errstate(all="ignore"):  # (what overflows is not finite, and seen to by those who ask)
        if interpolation == "linear":
            out = np.zeros((len(xs) - 1, 4))
            out[:, 0], out[:, 1] = ys[:-1], np.diff(ys) / np.diff(xs)
            return out
        from scipy.interpolate import CubicSpline, PchipInterpolator  # slow to import, and few models have tables

        try:
            curve = CubicSpline(xs, ys) if interpolation == "cubic" else PchipInterpolator(xs, ys)
        except ValueError as error:
            raise ValueError(f"the points cannot be interpolated: {error}") from error
    return curve.c[::-1].T


def curve(x: Any, y: Any, interpolation: Interpolation) -> Callable[[Any], Any]:
    """The function through the points, for numbers and arrays; outside of them the end values are held.

    >>> curve([0, 1, 2], [0, 1, 1], "pchip")([1.5, 7]).tolist()
    [1.0, 1.0]
    """
    import numpy as np

    xs = np.asarray(x, dtype=float)
    c = pieces(x, y, interpolation)

    def value(at: Any) -> Any:
        inside = np.clip(np.asarray(at, dtype=float), xs[0], xs[-1])
        k = np.clip(np.searchsorted(xs, inside, side="right") - 1, 0, len(c) - 1)
        s = inside - xs[k]
        return c[k, 0] + s * (c[k, 1] + s * (c[k, 2] + s * c[k, 3]))

    return value


@dataclass(frozen=True)
class Overshoot:
    """Where a curve leaves its points the most."""

    by: float
    """how far it goes beyond both of its neighbouring points"""
    value: float
    """what it reaches there"""
    between: tuple[float, float]
    """the two points"""
    given: tuple[float, float]
    """their values"""

    def __str__(self) -> str:
        (a, b), (left, right) = self.between, self.given
        return f"{self.value:.4g} between {a:.6g} and {b:.6g}, where the table says {left:.4g} and {right:.4g}"


def overshoot(x: Any, y: Any, value: Callable[[Any], Any]) -> Overshoot | None:
    """Where a curve through points leaves two neighbouring ones by a noticeable part of the range of all; or None.

    >>> x, y = [0, 5, 5.1, 5.2, 10], [0, 0, 1000, 0, 0]
    >>> print(overshoot(x, y, curve(x, y, "cubic")))
    -3.905e+05 between 0 and 5, where the table says 0 and 0
    >>> overshoot(x, y, curve(x, y, "pchip")) is None
    True
    """
    import numpy as np

    xs, ys = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    places = xs[:-1, None] + np.diff(xs)[:, None] * np.linspace(0, 1, 17)[1:-1]
    with np.errstate(all="ignore"):
        reached = np.asarray(value(places.ravel()), dtype=float).reshape(places.shape)
        low, high = np.minimum(ys[:-1], ys[1:]), np.maximum(ys[:-1], ys[1:])
        beyond = np.maximum(low[:, None] - reached, reached - high[:, None])
    if not np.isfinite(beyond).all():
        return None
    k, j = np.unravel_index(int(beyond.argmax()), beyond.shape)
    by = float(beyond[k, j])
    if by <= NOTICEABLE * float(np.ptp(ys)) or by <= 1e-9 * float(np.abs(ys).max()):
        return None
    return Overshoot(by, float(reached[k, j]), (float(xs[k]), float(xs[k + 1])), (float(ys[k]), float(ys[k + 1])))
