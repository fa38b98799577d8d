"""A coordinate: springs, dampers and motors on an angle, a position or a distance that is a variable, 000 (77)-(82).

What takes four numbers of a vector elsewhere takes nothing here.
"""

from __future__ import annotations

from ...machine.array_table import unpack
from ...machine.compiled import compiled
from ..products import clear
from .dense import add_bent, add_row


@compiled(forceinline=True)
def strain(header, i):
    """The coordinate and its rate."""
    s = unpack(header)
    return s.x[i], s.xd[i], 0.0, 0.0, 0.0, 0.0


@compiled(forceinline=True)
def strain_at(header, i, x):
    """The coordinate among the variables x."""
    return x[i], 0.0, 0.0, 0.0, 0.0


@compiled(forceinline=True)
def pull(i, force, F):
    """F += force, straight into the place of the coordinate; its mean over a way is no other."""
    F[i] += force


@compiled()
def add_mean_tangent(i, slope, scale, T, N):
    """T += scale times the derivative of the mean force at the end of the way."""
    T[i * N + i] += scale * slope


@compiled()
def add_stiffness(header, at, slope, scale):
    """A -= scale dQ/dq; returns the first place of the next element in `element_pos`."""
    s = unpack(header)
    s.A[s.element_pos[at]] -= scale * slope
    return at + 1


@compiled()
def differentiate(header, i, X, D, by_place, by_rate):
    """by_place = e_q and by_rate = (e')_q; nothing bends."""
    n = unpack(header).n
    clear(by_place)
    clear(by_rate)
    add_row(by_place, X, n, i, 1.0)
    add_bent(by_rate, D, n, i, 1.0)
