"""Positions, velocities and accelerations of a driven mechanism at many instants, in one compiled loop (003, 3-5).

Each position is predicted from the one before it, corrected by Newton-Raphson, and gives velocity, acceleration and
multipliers with factors of the same Jacobian. Whatever is not plain (no convergence, a jump to another branch, a dead
point) is left to the caller, who looks closely and then calls again for the rest.
"""

from __future__ import annotations

from math import cos, sin

from numba import types

from ...kernels.forces import remember_turns
from ...kernels.products import clear, copy, largest, mass_row
from ...kernels.strains.strain import ANGLE, strain
from ...machine.addresses import ADDRESS, COUNT, TIME, rows_and_forces_at
from ...machine.array_table import unpack
from ...machine.compiled import HEADER, compiled
from ...machine.scratch import cut
from ..linear.householder import determinant, factor_qr, least_norm, least_squares
from .prescribed_workspace import LARGEST, SIGN
from .prescribed_workspace import lengths as plain_lengths

ITERATIONS = 25
lengths = compiled()(plain_lengths)
_VECTOR, _TABLE, _PLACES = types.Array(TIME, 1, "C"), types.Array(TIME, 2, "C"), types.Array(types.int64, 1, "C")


@compiled()
def scales(header, unit, size, twins, length):
    """Lengths of the rows of B with lengths in units of the mechanism: see `closing.row_lengths`."""
    s = unpack(header)
    full = 1e-300
    for e in range(len(s.Jx)):
        full = max(full, abs(s.Jx[e]) * size)
    for k in range(s.m):
        square = 0.0
        for i in range(s.n):
            x = s.B[k * s.n + i] * unit[i]
            square += x * x
        length[k] = square**0.5
        full = max(full, length[k])
    for l in range(len(twins)):
        k = twins[l]
        length[k] = length[k + 1] = max(length[k], length[k + 1])
    for k in range(s.m):
        if length[k] < 1e-10 * full:
            length[k] = full


@compiled()
def factor_rows(header, unit, length, Z, idle, W, tau):
    """The factor of B, in units and divided by `length`, above the idle spins."""
    s = unpack(header)
    n, m = s.n, s.m
    for k in range(m):
        for i in range(n):
            W[k * n + i] = s.B[k * n + i] * unit[i] / length[k]
    for i in range(idle * n):
        W[m * n + i] = Z[i]
    return factor_qr(W, m + idle, n, tau)


@compiled()
def without_spins(n, idle, Z, b):
    """b less what it has of them."""
    for l in range(idle):
        x = 0.0
        for i in range(n):
            x += b[i] * Z[l * n + i]
        for i in range(n):
            b[i] -= x * Z[l * n + i]


@compiled()
def fresh_spins(n, m, idle, Z, W, tau, b):
    """The motions that no row feels, orthonormal, each near what it was: none of them is in a velocity."""
    for l in range(idle):
        clear(b[: m + idle])
        b[m + l] = 1.0
        least_squares(W, m + idle, n, tau, b)
        without_spins(n, l, Z, b)
        square = 0.0
        for i in range(n):
            square += b[i] * b[i]
        for i in range(n):
            Z[l * n + i] = b[i] / square**0.5


@compiled()
def solve_rates(header, terms, length, Z, idle, W, tau, b):
    """b with B b = -terms, in units, and nothing of the idle spins."""
    s = unpack(header)
    n, m = s.n, s.m
    clear(b[: m + idle])
    for k in range(m):
        b[k] = -terms[k] / length[k]
    least_squares(W, m + idle, n, tau, b)
    without_spins(n, idle, Z, b)


@compiled()
def orientation_of(header, unit, length, twins, angles, Z, idle, W, tau):
    """Determinant of the rows, sine and cosine of each angle merged into one along it; 0 where they are not square."""
    s = unpack(header)
    n, m, l, r = s.n, s.m, 0, 0
    if m - len(twins) + idle != n:
        return 0.0
    k = 0
    while k < m:
        if l < len(twins) and twins[l] == k:
            c, d = cos(s.q[angles[l]]) / length[k], -sin(s.q[angles[l]]) / length[k]
            for i in range(n):
                W[r * n + i] = (c * s.B[k * n + i] + d * s.B[(k + 1) * n + i]) * unit[i]
            l += 1
            k += 1
        else:
            for i in range(n):
                W[r * n + i] = s.B[k * n + i] * unit[i] / length[k]
        r += 1
        k += 1
    for i in range(idle * n):
        W[r * n + i] = Z[i]
    factor_qr(W, n, n, tau)
    return determinant(W, n, tau)


