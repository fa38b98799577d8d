"""The angle between directions u and w of two bodies, with its whole turns, where it is no coordinate: springs, dampers
and motors that turn, in the plane.

It is the difference of two angles atan2(y, x). What a strain hands on is (ux, uy, wx, wy).
"""

from __future__ import annotations

from math import atan2, floor, pi

from ...machine.array_table import unpack
from ...machine.compiled import compiled
from ..products import clear
from .dense import add_bent, add_outer, add_row
from .span import span

NEARLY_STRAIGHT = 1e-4
"""sine of a turn below which the mean gradient is written as a series"""


@compiled()
def _with_turns(near, ux, uy, wx, wy):
    """The angle from u to w that is nearest to another: that of the last accepted step."""
    angle = atan2(ux * wy - uy * wx, ux * wx + uy * wy)
    return angle + 2 * pi * floor((near - angle) / (2 * pi) + 0.5)


@compiled()
def strain(header, k, near):
    """Angle and rate, and both directions."""
    s = unpack(header)
    ux, uy, pux, puy = span(header, k, s.x, s.xd)
    wx, wy, pwx, pwy = span(header, k + 1, s.x, s.xd)
    rate = (wx * pwy - wy * pwx) / (wx * wx + wy * wy) - (ux * puy - uy * pux) / (ux * ux + uy * uy)
    return _with_turns(near, ux, uy, wx, wy), rate, ux, uy, wx, wy


@compiled()
def strain_at(header, k, near, x):
    """Angle at the variables x, and both directions."""
    ux, uy, _, _ = span(header, k, x, x)
    wx, wy, _, _ = span(header, k + 1, x, x)
    return _with_turns(near, ux, uy, wx, wy), ux, uy, wx, wy


@compiled()
def _turn(header, k, g, dx, dy, F):
    """F += g C^T (d turned by a right angle)."""
    s = unpack(header)
    for e in range(s.span_ptr[k], s.span_ptr[k + 1]):
        F[s.span_col[e]] += g * (dx * s.span_cy[e] - dy * s.span_cx[e])


@compiled()
def pull(header, k, moment, ux, uy, wx, wy, F):
    """F += moment times the gradient of the angle."""
    _turn(header, k, -moment / (ux * ux + uy * uy), ux, uy, F)
    _turn(header, k + 1, moment / (wx * wx + wy * wy), wx, wy, F)


@compiled()
def _mean_turn(ax, ay, bx, by):
    """kappa: the angle of a direction changes by exactly kappa mean(u) x (u_b - u_a).   [D.3]"""
    cross, dot = ax * by - ay * bx, ax * bx + ay * by
    return atan2(cross, dot) / cross if abs(cross) > 1e-9 * abs(dot) else 1.0 / dot


@compiled()
def mean_pull(header, k, moment, aux, auy, awx, awy, bux, buy, bwx, bwy, F):
    """F += moment times the discrete gradient of the angle."""
    _turn(header, k, -0.5 * _mean_turn(aux, auy, bux, buy) * moment, aux + bux, auy + buy, F)
    _turn(header, k + 1, 0.5 * _mean_turn(awx, awy, bwx, bwy) * moment, awx + bwx, awy + bwy, F)


@compiled()
def _slopes_of_mean_turn(ax, ay, bx, by, kappa):
    """Derivatives of kappa with respect to bx and by."""
    cross, dot = ax * by - ay * bx, ax * bx + ay * by
    if abs(cross) < NEARLY_STRAIGHT * abs(dot):  # kappa = (1 - (cross/dot)^2 / 3) / dot
        by_dot, by_cross = -1.0 / (dot * dot), -2.0 / 3.0 * cross / (dot * dot * dot)
    else:
        square = cross * cross + dot * dot
        by_dot, by_cross = -1.0 / square, (dot / square - kappa) / cross
    return by_dot * ax - by_cross * ay, by_dot * ay + by_cross * ax


