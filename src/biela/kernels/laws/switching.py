"""Where laws switch or bend within a step: the strain along the step, and the first place where a side is left.

A law is a function of time, of a strain x (a distance, an angle, a coordinate) and of its rate v. Along a step x goes
by the cubic through x and v at both ends (a distance whose line turns far: by those of its components). A *switch* is a
difference whose sign decides which branch of a law holds, or a piece of a table; its *margin* is positive while the
branch holds. Bounds of the margin over parts of the step say where it cannot vanish, however narrow the place;
elsewhere the parts are halved.   [I.29]
"""

from __future__ import annotations

from math import sqrt

from ...machine.array_table import call_kernel, unpack
from ...machine.compiled import compiled
from ..calls import PLACE
from ..forces import reach, reciprocal, turned
from .intervals import bounds
from .law import program_value
from .program import BLENDED

NOISE = 1e-13
"""of the greatest margin seen: so small a margin has no sign"""
LEFT = 1.5
"""widths beyond which a blended switch is on one side again"""
ROUNDING = 4e-16
"""of a strain and of its rate, which carry into the margin"""
FINE, FINER, FINEST, LOOKS = 1e-4, 1e-8, 1e-12, 400
"""of a step: parts that are not halved any more, in three passes; how many parts are looked at in each"""
SPEED_NOISE = 5
"""place in `switching`: what is rounding of a rate"""
NONE, AT_ONCE, UNTOLD, RESTS = -1.0, 0.0, -2.0, -3.0
CERTAIN, TOUCHED, WEARY = range(3)
"""bounds told everything; parts were left as they are; too many parts"""
STRAIN = 12
"""numbers of a strain: a vector and its rate at the start of the step, and at the end"""


@compiled()
def _keep_strain(header, law, end, dx, dy, dz, ux, uy, uz):
    s = unpack(header)
    k = STRAIN * law + (6 if end else 0)
    s.strain[k], s.strain[k + 1], s.strain[k + 2] = dx, dy, dz
    s.strain[k + 3], s.strain[k + 4], s.strain[k + 5] = ux, uy, uz


@compiled()
def strains(header, end):
    """The strain and the rate of every force element at the present state: those at the end of the step, or at its
    start. A distance is kept as a vector, which is smooth where its length is zero, too."""
    s = unpack(header)
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[PLACE], header)
    for l in range(len(s.line_law)):
        dx, dy, dz, ux, uy, uz = reach(header, l)
        _keep_strain(header, s.line_law[l], end, dx, dy, dz, ux, uy, uz)
    for l in range(len(s.cf_law)):
        i = s.cf_col[l]
        _keep_strain(header, s.cf_law[l], end, s.x[i], 0.0, 0.0, s.xd[i], 0.0, 0.0)
    for l in range(len(s.tor_law)):
        angle, rate = turned(header, l)
        _keep_strain(header, s.tor_law[l], end, angle, 0.0, 0.0, rate, 0.0, 0.0)


@compiled()
def next_strains(header):
    """The end of a step is the start of the next."""
    s = unpack(header)
    for k in range(0, len(s.strain), STRAIN):
        for i in range(6):
            s.strain[k + i] = s.strain[k + 6 + i]


@compiled()
def _cubic(x0, v0, x1, v1, h, tau):
    """Value and rate, after the time tau, of the cubic with these values and rates at both ends of a step h."""
    if tau >= h:
        return x1, v1
    u = tau / h
    b, c = 3.0 * (x1 - x0) - h * (2.0 * v0 + v1), h * (v0 + v1) - 2.0 * (x1 - x0)
    return x0 + u * (h * v0 + u * (b + u * c)), v0 + u * (2.0 * b + 3.0 * u * c) / h


@compiled()
def _cubic_bounds(x0, v0, x1, v1, h, a, b):
    """Bounds of that and of its rate between two times: a cubic lies among its four control points."""
    xa, va = _cubic(x0, v0, x1, v1, h, a)
    xb, vb = _cubic(x0, v0, x1, v1, h, b)
    p, q = xa + (b - a) * va / 3.0, xb - (b - a) * vb / 3.0
    w = 3.0 * (q - p) / (b - a) if b > a else va
    return (
        min(min(xa, xb), min(p, q)), max(max(xa, xb), max(p, q)),
        min(min(va, vb), w), max(max(va, vb), w),
    )  # fmt: skip


@compiled()
def _component(header, k):
    """x and v of one component of a strain, at the start of the step and at its end."""
    s = unpack(header)
    return s.strain[k], s.strain[k + 3], s.strain[k + 6], s.strain[k + 9]


@compiled()
def _length(header, k):
    """The like of the length of a vector that hardly turns within the step; a negative length where it turns much, or
    may vanish. (The length of a vector of cubics would change as it turns, also between two points of one body.)"""
    s = unpack(header)
    square0, square1, across, rate0, rate1 = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(k, k + 3):
        x0, v0, x1, v1 = s.strain[i], s.strain[i + 3], s.strain[i + 6], s.strain[i + 9]
        square0, square1, across = square0 + x0 * x0, square1 + x1 * x1, across + x0 * x1
        rate0, rate1 = rate0 + x0 * v0, rate1 + x1 * v1
    if not across > 0.5 * max(square0, square1):
        return -1.0, 0.0, 0.0, 0.0
    length0, length1 = sqrt(square0), sqrt(square1)
    return length0, rate0 / length0, length1, rate1 / length1


