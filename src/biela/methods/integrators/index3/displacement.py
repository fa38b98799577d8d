"""Finite displacements of a step: coordinates from increments u, and the coordinates half way (002 section 5).

An increment is that of a velocity. For a quaternion it is 2 e, e the vector part of the Euler parameters of the turn
(002 (52)); for an angle of the plane likewise 2 sin(delta phi / 2). Then directions of a body change by exactly
R_half (2 e x k): what the velocities are for infinitesimal turns holds for finite ones with the axes half way.   [D.6]
"""

from __future__ import annotations

from math import asin, sqrt

from ....machine.array_table import unpack, unpack_tree
from ....machine.compiled import compiled


@compiled()
def apply_increment(header, start, u, half):
    """s.q = the coordinates `start` moved by u (half: by half of the turn). Returns False where u is no turn."""
    s = unpack(header)
    share = 0.5 if half else 1.0
    if len(s.quat_q) == 0:
        for i in range(s.n):
            s.q[i] = start[i] + share * u[i]
        if len(s.tree_calls) > 0:
            tr = unpack_tree(header)
            for d in range(len(tr.tree_kind)):
                if tr.tree_kind[d] == 1:
                    if not abs(u[d]) < 2.0:
                        return False
                    s.q[tr.tree_q[d]] = start[tr.tree_q[d]] + share * 2.0 * asin(0.5 * u[d])
        return True
    for l in range(len(s.plain_q)):
        s.q[s.plain_q[l]] = start[s.plain_q[l]] + share * u[s.plain_v[l]]
    for l in range(len(s.quat_q)):
        i, j = s.quat_q[l], s.quat_v[l]
        x, y, z = 0.5 * u[j], 0.5 * u[j + 1], 0.5 * u[j + 2]
        rest = 1.0 - x * x - y * y - z * z
        if not rest > 0.0:
            return False
        w = sqrt(rest)
        if half:  # half of the turn
            scale = 1.0 / sqrt(2.0 * (1.0 + w))
            w, x, y, z = (1.0 + w) * scale, x * scale, y * scale, z * scale
        a, b, c, e = start[i], start[i + 1], start[i + 2], start[i + 3]
        s.q[i] = a * w - b * x - c * y - e * z
        s.q[i + 1] = b * w + a * x + c * z - e * y
        s.q[i + 2] = c * w + a * y + e * x - b * z
        s.q[i + 3] = e * w + a * z + b * y - c * x
    return True
