"""Derivatives by central differences, extrapolated to step zero, with an estimate of their error.

Richardson's extrapolation in a tableau; of each component the entry whose neighbours agree best is kept (Ridders, Adv.
Eng. Software 4 (1982) 75-76): large steps carry little rounding, extrapolation takes their truncation away.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

LEVELS, ATTEMPTS, SHRINK = 5, 4, 0.125
ENOUGH = 1e-11
"""error, relative to the largest component, with which nothing more is tried"""


def derivative(
    f: Callable[[float], np.ndarray | None], step: float, levels: int = LEVELS
) -> tuple[np.ndarray, np.ndarray]:
    """f'(0) and its error, component by component. f gives None where it does not exist: the step then shrinks, as it
    does where the error is large, because f is not smooth within the step.

    >>> value, error = derivative(lambda s: np.array([np.sin(s), np.exp(2 * s)]), 0.1)
    >>> value.round(11).tolist(), bool(error.max() < 1e-10)
    ([1.0, 2.0], True)
    """
    best = error = None
    for _ in range(ATTEMPTS):
        found = _tableau(f, step, levels)
        if found is not None:
            value, lost = found
            if best is None or error is None:
                best, error = value, lost
            else:
                better = lost < error
                best, error = np.where(better, value, best), np.where(better, lost, error)
            if float(error.max(initial=0.0)) <= ENOUGH * float(np.abs(best).max(initial=0.0)):
                break
        step *= SHRINK
    if best is None or error is None:
        raise ArithmeticError("the function does not exist around this point")
    return best, error


def _tableau(f: Callable[[float], np.ndarray | None], step: float, levels: int) -> tuple[np.ndarray, np.ndarray] | None:
    first = _central(f, step)
    if first is None:
        return None
    rows = [[first]]
    best, error = first, np.full_like(first, np.inf)
    for k in range(1, levels):
        step *= 0.5
        here = _central(f, step)
        if here is None:
            break
        row = [here]
        for j in range(1, k + 1):
            factor = 4.0**j
            row.append((factor * row[j - 1] - rows[k - 1][j - 1]) / (factor - 1.0))
            apart = np.maximum(np.abs(row[j] - row[j - 1]), np.abs(row[j] - rows[k - 1][j - 1]))
            better = apart < error
            best, error = np.where(better, row[j], best), np.where(better, apart, error)
        rows.append(row)
    return best, error


def _central(f: Callable[[float], np.ndarray | None], h: float) -> np.ndarray | None:
    ahead = f(h)
    behind = f(-h) if ahead is not None else None
    if ahead is None or behind is None:
        return None
    value = (np.asarray(ahead) - np.asarray(behind)) / (2 * h)
    return value if np.isfinite(value).all() else None
