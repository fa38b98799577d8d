"""Dense symmetric positive definite systems, in place, on the lower triangle of a flat n x n array."""

from __future__ import annotations

from math import sqrt

from ...machine.compiled import compiled


@compiled()
def _factor(A, n):
    """A = L L^T; the diagonal keeps 1/L_jj. Returns 0, or 1 + j where the pivot is not positive."""
    for j in range(n):
        s = A[j * n + j]
        for k in range(j):
            s -= A[j * n + k] * A[j * n + k]
        if not s > 0.0:
            return 1 + j
        inverse = 1.0 / sqrt(s)
        A[j * n + j] = inverse
        for i in range(j + 1, n):
            w = A[i * n + j]
            for k in range(j):
                w -= A[i * n + k] * A[j * n + k]
            A[i * n + j] = w * inverse
    return 0


@compiled()
def _solve(A, r, n):
    """r <- A^-1 r, with the factor of `_factor`."""
    for i in range(n):
        w = r[i]
        for k in range(i):
            w -= A[i * n + k] * r[k]
        r[i] = w * A[i * n + i]
    for i in range(n - 1, -1, -1):
        w = r[i]
        for k in range(i + 1, n):
            w -= A[k * n + i] * r[k]
        r[i] = w * A[i * n + i]


# With the size known to the compiler the loops unroll: worth a third of the time for the smallest mechanisms.
@compiled()
def factor(A, n):
    """Factorise in place; 0 if positive definite."""
    if n == 4:
        return _factor(A, 4)
    if n == 6:
        return _factor(A, 6)
    return _factor(A, n)


@compiled()
def solve(A, r, n):
    """Solve with a factorised matrix."""
    if n == 4:
        _solve(A, r, 4)
    elif n == 6:
        _solve(A, r, 6)
    else:
        _solve(A, r, n)
