"""Gaussian elimination with full pivoting of a rectangular, possibly redundant matrix: rank, choice of
independent coordinates, and the dependent unknowns as functions of the independent ones (000 3.2)."""

from __future__ import annotations

from math import log

from ...machine.compiled import compiled


@compiled()
def eliminate(B, m, n, free, length, rows, cols, tolerance):
    """Factorise the columns of B (m x n, in place) that are not free, with full pivoting.

    rows[0:r], cols[0:r] are the pivots in order; below and right of them B holds the factors. A pivot counts as zero
    beside the length of its own row (or the first pivot, if that is smaller): rows may be in units of their own, and
    with full pivoting what is left of a row is off by rounding of that row, not of the longest one. Returns
    (rank, smallest pivot beside its row, sum of the logarithms of the pivots).
    """
    nc = 0
    for j in range(n):
        if free[j] == 0:
            cols[nc] = j
            nc += 1
    for i in range(m):
        rows[i] = i
    largest = 0.0
    ratio = 1.0
    total = 0.0
    steps = nc if nc < m else m
    for p in range(steps):
        best, bi, bj = 0.0, p, p
        for i in range(p, m):
            for j in range(p, nc):
                w = abs(B[rows[i] * n + cols[j]])
                if w > best:
                    best, bi, bj = w, i, j
        if p == 0:
            largest = best
        whole = min(length[rows[bi]], largest)
        if not best > tolerance * whole or best == 0.0:
            return p, 0.0, total
        ratio = min(ratio, best / whole)
        total += log(best)
        rows[p], rows[bi] = rows[bi], rows[p]
        cols[p], cols[bj] = cols[bj], cols[p]
        pivot = B[rows[p] * n + cols[p]]
        for i in range(p + 1, m):
            f = B[rows[i] * n + cols[p]] / pivot
            B[rows[i] * n + cols[p]] = f
            if f != 0.0:
                for j in range(p + 1, nc):
                    B[rows[i] * n + cols[j]] -= f * B[rows[p] * n + cols[j]]
    return steps, ratio, total


@compiled()
def back_substitute(B, n, rows, cols, rank, r, x):
    """x[cols] with B x = r (r of length m, destroyed); other entries of x are left alone."""
    for p in range(rank):
        w = r[rows[p]]
        for k in range(p):
            w -= B[rows[p] * n + cols[k]] * r[rows[k]]
        r[rows[p]] = w
    for p in range(rank - 1, -1, -1):
        w = r[rows[p]]
        for k in range(p + 1, rank):
            w -= B[rows[p] * n + cols[k]] * x[cols[k]]
        x[cols[p]] = w / B[rows[p] * n + cols[p]]


@compiled()
def choose_free(B, m, n, limit, prefer, free, length, rows, cols, tolerance):
    """Choose independent coordinates: those that full pivoting leaves over; preferred ones pivot last.

    No more than `limit` pivots: beyond the rank of a regular position there is only rounding. B is destroyed.
    Fills free; returns (rank, smallest pivot beside its row, sum of their logarithms), as `eliminate` does.
    """
    for j in range(n):
        cols[j] = j
    for i in range(m):
        rows[i] = i
    largest = 0.0
    ratio = 1.0
    total = 0.0
    rank = 0
    steps = min(n, m, limit)
    for p in range(steps):
        # first the coordinates nobody asked to keep independent, unless a preferred one is a far better pivot
        best, bi, bj = 0.0, p, p
        other, oi, oj = 0.0, p, p
        for j in range(p, n):
            for i in range(p, m):
                w = abs(B[rows[i] * n + cols[j]])
                if prefer[cols[j]] == 0 and w > best:
                    best, bi, bj = w, i, j
                elif w > other:
                    other, oi, oj = w, i, j
        if best < 0.05 * other:
            best, bi, bj = other, oi, oj
        if p == 0:
            largest = best
        whole = min(length[rows[bi]], largest)
        if not best > tolerance * whole or best == 0.0:
            ratio = 0.0
            break
        ratio = min(ratio, best / whole)
        total += log(best)
        rank += 1
        rows[p], rows[bi] = rows[bi], rows[p]
        cols[p], cols[bj] = cols[bj], cols[p]
        pivot = B[rows[p] * n + cols[p]]
        for i in range(p + 1, m):
            f = B[rows[i] * n + cols[p]] / pivot
            if f != 0.0:
                for j in range(p, n):
                    B[rows[i] * n + cols[j]] -= f * B[rows[p] * n + cols[j]]
    for j in range(n):
        free[cols[j]] = 0 if j < rank else 1
    return rank, ratio, total


@compiled()
def transposed_substitute(B, m, n, rows, cols, rank, r, x):
    """x (length m) with B^T x = r on the pivot columns; rows that are not pivots get zero. r is destroyed."""
    for i in range(m):
        x[i] = 0.0
    for p in range(rank):
        w = r[cols[p]]
        for k in range(p):
            w -= B[rows[k] * n + cols[p]] * x[rows[k]]
        x[rows[p]] = w / B[rows[p] * n + cols[p]]
    for p in range(rank - 1, -1, -1):
        w = x[rows[p]]
        for k in range(p + 1, rank):
            w -= B[rows[k] * n + cols[p]] * x[rows[k]]
        x[rows[p]] = w


@compiled()
def select_rows(B, m, n, limit, group, rows, cols, tolerance):
    """Order the rows of B (destroyed) so that the first `limit` are independent; rows of group 0 go first.

    Full pivoting within a group. Rows of group 1 bring a variable of their own each, so all of them are independent
    and group 0 has the rest: more of its rows would only be redundant ones that drift has made look otherwise.
    Returns the rank found, at most `limit`.
    """
    for j in range(n):
        cols[j] = j
    own = 0
    for i in range(m):
        rows[i] = i
        own += group[i]
    largest = 0.0
    for p in range(limit):
        best, bi, bj = 0.0, p, p
        wanted = 0 if p < limit - own else 1
        for i in range(p, m):
            if group[rows[i]] == wanted:
                for j in range(p, n):
                    w = abs(B[rows[i] * n + cols[j]])
                    if w > best:
                        best, bi, bj = w, i, j
        if p == 0:
            largest = best
        if not best > tolerance * largest or best == 0.0:
            return p
        rows[p], rows[bi] = rows[bi], rows[p]
        cols[p], cols[bj] = cols[bj], cols[p]
        pivot = B[rows[p] * n + cols[p]]
        for i in range(p + 1, m):
            f = B[rows[i] * n + cols[p]] / pivot
            if f != 0.0:
                for j in range(p, n):
                    B[rows[i] * n + cols[j]] -= f * B[rows[p] * n + cols[j]]
    return limit
