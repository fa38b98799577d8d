"""The way of strains within a step, and what is not known of it.

x goes by the quintic through x, x' and x'' at both ends (a distance whose line turns far: by those of its components).
The cubic through x and x' alone differs from it by about the cubic's error, h^4 x""/384; the quintic's own is a small
part of that. Where accelerations do not fit the rest, as those of what is stiff, the cubic is better.   [I.29]
"""

from __future__ import annotations

from math import sqrt

from ...machine.array_table import call_kernel, unpack
from ...machine.compiled import compiled
from ..calls import PLACE
from ..state import displace
from ..strains.distance import reciprocal
from ..strains.strain import smooth_strain

START, END, HERE = 0, 9, 18
"""places of the strain of a law: at the start of the step, at its end, and at a sample within it; a vector, its rate
and its second rate"""
STRAIN = 27
A_MOMENT = 1e-5
"""of a step: second rates are differences of rates so much before and after"""
PLAUSIBLE = 0.1
"""of how far the cubic leaves the straight line: accelerations that ask for more do not fit"""
PART = 0.125
"""of the difference of cubic and quintic, which is the error of the cubic: that of the quintic. Of a sine it is
(omega h)^2/120"""

FASTER = 4.0
"""times that over the step: what its rate is off by"""


@compiled()
def _keep_strain(header, law, place, dx, dy, dz, ux, uy, uz):
    s = unpack(header)
    k = STRAIN * law + place
    s.strain[k], s.strain[k + 1], s.strain[k + 2] = dx, dy, dz
    s.strain[k + 3], s.strain[k + 4], s.strain[k + 5] = ux, uy, uz


@compiled()
def _add_rate(header, law, place, by, ux, uy, uz):
    s = unpack(header)
    k = STRAIN * law + place + 6
    s.strain[k] += by * ux
    s.strain[k + 1] += by * uy
    s.strain[k + 2] += by * uz


@compiled()
def strains_here(header, place):
    """The strain and the rate of every force element at the present state. A distance is kept as a vector, which is
    smooth where its length is zero, too."""
    s = unpack(header)
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[PLACE], header)
    for l in range(len(s.element_law)):
        dx, dy, dz, ux, uy, uz = smooth_strain(header, l)
        _keep_strain(header, s.element_law[l], place, dx, dy, dz, ux, uy, uz)


@compiled()
def _rates_beside(header, place, tau, by):
    """Add the rates a moment before or after to the second rates, times a factor."""
    s = unpack(header)
    for i in range(s.n):
        s.w[i] = tau * s.v[i] + 0.5 * tau * tau * s.a[i]
        s.v[i] += tau * s.a[i]
    displace(header, s.w)
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[PLACE], header)
    for l in range(len(s.element_law)):
        _, _, _, ux, uy, uz = smooth_strain(header, l)
        _add_rate(header, s.element_law[l], place, by, ux, uy, uz)


@compiled()
def strains(header, place, h):
    """The strains at the present state, where the accelerations have been evaluated; h: about how long steps are."""
    s = unpack(header)
    laws, size = len(s.law_line), len(s.y)
    kept = STRAIN * laws
    for law in range(laws):
        for i in range(6, 9):
            s.strain[STRAIN * law + place + i] = 0.0
    for i in range(size):
        s.strain[kept + i] = s.y[i]
    tau = A_MOMENT * h
    for sign in (-1.0, 1.0):
        _rates_beside(header, place, sign * tau, sign * 0.5 / tau)
        for i in range(size):
            s.y[i] = s.strain[kept + i]
    strains_here(header, place)


@compiled()
def without_accelerations(header, h):
    """Second rates as of the cubics: those of index 3 are as uncertain as rounding over h^2."""
    s = unpack(header)
    for law in range(len(s.law_line)):
        for i in range(STRAIN * law, STRAIN * law + 3):
            x0, v0, _, x1, v1, _ = _component(header, i)
            b, c = _bends(x0, v0, x1, v1, h)
            s.strain[i + 6], s.strain[i + 15] = 2.0 * b / (h * h), (2.0 * b + 6.0 * c) / (h * h)


@compiled()
def next_strains(header):
    """The end of a step is the start of the next."""
    s = unpack(header)
    for law in range(len(s.law_line)):
        k = STRAIN * law
        for i in range(9):
            s.strain[k + i] = s.strain[k + END + i]


