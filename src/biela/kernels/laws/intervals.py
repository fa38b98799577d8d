"""Programs on intervals: bounds of a formula for all values of its variables within bounds.

One evaluation says of a whole stretch of a motion that nothing happens there, however narrow it might be: this is how
a law that is short in time or narrow in space is never stepped over (`switching`). Moore, Interval Analysis (1966).
The bounds hold but for rounding. A pole, or an argument outside a function's domain, gives no bounds: -inf ... inf.
"""

from __future__ import annotations

import math

from ...machine.compiled import compiled
from .program import (
    ABS,
    ACOS,
    ADD,
    ASIN,
    ATAN,
    ATAN2,
    BLENDED,
    CONSTANT,
    COS,
    COSH,
    DIV,
    EXP,
    GE,
    GT,
    IF,
    LE,
    LOG,
    LT,
    MAX,
    MIN,
    MUL,
    NEG,
    POW,
    RADIX,
    RAMP,
    SECOND,
    SIGN,
    SIN,
    SINH,
    SQRT,
    SUB,
    TAN,
    TANH,
    VARIABLE,
    _ramp,
    _smooth,
    _unary,
)

INF = math.inf


@compiled()
def _ordered(lo, hi):
    """Bounds, or none where there is no number among them."""
    if lo != lo or hi != hi:
        return -INF, INF
    return (lo, hi) if lo <= hi else (hi, lo)


@compiled()
def _times(a, b):
    """A product of bounds: nothing times infinity is nothing."""
    return 0.0 if a == 0.0 or b == 0.0 else a * b


@compiled()
def _product(a, b, c, d):
    w, x, y, z = _times(a, c), _times(a, d), _times(b, c), _times(b, d)
    return min(min(w, x), min(y, z)), max(max(w, x), max(y, z))


@compiled()
def _wave_bounds(lo, hi, at_lo, at_hi, crest):
    """Bounds of a sine or cosine, from its values at both ends (to the last bit, as the law itself has them) and the
    argument of one of its crests."""
    if not (hi - lo < 2.0 * math.pi) or abs(lo) > 1e15:
        return -1.0, 1.0
    low, high = min(at_lo, at_hi), max(at_lo, at_hi)
    turn = 2.0 * math.pi
    if math.floor((hi - crest) / turn) != math.floor((lo - crest) / turn):
        high = 1.0
    if math.floor((hi - crest - math.pi) / turn) != math.floor((lo - crest - math.pi) / turn):
        low = -1.0
    return low, high


@compiled()
def _unary_bounds(code, lo, hi):
    if code == NEG:
        return -hi, -lo
    elif code == COS:
        return _wave_bounds(lo, hi, math.cos(lo), math.cos(hi), 0.0)
    elif code == SIN:
        return _wave_bounds(lo, hi, math.sin(lo), math.sin(hi), 0.5 * math.pi)
    elif code == ABS:
        if lo >= 0.0:
            return lo, hi
        return (-hi, -lo) if hi <= 0.0 else (0.0, max(-lo, hi))
    elif code == COSH:
        least = 0.0 if lo <= 0.0 <= hi else min(abs(lo), abs(hi))
        return math.cosh(least), math.cosh(max(abs(lo), abs(hi)))
    elif code == TAN:
        if math.floor(lo / math.pi + 0.5) != math.floor(hi / math.pi + 0.5):
            return -INF, INF
        return _ordered(math.tan(lo), math.tan(hi))
    elif code == ASIN or code == ACOS:
        lo, hi = max(lo, -1.0), min(hi, 1.0)  # the rest has no value
        return _ordered(_unary(code, lo), _unary(code, hi)) if lo <= hi else (-INF, INF)
    elif code == LOG:
        if hi <= 0.0:
            return -INF, INF
        return (math.log(lo) if lo > 0.0 else -INF), math.log(hi)
    elif code == SQRT:
        return (math.sqrt(max(lo, 0.0)), math.sqrt(hi)) if hi >= 0.0 else (-INF, INF)
    elif code == EXP:
        return math.exp(lo), math.exp(hi)
    elif code == SINH:
        return math.sinh(lo), math.sinh(hi)
    elif code == TANH or code == ATAN:
        return _unary(code, lo), _unary(code, hi)
    elif code == SIGN:
        return (1.0 if lo > 0.0 else -1.0), (-1.0 if hi < 0.0 else 1.0)
    return _smooth(lo), _smooth(hi)  # it rises everywhere


@compiled()
def _power_bounds(a, b, c, d):
    if c == d and c == math.floor(c) and abs(c) < 1e9:
        if c < 0.0 and a <= 0.0 <= b:
            return -INF, INF
        lo, hi = a**c, b**c
        even = c - 2.0 * math.floor(0.5 * c) == 0.0
        if even and a < 0.0 < b:
            return 0.0, max(lo, hi)
        return _ordered(lo, hi)
    if a < 0.0 or (a == 0.0 and c <= 0.0):
        return -INF, INF
    w, x, y, z = a**c, a**d, b**c, b**d
    if w != w or x != x or y != y or z != z:
        return -INF, INF
    return min(min(w, x), min(y, z)), max(max(w, x), max(y, z))


