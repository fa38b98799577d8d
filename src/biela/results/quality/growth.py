"""How far the motion itself is off: the run once more with another accuracy, and what comes out differently.

Errors of steps grow on the way, as in a chaotic motion, or where a wall is met at a graze. No step sees that; a
neighbouring run does. A coarser one, of a tolerance COARSER times as large or of steps twice as long, costs less than
the run itself, and differs from it by as many times its error as it is coarser. Where that leaves a doubt, or laws
switch and things strike, so that a coarser run may take another way, a finer one decides: what it differs by is the
error.   [I.32]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import ceil, isfinite
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...methods.checkpoint import cpu_seconds
from ...methods.control.sticking import CREEP
from ...methods.run import Progress
from ...methods.settings import ERROR_TOLERANCE, Settings
from .finer import are_lengths, motion_scales, restored

if TYPE_CHECKING:
    from ..result import Result

COARSER = 30.0
"""times the tolerance; 1/30 of it for the finer run"""
LOOSEST, TIGHTEST = 1e-3, 1e-13
"""tolerances beyond which nothing is compared"""
GOOD_ENOUGH = 1e-4
"""of the motion: a coarser run that says no more than this is believed"""
CAUTION = 2.0
"""times that what a coarser run says may be too little"""
NOTICEABLE = 1e-3
"""of the motion: from where on a run that is off by more says so"""
SECONDS = 2.0
"""of computing for such a run: then it is compared as far as it has come"""
NEGLIGIBLE, ROUNDING = 1e-6, 1e-12
"""of the size: so short a way counts as nothing; of each number: what it may be off by"""
CREEPS = 3.0
"""times that a mechanism which a law holds may have crept elsewhere in another run"""

Again = Callable[[Settings, Progress], "Result"]
"""the same run with other settings"""


class Growth(NamedTuple):
    """What a neighbouring run says of a run."""

    share: float
    """of the motion, by which it is off"""
    since: float | None
    """when that becomes noticeable, s"""
    by: str
    """which run says so"""


def growth(r: Result) -> Growth | None:
    """The error of the motion by a neighbouring run; None where there is none to compare with."""
    if r.again is None or not r.finished or r.system.users.functions or len(r.t) < 2:
        return None
    turns_off = len(r.system.arrays.switch_law) > 1 or r.system.resolved.eventful
    coarse = None if turns_off else _coarser(r)
    if coarse is not None:
        twin = _taken_again(r, coarse)
        apart = _apart(r, twin)
        if twin is not None and apart is not None:
            share = CAUTION * float(apart[1].max()) * _part_of(r, twin)
            if share <= GOOD_ENOUGH:
                return Growth(share, None, _called(r, coarse))
    fine = _finer(r)
    apart = _apart(r, _taken_again(r, fine)) if fine is not None else None
    if fine is None or apart is None:
        return None
    times, off = apart
    late = times[off > NOTICEABLE]
    return Growth(float(off.max()), float(late[0]) if len(late) else None, _called(r, fine))


def _controlled(s: Settings) -> bool:
    return s.adaptive or bool(s.integrator.scipy)


def _tolerance(s: Settings) -> float:
    return ERROR_TOLERANCE if s.tolerance is None else s.tolerance


def _coarser(r: Result) -> Settings | None:
    """Settings of a run that costs less; None where it would be too coarse to tell anything."""
    s, tr = r.settings, r.trajectory
    if _controlled(s):
        tolerance = COARSER * _tolerance(s)
        # (where the longest step, not the tolerance, limits the steps, they still have to be others)
        return None if tolerance > LOOSEST else replace(s, tolerance=tolerance, step=s.step and 0.9 * s.step)
    return replace(s, step=r.duration / ceil(tr.steps / 2)) if tr.steps >= 4 else None


def _finer(r: Result) -> Settings | None:
    s, tr = r.settings, r.trajectory
    if _controlled(s):
        tolerance = _tolerance(s) / COARSER
        return None if tolerance < TIGHTEST else replace(s, tolerance=tolerance)
    return replace(s, step=tr.step / 2) if tr.step else None


def _called(r: Result, s: Settings) -> str:
    return f"a run with tolerance {s.tolerance:.0e}" if _controlled(s) else f"a run with steps of {s.step:.3g} s"


def _part_of(r: Result, twin: Result) -> float:
    """The error of a run, as a part of what a coarser one differs from it by: steps of order p have errors h^p."""
    steps, others = max(r.trajectory.steps, 1), max(twin.trajectory.steps, 1)
    order = r.settings.integrator.order if not r.trajectory.seen.lower else 5
    if _controlled(r.settings):
        return max(1.0 / COARSER, min(1.0, (others / steps) ** order))
    return 1.0 / max((steps / others) ** order - 1.0, 1.0)


def _taken_again(r: Result, settings: Settings) -> Result | None:
    """The run with these settings, as far as it comes in a while."""
    assert r.again is not None
    begun = cpu_seconds()

    def out_of_time(fraction: float, steps: int) -> None:
        if cpu_seconds() - begun > SECONDS:
            raise KeyboardInterrupt

    with restored(r.system):
        return r.again(settings, out_of_time)


def _apart(r: Result, twin: Result | None) -> tuple[np.ndarray, np.ndarray] | None:
    """Times at which both runs have samples, and by which share of the motion they differ there."""
    if twin is None:
        return None
    one, other = np.asarray(r.t), np.asarray(twin.t)
    near = np.clip(np.searchsorted(other, one), 1, len(other) - 1)
    near = np.where(np.abs(other[near - 1] - one) < np.abs(other[near] - one), near - 1, near)
    # (at an event there are two samples, before and after it, at next to the same time: neither is compared)
    single = np.diff(one, prepend=-1.0) > 1e-9 * r.duration
    both = (np.abs(other[near] - one) <= 1e-12 * r.duration) & single & np.append(single[1:], True)
    y, z = r.trajectory.y[both, :-1], twin.trajectory.y[near[both], :-1]
    if len(y) < 2 or not np.allclose(y[0], z[0], rtol=1e-6, atol=1e-9 * r.system.size):
        return None
    size, (coordinates, velocities) = min(r.system.size, 1.0), are_lengths(r.system)
    least = np.concatenate([np.where(coordinates, size, 1.0), np.where(velocities, size, 1.0) / r.duration])
    creep = CREEPS * CREEP if r.trajectory.seen.holding else 0.0
    allowed = ROUNDING * np.abs(r.trajectory.y[:, :-1]).max(axis=0) + creep * least
    with np.errstate(all="ignore"):
        off = np.maximum(np.abs(y - z) - allowed, 0.0) / np.maximum(_faster(r) * motion_scales(r), NEGLIGIBLE * least)
    worst = np.nan_to_num(off.max(axis=1, initial=0.0), nan=np.inf, posinf=np.inf)
    return (one[both], worst) if isfinite(float(worst[0])) else None


def _faster(r: Result) -> float:
    """How much faster the mechanism was between samples than at any of them, by its energy: a blow that no sample
    shows is part of the motion."""
    energies = np.asarray(r["energy.kinetic"]) + np.abs(np.asarray(r.work))
    most, seen = float(energies.max(initial=0.0)), r.trajectory.seen.energy
    return float(np.sqrt(seen / most)) if isfinite(seen) and seen > most > 0.0 else 1.0
