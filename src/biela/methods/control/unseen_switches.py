"""A second look at switches, where samples lie within steps: has one been passed that nobody saw?   [I.29]"""

from __future__ import annotations

from ...kernels.laws.law import program_value
from ...kernels.laws.path import HERE, STRAIN, length_of, strains_here
from ...kernels.laws.switching import within_piece
from ...machine.array_table import unpack
from ...machine.compiled import compiled
from .law_switches import NO_SPEED, accuracy

FAR = 100.0
"""tolerances of the size, and of its speed: samples are that good, and a switch that is passed by more is passed"""


@compiled()
def passed_unseen(header, t):
    """Whether a switch is far on another side, at the present state, than the step around it took it for. The state
    comes from the integrator's own polynomial, not from the path that switches are sought along."""
    s = unpack(header)
    strains_here(header, HERE)
    far = FAR * accuracy(header)[0] * min(1.0, s.par.length_scale)
    fast = FAR * accuracy(header)[0] * max(1.0, s.switching.rate_noise / NO_SPEED)
    for w in range(1, len(s.switch_law)):
        law, p, side = s.switch_law[w], s.switch_prog[w], s.side[2 * w]
        k = STRAIN * law + HERE
        x, v = s.strain[k], s.strain[k + 3]
        if s.law_line[law] == 1:
            x, v, _ = length_of(header, k)
        if p < 0:
            if s.law_of_x[law] == 1 and s.piece[-1 - p] >= 0 and within_piece(header, -1 - p, x, x) < -far:
                return True
        elif abs(side) == 1.0 and side * program_value(header, p, t, x, v) < 0.0:
            more = max(side * program_value(header, p, t, x + far, v), side * program_value(header, p, t, x - far, v))
            more = max(more, side * program_value(header, p, t, x, v + fast))
            if max(more, side * program_value(header, p, t, x, v - fast)) < 0.0:
                return True
    return False
