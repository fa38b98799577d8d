"""Generalised forces, their power, and the energies."""

from __future__ import annotations

from ..machine.array_table import call_kernel, unpack
from ..machine.compiled import compiled
from .calls import GATHER, KINETIC
from .laws.law import elastic_part, other_part, stored
from .strains.strain import ANGLE, pull, strain


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
    if len(s.element_law) > 0:
        power += element_forces(header, t)
    return power


@compiled()
def element_forces(header, t):
    """Springs, dampers, actuators and motors: laws of strains, each along the gradient of its own.   000 (74)-(82)"""
    s = unpack(header)
    power = 0.0
    for l in range(len(s.element_law)):
        value, rate, a, b, c, d = strain(header, l)
        rest = other_part(header, s.element_law[l], t, value, rate)
        pull(header, l, elastic_part(header, s.element_law[l], value) + rest, a, b, c, d, s.Qx)
        power += rest * rate
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
def remember_turns(header):
    """After an accepted step: angles between bodies remember their whole turns."""
    s = unpack(header)
    for l in range(len(s.element_law)):
        if s.element_strain[l] == ANGLE:
            s.wound[s.element_wound[l]] = strain(header, l)[0]


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
    for l in range(len(s.element_law)):
        energy += stored(header, s.element_law[l], strain(header, l)[0])
    return energy

