"""What a force element does to the bodies: forces on the exploded variables, and the wrench on one body.

Every body has its own copy of its points and unit vectors. All quantities are arrays over the samples of a motion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...coordinates.tree.from_poses import three_components
from ...mechanics.polynomial import Polynomial
from ...system.equations import ForceInfo

if TYPE_CHECKING:
    from ..motion import Motion

Forces = dict[int, np.ndarray]
"""exploded variable -> force on it, over the samples"""


def value_of(motion: Motion, p: Any) -> np.ndarray:
    """A polynomial of exploded variables at every sample."""
    x = motion.posture.x
    out = np.zeros(len(x))
    if not isinstance(p, Polynomial):
        return out + float(p)
    out += float(p.constant)
    for i, c in p.linear.items():
        out += float(c) * x[:, i]
    for (i, j), c in p.quadratic.items():
        out += float(c) * x[:, i] * x[:, j]
    return out


def forces_on_variables(motion: Motion, f: ForceInfo) -> Forces:
    """What a force element on points or bodies (not on a coordinate) does to their exploded variables."""
    out: Forces = {}
    if f.kind == "load":
        value = motion.law_value(f, None, None)
        return {i: value * value_of(motion, p) for i, p in f.exploded.items()}
    if f.kind == "distance":
        length, rate = motion.force_motion(f)
        force = motion.law_value(f, length, rate) * np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)
        for component in f.vectors[0]:
            part = value_of(motion, component)
            for i, c in component.linear.items():
                out[i] = out.get(i, 0.0) + force * part * float(c)
    if f.kind == "angle":
        moment = motion.law_value(f, *motion.force_motion(f))
        for sign, u in zip((-1.0, 1.0), f.vectors, strict=True):
            x, y = value_of(motion, u[0]), value_of(motion, u[1])
            g = sign * moment / (x * x + y * y)
            of_x, of_y = (p.linear if isinstance(p, Polynomial) else {} for p in u)
            for i in set(of_x) | set(of_y):
                out[i] = out.get(i, 0.0) + g * (x * float(of_y.get(i, 0.0)) - y * float(of_x.get(i, 0.0)))
    return out


def wrench_on(motion: Motion, forces: Forces, body: str, about: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Resultant force and moment about a point of the forces on one body, (samples, 3) both. A force on a unit vector
    of the body is a moment only."""
    exploded, x = motion.posture.exploded, motion.posture.x
    total, moment = np.zeros((len(x), 3)), np.zeros((len(x), 3))
    for i, force in forces.items():
        owner, part, axis = exploded.copies[i]
        if owner != body:
            continue
        arm = three_components(x[:, i - axis : i - axis + exploded.dimension])
        push = np.zeros((len(x), 3))
        push[:, axis] = force
        if not part.startswith((".", "^")):
            total += push
            arm = arm - about
        moment += np.cross(arm, push)
    return total, moment
