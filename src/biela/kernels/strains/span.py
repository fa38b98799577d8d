"""Vectors of force elements, r_B - r_A or a direction of a body: constant coefficients of the variables x."""

from __future__ import annotations

from ...machine.array_table import unpack
from ...machine.compiled import compiled


@compiled(forceinline=True)
def span(header, k, x, xd):
    """The components of vector k in the plane, and their rates."""
    s = unpack(header)
    dx, dy, ux, uy = s.span_x0[k], s.span_y0[k], 0.0, 0.0
    for e in range(s.span_ptr[k], s.span_ptr[k + 1]):
        i = s.span_col[e]
        dx += s.span_cx[e] * x[i]
        dy += s.span_cy[e] * x[i]
        ux += s.span_cx[e] * xd[i]
        uy += s.span_cy[e] * xd[i]
    return dx, dy, ux, uy


@compiled(forceinline=True)
def span_z(header, k, x, xd):
    """Its component out of the plane and the rate of that: in space."""
    s = unpack(header)
    dz, uz = 0.0, 0.0
    if len(s.span_z0) > 0:
        dz = s.span_z0[k]
        for e in range(s.span_ptr[k], s.span_ptr[k + 1]):
            dz += s.span_cz[e] * x[s.span_col[e]]
            uz += s.span_cz[e] * xd[s.span_col[e]]
    return dz, uz
