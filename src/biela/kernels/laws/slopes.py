"""Derivatives of laws by place and by rate: the stiffness and the damping of a force at the present instant.

Linear springs and dampers, formulas (differentiated when the law is compiled) and tables (piecewise cubics) have exact
ones; functions of the user's are differenced, and formulas where their derivative is no number, as that of sqrt(v) at
rest.
"""

from __future__ import annotations

from ...machine.array_table import unpack
from ...machine.compiled import compiled
from .law import elastic_part, other_part, program_value
from .program import BLENDED
from .table import table_value

BY_DIFFERENCES = -2
"""in place of the program of a derivative"""
TINY = 1e-6
"""of the size of the mechanism, or of the argument: half the distance of two values that are differenced"""


@compiled()
def blended(header, law):
    """The width over which a switch of a law is blended; 0 if none is."""
    s = unpack(header)
    for w in range(1, len(s.switch_law)):
        if s.switch_law[w] == law and s.side[2 * w] == BLENDED:
            return s.side[2 * w + 1]
    return 0.0


@compiled()
def slopes(header, law, t, x, v, size):
    """(by place, by rate) of a law at place x and rate v, in a mechanism of that size."""
    s = unpack(header)
    stiffness, damping = -s.law_k[law], -s.law_c[law]
    place, rate = 0.0, 0.0
    differ_place, differ_rate = s.law_user[law] >= 0, s.law_user[law] >= 0
    band = blended(header, law)
    if band > 0.0:
        differ_place, differ_rate = True, True
    p = s.law_xprog[law]
    if p >= 0:
        place = program_value(header, p, t, x, v)
    differ_place = differ_place or p == BY_DIFFERENCES or place != place
    p = s.law_vprog[law]
    if p >= 0:
        rate = program_value(header, p, t, x, v)
    differ_rate = differ_rate or p == BY_DIFFERENCES or rate != rate
    k = s.law_table[law]
    if k >= 0 and s.law_of_x[law] == 1:
        place += table_value(s.tab_ptr, s.tab_breaks, s.tab_coef, k, x, s.piece[k])[1]
    if differ_place:
        d = TINY * max(size, abs(x)) if band == 0.0 else 0.001 * band
        place = 0.5 * (other_part(header, law, t, x + d, v) - other_part(header, law, t, x - d, v)) / d
        place += 0.5 * (elastic_part(header, law, x + d) - elastic_part(header, law, x - d)) / d
        stiffness = 0.0  # (it is in there)
    if differ_rate:
        d = TINY * max(size, abs(v)) if band == 0.0 else 0.001 * band
        rate = 0.5 * (other_part(header, law, t, x, v + d) - other_part(header, law, t, x, v - d)) / d
        damping = 0.0  # (it is in there)
    return stiffness + place, damping + rate
