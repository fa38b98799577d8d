"""The room that `radau5` computes in: all it remembers lies in one array of the system, a copy of which goes on."""

from __future__ import annotations

from ....kernels.force_tangent import VECTORS
from ....machine.array_table import unpack
from ....machine.compiled import compiled

STAGES = 3
(V, RESIDUAL, CHANGE, ACCELERATION, BASE_Q, BASE_V, STAGE_Q, LAM, POWER, BEFORE_V, END, FLAGS, A_Q, A_V, MATRIX, PIVOT,
 FILTER, FILTER_PIVOT, ERROR_Q, ERROR_V, P_Q, P_V, X, D, G_Q, G_V, SADDLE, SADDLE_MATRIX, SADDLE_PIVOT, RIGHT,
 LEFT_OVER, FROZEN, PLAIN_A, Q_KEPT, V_KEPT, PLUS, MINUS, VECTORS_OF_FORCES) = range(38)  # fmt: skip
# (LAM: the multipliers of the stages, then those of the start)
KNOWN, FACTORED_FOR, STEP_BEFORE, GOING, RATE = range(5)
"""flags: whether the tangents are known, the step that was factorised, the length of the last step, whether there was
one, how fast the last iteration converged"""


@compiled()
def sizes(n, nq, x, rows, multipliers):
    """Numbers of each part: n velocities, nq coordinates, x variables (0 in natural coordinates), rows in use."""
    N, saddle = STAGES * n, n + rows
    return (
        N, N, N, N, nq, n, STAGES * nq, (STAGES + 1) * multipliers, STAGES, N + n, nq + n, 5, N * n, N * n, N * N, N,
        n * n, n, n, n, n, n, x * n, x * n, rows * n, rows * n, saddle * saddle, saddle * saddle, saddle, saddle,
        saddle, x, n, nq, n, saddle, saddle, VECTORS * n,
    )  # fmt: skip


def radau_room(n: int, nq: int, x: int, rows: int, multipliers: int) -> int:
    """Numbers needed in all."""
    return sum(sizes.py_func(n, nq, x, rows, multipliers))


@compiled()
def part(header, which):
    """One of the parts, as an array."""
    s = unpack(header)
    x = len(s.x) if len(s.tree_calls) > 0 else 0
    all_sizes = sizes(s.n, s.nq, x, len(s.active), len(s.lam))
    begin = 0
    for k in range(which):
        begin += all_sizes[k]
    return s.direct[begin : begin + all_sizes[which]]
