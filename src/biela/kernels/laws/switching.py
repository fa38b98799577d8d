"""Where laws switch or bend within a step: the strain along the step, and the first place where a side is left.

A law is a function of time, of a strain x (a distance, an angle, a coordinate) and of its rate v; along a step they go
by the polynomials of `path`. A *switch* is a difference whose sign decides which branch of a law holds, or a piece of a
table; its *margin* is positive while the branch holds. Bounds of the margin over parts of the step say where it cannot
vanish, however narrow the place; elsewhere the parts are halved. What the path may be off by is added to these bounds:
a switch that is not met by the path but by these is in doubt.   [I.29]
"""

from __future__ import annotations

from ...machine.array_table import unpack
from ...machine.compiled import compiled
from .intervals import bounds
from .law import program_value
from .path import off_by, strain_at, strain_bounds
from .program import BLENDED

NOISE = 1e-13
"""of the greatest margin seen: so small a margin has no sign"""
LEFT = 1.5
"""widths beyond which a blended switch is on one side again"""
ROUNDING = 4e-16
"""of a strain and of its rate, which carry into the margin"""
FINE, FINER, FINEST, LOOKS = 1e-4, 1e-8, 1e-12, 400
"""of a step: parts that are not halved any more, in three passes; how many parts are looked at in each"""
NONE, AT_ONCE, UNTOLD, RESTS, DOUBT = -1.0, 0.0, -2.0, -3.0, -4.0
CERTAIN, TOUCHED, WEARY = range(3)
"""bounds told everything; parts were left as they are; too many parts"""


@compiled()
def law_value(header, p, law, t, h, tau, aside):
    """A program of a law within a step, on the present sides of its switches; `aside` as in `strain_at`."""
    x, v = strain_at(header, law, h, tau, aside)
    return program_value(header, p, t + tau, x, v)


@compiled()
def law_bounds(header, p, law, t, h, a, b, aside, wide):
    """Bounds of that between two times of a step; `aside`, `wide` as in `strain_bounds`."""
    s = unpack(header)
    x0, x1, v0, v1 = strain_bounds(header, law, h, a, b, aside, wide)
    return bounds(s.prog_ops, s.prog_ptr[p], s.prog_ptr[p + 1], s.prog_const, t + a, t + b, x0, x1, v0, v1, s.side,
                  s.prog_low, s.prog_high)  # fmt: skip


@compiled()
def within_piece(header, k, x0, x1):
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
        x = strain_at(header, law, h, tau, 0.0)[0] if s.law_of_x[law] == 1 else t + tau
        return within_piece(header, -1 - p, x, x)
    d, side = law_value(header, p, law, t, h, tau, 0.0), s.side[2 * w]
    if side == BLENDED:
        return LEFT * s.side[2 * w + 1] - abs(d)
    return side * d


@compiled()
def least_margin(header, w, t, h, a, b, wide):
    """A bound of it from below between two times of a step; `wide`: 1 with what the path may be off by, else 0."""
    s = unpack(header)
    law, p = s.switch_law[w], s.switch_prog[w]
    if p < 0:
        if s.law_of_x[law] == 1:
            x0, x1, _, _ = strain_bounds(header, law, h, a, b, 0.0, wide)
        else:
            x0, x1 = t + a, t + b
        return within_piece(header, -1 - p, x0, x1)
    low, high = law_bounds(header, p, law, t, h, a, b, 0.0, wide)
    side = s.side[2 * w]
    if side == BLENDED:
        return LEFT * s.side[2 * w + 1] - max(abs(low), abs(high))
    return low if side > 0.0 else -high


@compiled()
def rounding(header, w, t, h, tau):
    """What the rounding of the strain and of its rate makes of the margin: a switch cannot be located any better."""
    s = unpack(header)
    law, p = s.switch_law[w], s.switch_prog[w]
    x, v = strain_at(header, law, h, tau, 0.0)
    if p < 0:
        return ROUNDING * abs(x) if s.law_of_x[law] == 1 else 0.0
    d = program_value(header, p, t + tau, x, v)
    e = program_value(header, p, t + tau, x * (1.0 + 1e-7), v)
    g = program_value(header, p, t + tau, x, v * (1.0 + 1e-7))
    noise = ROUNDING * 1e7 * (abs(e - d) + abs(g - d))
    # rates that the constraints make zero are rounding of the speed that there is
    noise += abs(program_value(header, p, t + tau, x, v + s.switching.rate_noise) - d)
    return noise if noise < 1e300 else 0.0


@compiled()
def _first(header, w, t, h, a, b, fine):
    """Two times between a and b between which switch w first leaves its side, NONE twice where it does not, by parts
    no shorter than `fine`; and how far that is to be trusted."""
    s = unpack(header)
    depth, looks, trust = 0, 0, CERTAIN
    while True:
        looks += 1
        clear = least_margin(header, w, t, h, a, b, 0.0) > 0.0
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
def _in_doubt(header, w, t, h, a, b, enough):
    """Whether switch w may be left between a and b by what the path is off by there, where that is more than enough."""
    s = unpack(header)
    law = s.switch_law[w]
    depth, looks, fine = 0, 0, FINE * (b - a)
    while True:
        looks += 1
        if off_by(header, law, h, a, b) <= enough or least_margin(header, w, t, h, a, b, 1.0) > 0.0:
            if depth == 0:
                return False
            depth -= 1
            a, b = b, s.cells[depth]
        elif b - a <= fine or looks > LOOKS:
            return True
        else:
            s.cells[depth] = b
            depth += 1
            b = 0.5 * (a + b)


@compiled()
def crossing(header, w, t, h, limit, enough):
    """Two times before `limit` between which switch w first leaves its side; AT_ONCE twice where it does so at once,
    NONE twice where it does not, UNTOLD where the step is too long to tell, RESTS where it is there all the time, DOUBT
    where it may do so by what the path is off by. (So little is `enough`; a band that holds is wide enough for it.)"""
    s = unpack(header)
    unsure = s.side[2 * w] != BLENDED and off_by(header, s.switch_law[w], h, 0.0, h) > enough
    wide = 1.0 if unsure else 0.0
    a, b = 0.0, limit
    start = margin(header, w, t, h, 0.0)
    s.greatest[w] = max(s.greatest[w], abs(start))
    noise = NOISE * s.greatest[w]
    if start > noise and least_margin(header, w, t, h, 0.0, limit, wide) > 0.0:
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
    if trust == WEARY:
        return UNTOLD, UNTOLD
    if unsure and second == NONE and _in_doubt(header, w, t, h, a, limit, enough):
        return DOUBT, DOUBT
    return first, second


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
            s.side[2 * w] = 1.0 if law_value(header, p, law, t, h, tau, 0.0) > 0.0 else -1.0
        else:
            s.side[2 * w] = -s.side[2 * w]
        return
    k = -1 - p
    x = strain_at(header, law, h, tau, 0.0)[0] if s.law_of_x[law] == 1 else t + tau
    j, first, last = s.piece[k], s.tab_ptr[k], s.tab_ptr[k + 1] - 1
    before = x - s.tab_breaks[j] if j > first else 1e300
    after = s.tab_breaks[j + 1] - x if j < last else 1e300
    s.piece[k] = j + 1 if after <= before else j - 1
