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
NOISE = 1e-13
"""of the largest value of a function: rounding, as far as a second difference shows it"""


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


def kink(f: Callable[[float], np.ndarray | None], step: float, size: float = 0.0) -> np.ndarray | float:
    """Half of the jump of f' at 0: differences to both sides agree on the mean of the slopes, however short they are.
    (f(h) - 2 f(0) + f(-h))/h is that jump, and smooth parts of h, h^3, ...: three steps take these away. Rounding, of
    values or of what is this large in them (`size`), is no kink.

    >>> kink(lambda s: np.array([3.0 * abs(s) + np.exp(s), np.sin(s)]), 1e-2).round(9).tolist()
    [3.0, 0.0]
    """
    here, bends, most = f(0.0), [], size
    for h in (step, 0.5 * step, 0.25 * step):
        ahead, behind = f(h), f(-h)
        if here is None or ahead is None or behind is None:
            return 0.0
        bends.append((np.asarray(ahead) - 2.0 * np.asarray(here) + np.asarray(behind)) / h)
        most = max(most, float(np.abs(ahead).max(initial=0.0)), float(np.abs(behind).max(initial=0.0)))
    without = [2.0 * bends[1] - bends[0], 2.0 * bends[2] - bends[1]]
    jump = np.abs(8.0 * without[1] - without[0]) / 7.0
    return np.where(np.isfinite(jump) & (jump > NOISE * most / step), 0.5 * jump, 0.0)
