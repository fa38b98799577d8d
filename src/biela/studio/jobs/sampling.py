"""How many instants of a motion are kept: as many as its fastest oscillation needs on the screen, and few more.

Every instant costs: the engine settles the constraints there, and the page gets it. What a motion needs is known only
when it is there. So a run begins with what the last one like it needed, and is repeated where that was too little;
while a slider moves, one run is as good as the next, and the number is found once.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from math import ceil, inf
from typing import TYPE_CHECKING, Any

import numpy as np

from ...analysis.simulate.simulate import simulate
from ...methods.status import Status
from ...model.model import Model
from ...results.result import Result

if TYPE_CHECKING:
    from ..worker import Watch

FIRST, LIVE, FULL, MANY = 400, (250, 8000), (2000, 20_000), 1_000_000
"""instants of the first try; fewest and most while a slider moves; fewest and most of a full run; most of one
that will not come to its end"""
OFF = 0.005
"""of its range by which a curve may be off between two instants: a pixel of two hundred"""
MOVING = 2.0
"""times as much while a slider moves, which is followed by a full run"""
SUDDEN = 4.0
"""times as much of an acceleration, which has peaks where positions and velocities are smooth"""
RARE = 0.005, 8
"""share and number of instants that need not be so good: an impact is a jump, however many there are"""
REPEATS = 3
"""runs at most, of a motion that is short to compute"""
PATIENCE = 5.0
"""seconds that a run may have taken to be repeated for its samples' sake"""

HOPE = 60.0
"""seconds of computing within which a run that has no end is likely to be cancelled"""


@dataclass
class Known:
    """Of a motion when it was computed last: the instants it needed; if it did not come to its end, its seconds per
    second of computing, how long it should have been, and the method."""

    count: int = FIRST
    pace: float = inf
    duration: float = inf
    method: dict[str, Any] = field(default_factory=dict)


_known: OrderedDict[Any, Known] = OrderedDict()


def sampled(model: Model, settings: dict[str, Any], watch: Watch, live: bool, about: Any = None) -> Result:
    """Simulate with as many samples as show the motion; `about` says which motions are alike."""
    (fewest, most), off = (LIVE, MOVING * OFF) if live else (FULL, OFF)
    known, limit = _known.get(about, Known()), watch.limit
    count = min(max(known.count, fewest), most)
    if live:
        watch.limit = 0.5 * limit  # a run that does not end is run again for its samples, as far as it came
    far = 3.0 * known.pace * limit
    if "step" in known.method:
        far = known.method["step"] * ceil(far / known.method["step"])
    if not live and far < known.duration:  # it will be stopped before: samples for as far as it may come
        count = int(min(most * max(1.0, far / (known.pace * min(limit, HOPE))), MANY))
        result = simulate(model, progress=lambda done, steps: watch(done * far / known.duration, steps),
                          samples=count, **known.method, t_end=far)  # fmt: skip
        if watch.ended_by or not result.finished:
            result.duration = known.duration
            return thinned(result, most)
        count = most
    result = first = simulate(model, progress=watch, samples=count, **settings)
    ended_by, watch.limit = watch.ended_by, limit
    spent = first.trajectory.wall
    for _ in range(REPEATS - 1):
        span, wanted = float(result.t[-1]), needed(result, off)
        slack = 1.5 if live and about in _known else 1.0  # the next run, in a moment, has as many as this one needs
        few = len(result.t) < min(fewest, first.trajectory.steps)
        enough = not few and (wanted <= slack * len(result.t) or len(result.t) >= most)
        if enough or not span > 0 or ended_by == "cancelled" or spent > PATIENCE:
            break
        count = most if span < 0.5 * first.duration else min(max(wanted, fewest), most)
        watch.ended_by, watch.began, watch.limit = "", None, max(limit - spent, 0.4 * limit)
        again = simulate(model, progress=watch, samples=count, **_same_method(first, settings), t_end=span)
        spent += again.trajectory.wall
        if len(again.t) <= len(result.t):
            break
        result = again
        if watch.ended_by:
            break
    watch.ended_by, watch.limit = ended_by or watch.ended_by, limit
    if about is not None:
        wanted = min(int(1.2 * needed(result, off)), max(first.trajectory.steps, fewest), most)
        _known[about] = Known(wanted)
        if first.status == Status.interrupted:
            pace = max(float(first.t[-1]), 1e-9) / max(first.trajectory.wall, 1e-3)
            _known[about] = Known(wanted, pace, first.duration, _same_method(first, settings))
        _known.move_to_end(about)
        while len(_known) > 100:
            _known.popitem(last=False)
    return thinned(result if result is first else _as_it_ended(result, first), most)


