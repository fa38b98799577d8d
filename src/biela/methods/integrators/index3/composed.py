"""Order four from a symmetric scheme of order two: five steps of lengths p, p, 1 - 4p, p, p (Suzuki 1990).

What the scheme keeps, its composition keeps: energy, and Phi = 0 at the end of each part. The middle part goes back in
time, so that forces which lose energy quickly want a shorter step.   [D.30]

No part may end next to a singular position, where velocities are hardly determined, and five parts leave no wide gap
between their ends. Where they do not converge, or energy is not kept, halves, quarters ... of the step are tried, whose
parts end elsewhere; then the scheme itself takes the step, once across.
"""

from __future__ import annotations

from ....kernels.calls import PLACE
from ....kernels.forces import kinetic_energy, potential_energy
from ....kernels.products import copy, largest
from ....machine.array_table import call_kernel, unpack
from ....machine.compiled import STEP, compiled
from ...status import ITERATION, OK
from ..step_vectors import start_again, step_vectors
from .conserving import step as conserving_step

OUTER = 1.0 / (4.0 - 4.0 ** (1.0 / 3.0))
FINER, GAINED, ACROSS = 128, 1e-9, 1e-3
"""parts of a step that are composed, each by itself, before the scheme takes it alone; of the energy seen: what a step
may gain or lose by a corrector that has hardly converged; and the same for long steps, of the cube of the path in units
of the mechanism, which the error of the scheme alone goes with"""
ROUNDING = 1e-13
"""of the energy itself: no gain"""


@compiled()
def balance(header):
    """Energy less the work done, which no step changes; and the energy seen so far."""
    s = unpack(header)
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[PLACE], header)
    kinetic = kinetic_energy(header)
    return kinetic + potential_energy(header) - s.y[len(s.y) - 1], max(s.ctl.largest_energy, kinetic)


@compiled()
def compose(header, f, settle, t, h):
    """The five parts."""
    s = unpack(header)
    last = s.run.multipliers_wanted
    for part in range(5):
        length = (1.0 - 4.0 * OUTER if part == 2 else OUTER) * h
        s.run.multipliers_wanted = last if part == 4 else 0
        status = conserving_step(header, f, settle, t, length)
        if status != OK:
            s.run.multipliers_wanted = last
            return status
        t += length
    s.run.multipliers_wanted = last
    return OK


@compiled(STEP)
def step(header, f, settle, t, h):
    """One composed step; accelerations and multipliers are those of the state at its end."""
    s = unpack(header)
    y_0 = step_vectors(header).y_0
    copy(s.y, y_0)
    before, seen = balance(header)
    gained = max(GAINED, ACROSS * (h * largest(s.v) / s.par.length_scale) ** 3)
    status, parts = ITERATION, 1
    while status == ITERATION and parts <= FINER:
        if parts > 1:
            start_again(header, f, t, y_0)
        for part in range(parts):
            status = compose(header, f, settle, t + part * h / parts, h / parts)
            if status != OK:
                break
        parts *= 2
        if status == OK:
            after, more = balance(header)
            if abs(after - before) > gained * max(seen, more) + ROUNDING * (abs(after) + abs(before)):
                status = ITERATION
    if parts > 2:
        s.mon.divided_steps += 1
        s.mon.most_parts = max(s.mon.most_parts, parts // 2)
    if status == ITERATION:
        start_again(header, f, t, y_0)
        status = conserving_step(header, f, settle, t, h)
    return status
