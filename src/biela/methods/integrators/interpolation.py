"""The state within a step of order five or less: the quintic Hermite of q from q, q', q'' at both ends, velocities from
its slope; then, from slopes at two instants of it, a polynomial as good as the step (`slopes`).   [I.14]"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernels.products import copy
from ...kernels.state import normalise
from ...machine.array_table import unpack
from ...machine.compiled import compiled
from ...machine.scratch import cut
from ..formulations.shared import project
from ..status import OK
from .slopes import along_slopes, note_defect
from .step_vectors import step_vectors


@compiled()
def quintic(x, h, p0, p1, d0, d1, c0, c1):
    """Value and slope at x = (t - t0)/h of the quintic with these values, slopes and second derivatives at its ends."""
    d0, d1 = h * d0, h * d1
    c0, c1 = h * h * c0 / 2, h * h * c1 / 2
    # p0 + d0 x + c0 x^2 + x^3 (u + v x + w x^2)
    r0 = p1 - p0 - d0 - c0
    r1 = d1 - d0 - 2 * c0
    r2 = c1 - c0
    u, v, w = 10 * r0 - 4 * r1 + r2, -15 * r0 + 7 * r1 - 2 * r2, 6 * r0 - 3 * r1 + r2
    value = p0 + x * (d0 + x * (c0 + x * (u + x * (v + x * w))))
    return value, (d0 + x * (2 * c0 + x * (3 * u + x * (4 * v + x * 5 * w)))) / h


@compiled()
def interpolate(header, theta, h):
    """Positions and velocities within the last step, from q, v, a at both ends."""
    s, kept = unpack(header), step_vectors(header)
    y0, y1, d0, d1 = kept.y_0, kept.y_1, kept.ydot_0, kept.ydot_1
    n, nq = s.n, s.nq
    if len(s.quat_q) == 0:
        for i in range(n):
            s.y[i], s.y[n + i] = quintic(theta, h, y0[i], y1[i], y0[n + i], y1[n + i], d0[n + i], d1[n + i])
        return
    for l in range(len(s.plain_q)):
        i, j = s.plain_q[l], nq + s.plain_v[l]
        s.y[i], s.y[j] = quintic(theta, h, y0[i], y1[i], y0[j], y1[j], d0[j], d1[j])
    for l in range(len(s.quat_q)):
        i, j = s.quat_q[l], nq + s.quat_v[l]
        for e in range(4):
            second, second_new = quaternion_second(y0, d0, i, j, e), quaternion_second(y1, d1, i, j, e)
            s.y[i + e], s.w[e] = quintic(theta, h, y0[i + e], y1[i + e], d0[i + e], d1[i + e], second, second_new)
        a, b, c, d = s.y[i], s.y[i + 1], s.y[i + 2], s.y[i + 3]
        f = 2.0 / (a * a + b * b + c * c + d * d)  # w = 2 conj(p) o p'
        s.y[j] = f * (a * s.w[1] - b * s.w[0] - c * s.w[3] + d * s.w[2])
        s.y[j + 1] = f * (a * s.w[2] - c * s.w[0] - d * s.w[1] + b * s.w[3])
        s.y[j + 2] = f * (a * s.w[3] - d * s.w[0] - b * s.w[2] + c * s.w[1])
    normalise(header)


@compiled()
def quaternion_second(state, rate, i, j, e):
    """Component e of p'' = -1/4 |w|^2 p + 1/2 p o w', p at state[i:], w at state[j:], w' at rate[j:].   [K.6]"""
    a, b, c, d = state[i], state[i + 1], state[i + 2], state[i + 3]
    x, y, z = rate[j], rate[j + 1], rate[j + 2]
    square = state[j] * state[j] + state[j + 1] * state[j + 1] + state[j + 2] * state[j + 2]
    if e == 0:
        turn = -b * x - c * y - d * z
    elif e == 1:
        turn = a * x + c * z - d * y
    elif e == 2:
        turn = a * y + d * x - b * z
    else:
        turn = a * z + b * y - c * x
    return 0.5 * turn - 0.25 * square * state[i + e]


class ThirdsVectors(NamedTuple):
    """Vectors `within` a step, and their lengths."""

    ydot: Any  # at a third and at two thirds of the step, from the equations
    y: Any  # there, by the quintic
    quintic_only: Any  # first number: whether the quintic must do


@compiled()
def thirds_vectors(header):
    """The vectors."""
    size = len(unpack(header).y)
    return cut(step_vectors(header).within, ThirdsVectors(2 * size, 2 * size, size))


TRUST = 1000.0
"""tolerances by which polynomial and quintic may differ"""
STIFF = 10.0
"""times that slopes over a step may differ as much as the states that they are taken at. No explicit step is that
long; where something decays faster, slopes at states that are a little off are far off, and the quintic is better"""
ROUNDING = 1e-13
"""share of a state that it may be off by for no other reason"""


@compiled()
def evaluate_within(header, f, settle, t):
    """Onto the constraints, and the evaluation there: how that went."""
    s = unpack(header)
    status = settle(header, t) if s.opt.index3 == 0 else project(header, t)
    return f(header, t) if status == OK else status


@compiled()
def prepare_within(header, f, settle, t, h):
    """Slopes within the last step, from the equations there. The state is not kept."""
    s, kept, thirds = unpack(header), step_vectors(header), thirds_vectors(header)
    size = len(s.y)
    for third in range(2):
        here = t + (third + 1) * h / 3.0
        interpolate(header, (third + 1) / 3.0, h)
        status = settle(header, here) if s.opt.index3 == 0 else project(header, here)
        if status == OK:
            copy(s.y, thirds.y[third * size :])
            status = f(header, here)
        if status != OK:
            return status
        copy(s.ydot, thirds.ydot[third * size :])
    worst = 0.0
    for third in range(2):
        along_slopes(header, (third + 1) / 3.0, h, thirds.ydot, False)
        for i in range(size - 1):
            scale = s.ctl.absolute_tolerance + s.ctl.relative_tolerance * max(abs(kept.y_1[i]), abs(kept.y_0[i]))
            worst = max(worst, abs(s.y[i] - thirds.y[third * size + i]) / scale)
    if worst <= TRUST:
        along_slopes(header, 1.0 / 3.0, h, thirds.ydot, False)
        status = evaluate_within(header, f, settle, t + h / 3.0)
        if status != OK:
            return status
        if slopes_differ(header, h):
            worst = 2.0 * TRUST
    thirds.quintic_only[0] = 0.0 if worst <= TRUST else 1.0
    return OK


@compiled()
def slopes_differ(header, h):
    """Whether the slopes of the present state, at a third of a step, and of the quintic's differ far more over the step
    than these states do: it is long beside what decays. (Differences of rounding tell nothing.)"""
    s, kept, thirds = unpack(header), step_vectors(header), thirds_vectors(header)
    apart, turned = 0.0, 0.0
    for i in range(len(s.y) - 1):
        largest = max(abs(kept.y_1[i]), abs(kept.y_0[i]))
        scale = s.ctl.absolute_tolerance + s.ctl.relative_tolerance * largest
        apart = max(apart, (abs(s.y[i] - thirds.y[i]) + ROUNDING * largest) / scale)
        turned = max(turned, h * abs(s.ydot[i] - thirds.ydot[i]) / scale)
    return turned > STIFF * apart


@compiled()
def work_between(header, x, h):
    """The work at t_n + x h from that, and the power, at both ends: the forces between them are not known well enough
    where they are stiff."""
    kept, last = step_vectors(header), len(unpack(header).y) - 1
    w0, w1, p0, p1 = kept.y_0[last], kept.y_1[last], h * kept.ydot_0[last], h * kept.ydot_1[last]
    rest = 1.0 - x
    return w0 + x * x * (3.0 - 2.0 * x) * (w1 - w0) + x * rest * (rest * p0 - x * p1)


@compiled()
def sample_between(header, f, settle, t, h, at):
    """The state at a time within the last step, evaluated there."""
    s, thirds, x = unpack(header), thirds_vectors(header), (at - t) / h
    along_slopes(header, x, h, thirds.ydot, False)
    trusted = thirds.quintic_only[0] == 0.0
    if not trusted:
        interpolate(header, x, h)
        s.y[len(s.y) - 1] = work_between(header, x, h)
    status = evaluate_within(header, f, settle, at)
    if status == OK and trusted and s.run.near_singular == 0:
        note_defect(header, at)
    return status
