"""Features of laws: pulses, steps, bumps, kinks, walls and tables, each said in several ways, with what is exact of it.

A feature is a function of one variable (t, x or v). It knows itself as biela is told it (a text or a table), as a plain
Python function, and where it switches or bends: quadrature between these places is exact to rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)


@dataclass(frozen=True)
class Feature:
    """A law of one variable."""

    said: Any
    of: Callable[[float], float]
    places: tuple[float, ...]
    """where it switches, bends, or changes quickly"""


def pulse(u: str, a: float, b: float, F: float) -> Feature:
    """A rectangle by two conditions."""
    return Feature(f"if({u}>{a!r}, if({u}<{b!r}, {F!r}, 0), 0)", lambda s: F if a < s < b else 0.0, (a, b))


def tent(u: str, a: float, b: float, F: float) -> Feature:
    """A triangle by max and abs."""
    c, w = (a + b) / 2, (b - a) / 2
    return Feature(
        f"{F!r}*max(0, 1 - abs(({u} - {c!r})/{w!r}))", lambda s: F * max(0.0, 1 - abs((s - c) / w)), (a, c, b)
    )


def bump(u: str, a: float, b: float, F: float) -> Feature:
    """A bell: smooth, and narrow."""
    c, w = (a + b) / 2, (b - a) / 8
    near = tuple(c + k * w for k in range(-7, 8))
    return Feature(
        f"{F!r}*exp(-(({u} - {c!r})/{w!r})^2)", lambda s: F * math.exp(-min(((s - c) / w) ** 2, 700.0)), near
    )


def ramp(u: str, a: float, b: float, F: float) -> Feature:
    """Smoothly from nothing to F, and there it stays."""

    def of(s: float) -> float:
        z = min(max((s - a) / (b - a), 0.0), 1.0)
        return F * z**3 * (10 - 15 * z + 6 * z * z)

    return Feature(f"step({u}, {a!r}, 0, {b!r}, {F!r})", of, (a, b))


def switch(u: str, a: float, b: float, F: float) -> Feature:
    """Another sign on the other side."""
    said = f"{F / 2!r}*(sign({u} - {a!r}) - sign({u} - {b!r}))"
    return Feature(said, lambda s: F / 2 * (_sign(s - a) - _sign(s - b)), (a, b))


def clipped(u: str, a: float, b: float, F: float) -> Feature:
    """A slope between two levels, by min and max."""
    w = b - a
    return Feature(f"{F!r}*min(1, max(0, ({u} - {a!r})/{w!r}))", lambda s: F * min(1.0, max(0.0, (s - a) / w)), (a, b))


def table(u: str, a: float, b: float, F: float) -> Feature:
    """A triangle in a table of straight lines, far from its neighbours."""
    c = (a + b) / 2
    x, y = [a - 1e4, a, c, b, b + 1e4], [0.0, 0.0, F, 0.0, 0.0]
    return Feature({"x": x, "y": y, "interpolation": "linear"}, lambda s: float(np.interp(s, x, y)), (a, c, b))


def stairs(u: str, a: float, b: float, F: float) -> Feature:
    """Up, down below nothing, and back, by conditions of their own."""
    c = a + (b - a) / 3
    said = f"if({u}>{a!r}, {F!r}, 0) + if({u}>{c!r}, -2*({F!r}), 0) + if({u}>{b!r}, {F!r}, 0)"
    return Feature(said, lambda s: F * ((s > a) - 2 * (s > c) + (s > b)), (a, c, b))


def within(u: str, a: float, b: float, F: float) -> Feature:
    """A rectangle by one condition on a distance."""
    c, w = (a + b) / 2, (b - a) / 2
    return Feature(f"if(abs({u} - {c!r}) < {w!r}, {F!r}, 0)", lambda s: F if abs(s - c) < w else 0.0, (a, b))


def notch(u: str, a: float, b: float, F: float) -> Feature:
    """A triangle by min and abs."""
    c, w = (a + b) / 2, (b - a) / 2
    return Feature(
        f"{F!r}*(1 - min(1, abs({u} - {c!r})/{w!r}))", lambda s: F * (1 - min(1.0, abs(s - c) / w)), (a, c, b)
    )


def humps(u: str, a: float, b: float, F: float) -> Feature:
    """Half waves, as a rectifier leaves them."""
    w, c = (b - a) / math.pi, (a + b) / 2
    said = f"{F!r}*max(0, sin(({u} - {a!r})/{w!r}))*if(abs({u} - {c!r}) < {(b - a) / 2!r}, 1, 0)"
    return Feature(said, lambda s: F * math.sin((s - a) / w) if a < s < b else 0.0, (a, b))


FEATURES = {
    f.__name__: f for f in (pulse, tent, bump, ramp, switch, clipped, table, stairs, within, notch, humps)
}  # fmt: skip


def _sign(x: float) -> float:
    return float(x > 0) - float(x < 0)


def integral(f: Callable[[float], float], start: float, end: float, places: tuple[float, ...]) -> float:
    """From start to end, piece by piece between the places; each piece once more in quarters."""
    low, high = min(start, end), max(start, end)
    cuts = sorted({low, high, *(p for p in places if low < p < high)})
    total = 0.0
    for a, b in pairwise(cuts):
        for k in range(4):
            left, right = a + (b - a) * k / 4, a + (b - a) * (k + 1) / 4
            middle, half = (left + right) / 2, (right - left) / 2
            total += half * sum(w * f(middle + half * z) for z, w in zip(NODES, WEIGHTS, strict=True))
    return total if end >= start else -total
