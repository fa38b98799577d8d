"""The state within a step: quintic Hermite of q from q, q', q'' at both ends; velocities from its slope."""

from __future__ import annotations

from ...system.arena import unpack
from ...system.compiled import compiled
from ...system.state import normalise


@compiled()
def quintic(x, h, p0, p1, d0, d1, c0, c1):
    """Value and slope at x = (t - t0)/h of the quintic with these values, slopes and second derivatives at its ends."""
    d0, d1 = h * d0, h * d1
    c0, c1 = h * h * c0 / 2, h * h * c1 / 2
    # p0 + d0 x + c0 x^2 + x^3 (u + v x + w x^2)
    r0 = p1 - p0 - d0 - c0
    r1 = d1 - d0 - 2 * c0
    r2 = c1 - c0
    u, v, w = 10 * r0 - 4 * r1 + r2, -15 * r0 + 7 * r1 - 2 * r2, 6 * r0 - 3 * r1 + r2
    value = p0 + x * (d0 + x * (c0 + x * (u + x * (v + x * w))))
    return value, (d0 + x * (2 * c0 + x * (3 * u + x * (4 * v + x * 5 * w)))) / h


@compiled()
def interpolate(header, theta, h):
    """Positions and velocities within the last step.

    Uses q, v, a at both ends: vectors 8 and 0 of s.k, and 9 and 10 (copies of the new y, y').
    """
    s = unpack(header)
    n, nq, size, k = s.n, s.nq, len(s.y), s.k
    old, new, fresh = 8 * size, 9 * size, 10 * size
    if len(s.quat_q) == 0:
        for i in range(n):
            s.y[i], s.y[n + i] = quintic(
                theta, h, k[old + i], k[new + i], k[old + n + i], k[new + n + i], k[n + i], k[fresh + n + i]
            )
        return
    for l in range(len(s.plain_q)):
        i, j = s.plain_q[l], nq + s.plain_v[l]
        s.y[i], s.y[j] = quintic(theta, h, k[old + i], k[new + i], k[old + j], k[new + j], k[j], k[fresh + j])
    for l in range(len(s.quat_q)):
        i, j = s.quat_q[l], nq + s.quat_v[l]
        for e in range(4):
            second = quaternion_second(k, old + i, old + j, j, e)
            second_new = quaternion_second(k, new + i, new + j, fresh + j, e)
            value, slope = quintic(
                theta, h, k[old + i + e], k[new + i + e], k[i + e], k[fresh + i + e], second, second_new
            )
            s.y[i + e] = value
            s.w[e] = slope
        a, b, c, d = s.y[i], s.y[i + 1], s.y[i + 2], s.y[i + 3]
        f = 2.0 / (a * a + b * b + c * c + d * d)  # w = 2 conj(p) o p'
        s.y[j] = f * (a * s.w[1] - b * s.w[0] - c * s.w[3] + d * s.w[2])
        s.y[j + 1] = f * (a * s.w[2] - c * s.w[0] - d * s.w[1] + b * s.w[3])
        s.y[j + 2] = f * (a * s.w[3] - d * s.w[0] - b * s.w[2] + c * s.w[1])
    normalise(header)


@compiled()
def quaternion_second(k, p, w, dw, e):
    """Component e of p'' = -1/4 |w|^2 p + 1/2 p o w', p at k[p:], w at k[w:], w' at k[dw:].   [K.6]"""
    a, b, c, d = k[p], k[p + 1], k[p + 2], k[p + 3]
    x, y, z = k[dw], k[dw + 1], k[dw + 2]
    square = k[w] * k[w] + k[w + 1] * k[w + 1] + k[w + 2] * k[w + 2]
    if e == 0:
        turn = -b * x - c * y - d * z
    elif e == 1:
        turn = a * x + c * z - d * y
    elif e == 2:
        turn = a * y + d * x - b * z
    else:
        turn = a * z + b * y - c * x
    return 0.5 * turn - 0.25 * square * k[p + e]
