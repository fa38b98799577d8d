"""Forces that are Python functions, sampled between the instants at which the steps asked for them.

Nothing is known of such a function but what it gives. The run keeps when it was asked and what it said; afterwards the
function is asked along the whole motion, at many more instants. Where it is far from the straight line between two
answers that the steps had, they did not see what it does there: an impulse is missing from the motion.   [I.30]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...kernels.calls_from_python import law_at

if TYPE_CHECKING:
    from ...system.equations import ForceInfo
    from ..result import Result

LOOKS = 20_000
"""instants of the run at which a function is sampled"""
FOLLOWS = 0.1
"""of its range: straight lines between answers come as near to a law that the steps have followed"""


class Unseen(NamedTuple):
    """What the steps missed of one function."""

    name: str
    impulse: float
    """N s, or N m s of a moment over the size of the mechanism"""
    at: float
    """when it was farthest from what the steps knew, s"""


def opaque_forces(r: Result) -> list[ForceInfo]:
    """Forces by Python functions that say nothing of how short they are (`scale`)."""
    every = (f for f in r.system.equations.forces if f.law.function is not None)
    return [f for f in every if f.law.scale_of_t is None and f.law.scale_of_x is None]


def unseen(r: Result) -> Unseen | None:
    """The function that most is missing of; None where nothing is."""
    worst: Unseen | None = None
    for f in opaque_forces(r):
        found = _missing(r, f)
        if found is not None and (worst is None or found.impulse > worst.impulse):
            worst = found
    return worst


def _missing(r: Result, f: ForceInfo) -> Unseen | None:
    answers = np.array(r.asked.get(int(r.system.arrays.law_user[f.law_index]), ()), dtype=float).reshape(-1, 2)
    answers = answers[np.isfinite(answers).all(axis=1)]
    if len(answers) < 2 or len(r.t) < 2:
        return None
    answers = answers[np.argsort(answers[:, 0], kind="stable")]
    t = np.linspace(max(float(r.t[0]), answers[0, 0]), min(float(r.t[-1]), answers[-1, 0]), LOOKS + 1)
    x, v = _along(r, f, t)
    header = r.system.header
    F = np.array([law_at(header, f.law_index, *at) for at in zip(t.tolist(), x.tolist(), v.tolist(), strict=True)])
    if not np.isfinite(F).all():
        return None  # (a run that comes near such a place says so itself)
    off = np.abs(F - np.interp(t, answers[:, 0], answers[:, 1]))
    off[off <= FOLLOWS * float(np.ptp(np.append(F, answers[:, 1])))] = 0.0
    if not off.any():
        return None
    arm = r.system.size if f.kind == "angle" else 1.0
    return Unseen(f.name, float(off.sum() * (t[1] - t[0])) / arm, float(t[off.argmax()]))


def _along(r: Result, f: ForceInfo, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What strains the force element and how fast, between the samples by the cubic through both at either end."""
    if f.kind == "load":
        return np.zeros_like(t), np.zeros_like(t)
    times, (x, v) = np.asarray(r.t), (np.asarray(y, dtype=float) for y in r.force_motion(f))
    k = np.clip(np.searchsorted(times, t, side="right") - 1, 0, len(times) - 2)
    h = np.maximum(times[k + 1] - times[k], 1e-300)
    z = (t - times[k]) / h
    rise = x[k + 1] - x[k]
    a, b = h * v[k] - rise, rise - h * v[k + 1]
    place = x[k] + z * rise + z * (1 - z) * (a * (1 - z) + b * z)
    rate = (rise + (1 - 2 * z) * (a * (1 - z) + b * z) + z * (1 - z) * (b - a)) / h
    return place, rate