@compiled()
def strain_at(header, law, h, tau):
    """x and v after the time tau of a step of length h."""
    s = unpack(header)
    k = STRAIN * law
    x0, v0, x1, v1 = _component(header, k)
    if s.law_line[law] == 0:
        return _cubic(x0, v0, x1, v1, h, tau)
    a0, b0, a1, b1 = _length(header, k)
    if a0 > 0.0:
        return _cubic(a0, b0, a1, b1, h, tau)
    square, rate = 0.0, 0.0
    for i in range(k, k + 3):
        x0, v0, x1, v1 = _component(header, i)
        x, v = _cubic(x0, v0, x1, v1, h, tau)
        square, rate = square + x * x, rate + x * v
    length = sqrt(square)
    return length, rate * reciprocal(length)


@compiled()
def strain_bounds(header, law, h, a, b):
    """Bounds of x and v between the times a and b of a step."""
    s = unpack(header)
    k = STRAIN * law
    x0, v0, x1, v1 = _component(header, k)
    if s.law_line[law] == 0:
        return _cubic_bounds(x0, v0, x1, v1, h, a, b)
    a0, b0, a1, b1 = _length(header, k)
    if a0 > 0.0:
        return _cubic_bounds(a0, b0, a1, b1, h, a, b)
    near, far, fast, low, high = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(k, k + 3):
        x0, v0, x1, v1 = _component(header, i)
        x0, x1, v0, v1 = _cubic_bounds(x0, v0, x1, v1, h, a, b)
        least, most = (0.0 if x0 <= 0.0 <= x1 else min(abs(x0), abs(x1))), max(abs(x0), abs(x1))
        near, far, fast = near + least * least, far + most * most, fast + max(abs(v0), abs(v1)) ** 2
        low += min(min(x0 * v0, x0 * v1), min(x1 * v0, x1 * v1))
        high += max(max(x0 * v0, x0 * v1), max(x1 * v0, x1 * v1))
    near, far, fast = sqrt(near), sqrt(far), sqrt(fast)
    if near > 0.0:  # the rate is d . d' over the length, and at most the speed
        low, high = low / (near if low < 0.0 else far), high / (near if high > 0.0 else far)
        return near, far, max(low, -fast), min(high, fast)
    return near, far, -fast, fast


@compiled()
def law_value(header, p, law, t, h, tau):
    """A program of a law within a step, on the present sides of its switches."""
    x, v = strain_at(header, law, h, tau)
    return program_value(header, p, t + tau, x, v)


@compiled()
def law_bounds(header, p, law, t, h, a, b):
    """Bounds of that between two times of a step."""
    s = unpack(header)
    x0, x1, v0, v1 = strain_bounds(header, law, h, a, b)
    return bounds(s.prog_ops, s.prog_ptr[p], s.prog_ptr[p + 1], s.prog_const, t + a, t + b, x0, x1, v0, v1, s.side,
                  s.prog_low, s.prog_high)  # fmt: skip


@compiled()
def _within_piece(header, k, x0, x1):
    """How far both of two abscissas lie within the present piece of a table."""
    s = unpack(header)
    j, first, last = s.piece[k], s.tab_ptr[k], s.tab_ptr[k + 1] - 1
    room = 1e300
    if j > first:
        room = x0 - s.tab_breaks[j]
    if j < last:
        room = min(room, s.tab_breaks[j + 1] - x1)
    return room


@compiled()
def margin(header, w, t, h, tau):
    """Of switch w, at a time of a step: positive on its present side."""
    s = unpack(header)
    law, p = s.switch_law[w], s.switch_prog[w]
    if p < 0:
        x = strain_at(header, law, h, tau)[0] if s.law_of_x[law] == 1 else t + tau
        return _within_piece(header, -1 - p, x, x)
    d, side = law_value(header, p, law, t, h, tau), s.side[2 * w]
    if side == BLENDED:
        return LEFT * s.side[2 * w + 1] - abs(d)
    return side * d


@compiled()
def least_margin(header, w, t, h, a, b):
    """A bound of it from below between two times of a step."""
    s = unpack(header)
    law, p = s.switch_law[w], s.switch_prog[w]
    if p < 0:
        if s.law_of_x[law] == 1:
            x0, x1, _, _ = strain_bounds(header, law, h, a, b)
        else:
            x0, x1 = t + a, t + b
        return _within_piece(header, -1 - p, x0, x1)
    low, high = law_bounds(header, p, law, t, h, a, b)
    side = s.side[2 * w]
    if side == BLENDED:
        return LEFT * s.side[2 * w + 1] - max(abs(low), abs(high))
    return low if side > 0.0 else -high


