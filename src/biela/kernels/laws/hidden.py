"""What a smooth law hides within a step: a bump or a pulse that lies between the places where an integrator looks.

A law is *resolved* by a step if the polynomial through its values at five instants of it tells its values everywhere
within a tenth of how far it leaves the straight line. Between sixteen instants bounds of the law say that nothing
sticks out; where they do not, the parts are halved.   [I.30]
"""

from __future__ import annotations

from ...machine.array_table import unpack
from ...machine.compiled import compiled
from .law import program_value
from .path import off_by, strain_at, strain_bounds
from .switching import NONE, ROUNDING, law_bounds, law_value

PARTS = 16
TENTH = 0.1
NOTHING = 0.1
"""tolerances of a law's greatest value that are nothing"""
NOISY = 30.0
"""times what rounding of its arguments does to a law: rounding hides nothing"""
MOST = 160
"""parts of a step that are looked at"""
CELLS = 4 * MOST + 2 * PARTS
"""numbers of room"""


@compiled()
def _polynomial(f, u):
    """At u = 0 ... 4 the polynomial through f[0], f[4], f[8], f[12], f[16]."""
    a, b, c, d = u, u - 1.0, u - 2.0, u - 3.0
    e = u - 4.0
    return (
        f[0] * b * c * d * e / 24.0 - f[4] * a * c * d * e / 6.0 + f[8] * a * b * d * e / 4.0
        - f[12] * a * b * c * e / 6.0 + f[16] * a * b * c * d / 24.0
    )  # fmt: skip


@compiled()
def hidden(header, q, t, h, tolerance, negligible, enough):
    """When, within a step, law q of those that are scanned does what the step may not have seen; NONE if never, or if
    all it could do within the step is an impulse that is negligible. A path that is off by more than enough is looked
    at on both sides, too: a bump may lie where it turns."""
    tau = _hidden(header, q, t, h, tolerance, negligible, 0.0)
    if tau == NONE and off_by(header, unpack(header).scan_law[q], h, 0.0, h) > enough:
        for aside in (-1.0, 1.0):
            if tau == NONE:
                tau = _hidden(header, q, t, h, tolerance, negligible, aside)
    return tau


@compiled()
def _hidden(header, q, t, h, tolerance, negligible, aside):
    """The same along one path."""
    s = unpack(header)
    law, p, f = s.scan_law[q], s.scan_prog[q], s.cells
    low, high = law_bounds(header, p, law, t, h, 0.0, h, aside, 0.0)
    if (high - low) * h <= negligible:
        return NONE
    for i in range(PARTS + 1):
        f[i] = law_value(header, p, law, t, h, h * i / PARTS, aside)
        s.scan_most[q] = max(s.scan_most[q], abs(f[i]))
    bend = 0.0
    for i in range(1, PARTS):
        bend = max(bend, abs(f[i] - f[0] - (f[PARTS] - f[0]) * i / PARTS))
    noise = 0.0
    for i in range(0, PARTS + 1, 4):
        x, v = strain_at(header, law, h, h * i / PARTS, aside)
        at, one = t + h * i / PARTS, 1.0 + ROUNDING
        noise = max(noise, abs(program_value(header, p, at * one, x * one, v * one) - f[i]))
    allowed = TENTH * bend + NOTHING * tolerance * s.scan_most[q] + NOISY * noise
    for i in range(1, PARTS):
        if abs(f[i] - _polynomial(f, 4.0 * i / PARTS)) > allowed:
            return h * i / PARTS
    first = 2 * PARTS
    for i in range(PARTS):
        k = first + 4 * i
        f[k], f[k + 1], f[k + 2], f[k + 3] = h * i / PARTS, h * (i + 1) / PARTS, f[i], f[i + 1]
    count, at = PARTS, 0
    while at < count:
        k = first + 4 * at
        at += 1
        a, b, fa, fb = f[k], f[k + 1], f[k + 2], f[k + 3]
        low, high = law_bounds(header, p, law, t, h, a, b, aside, 0.0)
        if low >= min(fa, fb) - allowed and high <= max(fa, fb) + allowed:
            continue
        if count + 2 > MOST or b - a < 1e-12 * h:
            continue
        c = 0.5 * (a + b)
        fc = law_value(header, p, law, t, h, c, aside)
        s.scan_most[q] = max(s.scan_most[q], abs(fc))
        if abs(fc - 0.5 * (fa + fb)) > allowed + 0.25 * abs(fb - fa):
            return c
        k = first + 4 * count
        f[k], f[k + 1], f[k + 2], f[k + 3] = a, c, fa, fc
        f[k + 4], f[k + 5], f[k + 6], f[k + 7] = c, b, fc, fb
        count += 2
    return NONE


@compiled()
def passed(header, l, h):
    """The part of a step in which a function of the user's goes by as much of x as its scale says; more than 1 where
    the step is short enough."""
    s = unpack(header)
    low, high, _, _ = strain_bounds(header, s.scale_law[l], h, 0.0, h, 0.0, 0.0)
    return s.scale_of_x[l] / (high - low) if high > low else 1e300
