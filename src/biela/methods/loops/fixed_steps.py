"""The time loop with fixed steps, compiled."""

from __future__ import annotations

from ...machine.addresses import ADDRESS, COUNT, COUNTS, TABLES, TIME, evaluate_at, settle_at, step_at
from ...machine.array_table import unpack
from ...machine.compiled import HEADER, compiled
from ..control.law_switches import through_switches
from ..formulations.independent_rows import hold_rows
from ..integrators.step_vectors import keep_start, start_again, step_vectors
from ..status import ITERATION, OK, SINGULAR
from .monitors import back_to_start, begin_watching, crosses_singularity, end_watching, monitor, store
from .step_memory import keep, take_back

EFFORT = 200
"""evaluations a step, on the mean, after which Python looks in: steps that do not converge take thousands"""


@compiled()
def finer(header, step, f, settle, t, h):
    """A step whose corrector did not converge, again in 2, 4, ... 1024 parts; multistep methods start anew."""
    s = unpack(header)
    start_again(header, f, t, step_vectors(header).y_start)
    s.run.history = 0
    keep(header)
    status, parts = ITERATION, 1
    while status == ITERATION and parts < 1024:
        parts *= 2
        take_back(header)
        s.mon.rejected += 1
        for part in range(parts):
            status = step(header, f, settle, t + part * h / parts, h / parts)
            if status != OK:
                break
    s.run.history = 0
    s.mon.divided_steps += 1
    s.mon.most_parts = max(s.mon.most_parts, parts)
    return status


@compiled()
def steps(header, step, f, settle, t0, h, first, count, total, stride, watched, out_t, out_y, out_ydot, out_lam,
          out_turns):  # fmt: skip
    """The loop itself; `watched`: laws may switch within a step."""
    s = unpack(header)
    row = first // stride + 1
    due = row * stride  # the step at which the next sample is taken; no division in the loop
    enough = s.run.evaluations + EFFORT * count
    if s.opt.rows_per_step != 0 and s.left_out[len(s.active)] == 0:
        hold_rows(header, f, t0 + first * h, True)
    for i in range(first, first + count):
        t = t0 + i * h
        s.run.multipliers_wanted = i + 1 == due or i + 1 == total
        keep_start(header)
        status = step(header, f, settle, t, h)
        if status == ITERATION:
            status = finer(header, step, f, settle, t, h)
        if status == OK and watched:
            status = through_switches(header, step, f, settle, t, h)
        if status != OK:
            if status == SINGULAR and s.mon.singular_time == 0.0:
                s.mon.singular_time = t + h
            back_to_start(header, f, t)
            return status, i - first
        t = t0 + (i + 1) * h
        hold_rows(header, f, t, False)
        status = monitor(header, t)
        if status != OK:
            back_to_start(header, f, t - h)
            return status, i - first
        if i + 1 == due or i + 1 == total:
            store(header, t, row, out_t, out_y, out_ydot, out_lam, out_turns)
            row += 1
            due += stride
        if crosses_singularity(header, f, settle, t, h, h) and i + 1 < total:
            return SINGULAR, i + 1 - first
        if s.run.evaluations > enough:
            return OK, i + 1 - first
    return OK, count


@compiled(COUNTS(HEADER, ADDRESS, ADDRESS, ADDRESS, TIME, TIME, COUNT, COUNT, COUNT, COUNT, *TABLES))
def march(header, step_address, f_address, settle_address, t0, h, first, count, total, stride, out_t, out_y, out_ydot,
          out_lam, out_turns):  # fmt: skip
    """Fixed steps first+1 ... first+count of `total`, or fewer where they take long; sample row i/stride. Returns
    (status, steps taken)."""
    step, f, settle = step_at(step_address), evaluate_at(f_address), settle_at(settle_address)
    watched = begin_watching(header)
    out = steps(header, step, f, settle, t0, h, first, count, total, stride, watched, out_t, out_y, out_ydot, out_lam,
                out_turns)  # fmt: skip
    end_watching(header, watched)
    return out
