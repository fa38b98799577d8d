"""Dense systems without symmetry: L U with row exchanges, in place, on a flat n x n array."""

from __future__ import annotations

from ...machine.compiled import compiled


@compiled()
def lu_factor(A, n, order):
    """Rows are exchanged in place; order[p] is the row that came to p. Returns 0, or 1 + p where no pivot is left."""
    for p in range(n):
        best, at = abs(A[p * n + p]), p
        for i in range(p + 1, n):
            w = abs(A[i * n + p])
            if w > best:
                best, at = w, i
        order[p] = at
        if not best > 0.0:
            return 1 + p
        if at != p:
            for j in range(n):
                A[p * n + j], A[at * n + j] = A[at * n + j], A[p * n + j]
        inverse = 1.0 / A[p * n + p]
        A[p * n + p] = inverse
        for i in range(p + 1, n):
            f = A[i * n + p] * inverse
            A[i * n + p] = f
            if f != 0.0:
                for j in range(p + 1, n):
                    A[i * n + j] -= f * A[p * n + j]
    return 0


@compiled()
def lu_solve(A, r, n, order):
    """r <- A^-1 r, with the factors of `lu_factor`."""
    for p in range(n):
        at = int(order[p])
        if p < at < n:  # a row below; whatever else a checkpoint may have brought along leads nowhere
            r[p], r[at] = r[at], r[p]
    for i in range(n):
        w = r[i]
        for k in range(i):
            w -= A[i * n + k] * r[k]
        r[i] = w
    for i in range(n - 1, -1, -1):
        w = r[i]
        for k in range(i + 1, n):
            w -= A[i * n + k] * r[k]
        r[i] = w * A[i * n + i]
