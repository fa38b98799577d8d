"""Which samples a picture needs: as few as the eye can do with, between which a page interpolates."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...results.motion import Motion
from ...system.flat_lists import watched

TOLERANCE = 5e-4
"""of the size of the mechanism: about a third of a pixel"""


def chosen(t: np.ndarray, poses: np.ndarray, good: np.ndarray, size: float, most: int) -> np.ndarray:
    """Indices of the samples to keep: evenly spread, the first and the last among them.

    As few as show every frame within the tolerance when the page interpolates between them, and never above `most`.

    >>> t = np.linspace(0, 1, 1001)
    >>> circle = np.stack([np.cos(6 * t), np.sin(6 * t), 6 * t], axis=1)[:, None, :]
    >>> len(chosen(t, circle, np.full(1001, True), 1.0, 1000))  # of a thousand, on a circle
    64
    """
    known = np.flatnonzero(good)
    if len(known) <= 2:
        return known
    stride = max(1, -(-(len(known) - 1) // max(most - 1, 1)))
    while 4 * stride < len(known) and deviation(t, poses, strided(known, 2 * stride), size) < TOLERANCE:
        stride *= 2
    return strided(known, stride)


FAR = 0.7
"""radians from one sample to the next beyond which nothing is known of the way between them"""


def longest_turn(poses: np.ndarray, kept: np.ndarray) -> float:
    """The largest turn of a frame from one kept sample to the next, in radians.

    >>> round(longest_turn(np.array([[[0, 0, 0.0]], [[0, 0, 2.4]]]), np.array([0, 1])), 6)
    2.4
    """
    if len(kept) < 2 or not poses.shape[1]:
        return 0.0
    a, b = poses[kept[:-1]], poses[kept[1:]]
    if poses.shape[2] == 3:
        return float(np.nanmax(np.abs(b[..., 2] - a[..., 2]), initial=0.0))
    dot = np.clip(np.abs((a[..., 3:] * b[..., 3:]).sum(axis=-1)), 0.0, 1.0)
    return float(2 * np.nanmax(np.arccos(dot), initial=0.0))


def turn_between(motion: Motion, poses: np.ndarray, kept: np.ndarray) -> float:
    """The largest turn of a body, or of a joint in space, from one kept sample to the next, in radians, with the whole
    turns that two poses alone do not tell: in the plane the poses have them, in space the run has counted those of the
    joints, and the mean of the rates at both samples tells those of bodies without any.

    >>> import biela
    >>> r = biela.simulate("cardan", samples=1)  # an input that goes round and ends where it began
    >>> poses = np.array([[[0, 0, 0, 1.0, 0, 0, 0]]] * 2)
    >>> longest_turn(poses, np.array([0, 1])), turn_between(r, poses, np.array([0, 1])) > 6
    (0.0, True)
    """
    seen = longest_turn(poses, kept)
    if len(kept) < 2 or poses.shape[2] == 3:
        return seen
    few = thinned(motion, kept)
    steps, most = np.abs(np.diff(np.asarray(few.t))), seen
    for name, body in few.system.resolved.bodies.items():
        if body.particle:
            continue
        spin = few.body_motion(name).R[1]
        if spin is not None:
            rate = np.linalg.norm(np.asarray(spin), axis=(1, 2)) / np.sqrt(2)
            most = max(most, float(np.nanmax((rate[1:] + rate[:-1]) / 2 * steps, initial=0.0)))
    turn = seen + 2 * np.pi * max(0, round((most - seen) / (2 * np.pi)))  # a shiver is fast and goes nowhere
    for name in watched(motion.system.resolved) if motion.turns is not None else ():
        turn = max(turn, float(np.nanmax(np.abs(np.diff(np.asarray(motion[name])[kept])), initial=0.0)))
    return turn


def too_far(turn: float) -> str:
    """What to say of samples between which nothing is known, if they are."""
    if turn <= FAR:
        return ""
    whole = turn / (2 * np.pi)
    far = f"{whole:.1f} turns" if whole >= 1 else f"{np.degrees(turn):.0f}°"
    return (f"bodies turn by up to {far} from one sample to the next: the picture jumps between samples and shows no "
            "true motion; simulate with more samples (--samples) to see it move")  # fmt: skip


def strided(known: np.ndarray, stride: int) -> np.ndarray:
    """Every stride-th of some indices, and the last."""
    kept = known[::stride]
    return kept if kept[-1] == known[-1] else np.append(kept, known[-1])


def deviation(t: np.ndarray, poses: np.ndarray, kept: np.ndarray, size: float) -> float:
    """How far what is drawn between kept samples is from what was computed there, over the size of the mechanism.

    Looks at the samples half-way between the kept ones; a turn counts with half the size as its arm.
    """
    if len(kept) < 2:
        return 0.0
    middle = (kept[1:] + kept[:-1]) // 2
    between, there = interpolated(t[kept], poses[kept], t[middle]), poses[middle]
    count = 2 if poses.shape[2] == 3 else 3
    off = np.abs(between[..., :count] - there[..., :count]).max(initial=0.0) / size
    if count == 2:
        turn = 0.5 * np.abs(between[..., 2] - there[..., 2]).max(initial=0.0)
    else:
        q = between[..., 3:]
        q = q / np.maximum(np.linalg.norm(q, axis=-1, keepdims=True), 1e-9)
        turn = np.linalg.norm(q - there[..., 3:], axis=-1).max(initial=0.0)
    return float(max(off, turn))


def interpolated(t: np.ndarray, poses: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Poses between samples as the page draws them: cubics with the slopes of the neighbours' chords."""
    slopes = np.empty_like(poses)
    slopes[1:-1] = (poses[2:] - poses[:-2]) / _column(np.maximum(t[2:] - t[:-2], 1e-300))
    for a, b, c in ((0, 1, 2), (-1, -2, -3)):
        slopes[a] = (poses[b] - poses[a]) / (t[b] - t[a])
        if len(t) > 2:  # of the parabola through three
            slopes[a] += (slopes[a] - (poses[c] - poses[b]) / (t[c] - t[b])) * (t[b] - t[a]) / (t[c] - t[a])
    k = np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(t) - 2)
    h = _column(t[k + 1] - t[k])
    s = (_column(at - t[k])) / np.where(h > 0, h, 1.0)
    a, b = poses[k], poses[k + 1]
    return a + s * (b - a) + s * (1 - s) * ((1 - s) * (h * slopes[k] - (b - a)) - s * (h * slopes[k + 1] - (b - a)))


