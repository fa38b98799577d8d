"""Small compiled functions that Python calls: the kernels at the present state."""

from __future__ import annotations

from numba import types

from ..machine.compiled import HEADER, compiled
from .forces import forces, kinetic_energy, potential_energy, remember_turns
from .laws.law import elastic_part, other_part
from .rows import dense_jacobian, rows
from .state import displace, rates


@compiled(types.float64(HEADER, types.float64))
def rows_and_forces(header, t):
    """Constraint rows (with the dense Jacobian) and generalised forces at the present state; the power."""
    rows(header, t)
    dense_jacobian(header)
    return forces(header, t)


@compiled(types.UniTuple(types.float64, 2)(HEADER))
def energies(header):
    """Kinetic and potential energy at the present state."""
    return kinetic_energy(header), potential_energy(header)


@compiled(types.void(HEADER, types.Array(types.float64, 1, "C")))
def displaced_by(header, d):
    """q moved by a displacement given like a velocity."""
    displace(header, d)


@compiled(types.void(HEADER))
def coordinate_rates(header):
    """q' = H v."""
    rates(header)


@compiled(types.float64(HEADER, types.int64, types.float64, types.float64, types.float64))
def law_at(header, law, t, x, v):
    """The value of a law."""
    return elastic_part(header, law, x) + other_part(header, law, t, x, v)


@compiled(types.void(HEADER))
def count_turns(header):
    """Angles between bodies remember what they are now."""
    remember_turns(header)
