"""A = Q R of a matrix with at least as many rows as columns, by reflections (Householder 1958), in place.

Least squares and least norms with one factor, without squaring the condition of A as normal equations do.
"""

from __future__ import annotations

from math import sqrt

from ...machine.compiled import compiled


@compiled()
def factor_qr(A, m, n, tau):
    """A (m x n, rows one after another) becomes R, with the vectors of the reflections below its diagonal.

    Returns the smallest of |R_jj| over the largest: little where columns depend on one another.
    """
    least, largest = 1e300, 0.0
    for j in range(n):
        square = 0.0
        for i in range(j, m):
            square += A[i * n + j] * A[i * n + j]
        length = sqrt(square)
        least, largest = min(least, length), max(largest, length)
        if length == 0.0:
            tau[j] = 0.0
            continue
        head = A[j * n + j]
        end = -length if head > 0.0 else length
        tau[j] = (end - head) / end
        scale = 1.0 / (head - end)
        for i in range(j + 1, m):
            A[i * n + j] *= scale
        A[j * n + j] = end
        for k in range(j + 1, n):
            x = A[j * n + k]
            for i in range(j + 1, m):
                x += A[i * n + j] * A[i * n + k]
            x *= tau[j]
            A[j * n + k] -= x
            for i in range(j + 1, m):
                A[i * n + k] -= x * A[i * n + j]
    return least / largest if largest > 0.0 else 0.0


@compiled()
def _reflect(A, m, n, tau, j, b):
    x = b[j]
    for i in range(j + 1, m):
        x += A[i * n + j] * b[i]
    x *= tau[j]
    b[j] -= x
    for i in range(j + 1, m):
        b[i] -= x * A[i * n + j]


@compiled()
def least_squares(A, m, n, tau, b):
    """b[:n] <- the x with the least |A x - b|."""
    for j in range(n):
        _reflect(A, m, n, tau, j, b)
    for k in range(n):
        j = n - 1 - k
        x = b[j]
        for i in range(j + 1, n):
            x -= A[j * n + i] * b[i]
        b[j] = x / A[j * n + j]


@compiled()
def least_norm(A, m, n, tau, b):
    """b <- the shortest y (of m) with A^T y = b (of n)."""
    for j in range(n):
        x = b[j]
        for i in range(j):
            x -= A[i * n + j] * b[i]
        b[j] = x / A[j * n + j]
    for i in range(n, m):
        b[i] = 0.0
    for k in range(n):
        _reflect(A, m, n, tau, n - 1 - k, b)


@compiled()
def determinant(A, n, tau):
    """Of a square matrix, from its factor: every reflection changes the sign."""
    out = 1.0
    for j in range(n):
        out *= A[j * n + j] if tau[j] == 0.0 else -A[j * n + j]
    return out
