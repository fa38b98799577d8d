"""The trapezoidal rule with fixed-point iteration, 000 4.3.1 and 4.4.1."""

from __future__ import annotations

from typing import Any, NamedTuple

from ....kernels.state import rates
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...status import OK
from ..settled import settled
from ..step_vectors import cut_vectors
from .fixed_point import fixed_point, note_worst


class Vectors(NamedTuple):
    """Vectors of `k`, and their lengths."""

    base: Any  # what the corrector keeps from the start: of y, or of q and of v
    base_v: Any
    last: Any  # positions of the last corrector


@compiled()
def vectors(header):
    """The vectors."""
    s = unpack(header)
    return cut_vectors(header, Vectors(len(s.y), s.n, s.nq))


@compiled()
def correct_with_quaternions(header, h):
    """y = y_n + h/2 (y'_n + y'), the rates q' = H(q) v always from the latest q and v."""
    s, w = unpack(header), vectors(header)
    for i in range(s.nq, len(s.y)):
        s.y[i] = w.base[i] + 0.5 * h * s.ydot[i]
    rates(header)
    change, most = 0.0, 0.0
    for i in range(s.nq):
        fresh = w.base[i] + 0.5 * h * s.ydot[i]
        change += (fresh - w.last[i]) ** 2
        most = note_worst(header, most, i, abs(fresh - w.last[i]))
        w.last[i] = s.y[i] = fresh
    return change


@compiled()
def correct(header, h):
    """000 (118)."""
    s, w = unpack(header), vectors(header)
    change, most = 0.0, 0.0
    for i in range(s.n):
        fresh = w.base[i] + 0.25 * h * h * s.a[i]
        change += (fresh - w.last[i]) ** 2
        most = note_worst(header, most, i, abs(fresh - w.last[i]))
        w.last[i] = s.q[i] = fresh
        s.v[i] = w.base_v[i] + 0.5 * h * s.a[i]
    return change


iterate, iterate_with_quaternions = fixed_point(correct), fixed_point(correct_with_quaternions)


@compiled(STEP)
def step(header, f, settle, t, h):
    """Predictor (119); then accelerations and corrector (118) until the positions stop changing, (123)."""
    s, w = unpack(header), vectors(header)
    n, q, v, a, last = s.n, s.q, s.v, s.a, len(s.y) - 1
    if len(s.quat_q) > 0:
        for i in range(len(s.y)):
            w.base[i] = s.y[i] + 0.5 * h * s.ydot[i]
            s.y[i] += h * s.ydot[i]
        for i in range(s.nq):
            w.last[i] = q[i]
        status = iterate_with_quaternions(header, f, t, h)
    else:
        work, power = s.y[last], s.power[0]
        for i in range(n):
            w.base[i] = q[i] + h * v[i] + 0.25 * h * h * a[i]  # what (118) keeps from step n
            w.base_v[i] = v[i] + 0.5 * h * a[i]
            w.last[i] = q[i] = w.base[i] + 0.25 * h * h * a[i]  # 000 (119)
            v[i] = w.base_v[i] + 0.5 * h * a[i]
        status = iterate(header, f, t, h)
        s.y[last] = work + 0.5 * h * (power + s.power[0])
    return settled(header, settle, t + h) if status == OK else status