@compiled()
def corrected(header, f, t, unit, size, slack, twins, Z, idle, W, tau, length, b):
    """Newton-Raphson from s.q at time t; True if it converges, with the factor of the rows there. Redundant rows of
    rounded data leave something, up to `slack`."""
    s = unpack(header)
    n, m, before, rounding = s.n, s.m, 1e300, max(slack, 1e-11)
    clear(s.v)
    for _ in range(ITERATIONS):
        f(header, t)
        scales(header, unit, size, twins, length)
        clear(b[: m + idle])
        for k in range(m):
            b[k] = -s.Phi[k] / length[k]
        left, far = largest(b[:m]), largest(s.q)
        if not left <= before:  # it runs away, or nothing is left but rounding
            if not before < rounding:
                return False
        if not factor_rows(header, unit, length, Z, idle, W, tau) > 1e-11:
            return False
        if left < 2e-15 * max(1.0, 1e-2 * far / size) or (left < rounding and left > 0.25 * before):
            return True
        least_squares(W, m + idle, n, tau, b)
        for i in range(n):
            if not abs(b[i]) <= 1.0:
                return False
        for i in range(n):
            s.q[i] += b[i] * unit[i]
        before = left
    return False


@compiled()
def count_turns(header, f, t, h, rates):
    """Angles between bodies count their turns on, by the mean of their rates (h = 0: nothing but these rates)."""
    s = unpack(header)
    for l in range(len(s.element_law)):
        if s.element_strain[l] == ANGLE:
            k, rate = s.element_wound[l], strain(header, l)[1]
            s.wound[k] += 0.5 * h * (rates[k] + rate)
            rates[k] = rate
    if len(rates) > 0 and h > 0.0:
        remember_turns(header)
        f(header, t)


@compiled(COUNT(HEADER, ADDRESS, _VECTOR, COUNT, COUNT, _VECTOR, TIME, TIME, _PLACES, _PLACES, COUNT, _VECTOR,
                _VECTOR, _VECTOR, _TABLE, _TABLE, _TABLE, _TABLE))  # fmt: skip
def follow(header, f_address, times, first, last, unit, size, slack, twins, angles, idle, Z, seen, work, Q, V, A, L):
    """Positions first ... last - 1 at their times, from the one before. Returns the first that is not plain, or last.

    `f_address`: of `entry.rows_and_forces`; `twins`: sine rows of the angles at `angles` in q; Z: the idle spins, so
    many as `idle` says; Q, V, A, L: rows of positions, velocities, accelerations and multipliers.
    """
    f, s = rows_and_forces_at(f_address), unpack(header)
    n, m = s.n, s.m
    w = cut(work, lengths(m, n, idle, len(s.wound)))
    W, tau, length, b, c, guess = w.W, w.tau, w.length, w.b, w.c, w.guess
    for i in range(n):
        s.q[i], s.v[i] = Q[first - 1, i], V[first - 1, i]
    if len(w.rates) > 0:
        f(header, times[first - 1])
        count_turns(header, f, times[first - 1], 0.0, w.rates)
    for k in range(first, last):
        t, h = times[k], times[k] - times[k - 1]
        stride, jump = 0.0, 0.0
        for i in range(n):
            w.x0[i] = Q[k - 1, i]
            s.q[i] = guess[i] = w.x0[i] + h * V[k - 1, i] + 0.5 * h * h * A[k - 1, i]
            stride = max(stride, abs(guess[i] - w.x0[i]) / unit[i])
        copy(Z[: idle * n], w.spins)
        if not corrected(header, f, t, unit, size, slack, twins, Z, idle, W, tau, length, b):
            return k
        for i in range(n):
            jump = max(jump, abs(s.q[i] - guess[i]) / unit[i])
        if not (jump <= max(0.3 * stride, 1e-9) or jump < 1e-6):
            return k
        fresh_spins(n, m, idle, Z, W, tau, b)
        solve_rates(header, s.Phit, length, Z, idle, W, tau, b)
        for i in range(n):
            s.v[i] = b[i] * unit[i]
        f(header, t)
        solve_rates(header, s.bias, length, Z, idle, W, tau, c)
        here = orientation_of(header, unit, length, twins, angles, Z, idle, W, tau)
        greatest = max(seen[LARGEST], abs(here))
        if abs(here) < 1e-7 * greatest or here * seen[SIGN] < 0.0:
            copy(w.spins, Z)
            return k
        count_turns(header, f, t, h, w.rates)
        for i in range(n):
            s.a[i] = c[i] * unit[i]
        for i in range(m):
            length[i] = 1.0
        factor_rows(header, unit, length, Z, idle, W, tau)
        for i in range(n):
            b[i] = -mass_row(header, i, s.a, -s.Q[i]) * unit[i]
        least_norm(W, m + idle, n, tau, b)
        total = 0.0
        for i in range(n):
            total += s.v[i] + s.a[i]
        for i in range(m):
            total += b[i]
        if not abs(total) < 1e300:
            return k
        seen[SIGN], seen[LARGEST] = here, greatest
        for i in range(n):
            Q[k, i], V[k, i], A[k, i] = s.q[i], s.v[i], s.a[i]
        for i in range(m):
            L[k, i] = b[i]
    return last
