"""The verdict on a run of a bond graph, in the words and grades of that on a mechanism."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from ...results.quality.verdict import (
    DOUBTFUL,
    GOOD,
    ROUNDING,
    STEPS,
    Evidence,
    Verdict,
    energy_evidence,
    graded,
    percent,
    weighed,
)  # fmt: skip

if TYPE_CHECKING:
    from .result import BondResult

MOST = 200_000
"""fixed steps that are taken again, twice as many"""


def verdict(r: BondResult) -> Verdict:
    """Weigh the energy balance, the steps, and what could not be told of the laws."""
    stopped = "" if r.finished else f"it stopped at t = {r.trajectory.stopped_at:.6g} s"
    energy = energy_evidence(r.energy_error, ROUNDING * r.energy_scale, r.energy_scale, "the energy", _finer(r))
    return weighed([energy, *_steps(r), *_hidden(r)], stopped, r.status.cure or "")


def _finer(r: BondResult) -> str:
    run = r.trajectory
    if run.tolerance is not None:
        return f"tolerance={max(run.tolerance / 100, 1e-13):.0e}"
    return f"step={run.step / 4:.2g}, or leave step and integrator out" if run.step else "leave the integrator out"


def _steps(r: BondResult) -> list[Evidence]:
    """Fixed steps say nothing of their error: the run is taken again with half of them."""
    run = r.trajectory
    if run.tolerance is not None:
        share = run.tolerance * max(1, run.steps)
        kept = Evidence("tolerance", share, GOOD, f"the steps keep to the tolerance of {run.tolerance:.0e}")
        return [kept, *_growth(r)]
    again = r.finer() if r.finished and r.finer is not None and run.steps <= MOST else None
    if again is None or again.shape != r.x.shape or not np.isfinite(again).all():
        return [Evidence("steps", 0.0, DOUBTFUL, "nothing checks the accuracy of fixed steps here", _finer(r))]
    share = float(_apart(r, again).max(initial=0.0))
    reason = f"the steps add up to an error of {share:.0e} of the states, by a run with half the step"
    return [Evidence("steps", share if isfinite(share) else np.inf, graded(share, *STEPS), reason, _finer(r))]


def _apart(r: BondResult, again: np.ndarray) -> np.ndarray:
    """By which share of its states a run differs from another one, at each sample."""
    size = np.abs(again).max(axis=0, initial=0.0)
    return (np.abs(again - r.x[: len(again)]) / np.where(size > 0.0, size, 1.0)).max(axis=1, initial=0.0)


def _growth(r: BondResult) -> list[Evidence]:
    """Errors that grow on the way: the run once more with a smaller tolerance, as far as it comes in a while."""
    if not r.finished or r.finer is None or not r.x.shape[1]:
        return []
    again = r.finer()
    if len(again) < 2 or len(again) > len(r.x) or not np.isfinite(again).all():
        return []
    off = _apart(r, again)
    share, late = float(off.max()), np.flatnonzero(off > 1e-3)
    reason = f"by a run with a smaller tolerance the states are off by {percent(share)}"
    if len(late):
        reason = f"errors grow on the way: {reason}, by more than 0.1 % from t = {float(r.t[late[0]]):.6g} s on"
    return [Evidence("growth", share, GOOD if share <= STEPS[0] else DOUBTFUL, reason, _finer(r))]


def _hidden(r: BondResult) -> list[Evidence]:
    run, out = r.trajectory, []
    if run.hidden:
        reason = f"at {run.hidden} of {run.steps} steps a law changes faster than the step can resolve"
        out.append(Evidence("hidden", 0.0, DOUBTFUL, reason, _finer(r)))
    return out + [Evidence("untold", 0.0, DOUBTFUL, doubt, "a shorter duration, or a step") for doubt in run.doubts]