def _column(x: np.ndarray) -> np.ndarray:
    return x[:, None, None]


def envelope(t: np.ndarray, y: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray] | None:
    """A curve in fewer samples that looks the same: of every interval its lowest and its highest; None if it is short.

    >>> t = np.arange(1000.0)
    >>> y = np.where(t == 123, 9.0, 0.0)
    >>> thin_t, thin_y = envelope(t, y, 100)
    >>> len(thin_t) <= 102, thin_y.max()
    (True, np.float64(9.0))
    """
    if len(y) <= most:
        return None
    width = -(-len(y) // max(most // 2, 1))
    rows = -(-len(y) // width)
    whole = np.full(rows * width, np.nan)
    whole[: len(y)] = np.where(np.isfinite(y), y, np.nan)
    table = whole.reshape(rows, width)
    start = width * np.arange(rows)
    low = np.where(np.isnan(table), np.inf, table).argmin(axis=1)
    high = np.where(np.isnan(table), -np.inf, table).argmax(axis=1)
    index = np.unique(np.concatenate([start + low, start + high, [0, len(y) - 1]]))
    return t[index], y[index]


def thinned(motion: Motion, samples: np.ndarray) -> Motion:
    """Some of the instants of a motion, for what is dear to compute."""

    def some(values: Any) -> Any:
        return None if values is None else np.asarray(values)[samples]

    parts = (motion.t, motion.q, motion.v, motion.a, motion.lam, motion.work, motion.turns)
    return motion if len(samples) == len(motion.t) else Motion(motion.system, *map(some, parts))
