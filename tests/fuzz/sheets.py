"""Bodies and points of a mechanism from its variables, quickly: they are linear in them, so a matrix does it.

What is read off is that of `spatial.states.snapshot`: places and axes of all bodies, then all named points.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from biela.coordinates.tree.from_poses import body_motion
from biela.mechanics.measure import Posture
from biela.system.system import System
from spatial.states import Snapshot


class Sheet:
    """The matrix and the constants of one system."""

    def __init__(self, system: System):
        self.system = system
        exploded, resolved = system.equations.exploded, system.resolved
        count = len(exploded.copies)
        posture = Posture(exploded, np.vstack([np.zeros((1, count)), np.eye(count)]))
        parts = []
        for name in resolved.bodies:
            motion = body_motion(posture, name)
            parts += [motion.p[0], motion.R[0].reshape(count + 1, 9)]
        parts += [posture.place(resolved.place(name))[0] for name in resolved.start]
        values = np.concatenate(parts, axis=1)
        self.constant, self.matrix = values[0], values[1:] - values[0]

    def look(self, q: np.ndarray, v: np.ndarray, a: Any = None) -> Snapshot:
        """At one state."""
        p = self.system.posture(q, v, np.zeros(self.system.n) if a is None else a)
        assert p.xd is not None and p.xdd is not None
        return Snapshot(p.x[0] @ self.matrix + self.constant, p.xd[0] @ self.matrix, p.xdd[0] @ self.matrix)

    def follow(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Places and velocities at many states: (states, all there is to read)."""
        p = self.system.posture(q, v)
        assert p.xd is not None
        return p.x @ self.matrix + self.constant, p.xd @ self.matrix