@compiled()
def _bends(x0, v0, x1, v1, h):
    """b, c of the cubic x0 + h v0 u + b u^2 + c u^3."""
    return 3.0 * (x1 - x0) - h * (2.0 * v0 + v1), h * (v0 + v1) - 2.0 * (x1 - x0)


@compiled()
def _quintic(x0, v0, a0, x1, v1, a1, h):
    """b, c of the cubic, p, q of what makes it a quintic, u^2 (1 - u)^2 (p (1 - u) + q u), and what that is off by."""
    b, c = _bends(x0, v0, x1, v1, h)
    p, q = 0.5 * h * h * a0 - b, 0.5 * h * h * a1 - b - 3.0 * c
    differ, most = max(abs(p), abs(q)) / 16.0, PLAUSIBLE * (abs(b) + abs(c))
    if differ <= most:
        return b, c, p, q, PART * differ
    return b, c, 0.0, 0.0, most


@compiled()
def _at(x0, v0, x1, v1, b, c, p, q, h, tau):
    """Value, rate and second rate after the time tau."""
    u = tau / h
    w = 1.0 - u
    m, n, slope, bend = p * w + q * u, q - p, 2.0 * u * w * (w - u), 2.0 - 12.0 * u * w
    x = x0 + u * (h * v0 + u * (b + u * c + w * w * m))
    v = v0 + (u * (2.0 * b + 3.0 * u * c + u * w * w * n) + slope * m) / h
    a = (2.0 * b + 6.0 * u * c + bend * m + 2.0 * slope * n) / (h * h)
    return (x, v, a) if tau < h else (x1, v1, a)


@compiled()
def _off(error, h, a, b):
    """The most that a path is off by between two times: nothing at the ends of the step."""
    u = min(max(0.5, a / h), b / h)
    return 16.0 * error * u * u * (1.0 - u) * (1.0 - u)


@compiled()
def _bounds(x0, v0, a0, x1, v1, a1, h, a, b, wide):
    """Bounds of a path and of its rate between two times: a polynomial lies among its control points. `wide`: times
    what it may be off by is added to them."""
    c2, c3, p, q, error = _quintic(x0, v0, a0, x1, v1, a1, h)
    xa, va, aa = _at(x0, v0, x1, v1, c2, c3, p, q, h, a)
    xb, vb, ab = _at(x0, v0, x1, v1, c2, c3, p, q, h, b)
    d = b - a
    if d <= 0.0:
        return xa, xa, va, va
    k1, k4 = xa + 0.2 * d * va, xb - 0.2 * d * vb
    k2, k3 = xa + 0.4 * d * va + 0.05 * d * d * aa, xb - 0.4 * d * vb + 0.05 * d * d * ab
    w1, w2, w3 = va + 0.25 * d * aa, 5.0 * (k3 - k2) / d, vb - 0.25 * d * ab
    off = wide * _off(error, h, a, b)
    return (
        min(min(min(xa, xb), min(k1, k4)), min(k2, k3)) - off,
        max(max(max(xa, xb), max(k1, k4)), max(k2, k3)) + off,
        min(min(min(va, vb), min(w1, w3)), w2) - FASTER * off / h,
        max(max(max(va, vb), max(w1, w3)), w2) + FASTER * off / h,
    )  # fmt: skip


@compiled()
def _component(header, k):
    """x, v and a of one component of a strain, at the start of the step and at its end."""
    s = unpack(header)
    return s.strain[k], s.strain[k + 3], s.strain[k + 6], s.strain[k + 9], s.strain[k + 12], s.strain[k + 15]


@compiled()
def length_of(header, k):
    """Length of the vector at place k, its rate and second rate."""
    s = unpack(header)
    square, rate, second = 0.0, 0.0, 0.0
    for i in range(k, k + 3):
        x, v, a = s.strain[i], s.strain[i + 3], s.strain[i + 6]
        square, rate, second = square + x * x, rate + x * v, second + v * v + x * a
    length = sqrt(square)
    over = reciprocal(length)
    rate *= over
    return length, rate, (second - rate * rate) * over


@compiled()
def _turns_far(header, k):
    """Whether the vector at place k turns much within the step, or may vanish. (The length of a vector of polynomials
    would change as it turns, also between two points of one body; so it is used only then.)"""
    s = unpack(header)
    square0, square1, across = 0.0, 0.0, 0.0
    for i in range(k, k + 3):
        x0, x1 = s.strain[i], s.strain[i + END]
        square0, square1, across = square0 + x0 * x0, square1 + x1 * x1, across + x0 * x1
    return not across > 0.5 * max(square0, square1)


