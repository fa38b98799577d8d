"""Energies and constraint rows at many samples, in one compiled loop."""

from __future__ import annotations

from numba import types

from ...machine.addresses import ADDRESS, TIME, energies_at, rows_and_forces_at
from ...machine.array_table import unpack
from ...machine.compiled import HEADER, compiled

_VECTOR, _TABLE = types.Array(TIME, 1, "C"), types.Array(TIME, 2, "C")


@compiled(types.void(HEADER, ADDRESS, ADDRESS, _VECTOR, _TABLE, _TABLE, _TABLE, _VECTOR, _VECTOR, _TABLE, _TABLE))
def evaluate_samples(header, evaluate_address, energies_address, t, wound, q, v, kinetic, potential, Phi, Phi_dot):
    """Fill the last four, one row a sample. `wound`: angles of the elements that count turns."""
    evaluate, energies, s = rows_and_forces_at(evaluate_address), energies_at(energies_address), unpack(header)
    for k in range(len(t)):
        for l in range(wound.shape[1]):
            s.wound[l] = wound[k, l]
        for i in range(q.shape[1]):
            s.q[i] = q[k, i]
        for i in range(v.shape[1]):
            s.v[i] = v[k, i]
        evaluate(header, t[k])
        kinetic[k], potential[k] = energies(header)
        for i in range(Phi.shape[1]):
            Phi[k, i], Phi_dot[k, i] = s.Phi[i], s.Phid[i]
