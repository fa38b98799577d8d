"""Generalised forces, their power, and the energies."""

from __future__ import annotations

from math import atan2, floor, pi, sqrt

from ..machine.array_table import call_kernel, unpack
from ..machine.compiled import compiled
from .calls import GATHER, KINETIC
from .laws.law import elastic_part, other_part, stored


@compiled()
def forces(header, t):
    """Fill Q (and M, where it changes); return the power of the forces that have no potential.

    The state has been visited by `rows`. In a tree of freedoms the velocity-dependent inertia is part of Q.
    """
    s = unpack(header)
    power = applied_forces(header, t)
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[GATHER], header)
    return power


@compiled()
def applied_forces(header, t):
    """Fill Qx, the forces on the variables x; return the power of those that have no potential.

    A force f on a point adds C_P^T f, 000 (55), (62); weights and other constants are in Q0 already.
    """
    s = unpack(header)
    for i in range(len(s.Qx)):
        s.Qx[i] = s.Q0[i]
    power = 0.0
    if len(s.load_law) > 0:
        power += point_loads(header, t)
    if len(s.line_law) > 0:
        power += line_forces(header, t)
    if len(s.cf_law) > 0:
        power += coordinate_forces(header, t)
    if len(s.tor_law) > 0:
        power += torsions(header, t)
    return power


@compiled()
def coordinate_forces(header, t):
    """Springs, dampers and motors on a coordinate, 000 (77)-(82): straight into the place of the coordinate."""
    s = unpack(header)
    power = 0.0
    for l in range(len(s.cf_law)):
        i = s.cf_col[l]
        rest = other_part(header, s.cf_law[l], t, s.x[i], s.xd[i])
        s.Qx[i] += elastic_part(header, s.cf_law[l], s.x[i]) + rest
        power += rest * s.xd[i]
    return power


@compiled()
def point_loads(header, t):
    """Forces on points and moments on bodies: law(t) (b + K q); K where the load turns with a body."""
    s = unpack(header)
    power = 0.0
    for l in range(len(s.load_law)):
        f = other_part(header, s.load_law[l], t, 0.0, 0.0)
        for e in range(s.load_ptr[l], s.load_ptr[l + 1]):
            w = s.load_b[e]
            for a in range(s.load_aptr[e], s.load_aptr[e + 1]):
                w += s.load_aval[a] * s.x[s.load_acol[a]]
            i = s.load_col[e]
            s.Qx[i] += f * w
            power += f * w * s.xd[i]
    return power


@compiled()
def span(ptr, col, cx, cy, x0, y0, l, q, v):
    """The vector r_B - r_A (or a direction) and its rate, from its constant coefficients."""
    dx, dy, ux, uy = x0[l], y0[l], 0.0, 0.0
    for e in range(ptr[l], ptr[l + 1]):
        i = col[e]
        dx += cx[e] * q[i]
        dy += cy[e] * q[i]
        ux += cx[e] * v[i]
        uy += cy[e] * v[i]
    return dx, dy, ux, uy


@compiled()
def reach(header, l):
    """r_B - r_A of line force l, and its rate."""
    s = unpack(header)
    dx, dy, ux, uy = span(s.line_ptr, s.line_col, s.line_cx, s.line_cy, s.line_x0, s.line_y0, l, s.x, s.xd)
    dz, uz = 0.0, 0.0
    if len(s.line_z0) > 0:
        dz = s.line_z0[l]
        for e in range(s.line_ptr[l], s.line_ptr[l + 1]):
            dz += s.line_cz[e] * s.x[s.line_col[e]]
            uz += s.line_cz[e] * s.xd[s.line_col[e]]
    return dx, dy, dz, ux, uy, uz


@compiled()
def reciprocal(length):
    """1/length; zero at zero length, where a spring has no direction."""
    return 1.0 / length if length > 0.0 else 0.0


