"""Order four from a symmetric scheme of order two: five steps of lengths p, p, 1 - 4p, p, p (Suzuki 1990).

What the scheme keeps, its composition keeps: energy, and Phi = 0 at the end of each part. The middle part goes back in
time, so that forces which lose energy quickly want a shorter step.   [D.30]
"""

from __future__ import annotations

from ...system.arena import unpack
from ...system.compiled import STEP, compiled
from ..formulations.parameters import LOOK
from ..status import OK
from .conserving import step as conserving_step

OUTER = 1.0 / (4.0 - 4.0 ** (1.0 / 3.0))


@compiled(STEP)
def step(header, f, settle, t, h):
    """One composed step; accelerations and multipliers are those of the state at its end."""
    s = unpack(header)
    look = s.opt[LOOK]
    for part in range(5):
        length = (1.0 - 4.0 * OUTER if part == 2 else OUTER) * h
        s.opt[LOOK] = look if part == 4 else 0
        status = conserving_step(header, f, settle, t, length)
        if status != OK:
            s.opt[LOOK] = look
            return status
        t += length
    s.opt[LOOK] = look
    return OK