@compiled()
def add_mean_tangent(header, k, moment, slope, scale, aux, auy, awx, awy, bux, buy, bwx, bwy, T, N):
    """T += scale times the derivative of `mean_pull` at the end b: the moment changes by `slope` times the angle."""
    s = unpack(header)
    for side in range(2):
        sign = 2.0 * side - 1.0
        ax, ay, bx, by = (aux, auy, bux, buy) if side == 0 else (awx, awy, bwx, bwy)
        kappa = _mean_turn(ax, ay, bx, by)
        kx, ky = _slopes_of_mean_turn(ax, ay, bx, by, kappa)
        for e in range(s.span_ptr[k + side], s.span_ptr[k + side + 1]):
            row, arm = s.span_col[e] * N, (ax + bx) * s.span_cy[e] - (ay + by) * s.span_cx[e]
            for g in range(s.span_ptr[k], s.span_ptr[k + 2]):  # the moment changes with both directions
                own = g < s.span_ptr[k + 1]
                x, y = (bux, buy) if own else (bwx, bwy)
                turned = (x * s.span_cy[g] - y * s.span_cx[g]) / (x * x + y * y)
                change = -turned if own else turned
                T[row + s.span_col[g]] += scale * slope * sign * 0.5 * kappa * arm * change
            for g in range(s.span_ptr[k + side], s.span_ptr[k + side + 1]):
                cx, cy = s.span_cx[g], s.span_cy[g]
                bends = (kx * cx + ky * cy) * arm + kappa * (cx * s.span_cy[e] - cy * s.span_cx[e])
                T[row + s.span_col[g]] += scale * moment * sign * 0.5 * bends


@compiled()
def _slope(header, k, e, ux, uy, wx, wy):
    """Derivative of the angle with respect to the variable of entry e."""
    s = unpack(header)
    if e < s.span_ptr[k + 1]:
        return -(ux * s.span_cy[e] - uy * s.span_cx[e]) / (ux * ux + uy * uy)
    return (wx * s.span_cy[e] - wy * s.span_cx[e]) / (wx * wx + wy * wy)


@compiled()
def add_stiffness(header, k, at, slope, scale, ux, uy, wx, wy):
    """A -= scale times the part of dQ/dq along the angle, lower triangle; `at` as that of a distance."""
    s = unpack(header)
    for e in range(s.span_ptr[k], s.span_ptr[k + 2]):
        a = _slope(header, k, e, ux, uy, wx, wy)
        for g in range(s.span_ptr[k], e + 1):
            twice = 2.0 if e != g and s.span_col[e] == s.span_col[g] else 1.0
            s.A[s.element_pos[at]] -= twice * (scale * slope) * a * _slope(header, k, g, ux, uy, wx, wy)
            at += 1
    return at


@compiled()
def differentiate(header, k, moment, X, D, work, by_place, by_rate, K):
    """As `differentiate` of a distance."""
    s = unpack(header)
    n = s.n
    gx, gy, ux, uy = work[:n], work[n : 2 * n], work[3 * n : 4 * n], work[4 * n : 5 * n]
    clear(by_place)
    clear(by_rate)
    for side in range(2):
        sign = 2.0 * side - 1.0
        x, y, vx, vy = span(header, k + side, s.x, s.xd)
        clear(work[: 6 * n])
        for e in range(s.span_ptr[k + side], s.span_ptr[k + side + 1]):
            i = s.span_col[e]
            add_row(gx, X, n, i, s.span_cx[e])
            add_row(gy, X, n, i, s.span_cy[e])
            add_bent(ux, D, n, i, s.span_cx[e])
            add_bent(uy, D, n, i, s.span_cy[e])
        over = 1.0 / (x * x + y * y)
        turn = (x * vy - y * vx) * over
        add_outer(K, n, gy, gx, sign * moment * over)
        add_outer(K, n, gx, gy, -sign * moment * over)
        for j in range(n):
            grows = 2.0 * (x * gx[j] + y * gy[j]) * over
            by_place[j] += sign * (x * gy[j] - y * gx[j]) * over
            by_rate[j] += sign * ((gx[j] * vy - gy[j] * vx + x * uy[j] - y * ux[j]) * over - turn * grows)
        for j in range(n):  # what the direction's own length does to its angle
            grows = 2.0 * (x * gx[j] + y * gy[j]) * over
            if grows != 0.0:
                for i in range(n):
                    K[i * n + j] -= sign * moment * (x * gy[i] - y * gx[i]) * over * grows