@compiled()
def _scalar(header, law):
    """x, v, a at both ends of what a law goes by, and whether that is a vector that turns far instead."""
    s = unpack(header)
    k = STRAIN * law
    if s.law_line[law] == 0:
        x0, v0, a0, x1, v1, a1 = _component(header, k)
        return x0, v0, a0, x1, v1, a1, False
    x0, v0, a0 = length_of(header, k)
    x1, v1, a1 = length_of(header, k + END)
    return x0, v0, a0, x1, v1, a1, _turns_far(header, k)


@compiled()
def _error(header, law, h):
    """What the path of a law may be off by in the middle of the step."""
    x0, v0, a0, x1, v1, a1, vector = _scalar(header, law)
    if not vector:
        return _quintic(x0, v0, a0, x1, v1, a1, h)[4]
    square = 0.0
    for i in range(STRAIN * law, STRAIN * law + 3):
        x0, v0, a0, x1, v1, a1 = _component(header, i)
        square += _quintic(x0, v0, a0, x1, v1, a1, h)[4] ** 2
    return sqrt(square)


@compiled()
def off_by(header, law, h, a, b):
    """The most that the path of a law may be off by between two times."""
    return _off(_error(header, law, h), h, a, b)


@compiled()
def strain_at(header, law, h, tau, aside):
    """x and v after the time tau of a step of length h; `aside`: times what the path may be off by is added to x."""
    x0, v0, a0, x1, v1, a1, vector = _scalar(header, law)
    if not vector:
        b, c, p, q, _ = _quintic(x0, v0, a0, x1, v1, a1, h)
        x, v, _ = _at(x0, v0, x1, v1, b, c, p, q, h, tau)
    else:
        square, rate = 0.0, 0.0
        for i in range(STRAIN * law, STRAIN * law + 3):
            x0, v0, a0, x1, v1, a1 = _component(header, i)
            b, c, p, q, _ = _quintic(x0, v0, a0, x1, v1, a1, h)
            x, v, _ = _at(x0, v0, x1, v1, b, c, p, q, h, tau)
            square, rate = square + x * x, rate + x * v
        x = sqrt(square)
        v = rate * reciprocal(x)
    return (x, v) if aside == 0.0 else (x + aside * off_by(header, law, h, tau, tau), v)


@compiled()
def strain_bounds(header, law, h, a, b, aside, wide):
    """Bounds of x and v between the times a and b of a step; `aside` as before, `wide` as in `_bounds`."""
    x0, v0, a0, x1, v1, a1, vector = _scalar(header, law)
    low, high = 0.0, 0.0
    if aside != 0.0:
        least = min(off_by(header, law, h, a, a), off_by(header, law, h, b, b))
        low, high = aside * least, aside * off_by(header, law, h, a, b)
        low, high = min(low, high), max(low, high)
    if not vector:
        x0, x1, v0, v1 = _bounds(x0, v0, a0, x1, v1, a1, h, a, b, wide)
        return x0 + low, x1 + high, v0, v1
    x0, x1, v0, v1 = _vector_bounds(header, law, h, a, b, wide)
    return x0 + low, x1 + high, v0, v1


@compiled()
def _vector_bounds(header, law, h, a, b, wide):
    """Bounds of the length of a vector and of its rate."""
    near, far, fast, low, high = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(STRAIN * law, STRAIN * law + 3):
        x0, v0, a0, x1, v1, a1 = _component(header, i)
        x0, x1, v0, v1 = _bounds(x0, v0, a0, x1, v1, a1, h, a, b, wide)
        least, most = (0.0 if x0 <= 0.0 <= x1 else min(abs(x0), abs(x1))), max(abs(x0), abs(x1))
        near, far, fast = near + least * least, far + most * most, fast + max(abs(v0), abs(v1)) ** 2
        low += min(min(x0 * v0, x0 * v1), min(x1 * v0, x1 * v1))
        high += max(max(x0 * v0, x0 * v1), max(x1 * v0, x1 * v1))
    near, far, fast = sqrt(near), sqrt(far), sqrt(fast)
    if near > 0.0:  # the rate is d . d' over the length, and at most the speed
        low, high = low / (near if low < 0.0 else far), high / (near if high > 0.0 else far)
        return near, far, max(low, -fast), min(high, fast)
    return near, far, -fast, fast
