"""Where the coordinates of a system start, before anything is closed."""

from __future__ import annotations

import numpy as np

from ..coordinates.natural.crossed_lists import natural_variables
from ..mechanics.measure import Posture, measure
from .equations import Equations


def first_guess(equations: Equations) -> np.ndarray:
    """Starting guess: points where they were said to be, relative coordinates measured there. A tree starts at zero
    and is put in place later."""
    if equations.tree is not None:
        q = np.zeros(len(equations.q_names))
        q[equations.lists["quat_q"]] = 1.0
        return q
    natural, resolved = equations.exploded, equations.resolved
    q = np.array([float(x) for e in natural.layout.order for x in natural.start(e)])
    x = np.zeros((1, len(natural.copies)))
    (variables,) = natural_variables(natural, q[None, :])
    for i, copy in enumerate(natural.copies):
        moving, where = natural.target(copy)
        x[0, i] = variables[0, where] if moving else where
    posture = Posture(natural, x)
    return np.array([*q, *(float(measure(posture, resolved.coordinates[c])[0][0]) for c in equations.carried)])
