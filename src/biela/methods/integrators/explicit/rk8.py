"""A Runge-Kutta method of order eight with fixed steps: how multistep methods of high order begin.

The coefficients are those of DOP853 (Hairer, Norsett & Wanner, II.5), as SciPy has them.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import DOP853

from ....kernels.products import add_scaled, copy
from ....machine.array_table import unpack
from ....machine.compiled import compiled
from ...formulations.shared import is_rank_margin_low
from ...status import OK
from ..settled import begin_near_singular, end_near_singular, settled, settled_within

STAGES = 12
_A, _B, _C = (np.array(x, dtype=float) for x in (DOP853.A, DOP853.B, DOP853.C))


@compiled()
def rk8(header, f, settle, t, h, y_0, slopes, y_last):
    """One step; y_0 keeps y_n, `slopes` those of the stages, and y_last y of the last stage."""
    s = unpack(header)
    size = len(s.y)
    careful = begin_near_singular(header, h)
    copy(s.y, y_0)
    copy(s.ydot, slopes)
    for stage in range(1, STAGES + 1):
        copy(y_0, s.y)
        for j in range(stage):
            w = h * (_B[j] if stage == STAGES else _A[stage, j])
            if w != 0.0:  # many are
                add_scaled(w, slopes[j * size : (j + 1) * size], s.y)
        status = OK
        if stage == STAGES - 1:  # at the end of the step, too: two slopes there tell how fast the fastest decay is
            copy(s.y, y_last)
        if stage == STAGES:
            status = settled(header, settle, t + h)
        elif careful:
            status = settled_within(header, settle, t + _C[stage] * h)
        if status == OK:
            status = f(header, t + (h if stage == STAGES else _C[stage] * h))
        if status != OK or stage == STAGES:
            return end_near_singular(header, status)
        if is_rank_margin_low(header):
            s.margin.low_order_steps_ahead = max(s.margin.low_order_steps_ahead, 1.0)
        copy(s.ydot, slopes[stage * size :])
    return OK
