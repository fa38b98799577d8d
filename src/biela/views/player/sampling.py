"""Which samples a picture needs: as few as the eye can do with, between which a page interpolates."""

from __future__ import annotations

import numpy as np

TOLERANCE = 5e-4
"""of the size of the mechanism: about a third of a pixel"""


def chosen(poses: np.ndarray, good: np.ndarray, size: float, most: int) -> np.ndarray:
    """Indices of the samples to keep: evenly spread, the first and the last among them.

    As few as show every frame within the tolerance when the page interpolates between them, and never above `most`.

    >>> angle = np.linspace(0, 1, 101)[:, None, None] * np.array([0.0, 0.0, 6.0])
    >>> len(chosen(angle, np.full(101, True), 1.0, 1000))  # linear in time: the page needs two of every 64
    3
    """
    known = np.flatnonzero(good)
    if len(known) <= 2:
        return known
    stride = max(1, -(-(len(known) - 1) // max(most - 1, 1)))
    while 2 * stride < len(known) and deviation(poses, strided(known, 2 * stride), size) < TOLERANCE:
        stride *= 2
    return strided(known, stride)


def strided(known: np.ndarray, stride: int) -> np.ndarray:
    """Every stride-th of some indices, and the last."""
    kept = known[::stride]
    return kept if kept[-1] == known[-1] else np.append(kept, known[-1])


def deviation(poses: np.ndarray, kept: np.ndarray, size: float) -> float:
    """How far what is drawn between kept samples is from what was computed there, over the size of the mechanism.

    Looks at the samples half-way between the kept ones; a turn counts with half the size as its arm.
    """
    middle = (kept[1:] + kept[:-1]) // 2
    left, right = poses[kept[:-1]], poses[kept[1:]]
    share = ((middle - kept[:-1]) / np.maximum(kept[1:] - kept[:-1], 1))[:, None, None]
    between, there = left + share * (right - left), poses[middle]
    count = 2 if poses.shape[2] == 3 else 3
    off = np.abs(between[..., :count] - there[..., :count]).max(initial=0.0) / size
    if count == 2:
        turn = 0.5 * np.abs(between[..., 2] - there[..., 2]).max(initial=0.0)
    else:
        q = between[..., 3:]
        q = q / np.maximum(np.linalg.norm(q, axis=-1, keepdims=True), 1e-9)
        turn = np.linalg.norm(q - there[..., 3:], axis=-1).max(initial=0.0)
    return float(max(off, turn))


def envelope(t: np.ndarray, y: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray] | None:
    """A curve in fewer samples that looks the same: of every stretch its lowest and its highest; None if it is short.

    >>> t = np.arange(1000.0)
    >>> y = np.where(t == 123, 9.0, 0.0)
    >>> thin_t, thin_y = envelope(t, y, 100)
    >>> len(thin_t) <= 102, thin_y.max()
    (True, np.float64(9.0))
    """
    if len(y) <= most:
        return None
    cuts = np.linspace(0, len(y), max(most // 2, 1) + 1).astype(int)[:-1]
    width = np.diff(np.append(cuts, len(y)))
    finite = np.where(np.isfinite(y), y, np.nan)
    keep = {0, len(y) - 1}
    for start, n in zip(cuts, width, strict=True):
        part = finite[start : start + n]
        if np.isnan(part).all():
            keep.add(int(start))
            continue
        keep.update((int(start + np.nanargmin(part)), int(start + np.nanargmax(part))))
    index = np.array(sorted(keep))
    return t[index], y[index]
