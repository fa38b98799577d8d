"""Coordinates and velocities: q' = H(q) v. H is the identity but for unit quaternions, whose rate is
p' = 1/2 p o (0, w), w the angular velocity in the axes that turn with the body.   002 (74)-(75), [K.5]
"""

from __future__ import annotations

from math import cos, sin, sqrt

from ..machine.array_table import unpack
from ..machine.compiled import compiled


@compiled()
def rates(header):
    """Write q' = H v into the first part of y'."""
    s = unpack(header)
    if len(s.quat_q) == 0:
        for i in range(s.n):
            s.ydot[i] = s.v[i]
        return
    for l in range(len(s.plain_q)):
        s.ydot[s.plain_q[l]] = s.v[s.plain_v[l]]
    for l in range(len(s.quat_q)):
        i, j = s.quat_q[l], s.quat_v[l]
        a, b, c, d = s.q[i], s.q[i + 1], s.q[i + 2], s.q[i + 3]
        x, y, z = 0.5 * s.v[j], 0.5 * s.v[j + 1], 0.5 * s.v[j + 2]
        s.ydot[i] = -b * x - c * y - d * z
        s.ydot[i + 1] = a * x + c * z - d * y
        s.ydot[i + 2] = a * y + d * x - b * z
        s.ydot[i + 3] = a * z + b * y - c * x


@compiled()
def displace(header, d):
    """Move q by a displacement d given like a velocity: quaternions turn by the rotation vector in d."""
    s = unpack(header)
    if len(s.quat_q) == 0:
        for i in range(s.n):
            s.q[i] += d[i]
        return
    for l in range(len(s.plain_q)):
        s.q[s.plain_q[l]] += d[s.plain_v[l]]
    for l in range(len(s.quat_q)):
        i, j = s.quat_q[l], s.quat_v[l]
        x, y, z = 0.5 * d[j], 0.5 * d[j + 1], 0.5 * d[j + 2]
        half = sqrt(x * x + y * y + z * z)
        k, w = (sin(half) / half if half > 1e-8 else 1.0), cos(half)
        x, y, z = k * x, k * y, k * z
        a, b, c, e = s.q[i], s.q[i + 1], s.q[i + 2], s.q[i + 3]
        s.q[i] = a * w - b * x - c * y - e * z
        s.q[i + 1] = b * w + a * x + c * z - e * y
        s.q[i + 2] = c * w + a * y + e * x - b * z
        s.q[i + 3] = e * w + a * z + b * y - c * x


@compiled()
def normalise(header):
    """Quaternions back to length one: what an integrator has drifted along the norm turns nothing."""
    s = unpack(header)
    for l in range(len(s.quat_q)):
        i = s.quat_q[l]
        a, b, c, d = s.q[i], s.q[i + 1], s.q[i + 2], s.q[i + 3]
        scale = 1.0 / sqrt(a * a + b * b + c * c + d * d)
        s.q[i], s.q[i + 1], s.q[i + 2], s.q[i + 3] = scale * a, scale * b, scale * c, scale * d
