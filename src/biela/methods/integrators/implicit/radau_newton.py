"""Newton-Raphson for the velocities of the three stages of Radau IIA, as far as the tolerance asks, with the tangents
of each stage (not those of the start for all): a stiff strut that turns within a step would otherwise push along where
it has been. Tangents are kept from step to step as long as the iteration converges fast with them.   [I.28]
"""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from ....kernels.products import copy
from ....machine.array_table import unpack
from ....machine.compiled import compiled
from ....machine.scratch import cut
from ...linear.lu import lu_factor
from ...status import ITERATION, OK
from .acceleration_tangent import acceleration_tangents, tangent_workspace_length
from .stages import (
    INSTANTS,
    RADAU,
    correct,
    factorise,
    note_worst,
    put_stage,
    residual,
    stage_workspace,
    stage_workspace_length,
)
from .stages import lengths as stage_lengths

STAGES = 3
MOST, RENEWALS = 10, 4
"""iterations with the same tangents; how often they are found anew"""
SLOW, FAST = 0.2, 0.08
"""ratio of changes that asks for new tangents; and that with which they serve the next step, too"""
MANY, ALIKE = 12, 0.02
"""velocities from which on a factorisation serves steps that differ by so little"""
ENOUGH = 1e-3
"""of the tolerance: changes of velocities that end the iteration"""
REAL = 3.6378342527444957
"""the real eigenvalue of the inverse of the weights: that of the filter of the error (Hairer & Wanner IV.8)"""
LONGER = 8.0
"""times the last step: no guess goes on along its polynomial that far"""
INSTANT, INVERSE = INSTANTS[STAGES].copy(), np.linalg.inv(RADAU)


class RadauWorkspace(NamedTuple):
    """Vectors, and their lengths: what `radau5` has beside the stages, and remembers from step to step."""

    stages: Any  # the vectors of `stages`
    v_before: Any  # velocities at the start and at the stages of the last step, and the state that it ended in
    end: Any
    filter: Any  # of the error
    filter_pivot: Any
    error_q: Any
    error_v: Any
    step_before: Any  # one number each: the length of the last step, whether there was one, how fast its iteration
    going: Any
    rate: Any  # converged


@compiled()
def lengths(n, nq, stages):
    """How long the vectors are."""
    return RadauWorkspace(stages, (STAGES + 1) * n, nq + n, n * n, n, n, n, 1, 1, 1)


def radau_workspace_length(arrays: Any) -> int:
    """Numbers needed in all, for a system with these arrays."""
    stages = stage_workspace_length(arrays, STAGES)
    return sum(lengths.py_func(arrays.n, arrays.nq, stages)) + tangent_workspace_length(arrays)


@compiled()
def radau_workspace(header):
    """The vectors."""
    s = unpack(header)
    return cut(s.direct, lengths(s.n, s.nq, sum(stage_lengths(s.n, s.nq, len(s.lam), STAGES))))


@compiled()
def is_going_on(header):
    """Whether the state is the one that the last step has ended in: no event, no other beginning."""
    s, w = unpack(header), radau_workspace(header)
    if w.going[0] == 0.0:
        return False
    for i in range(s.nq + s.n):
        if w.end[i] != s.y[i]:
            return False
    return True


@compiled()
def cubic_weight(k, x):
    """Weight at x of value k of those at 0, c_1, c_2, 1."""
    w = 1.0
    at = 0.0 if k == 0 else INSTANT[k - 1]
    for l in range(4):
        if l != k:
            other = 0.0 if l == 0 else INSTANT[l - 1]
            w *= (x - other) / (at - other)
    return w


@compiled()
def predict(header, h, along):
    """Velocities of the stages: along the polynomial of the last step, or those at the start."""
    s, p, w = unpack(header), stage_workspace(header, STAGES), radau_workspace(header)
    n, before, last = s.n, w.v_before, w.step_before[0]
    for i in range(STAGES):
        copy(p.base_v, p.v[i * n : (i + 1) * n])
        if along and h < LONGER * last:
            x = 1.0 + INSTANT[i] * h / last
            w0, w1, w2, w3 = cubic_weight(0, x), cubic_weight(1, x), cubic_weight(2, x), cubic_weight(3, x)
            for j in range(n):  # (the state has been put back on the constraints since)
                off = w0 * before[j] + w1 * before[n + j] + w2 * before[2 * n + j] + (w3 - 1.0) * before[3 * n + j]
                p.v[i * n + j] += off


@compiled()
def smooth_acceleration(header, h, i, out):
    """The slope of the collocation polynomial at stage i: what f is there once the step has converged, without the
    noise that stiff forces make of the smallest error in the velocities."""
    n, p = unpack(header).n, stage_workspace(header, STAGES)
    for j in range(n):
        w = 0.0
        for k in range(STAGES):
            w += INVERSE[i, k] * (p.v[k * n + j] - p.base_v[j])
        out[j] = w / h


