"""What index-3 integrators compute in: `direct`, cut into named vectors.

A scheme has so many unknown `states` in a step (its end; or an intermediate state and its end), each an increment of
all positions, and so many `sets` of multipliers beside them in the matrix of its Newton-Raphson iteration (one for each
time that the rows or their rates have to hold; none where the rows are eliminated from it).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ....machine.array_table import unpack
from ....machine.compiled import compiled
from ....machine.scratch import cut


class Workspace(NamedTuple):
    """Vectors, and their lengths."""

    u: Any  # increments of positions, of two states
    lam: Any  # multipliers, scaled; two sets
    residual: Any
    change: Any  # of the unknowns; or another residual
    matrix: Any  # of all unknowns; where rows are eliminated, what is above the diagonal of their sparse factor
    pivot: Any
    reach: Any  # one number: the largest coordinate, or the size of the mechanism
    q0: Any  # the start of the step: coordinates, velocities, variables of the bodies, momenta
    v0: Any
    x0: Any
    p0: Any
    qj: Any  # an intermediate state
    xj: Any
    x1: Any  # the end
    force: Any  # mean forces over the step from the intermediate state (or the start) to the end, and up to that state
    force_j: Any
    rows: Any  # mean gradients of the rows over the same, those at the start and at the end
    rows_j: Any
    rows_0: Any
    rows_1: Any
    u_h: Any  # increment up to the intermediate state, and a momentum
    momentum: Any
    acc_0: Any  # v' at the start and at the end
    acc_1: Any
    across: Any  # directions in which a second set of multipliers moves the positions of one state


@compiled()
def lengths(n, nq, x, entries, m, multipliers, fill, states, sets):
    """How long the vectors are: n velocities, nq coordinates, x variables, entries of the rows, m rows, with merged
    ones so many multipliers; `fill` is what the sparse factor has below its diagonal, 0 where it is dense."""
    N = states * n + sets * m
    return Workspace(
        2 * n, 2 * multipliers, N, N, fill if sets == 0 and fill > 0 else N * N, N, 1, nq, n, x, n, nq, x, x, x, x,
        entries, entries, entries, entries, n, n, n, n, n * m if sets > states else 0,
    )  # fmt: skip


def workspace_length(arrays: Any, states: int, sets: int) -> int:
    """Numbers needed in all, for a system with these arrays."""
    s = arrays
    entries = s.n, s.nq, len(s.x), len(s.Jx), s.m, len(s.lam), len(s.fill_row)
    return sum(lengths.py_func(*entries, states, sets))


@compiled()
def workspace(header, states, sets):
    """The vectors."""
    s = unpack(header)
    return cut(s.direct, lengths(s.n, s.nq, len(s.x), len(s.Jx), s.m, len(s.lam), len(s.fill_row), states, sets))