@compiled()
def rounding(header, w, t, h, tau):
    """What the rounding of the strain and of its rate makes of the margin: a switch cannot be located any better."""
    s = unpack(header)
    law, p = s.switch_law[w], s.switch_prog[w]
    x, v = strain_at(header, law, h, tau)
    if p < 0:
        return ROUNDING * abs(x) if s.law_of_x[law] == 1 else 0.0
    d = program_value(header, p, t + tau, x, v)
    e = program_value(header, p, t + tau, x * (1.0 + 1e-7), v)
    g = program_value(header, p, t + tau, x, v * (1.0 + 1e-7))
    noise = ROUNDING * 1e7 * (abs(e - d) + abs(g - d))
    # rates that the constraints make zero are rounding of the speed that there is
    noise += abs(program_value(header, p, t + tau, x, v + s.switching[SPEED_NOISE]) - d)
    return noise if noise < 1e300 else 0.0


@compiled()
def _first(header, w, t, h, a, b, fine):
    """Two times between a and b between which switch w first leaves its side, NONE twice where it does not, by parts
    no shorter than `fine`; and how far that is to be trusted."""
    s = unpack(header)
    depth, looks, trust = 0, 0, CERTAIN
    while True:
        looks += 1
        clear = least_margin(header, w, t, h, a, b) > 0.0
        if not clear and (b - a <= fine or looks > LOOKS):
            if margin(header, w, t, h, b) <= 0.0:
                return a, b, trust
            clear, trust = True, max(trust, WEARY if looks > LOOKS else TOUCHED)
        if clear:
            if depth == 0:
                return NONE, NONE, trust
            depth -= 1
            a, b = b, s.cells[depth]
        else:
            s.cells[depth] = b
            depth += 1
            b = 0.5 * (a + b)


@compiled()
def crossing(header, w, t, h, limit):
    """Two times before `limit` between which switch w first leaves its side; AT_ONCE twice where it does so at once,
    NONE twice where it does not, UNTOLD where the step is too long to tell, RESTS where it is there all the time."""
    s = unpack(header)
    a, b = 0.0, limit
    start = margin(header, w, t, h, 0.0)
    s.greatest[w] = max(s.greatest[w], abs(start))
    noise = NOISE * s.greatest[w]
    if start > noise and least_margin(header, w, t, h, 0.0, limit) > 0.0:
        return NONE, NONE
    small = rounding(header, w, t, h, 0.0)
    noise = max(noise, small)
    if start <= noise:  # it is there, but for rounding, or a little before: is it clear of it from now on, or left?
        gone = min(start, 0.0) - noise
        a = limit * 2.0**-40
        here = margin(header, w, t, h, a)
        while a < limit and gone <= here <= small:
            a = min(4.0 * a, limit)
            here = margin(header, w, t, h, a)
        if here < gone or (a >= limit and here < -noise):
            return AT_ONCE, AT_ONCE
        if a >= limit:
            return RESTS, RESTS
    first, second, trust = _first(header, w, t, h, a, b, FINE * limit)
    for fine in (FINER, FINEST):  # left and entered again within a part: a square, a peak of a sine
        if trust != CERTAIN and first != a:
            b = first if first > 0.0 else limit
            c, d, trust = _first(header, w, t, h, a, b, fine * limit)
            if d > 0.0:
                first, second = c, d
    return (UNTOLD, UNTOLD) if trust == WEARY else (first, second)


@compiled()
def root(header, w, t, h, a, b):
    """When the margin of switch w vanishes, between a, where it is positive, and b (the rule of the Illinois)."""
    fa, fb = margin(header, w, t, h, a), margin(header, w, t, h, b)
    if fb == 0.0 or not fa > 0.0:
        return b
    for _ in range(60):
        c = (a * fb - b * fa) / (fb - fa)
        if not a < c < b:
            break
        fc = margin(header, w, t, h, c)
        if fc > 0.0:
            a, fa, fb = c, fc, 0.5 * fb
        else:
            b, fb, fa = c, fc, 0.5 * fa
        if fc == 0.0 or b - a <= 1e-15 * h:
            break
    return b


@compiled()
def approach(header, w, t, h):
    """Margin of switch w at the end of a step, and how fast it falls there."""
    end = margin(header, w, t, h, h)
    return end, (margin(header, w, t, h, 0.999 * h) - end) / (0.001 * h)


@compiled()
def change_side(header, w, t, h, tau):
    """Switch w to the side that it is leaving for."""
    s = unpack(header)
    law, p = s.switch_law[w], s.switch_prog[w]
    if p >= 0:
        if s.side[2 * w] == BLENDED:
            s.side[2 * w] = 1.0 if law_value(header, p, law, t, h, tau) > 0.0 else -1.0
        else:
            s.side[2 * w] = -s.side[2 * w]
        return
    k = -1 - p
    x = strain_at(header, law, h, tau)[0] if s.law_of_x[law] == 1 else t + tau
    j, first, last = s.piece[k], s.tab_ptr[k], s.tab_ptr[k + 1] - 1
    before = x - s.tab_breaks[j] if j > first else 1e300
    after = s.tab_breaks[j + 1] - x if j < last else 1e300
    s.piece[k] = j + 1 if after <= before else j - 1
