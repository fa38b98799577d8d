"""The scene: what is to be drawn of a motion, built once for every renderer.

*Shapes* are fixed to a body and told in its axes; *signs* stand for joints, forces, drivers, stops and locks, and for
points. Both are plain tables (`Thing`). Their places are of frames, whose poses at every sample are in `frames`; so a
renderer asks where something is at a sample, and draws it by its `type`:

    shapes  bar, rod, plate, outline, disc, mass, center, stalk; in space also sheet, solid, ball, slab
    signs   springs, turning, lock, point, ground; in the plane pin, guide, slider, rod, wall, stop, reach;
            in space pushing, link, and the words of joints with their parts (`signs.JOINTS`)
"""

from __future__ import annotations

import numpy as np

from ...errors import BielaError, Problem
from ...model.resolved import GROUND
from ...results.motion import Motion
from . import plane, space
from .bodies import plane_bodies, space_bodies
from .frames import Frames, Thing
from .locks import lock_signs
from .springs import spring_signs
from .stops import plane_stops, space_stops


class Scene:
    """Shapes, signs and named points of a motion.

    >>> import biela
    >>> scene = Scene(biela.simulate("slider-crank", 0.1))
    >>> [shape["type"] for shape in scene.shapes], [sign["type"] for sign in scene.signs]
    (['bar', 'center', 'bar', 'center'], ['guide', 'slider', 'ground', 'pin', 'pin'])
    """

    def __init__(self, motion: Motion):
        self.motion, self.frames, self.resolved = motion, Frames(motion), motion.system.resolved
        self.dimension, self.size = self.resolved.dimension, motion.system.size
        if not self.frames.good.any():
            raise BielaError(Problem(f"{motion.system.name!r} has nothing to show", why="no sample of it is finite"))
        self.first = int(np.argmax(self.frames.good))
        """the first sample that can be drawn"""
        self.start = space.Start(self.frames, self.first) if self.dimension == 3 else None
        """of a mechanism in space: where things are there"""
        self.notes: list[str] = []
        """what is not drawn, and why"""
        self.points = {p: self.frames.point(p) for p in (*self.resolved.ground, *self.resolved.start)}
        springs = spring_signs(self.frames)
        if self.start is None:
            self.shapes = plane_bodies(self.frames, plane.sliding_points(self.resolved))
            self.signs = [*plane.joint_signs(self.frames, self.first, springs), *springs,
                          *plane_stops(self.frames, self.notes), *plane.point_signs(self.frames),
                          *plane.driven_signs(self.frames), *lock_signs(self.frames)]  # fmt: skip
        else:
            anchored = {p.point for f in self.resolved.forces for p in f.places if p.body == GROUND}
            self.shapes = [*space_bodies(self.start), *space_stops(self.start, self.notes)]
            self.signs = [*space.joint_signs(self.start), *springs, *space.point_signs(self.start, anchored),
                          *space.driven_signs(self.start), *lock_signs(self.frames)]  # fmt: skip

    def at(self, place: list[float], sample: int) -> np.ndarray:
        """Where a place is at a sample, in ground axes."""
        return self.frames.at(place, sample)

    def corners(self, shape: Thing, sample: int) -> np.ndarray:
        """The corners of a shape at a sample, or its one place."""
        return self.frames.carried(shape["frame"], shape.get("corners", [shape.get("at")]), sample)

    def extent(self, sample: int, shapes: list[Thing] | None = None) -> np.ndarray:
        """Places that show how far shapes reach at a sample."""
        parts = [np.zeros((0, self.dimension))]
        for shape in self.shapes if shapes is None else shapes:
            reach = shape.get("radius", 0.0) * np.eye(self.dimension)
            parts += [self.corners(shape, sample) + e for e in ([*reach, *-reach] if reach.any() else [0.0])]
        return np.concatenate(parts)

    def of(self, *types: str) -> list[Thing]:
        """The signs of some types."""
        return [sign for sign in self.signs if sign["type"] in types]
