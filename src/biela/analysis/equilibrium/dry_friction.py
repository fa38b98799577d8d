"""Dry friction at rest: a balance of the other forces is one place of many in which the mechanism stays."""

from __future__ import annotations

import numpy as np

from ..instant import Instant
from ..linear.moving_parts import describe_motion, unit_motion
from .balance import LocalStiffness

SLOW = 1e-9
"""sizes of the mechanism a second: what still holds at this speed, and at a thousandth of it, holds at rest"""


def friction_notes(here: Instant, found: LocalStiffness) -> list[str]:
    """For each freedom that a force hinders to either side however slowly it moves: how large that force is, and how
    far from the balance it holds (the force over the stiffness; in general the band is that of all freedoms together).

    Slow motions to and fro differ by twice the friction; what is proportional to the speed vanishes with it.
    """
    system, out = here.system, []
    for k, motion in enumerate((found.S @ found.to_x).T):
        v, unit = unit_motion(system, here.q, motion)
        held = _hindrance(here, v, 1e-3 * SLOW)
        if held <= 10 * found.noise / system.size or held < 0.5 * _hindrance(here, v, SLOW):
            continue
        text = f"note: dry friction: {describe_motion(system, here.q, v)}: up to {held:.4g} {unit} are held, so that"
        share = float(np.linalg.norm(v) / np.linalg.norm(motion))  # v = share times the motion that K belongs to
        stiff = share**2 * float(found.K[k, k])
        if len(found.K) == 1 and stiff > 0.0:
            text += f" it rests anywhere within {held / stiff:.3g} {'m' if unit == 'N' else 'rad'} of this place"
        else:
            text += " it rests in a band around this place, not here alone"
        out.append(text)
    return out


def _hindrance(here: Instant, v: np.ndarray, speed: float) -> float:
    """Half of what the forces along a motion differ by, to and fro."""
    system = here.system
    to, fro = (float(system.at(here.q, side * speed * v, here.t).Q @ v) for side in (1.0, -1.0))
    return 0.5 * (fro - to)