@compiled()
def _binary_bounds(code, a, b, c, d):
    """Of an operation on a number of [a, b] and one of [c, d]."""
    if code == ADD:
        return _ordered(a + c, b + d)
    elif code == SUB:
        return _ordered(a - d, b - c)
    elif code == MUL:
        return _product(a, b, c, d)
    elif code == DIV:
        if c <= 0.0 <= d:
            return -INF, INF
        return _product(a, b, 1.0 / d, 1.0 / c)
    elif code == POW:
        return _power_bounds(a, b, c, d)
    elif code == LT or code == LE:
        return (1.0 if b < c else 0.0), (0.0 if a > d else 1.0)
    elif code == GT or code == GE:
        return (1.0 if a > d else 0.0), (0.0 if b < c else 1.0)
    elif code == ATAN2:
        if c > 0.0:
            w, x, y, z = math.atan2(a, c), math.atan2(a, d), math.atan2(b, c), math.atan2(b, d)
            return min(min(w, x), min(y, z)), max(max(w, x), max(y, z))
        return -math.pi, math.pi
    elif code == MIN:
        return min(a, c), min(b, d)
    return max(a, c), max(b, d)


@compiled()
def _side_bounds(code, a, b, c, d, side):
    """Of an operation whose switch is told its side."""
    if side == BLENDED:
        if code == SIGN:
            return -1.0, 1.0
        return (0.0, 1.0) if LT <= code <= GE else _binary_bounds(code, a, b, c, d)
    if code == ABS:
        return (a, b) if side > 0.0 else (-b, -a)
    elif code == SIGN:
        return side, side
    elif code == MIN or code == MAX:
        return (a, b) if (side < 0.0) == (code == MIN) else (c, d)
    value = 1.0 if (side < 0.0) == (code == LT or code == LE) else 0.0
    return value, value


@compiled()
def _ramp_bounds(lo, hi, b, c, begun, ended):
    """Of a ramp of a number of [lo, hi] from b to c."""
    return _ordered(_ramp(lo, b, c, begun, ended), _ramp(hi, b, c, begun, ended))


@compiled()
def bounds(ops, start, stop, constants, t0, t1, x0, x1, v0, v1, side, low, high):
    """(least, greatest) of a program for t in [t0, t1], x in [x0, x1], v in [v0, v1]; `low`, `high`: two stacks."""
    top = -1
    for index in range(start, stop):
        code, operand = ops[index] % RADIX, ops[index] // RADIX
        if code == CONSTANT:
            top += 1
            low[top] = high[top] = constants[operand]
        elif code == VARIABLE:
            top += 1
            low[top] = t0 if operand == 0 else x0 if operand == 1 else v0
            high[top] = t1 if operand == 0 else x1 if operand == 1 else v1
        elif code < ADD:
            if operand > 0 and side[2 * operand] != 0.0 and (code == SIGN or side[2 * operand] != BLENDED):
                low[top], high[top] = _side_bounds(code, low[top], high[top], 0.0, 0.0, side[2 * operand])
            else:
                low[top], high[top] = _unary_bounds(code, low[top], high[top])
        elif code < RAMP:
            top -= 1
            a, b, c, d = low[top], high[top], low[top + 1], high[top + 1]
            if operand > 0 and side[2 * operand] != 0.0:
                low[top], high[top] = _side_bounds(code, a, b, c, d, side[2 * operand])
            else:
                low[top], high[top] = _binary_bounds(code, a, b, c, d)
        elif code == RAMP:
            top -= 2
            begun, ended = side[2 * (operand % SECOND)], side[2 * (operand // SECOND)]
            if low[top + 1] == high[top + 1] and low[top + 2] == high[top + 2]:
                low[top], high[top] = _ramp_bounds(low[top], high[top], low[top + 1], low[top + 2], begun, ended)
            else:
                low[top], high[top] = -INF, INF
        elif code == IF:
            top -= 2
            if low[top] > 0.0 or high[top] < 0.0:
                a, b = low[top + 1], high[top + 1]
            elif low[top] == 0.0 and high[top] == 0.0:
                a, b = low[top + 2], high[top + 2]
            else:
                a, b = min(low[top + 1], low[top + 2]), max(high[top + 1], high[top + 2])
            low[top], high[top] = a, b
        else:
            top -= 4
            begun, ended = side[2 * (operand % SECOND)], side[2 * (operand // SECOND)]
            if low[top + 1] == high[top + 1] and low[top + 3] == high[top + 3]:
                a, b = _ramp_bounds(low[top], high[top], low[top + 1], low[top + 3], begun, ended)
                a, b = _smooth(a), _smooth(b)
                c, d = _product(low[top + 2], high[top + 2], 1.0 - b, 1.0 - a)
                e, f = _product(low[top + 4], high[top + 4], a, b)
                low[top], high[top] = c + e, d + f
            else:
                low[top], high[top] = -INF, INF
        if low[top] != low[top] or high[top] != high[top]:
            low[top], high[top] = -INF, INF
    return low[0], high[0]
