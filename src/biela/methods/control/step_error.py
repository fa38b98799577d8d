"""The error of a step, for integrators that do not estimate it themselves.

By halving: the step is taken once whole and once in two halves; the halves stay. At index 3 velocities across the
constraints do not count: they depend on the step alone, and come back after two equal ones.   [I.19]
By the energy: what the energy changes by without work, and the work of the constraint forces.   000 4.2, [I.21]
Both are errors per unit of time: what is added up over the run stays within the tolerance.   [I.20]
"""

from __future__ import annotations

from ...kernels.calls import WEIGH
from ...kernels.forces import kinetic_energy, potential_energy
from ...kernels.products import add_scaled, clear, copy, largest
from ...kernels.rows import add_transposed, normal_matrix, row_times, rows, violations
from ...machine.array_table import call_kernel, unpack
from ...machine.compiled import compiled
from ..integrators.step_vectors import step_vectors
from ..linear.static import factor_normal, solve_normal
from ..loops.step_memory import keep, step_memory, take_back
from ..status import NOT_FINITE, OK

ROUNDING = 4e-16
"""of a number"""
SOLVED = 1e-15
"""of the size: to what the positions of an implicit step are found"""
ITERATED = 2e-13
"""of the speed: to what velocities are found by iteration, and accelerations by formulations that iterate"""


@compiled()
def start_for_samples(header):
    """y_n and y'_n to where samples within the step look for them."""
    memory, kept = step_memory(header), step_vectors(header)
    copy(memory.y, kept.y_0)
    copy(memory.ydot, kept.ydot_0)


@compiled()
def along_constraints(header, t, d):
    """Take from d, a difference of velocities, what leads across the constraints, in the metric of M."""
    s = unpack(header)
    beta = s.par.beta
    rows(header, t)
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[WEIGH], header)
    normal_matrix(header, beta)
    if factor_normal(header) != 0:
        return
    for _ in range(4):
        for p in range(len(s.active)):
            k = s.active[p]
            s.Phid[k] = row_times(header, k, d)
        clear(s.w[: s.n])
        add_transposed(header, s.Phid, -beta, s.w)
        solve_normal(header, s.w)
        add_scaled(1.0, s.w[: s.n], d)


@compiled()
def by_halves(header, step, f, settle, t, h):
    """A step of h and two of h/2; s.ctl.error is the largest error of the halves in units of the tolerance."""
    s = unpack(header)
    size, nq = len(s.y), s.nq
    memory = step_memory(header)
    y0, whole = memory.y, memory.y_whole
    keep(header)
    status = step(header, f, settle, t, h)
    if status != OK:
        return status
    copy(s.y, whole)
    take_back(header)
    for half in range(2):
        status = step(header, f, settle, t + 0.5 * half * h, 0.5 * h)
        if status != OK:
            return status
    for i in range(size):
        whole[i] = s.y[i] - whole[i]
    if s.opt.index3 != 0 and s.m > 0:
        along_constraints(header, t + h, whole[nq : nq + s.n])
    share = h / s.ctl.duration
    gain = 2.0**s.ctl.order - 1.0
    error, blurred, speed = 0.0, False, largest(s.v)
    for i in range(size if s.opt.index3 == 0 else size - 1):  # (at index 3 drivers also move velocities across)
        scale = share * (s.ctl.absolute_tolerance + s.ctl.relative_tolerance * max(abs(s.y[i]), abs(y0[i])))
        if i == size - 1:  # the work is measured by the energies seen so far
            scale = 10.0 * share * s.ctl.relative_tolerance * max(s.ctl.largest_energy, s.ctl.negligible_energy)
            if scale == 0.0:
                continue
        noise = ROUNDING * abs(s.y[i])
        if s.opt.index3 != 0:
            noise += SOLVED * s.par.length_scale * (1.0 if i < nq else 2.0 / h)
        elif i >= nq:
            noise += ITERATED * speed
        if i == size - 1:
            noise += 20.0 * ROUNDING * s.ctl.largest_energy
        off = abs(whole[i]) / gain / max(scale, noise)
        if off != off:
            return NOT_FINITE
        if off > error:
            error, blurred = off, noise > scale
    s.ctl.error = error
    if blurred:
        s.mon.rounding_steps += 1
    start_for_samples(header)
    return OK


@compiled()
def by_energy(header, step, f, settle, t, h):
    """One step; s.ctl.error is the energy that appeared from nowhere, in units of the tolerance."""
    s = unpack(header)
    last = len(s.y) - 1
    keep(header)
    before = kinetic_energy(header) + potential_energy(header)
    work = s.y[last]
    status = step(header, f, settle, t, h)
    if status != OK:
        return status
    kinetic, potential = kinetic_energy(header), potential_energy(header)
    off = abs(kinetic + potential - before - (s.y[last] - work))
    violations(header, t + h)
    for k in range(s.m if s.opt.index3 == 0 else 0):  # (at index 3 constraint forces do no work)
        off += h * abs(s.lam[k] * s.Phid[k])
    seen = max(s.ctl.largest_energy, s.ctl.starting_energy, kinetic)
    scale = h / s.ctl.duration * s.ctl.relative_tolerance * seen
    noise = 4.0 * ROUNDING * (kinetic + abs(potential) + abs(s.y[last]) + seen)
    s.ctl.error = off / max(scale, noise)
    if noise > scale:
        s.mon.rounding_steps += 1
    start_for_samples(header)
    return OK if s.ctl.error == s.ctl.error else NOT_FINITE
