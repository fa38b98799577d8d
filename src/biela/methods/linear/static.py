"""The factor of M + alpha B^T B: dense for the smallest mechanisms, else sparse with a pattern that never changes.

A = L D L^T, right-looking: each column, once it is done, is subtracted from those after it, and where each product
goes was found beforehand (`system.symbolic_factor`). Nothing is searched, nothing allocated.   [S.2]
"""

from __future__ import annotations

from math import log

from ...machine.array_table import unpack
from ...machine.compiled import compiled
from .cholesky import factor, solve


@compiled()
def _sparse_factor(A, n, ptr, to):
    """The diagonal keeps 1/D. Returns 0, or 1 + j where the pivot is not positive."""
    t = 0
    for j in range(n):
        d = A[j]
        if not d > 0.0:
            return 1 + j
        inverse = 1.0 / d
        A[j] = inverse
        first, end = n + ptr[j], n + ptr[j + 1]
        if end - first == 3:  # columns of points in the plane: loops that short take longer than what is in them
            x, y, z = A[first], A[first + 1], A[first + 2]
            l, m, k = x * inverse, y * inverse, z * inverse
            A[first], A[first + 1], A[first + 2] = l, m, k
            A[to[t]] -= l * x
            A[to[t + 1]] -= l * y
            A[to[t + 2]] -= l * z
            A[to[t + 3]] -= m * y
            A[to[t + 4]] -= m * z
            A[to[t + 5]] -= k * z
            t += 6
            continue
        if end - first == 2:
            x, y = A[first], A[first + 1]
            l, m = x * inverse, y * inverse
            A[first], A[first + 1] = l, m
            A[to[t]] -= l * x
            A[to[t + 1]] -= l * y
            A[to[t + 2]] -= m * y
            t += 3
            continue
        for p in range(first, end):
            x = A[p]
            l = x * inverse
            A[p] = l
            A[to[t]] -= l * x
            t += 1
            for r in range(p + 1, end):
                A[to[t]] -= l * A[r]
                t += 1
    return 0


@compiled()
def sparse_solve(A, r, n, ptr, row):
    """r <- (L D L^T)^-1 r, in the order of elimination."""
    for j in range(n):
        w = r[j]
        for p in range(ptr[j], ptr[j + 1]):
            r[row[p]] -= A[n + p] * w
    for j in range(n - 1, -1, -1):
        w = r[j] * A[j]
        for p in range(ptr[j], ptr[j + 1]):
            w -= A[n + p] * r[row[p]]
        r[j] = w


@compiled()
def _sparse_solve_two(A, r, u, n, ptr, row):
    """Two right-hand sides in the time of one: each waits for its own results only."""
    for j in range(n):
        w, x = r[j], u[j]
        for p in range(ptr[j], ptr[j + 1]):
            l, i = A[n + p], row[p]
            r[i] -= l * w
            u[i] -= l * x
    for j in range(n - 1, -1, -1):
        w, x = r[j] * A[j], u[j] * A[j]
        for p in range(ptr[j], ptr[j + 1]):
            l, i = A[n + p], row[p]
            w -= l * r[i]
            x -= l * u[i]
        r[j], u[j] = w, x


@compiled()
def solve_two(header, r, u, scratch):
    """r <- A^-1 r and u <- A^-1 u."""
    s = unpack(header)
    n = s.n
    if len(s.fill_ptr) == 0:
        solve(s.A, r, n)
        solve(s.A, u, n)
        return
    w = s.fill_w
    for i in range(n):
        w[i], scratch[i] = r[s.fill_order[i]], u[s.fill_order[i]]
    _sparse_solve_two(s.A, w, scratch, n, s.fill_ptr, s.fill_row)
    for i in range(n):
        r[s.fill_order[i]], u[s.fill_order[i]] = w[i], scratch[i]


@compiled()
def factor_normal(header):
    """Factorise s.A in place; 0 if it is positive definite."""
    s = unpack(header)
    if len(s.fill_ptr) == 0:
        return factor(s.A, s.n)
    return _sparse_factor(s.A, s.n, s.fill_ptr, s.fill_to)


@compiled()
def solve_normal(header, r):
    """r <- A^-1 r, with the factor."""
    s = unpack(header)
    n = s.n
    if len(s.fill_ptr) == 0:
        solve(s.A, r, n)
        return
    w = s.fill_w
    for i in range(n):
        w[i] = r[s.fill_order[i]]
    sparse_solve(s.A, w, n, s.fill_ptr, s.fill_row)
    for i in range(n):
        r[s.fill_order[i]] = w[i]


@compiled()
def factor_unlike(A, U, n, ptr, to):
    """The same for a matrix whose pattern is symmetric and whose values are not: A has the diagonal and the columns
    below it, U the rows beyond it, in the same places. The diagonal keeps 1/D."""
    t = 0
    for j in range(n):
        d = A[j]
        if not abs(d) > 0.0:
            return 1 + j
        inverse = 1.0 / d
        A[j] = inverse
        end = ptr[j + 1]
        for p in range(ptr[j], end):
            A[n + p] *= inverse
        for p in range(ptr[j], end):
            l, u = A[n + p], U[p]
            A[to[t]] -= l * u
            t += 1
            for r in range(p + 1, end):
                k = to[t]
                A[k] -= A[n + r] * u
                U[k - n] -= l * U[r]
                t += 1
    return 0


@compiled()
def solve_unlike(A, U, r, n, ptr, row):
    """r <- (L D U)^-1 r, in the order of elimination."""
    for j in range(n):
        w = r[j]
        for p in range(ptr[j], ptr[j + 1]):
            r[row[p]] -= A[n + p] * w
    for j in range(n - 1, -1, -1):
        w = r[j]
        for p in range(ptr[j], ptr[j + 1]):
            w -= U[p] * r[row[p]]
        r[j] = w * A[j]


@compiled()
def minus_half_log_determinant(header):
    """-log of the determinant of A, halved: it grows where the constraints lose rank."""
    s = unpack(header)
    n, product, total = s.n, 1.0, 0.0
    sparse = len(s.fill_ptr) > 0
    for j in range(n):
        product *= s.A[j] if sparse else s.A[j * n + j]
        if product > 1e100 or product < 1e-100:
            total += log(product)
            product = 1.0
    total += log(product)
    return 0.5 * total if sparse else total