@compiled()
def tangents_at_start(header, t):
    """Those of the start of the step, for all stages: the copy of it among the stages is the state."""
    s, p = unpack(header), stage_workspace(header, STAGES)
    square = s.n * s.n
    copy(p.base_q, s.q)
    copy(p.base_v, s.v)
    if acceleration_tangents(header, t, p.a_start, p.lam_start, p.a_q[:square], p.a_v[:square]) != 0:
        return 1
    for i in range(1, STAGES):
        copy(p.a_q[:square], p.a_q[i * square :])
        copy(p.a_v[:square], p.a_v[i * square :])
    return 0


@compiled()
def tangents_of_stages(header, t, h):
    """Those of each stage, where the iteration is now."""
    s, p = unpack(header), stage_workspace(header, STAGES)
    n, m, a = s.n, len(s.lam), p.change
    for i in range(STAGES - 1, -1, -1):  # (the derivatives of the power are those of the first stage in the end)
        put_stage(header, STAGES, i)
        smooth_acceleration(header, h, i, a)
        l, k, lam = i * n * n, (i + 1) * n * n, p.lam[i * m : (i + 1) * m]
        if acceleration_tangents(header, t + INSTANT[i] * h, a, lam, p.a_q[l:k], p.a_v[l:k]) != 0:
            return 1
    return 0


@compiled()
def factorise_with_filter(header, h):
    """The equations of the corrections for the step h, and the filter of its error; 0 if that can be done."""
    n, p, w, g = unpack(header).n, stage_workspace(header, STAGES), radau_workspace(header), REAL / h
    E = w.filter
    for row in range(n):
        for col in range(n):
            E[row * n + col] = -p.a_v[row * n + col] - p.a_q[row * n + col] / g
        E[row * n + row] += g
    return factorise(header, h, STAGES) + lu_factor(E, n, w.filter_pivot)


@compiled()
def size_of_correction(header, h):
    """In units of the tolerance."""
    s, p = unpack(header), stage_workspace(header, STAGES)
    n, total, far = s.n, 0.0, max(1.0, h)
    for i in range(STAGES):
        for j in range(n):
            scale = s.ctl.absolute_tolerance + s.ctl.relative_tolerance * max(abs(p.base_v[j]), abs(p.v[i * n + j]))
            total += (far * p.change[i * n + j] / scale) ** 2
    return sqrt(total / (STAGES * n))


@compiled()
def iterate(header, f, t, h):
    """Corrections until nothing is to be gained; OK if that comes to pass."""
    s, rate = unpack(header), radau_workspace(header).rate
    enough = max(ENOUGH, 1e-15 / s.ctl.relative_tolerance)
    before, renewals, since, ratio = 1e300, 0, 0, 0.0
    status = residual(header, f, t, h, STAGES, 1.0)
    while status == OK:
        correct(header, STAGES)
        change = size_of_correction(header, h)
        if not change < 1e30:
            return ITERATION
        ratio = change / before if since > 0 else 0.0
        known = rate[0] if since == 0 else ratio
        if change * known / max(1.0 - known, 0.1) <= enough or change <= 1e-2 * enough:
            rate[0] = max(ratio, 0.3 * rate[0]) if renewals == 0 else 1.0
            return OK
        if since > 1 and ratio > 0.5 and change < 0.03:
            rate[0] = 1.0  # as far as the accelerations are known
            return OK
        status = residual(header, f, t, h, STAGES, 1.0)
        if status != OK:
            break
        before, since = change, since + 1
        if (since > 1 and ratio > SLOW) or since == MOST:
            if renewals == RENEWALS or (ratio > 2.0 and renewals > 1):
                return ITERATION
            if tangents_of_stages(header, t, h) != 0 or factorise_with_filter(header, h) != 0:
                return ITERATION
            before, since, renewals = 1e300, 0, renewals + 1
            rate[0] = 0.3
    return status


@compiled()
def solve_stages(header, f, t, h, going):
    """The velocities of the stages: with the tangents there are, else with those of the start."""
    s, p, w = unpack(header), stage_workspace(header, STAGES), radau_workspace(header)
    status = ITERATION
    for attempt in range(2):
        old = attempt == 0 and going and p.known[0] != 0.0 and w.rate[0] <= FAST
        predict(header, h, going and attempt == 0)
        copy(p.lam_start, s.lam)  # a wild trial must not spoil what they are found from
        if not old:
            w.rate[0] = 0.3
            if tangents_at_start(header, t) != 0:
                status = ITERATION
                continue
        alike = ALIKE * h if s.n > MANY else 0.0
        if (not old or abs(p.factored_for[0] - h) > alike) and factorise_with_filter(header, h) != 0:
            continue
        status = iterate(header, f, t, h)
        if status == OK:
            p.known[0] = 1.0
            return OK
    p.known[0] = 0.0
    if status == ITERATION:
        note_worst(header, h, STAGES)
    return status
