"""What index-3 integrators compute in: `direct`, cut into named vectors.

A scheme has `ways`, increments of all positions (one, or two where a step has an intermediate state), and `sets` of
multipliers (one for each time that the rows or their rates have to hold).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ....machine.array_table import unpack
from ....machine.compiled import compiled
from ....machine.scratch import cut


class Workspace(NamedTuple):
    """Vectors, and their lengths."""

    u: Any  # increments of positions, of two ways
    lam: Any  # multipliers, scaled; two sets
    residual: Any
    change: Any  # of the unknowns; or another residual
    matrix: Any
    pivot: Any
    q0: Any  # the start of the step: coordinates, velocities, variables of the bodies, momenta
    v0: Any
    x0: Any
    p0: Any
    qj: Any  # an intermediate state
    xj: Any
    x1: Any  # the end
    force: Any  # mean forces and gradients of the rows, of the way to the end and of that to the intermediate state
    force_j: Any
    rows: Any
    rows_j: Any
    rows_1: Any  # gradients at the end
    way: Any  # the first way, and its momentum
    momentum: Any
    acc_0: Any  # v' at the start and at the end
    acc_1: Any
    across: Any  # directions in which a second set of multipliers moves positions that have one way


@compiled()
def lengths(n, nq, x, entries, m, ways, sets):
    """How long the vectors are: n velocities, nq coordinates, x variables, entries of the rows, m rows."""
    N = ways * n + sets * m
    return Workspace(
        2 * n, 2 * m, N, N, N * N, N, nq, n, x, n, nq, x, x, x, x, entries, entries, entries, n, n, n, n,
        n * m if sets > ways else 0,
    )  # fmt: skip


def workspace_length(n: int, nq: int, x: int, entries: int, m: int, ways: int, sets: int) -> int:
    """Numbers needed in all."""
    return sum(lengths.py_func(n, nq, x, entries, m, ways, sets))


@compiled()
def workspace(header, ways, sets):
    """The vectors."""
    s = unpack(header)
    return cut(s.direct, lengths(s.n, s.nq, len(s.x), len(s.Jx), s.m, ways, sets))
