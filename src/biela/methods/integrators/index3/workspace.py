"""Places in `direct`, the room that index-3 integrators compute in, and how large it must be."""

from __future__ import annotations

from ....machine.array_table import unpack
from ....machine.compiled import compiled

(U, RESIDUAL, BASE, X0, XJ, X1, FORCE, FORCE_H, ROWS, ROWS_H, ROWS_1, LAM, PHI, Q0, QJ, V0, P0, V1, VJ, CHANGE, MATRIX,
 PIVOT) = range(22)  # fmt: skip


def room(n: int, nq: int, x: int, entries: int, m: int, stages: int) -> int:
    """Numbers needed in all, for a step with so many unknown positions."""
    N = stages * (n + m)
    return 2 * n + 3 * N + 5 * x + 3 * entries + 4 * m + 2 * nq + 4 * n + N * N + N


@compiled()
def parts(header, stages):
    """All the parts, as arrays."""
    s = unpack(header)
    n, nq, x, entries, m, D = s.n, s.nq, len(s.x), len(s.Jx), s.m, s.direct
    N = stages * (n + m)
    a = 2 * n
    b = a + 3 * N
    c = b + 5 * x
    d = c + 3 * entries
    e = d + 4 * m
    f = e + 2 * nq
    g = f + 4 * n
    k = g + N * N
    return (
        D[0:a], D[a : a + N], D[a + N : a + 2 * N], D[b : b + x], D[b + x : b + 2 * x], D[b + 2 * x : b + 3 * x],
        D[b + 3 * x : b + 4 * x], D[b + 4 * x : c], D[c : c + entries], D[c + entries : c + 2 * entries],
        D[c + 2 * entries : d], D[d : d + 2 * m], D[d + 2 * m : e], D[e : e + nq], D[e + nq : f], D[f : f + n],
        D[f + n : f + 2 * n], D[f + 2 * n : f + 3 * n], D[f + 3 * n : g], D[a + 2 * N : b], D[g:k], D[k : k + N],
    )  # fmt: skip
