"""Where along an interval something happens that may be as short as it likes: parts of which bounds say that it does
not happen there are dropped, the others are divided."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .derivative import differentiate
from .evaluation import bounds
from .intervals import product
from .switches import jumps
from .tree import Node
from .writing import names

Range = Callable[[np.ndarray, np.ndarray], tuple[Any, Any]]
"""bounds of a quantity between the ends of each of many parts"""
PARTS = 8
"""into which a part is divided of which nothing is certain"""
AT_ONCE = 2048
"""parts that are divided together; the later ones wait"""
MOST = 200_000
"""parts that are looked at"""
DOMINATED = 3.0
"""times the width of the bounds at a single instant: a part whose bounds are no wider is not divided any more"""


@dataclass(frozen=True)
class Quantity:
    """What a formula reads, along the interval: its bounds, and those of its slope."""

    value: Range
    slope: Range


CLOCK = Quantity(lambda a, b: (a, b), lambda a, b: (np.ones_like(a), np.ones_like(b)))
"""the interval itself"""


class Along:
    """A formula along an interval, whose variables are quantities that change along it."""

    def __init__(self, node: Node, quantities: Mapping[str, Quantity]):
        self.node, self.quantities = node, {name: quantities[name] for name in names(node)}
        self.jumps = jumps(node)
        self.slopes = {} if self.jumps else {name: differentiate(node, name) for name in self.quantities}

    def __call__(self, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Bounds between a and b: of the formula as it is, and by its slopes from the middle, whichever say more."""
        lo, hi = self._plain(a, b)
        if self.slopes and a is not b:
            middle, half = 0.5 * (a + b), 0.5 * (b - a)
            low, high = self._plain(middle, middle)
            with np.errstate(all="ignore"):
                steep = np.abs(self.slope(a, b)).max(axis=0)
                least, greatest = low - steep * half, high + steep * half
            lo = np.where(np.isfinite(least), np.maximum(lo, least), lo)
            hi = np.where(np.isfinite(greatest), np.minimum(hi, greatest), hi)
        return lo, hi

    def slope(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Bounds of its slope along the interval, two rows; where it may jump there are none."""
        if self.jumps:
            return np.array([np.full_like(a, -np.inf), np.full_like(b, np.inf)])
        ranges = {name: q.value(a, b) for name, q in self.quantities.items()}
        least, greatest = np.zeros_like(a), np.zeros_like(b)
        with np.errstate(all="ignore"):
            for name, slope in self.slopes.items():
                part = product(bounds(slope, ranges), self.quantities[name].slope(a, b))
                least, greatest = least + part[0], greatest + part[1]
        return np.array([least, greatest])

    def at(self, x: np.ndarray) -> np.ndarray:
        """Its values (the middle, where the quantities are not known any better)."""
        lo, hi = self._plain(x, x)
        return 0.5 * (lo + hi)

    def _plain(self, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        lo, hi = bounds(self.node, {name: q.value(a, b) for name, q in self.quantities.items()})
        return np.broadcast_to(lo, a.shape).astype(float), np.broadcast_to(hi, a.shape).astype(float)


@dataclass
class Found:
    """What was found."""

    sure: tuple[float, float] | None = None
    """the first part (or instant, twice) at which the quantity is positive for certain"""
    open: list[tuple[float, float]] = field(default_factory=list)
    """parts before that of which nothing is certain, in order"""
    told: bool = True
    """whether everything was looked at"""


def _divided(left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each part in some equal ones."""
    ends = left[:, None] + (right - left)[:, None] * np.linspace(0.0, 1.0, PARTS + 1)
    ends[:, -1] = right
    return ends[:, :-1].ravel(), ends[:, 1:].ravel()


def first_positive(value: Range, a: float, b: float, fine: float) -> Found:
    """Where between a and b a quantity is first positive, by parts no shorter than `fine`.

    >>> from biela.model.expression import parse
    >>> short = Along(parse("1e-5 - abs(t - 17.123)"), {"t": CLOCK})
    >>> [round(x, 6) for x in first_positive(short, 0.0, 1000.0, 1e-9).sure]
    [17.12299, 17.12299]
    """
    out, looked = Found(), 0
    waiting = [(np.array([a]), np.array([b]))]
    while waiting:
        left, right = waiting.pop()
        if out.sure is not None:
            before = left < out.sure[0]
            left, right = left[before], right[before]
        if not len(left):
            continue
        looked += len(left)
        if looked > MOST:
            out.told = False
            out.open += [(float(x), float(y)) for x, y in zip(left, right, strict=True)]
            continue
        lo, hi = value(left, right)
        sure = np.flatnonzero(lo > 0.0)
        if len(sure):
            k = int(sure[0])
            out.sure = float(left[k]), float(right[k])
            left, right, lo, hi = left[:k], right[:k], lo[:k], hi[:k]
        maybe = hi > 0.0
        left, right, width = left[maybe], right[maybe], (hi - lo)[maybe]
        middle = 0.5 * (left + right)
        low, high = value(middle, middle)
        here = np.flatnonzero(low > 0.0)
        if len(here):
            k = int(here[0])
            out.sure = float(middle[k]), float(middle[k])
            left, right, width, middle = left[: k + 1], right[: k + 1], width[: k + 1], middle[: k + 1]
            low, high = low[: k + 1], high[: k + 1]
            right[k] = middle[k]
        blur = high - low
        if (blur > 0.0).any():  # (or the middle is the very place where a comparison turns)
            beside = 0.63 * left + 0.37 * right
            low, high = value(beside, beside)
            blur = np.minimum(blur, high - low)
        done = (right - left <= fine) | ((blur > 0.0) & (width <= DOMINATED * blur))
        out.open += [(float(x), float(y)) for x, y in zip(left[done], right[done], strict=True)]
        left, right = _divided(left[~done], right[~done])
        for k in range(len(left) - 1 - (len(left) - 1) % AT_ONCE, -1, -AT_ONCE):
            waiting.append((left[k : k + AT_ONCE], right[k : k + AT_ONCE]))
    out.open = sorted(p for p in out.open if out.sure is None or p[0] < out.sure[0])
    return out


def changes(value: Range, a: float, b: float, fine: float) -> list[tuple[float, float]] | None:
    """All parts between a and b in which a quantity may change its sign, no longer than a few times `fine`; None where
    they are too many to tell.

    >>> from biela.model.expression import parse
    >>> found = changes(Along(parse("sin(t) - 0.999999"), {"t": CLOCK}), 0.0, 10.0, 1e-12)
    >>> [round(0.5 * (x + y), 6) for x, y in found]
    [1.569382, 1.572211, 7.852567, 7.855396]
    """
    found: list[tuple[float, float]] = []
    left, right, looked = np.array([a]), np.array([b]), 0
    clear: list[np.ndarray] = []
    while len(left):
        looked += len(left)
        if looked > MOST:
            return None
        lo, hi = value(left, right)
        maybe = (lo <= 0.0) & (hi >= 0.0)
        clear.append(np.array([left, right, np.sign(lo)])[:, ~maybe])
        left, right = left[maybe], right[maybe]
        done = right - left <= fine
        found += [(float(x), float(y)) for x, y in zip(left[done], right[done], strict=True)]
        left, right = _divided(left[~done], right[~done])
    known = np.concatenate(clear, axis=1) if clear else np.zeros((3, 0))
    known = known[:, np.argsort(known[0])]
    turns = np.flatnonzero((known[2, 1:] != known[2, :-1]) & (known[0, 1:] <= known[1, :-1]))
    found += [(float(x), float(x)) for x in known[0, turns + 1]]  # between two parts, but for rounding
    joined: list[tuple[float, float]] = []
    for x, y in sorted(found):
        if joined and x - joined[-1][1] <= fine:
            joined[-1] = joined[-1][0], max(y, joined[-1][1])
        else:
            joined.append((x, y))
    return joined


def resolved(along: Along, a: float, b: float, share: float, shortest: float) -> np.ndarray | None:
    """Ends of parts between a and b on each of which a formula of time keeps to a straight line, but for an impulse of
    so small a share of that of all of it; parts with a jump are no longer than `shortest`. None where they are many.

    >>> from biela.model.expression import parse
    >>> ends = resolved(Along(parse("exp(-((t - 17.123)/1e-4)^2)"), {"t": CLOCK}), 0.0, 1000.0, 1e-3, 1e-9)
    >>> bool(np.diff(ends).min() < 1e-4), bool(np.diff(ends).max() > 100.0)
    (True, True)
    """
    left, right, done, impulse, looked = np.array([a]), np.array([b]), [a, b], 0.0, 0
    calm = 0.0
    while len(left):
        looked += len(left)
        if looked > MOST:
            return None
        lo, hi = along(left, right)
        width = right - left
        here = np.abs(along.at(0.5 * (left + right))) * width
        with np.errstate(all="ignore"):
            least, greatest = along.slope(left, right)
            off = np.fmin(hi - lo, 0.5 * (greatest - least) * width)
        impulse = max(impulse, calm + float(np.nan_to_num(here).sum()))
        enough = (off * width <= share * impulse) | (width <= shortest)
        calm += float(np.nan_to_num(here)[enough].sum())
        left, right = left[~enough], right[~enough]
        middle = 0.5 * (left + right)
        done += middle.tolist()
        left, right = np.stack([left, middle], axis=1).ravel(), np.stack([middle, right], axis=1).ravel()
    return np.unique(done)