def needed(result: Result, tolerance: float = OFF) -> int:
    """How many even samples of a motion would show positions, velocities and accelerations as they are.

    A chord over two samples is off by four times what one over one is; positions are told by their rates too, which
    sees an oscillation that falls between the samples.

    >>> import biela
    >>> slow = biela.simulate("simple-pendulum", 2.0, samples=500)
    >>> long = biela.simulate("simple-pendulum", 200.0, samples=500)
    >>> needed(slow) < 200, needed(long) > 1500
    (True, True)
    """
    t, y, rates = np.asarray(result.t), result.trajectory.y[:, :-1], result.trajectory.ydot[:, :-1]
    count = len(t)
    good = np.isfinite(y).all(axis=1) & np.isfinite(rates).all(axis=1)
    if count < 5:  # nothing is known
        return max(count, min(20 * FIRST, result.trajectory.steps))
    if not y.shape[1] or not good.all():
        return count
    nq = result.system.nq
    blocks = ((y[:, :nq], 1.0), (y[:, nq:], 1.0), (rates[:, nq:], SUDDEN))
    off = np.zeros(count - 2)
    before, after = np.diff(t)[:-1], np.diff(t)[1:]
    share = (before / np.maximum(before + after, 1e-300))[:, None]
    for block, leave in blocks:
        reach = np.ptp(block, axis=0)
        if not reach.max() > 0:
            continue
        reach = np.maximum(reach, 1e-2 * reach.max())
        chord = block[:-2] + share * (block[2:] - block[:-2])
        off = np.maximum(off, (np.abs(block[1:-1] - chord) / reach).max(axis=1) / (4 * leave))
    reach = np.ptp(y[:, :nq], axis=0)
    reach = np.maximum(reach, max(1e-2 * reach.max(), 1e-12))
    step = np.abs(np.diff(y[:, :nq], axis=0) - 0.5 * np.diff(t)[:, None] * (rates[1:, :nq] + rates[:-1, :nq])) / reach
    most = 1.0 - min(max(RARE[0], RARE[1] / count), 0.5)
    worst = max(float(np.quantile(off, most)), float(np.quantile(step.max(axis=1), most)))
    if worst <= tolerance:
        return max(2, int(count * np.sqrt(worst / tolerance)))
    wanted = int(count * (max(1.2 * np.sqrt(worst / tolerance), 1.5) if worst < 10 * tolerance else 50.0))
    return max(count, min(wanted, result.trajectory.steps))  # between its steps the engine knows no more


def _same_method(first: Result, settings: dict[str, Any]) -> dict[str, Any]:
    """What biela chose for the whole run, for a part of it."""
    out = {k: v for k, v in settings.items() if k != "t_end"}
    chosen = first.settings
    out["coordinates"], out["integrator"] = first.system.coordinates, chosen.integrator.name
    if not chosen.integrator.direct:
        out["formulation"] = chosen.formulation.name
    if first.trajectory.step:
        out["step"] = first.trajectory.step
    return out


def _as_it_ended(result: Result, first: Result) -> Result:
    """More samples of a run, which ended as it did."""
    kept = ("t", "y", "ydot", "lam", "turns", "last")
    result.trajectory = replace(first.trajectory, **{name: getattr(result.trajectory, name) for name in kept})
    if first.trajectory.stopped_at and float(result.t[-1]) < first.trajectory.stopped_at:
        result.trajectory.stopped_at = float(result.t[-1])  # the repetition was stopped a little before
    result.settings, result.duration = first.settings, first.duration
    result.message, result.notes = first.message, first.notes
    result.judge_anew()
    return result


def thinned(result: Result, most: int) -> Result:
    """Not more samples than these, evenly; of a run with events, whose pieces are told by their samples, all."""
    stride = -(-len(result.t) // (most + 1))
    if stride < 2 or type(result) is not Result:
        return result
    tr = result.trajectory
    keep = np.unique([*range(0, len(tr.t), stride), len(tr.t) - 1])
    few = replace(tr, t=tr.t[keep], y=tr.y[keep], ydot=tr.ydot[keep], lam=tr.lam[keep], turns=tr.turns[keep])
    out = Result(result.system, result.settings, few, result.duration)
    out.message, out.notes = result.message, result.notes
    return out