@compiled()
def line_forces(header, t):
    """Springs, dampers and actuators between two points, 000 (74)-(76)."""
    s = unpack(header)
    power = 0.0
    for l in range(len(s.line_law)):
        dx, dy, dz, ux, uy, uz = reach(header, l)
        length = sqrt(dx * dx + dy * dy + dz * dz)
        inverse = reciprocal(length)
        rate = (dx * ux + dy * uy + dz * uz) * inverse
        rest = other_part(header, s.line_law[l], t, length, rate)
        f = (elastic_part(header, s.line_law[l], length) + rest) * inverse
        for e in range(s.line_ptr[l], s.line_ptr[l + 1]):
            s.Qx[s.line_col[e]] += f * (s.line_cx[e] * dx + s.line_cy[e] * dy)
        if len(s.line_z0) > 0:
            for e in range(s.line_ptr[l], s.line_ptr[l + 1]):
                s.Qx[s.line_col[e]] += f * s.line_cz[e] * dz
        power += rest * rate
    return power


@compiled()
def turned(header, l):
    """Angle (whole turns counted from the last accepted step) and rate of torsion element l."""
    s = unpack(header)
    a, b, c, d = span(s.tor_ptr, s.tor_col, s.tor_cx, s.tor_cy, s.tor_x0, s.tor_y0, 2 * l, s.x, s.xd)
    e, f, g, h = span(s.tor_ptr, s.tor_col, s.tor_cx, s.tor_cy, s.tor_x0, s.tor_y0, 2 * l + 1, s.x, s.xd)
    angle = atan2(a * f - b * e, a * e + b * f)
    angle += 2 * pi * floor((s.tor_turn[l] - angle) / (2 * pi) + 0.5)
    rate = (e * h - f * g) / (e * e + f * f) - (a * d - b * c) / (a * a + b * b)
    return angle, rate


@compiled()
def torsions(header, t):
    """Torsional springs, dampers and motors between two bodies, without an angle among the coordinates."""
    s = unpack(header)
    power = 0.0
    for l in range(len(s.tor_law)):
        angle, rate = turned(header, l)
        rest = other_part(header, s.tor_law[l], t, angle, rate)
        f = elastic_part(header, s.tor_law[l], angle) + rest
        for side in range(2):
            k = 2 * l + side
            dx, dy, _, _ = span(s.tor_ptr, s.tor_col, s.tor_cx, s.tor_cy, s.tor_x0, s.tor_y0, k, s.x, s.xd)
            g = (f if side == 1 else -f) / (dx * dx + dy * dy)
            for e in range(s.tor_ptr[k], s.tor_ptr[k + 1]):
                s.Qx[s.tor_col[e]] += g * (dx * s.tor_cy[e] - dy * s.tor_cx[e])
        power += rest * rate
    return power


@compiled()
def remember_turns(header):
    """After an accepted step: the torsion elements remember their angle."""
    s = unpack(header)
    for l in range(len(s.tor_law)):
        s.tor_turn[l], _ = turned(header, l)


@compiled()
def kinetic_energy(header):
    """T = 1/2 v.M v, 000 (5)."""
    s = unpack(header)
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[KINETIC], header)
        return s.tree_energy[0]
    energy = 0.0
    for i in range(s.n):
        w = 0.0
        for l in range(s.mptr[i], s.mptr[i + 1]):
            w += s.mval[l] * s.v[s.mcol[l]]
        energy += w * s.v[i]
    return energy / 2


@compiled()
def potential_energy(header):
    """V of the weights and of the springs (the bodies of a tree have been placed by `kinetic_energy`)."""
    s = unpack(header)
    energy = s.V0[0]
    for l in range(len(s.fall)):
        energy -= s.Q0[s.fall[l]] * s.x[s.fall[l]]
    for l in range(len(s.line_law)):
        dx, dy, dz, _, _, _ = reach(header, l)
        energy += stored(header, s.line_law[l], sqrt(dx * dx + dy * dy + dz * dz))
    for l in range(len(s.cf_law)):
        energy += stored(header, s.cf_law[l], s.x[s.cf_col[l]])
    for l in range(len(s.tor_law)):
        energy += stored(header, s.tor_law[l], turned(header, l)[0])
    return energy

