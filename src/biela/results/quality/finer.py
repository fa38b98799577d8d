"""Fixed steps checked by finer ones: parts of a run are taken again, and what comes out differently is their error.

A part goes from one sample to the next. Runge's classical method takes it again with steps of a fraction of the length,
so that nothing but the order of the method checked is compared; methods of the same order differ by all but 1/16 of
their error. The differences of parts all over the run, added up, are the error that its steps leave. What happens
between two samples only, as where a law has a pole, is in none of these: so the parts are repeated, too, whose
velocities fit least to the accelerations at their ends.

Implicit steps may be longer than an explicit method can take. There it runs away, and no refinement agrees with the
next: then it is no judge.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...methods.evaluation import functions
from ...methods.loops import loop_calls
from ...methods.loops.stepper import MUTABLE
from ...methods.registry import FORMULATIONS, INTEGRATORS
from ...methods.settings import apply
from ...methods.status import Status

if TYPE_CHECKING:
    from ...system.system import System
    from ..result import Result

PARTS = 12
"""of a run that are taken again"""
ROUGHEST = 6
"""more parts, where most happens"""
MOST, SHARE = 20_000, 25
"""steps that all of them may take, or this part of those of the run"""
LEAST = 1e-9
"""of the size: what moves no farther in the whole run stands still"""
AGREED = 0.1
"""share from which on implicit steps are not condemned before the finer ones agree among themselves"""


def finer_difference(r: Result) -> float | None:
    """The error of the run's fixed steps as a share of its motion; None where it cannot be told."""
    system, tr, i = r.system, r.trajectory, r.settings.integrator
    t = np.asarray(r.t)
    if tr.step is None or len(t) < 3 or system.users.functions or r.events or system.resolved.eventful:
        return None
    scales, fine = motion_scales(r), 8 if i.order > 4 else 2
    strides = np.maximum(1, np.round(np.diff(t) / tr.step).astype(int))
    even = np.unique(np.linspace(0, len(t) - 2, PARTS).astype(int))
    rough = np.setdiff1d(_roughest(r, scales), even)
    pairs = np.concatenate([rough, even])
    affordable = np.cumsum(fine * strides[pairs]) <= max(MOST, tr.steps // SHARE)
    pairs = pairs[affordable]
    if not affordable[len(rough) :].any():
        pairs = even[:1]
        if fine * int(strides[pairs[0]]) > MOST:
            return None
    ends = _ends(r, pairs, fine * strides[pairs])
    if ends is None:
        return None
    off = (np.abs(ends - tr.y[pairs + 1, :-1]) / scales).max(axis=1, initial=0.0)
    evenly = np.isin(pairs, even)
    share = float(np.mean(off[evenly])) * (len(t) - 1) + float(off[~evenly].sum())
    if share > AGREED and (i.iterates or i.direct):
        finer = _ends(r, pairs, 2 * fine * strides[pairs])
        if finer is None or np.abs(finer - ends).max() > 0.5 * np.abs(finer - tr.y[pairs + 1, :-1]).max():
            return None
    return share


def _ends(r: Result, pairs: np.ndarray, counts: np.ndarray) -> np.ndarray | None:
    """Positions and velocities at the ends of the parts that begin at these samples, taken again in so many steps each;
    None where one of them fails."""
    system, tr, t, wound = r.system, r.trajectory, np.asarray(r.t), r.wound()
    step = INTEGRATORS["rk4"].step()
    ends: list[np.ndarray] = []
    with _borrowed(r) as (f, settle):
        s = system.arrays
        size = len(s.y)
        for k, n in zip(pairs, counts, strict=True):
            s.y[:], s.lam[: system.m], s.wound[:] = tr.y[k], tr.lam[k], wound[k]
            status, count = loop_calls.begin(system.header, f, settle, float(t[k])), int(n)
            s.y[:] = tr.y[k]
            tables = np.zeros(2), *(np.zeros((2, w)) for w in (size, size, system.m, len(s.turns)))
            if status == Status.finished:
                status, _ = loop_calls.march(system.header, step, f, settle, float(t[k]),
                                             float(t[k + 1] - t[k]) / count, 0, count, count,
                                             count, *tables)  # fmt: skip
            if status != Status.finished:
                return None
            ends.append(s.y[:-1].copy())
    return np.array(ends)


@contextmanager
def _borrowed(r: Result) -> Iterator[tuple[Any, Any]]:
    """Formulation and projection of a run, in its system, which is left as the run left it. In place of `penalty` the
    augmented Lagrangian: its joints do not give way, so that what those of a penalty do is part of the error."""
    system, settings = r.system, r.settings
    if settings.formulation.name == "penalty":
        settings = replace(settings, formulation=FORMULATIONS["augmented"], alpha=None)
    with restored(system):
        apply(settings, system)
        yield functions(settings, system)


@contextmanager
def restored(system: System) -> Iterator[None]:
    """What runs change in a system is afterwards as it was."""
    kept = {name: getattr(system.arrays, name).copy() for name in MUTABLE}
    try:
        yield
    finally:
        for name, values in kept.items():
            if getattr(system.arrays, name).shape == values.shape:
                getattr(system.arrays, name)[:] = values


def accelerations_off(r: Result) -> float | None:
    """How far the accelerations at samples are from those of the equations there, as a share of the largest; None where
    that cannot be told."""
    system, tr, t, wound = r.system, r.trajectory, np.asarray(r.t), r.wound()
    if system.users.functions or r.events or system.resolved.eventful or len(t) < 3:
        return None
    span = slice(system.nq, system.nq + system.n)
    unit, most, off = system.unit, 0.0, 0.0
    with _borrowed(r) as (f, settle):
        s = system.arrays
        for k in np.unique(np.linspace(1, len(t) - 1, PARTS).astype(int)):
            s.y[:], s.lam[: system.m], s.wound[:] = tr.y[k], tr.lam[k], wound[k]
            if loop_calls.begin(system.header, f, settle, float(t[k])) != Status.finished:
                return None
            most = max(most, float((np.abs(s.ydot[span]) / unit).max(initial=0.0)))
            off = max(off, float((np.abs(s.ydot[span] - tr.ydot[k, span]) / unit).max(initial=0.0)))
    return off / most if most > 0.0 else None


def _roughest(r: Result, scales: np.ndarray) -> np.ndarray:
    """Parts between two samples where the change of velocity is least what the accelerations at the ends make of it."""
    tr, nq, n = r.trajectory, r.system.nq, r.system.n
    v, a, dt = tr.y[:, nq : nq + n], tr.ydot[:, nq : nq + n], np.diff(np.asarray(r.t))[:, None]
    with np.errstate(all="ignore"):
        off = np.abs(np.diff(v, axis=0) - 0.5 * dt * (a[1:] + a[:-1])) / scales[nq : nq + n]
    worst = np.nan_to_num(off.max(axis=1, initial=0.0), nan=np.inf)
    return np.sort(1 + np.argsort(worst[1:-1])[::-1][:ROUGHEST])


def are_lengths(system: System) -> tuple[np.ndarray, np.ndarray]:
    """Which coordinates, and which velocities, are those of lengths; the others belong to angles, unit vectors and
    quaternions."""
    s, velocities = system.arrays, ~np.asarray(system.equations.angular, dtype=bool)
    velocities[getattr(system.equations.exploded, "unit_vectors", [])] = False
    if system.nq == system.n:
        return velocities, velocities
    coordinates = np.zeros(system.nq, dtype=bool)
    coordinates[s.plain_q] = velocities[s.plain_v]
    return coordinates, velocities


def motion_scales(r: Result) -> np.ndarray:
    """What errors of positions and of velocities are compared with, each kind by the largest of its kind."""
    system, tr = r.system, r.trajectory
    nq, n = system.nq, system.n
    positions, velocities = np.ptp(tr.y[:, :nq], axis=0), np.abs(tr.y[:, nq : nq + n]).max(axis=0)
    spans = 1.0, max(r.duration, 1e-300)
    for values, lengths, over in zip((positions, velocities), are_lengths(system), spans, strict=True):
        for kind, unit in ((lengths, system.size), (~lengths, 1.0)):
            if kind.any():
                values[kind] = max(values[kind].max(), LEAST * unit / over)
    return np.maximum(np.concatenate([positions, velocities]), 1e-300)
