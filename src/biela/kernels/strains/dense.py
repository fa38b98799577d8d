"""Sums of rows and outer products, for derivatives in any coordinates."""

from __future__ import annotations

from ...machine.compiled import compiled


@compiled()
def add_outer(T, n, a, b, w):
    """T += w a b^T."""
    for i in range(n):
        f = w * a[i]
        if f != 0.0:
            for j in range(n):
                T[i * n + j] += f * b[j]


@compiled()
def add_row(out, X, n, i, w):
    """out += w times row i of X, or of the identity where X is empty."""
    if len(X) == 0:
        out[i] += w
    else:
        for j in range(n):
            out[j] += w * X[i * n + j]


@compiled()
def add_bent(out, D, n, i, w):
    """The same for the rates, which depend on q only where X does."""
    if len(D) > 0:
        for j in range(n):
            out[j] += w * D[i * n + j]
