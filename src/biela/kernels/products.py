"""Vectors, and products with the mass matrix and with the gradients of the rows: loops that all methods share."""

from __future__ import annotations

from ..machine.array_table import unpack
from ..machine.compiled import compiled


@compiled()
def clear(out):
    """out = 0."""
    for i in range(len(out)):
        out[i] = 0.0


@compiled()
def clear_first(n, out):
    """The first n of out = 0."""
    for i in range(n):
        out[i] = 0.0


@compiled()
def copy(x, out):
    """out = x, as long as x is."""
    for i in range(len(x)):
        out[i] = x[i]


@compiled()
def add_scaled(scale, x, out):
    """out += scale x."""
    for i in range(len(x)):
        out[i] += scale * x[i]


@compiled()
def add_two_scaled(a, x, b, y, out):
    """out += a x + b y."""
    for i in range(len(x)):
        out[i] += a * x[i] + b * y[i]


@compiled()
def largest(x):
    """The largest |x|, or 0."""
    most = 0.0
    for i in range(len(x)):
        most = max(most, abs(x[i]))
    return most


@compiled()
def mass_row(header, i, x, start):
    """start + (M x)_i."""
    s = unpack(header)
    for l in range(s.mptr[i], s.mptr[i + 1]):
        start += s.mval[l] * x[s.mcol[l]]
    return start


@compiled()
def mass_times(header, x, out):
    """out = M x."""
    for i in range(unpack(header).n):
        out[i] = mass_row(header, i, x, 0.0)


@compiled()
def minus_mass_times(header, b, x, out):
    """out = b - M x."""
    s = unpack(header)
    for i in range(s.n):
        w = b[i]
        for l in range(s.mptr[i], s.mptr[i + 1]):
            w -= s.mval[l] * x[s.mcol[l]]
        out[i] = w


@compiled()
def add_rows_transposed(header, scale, J, w, out):
    """out += scale B^T w, with the entries J of B."""
    s = unpack(header)
    for k in range(s.m):
        for e in range(s.jptr[k], s.jptr[k + 1]):
            out[s.jcol[e]] += scale * J[e] * w[k]
