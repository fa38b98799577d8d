"""Reactions: what joints do to bodies, as channels, and asked for in words: of which joint, on which body, in whose
axes, about which point."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np

from ...coordinates.tree.from_poses import three_components
from ...errors import MethodError, Problem
from ...model.joints import joint_class
from ...model.resolved import GROUND, Direction
from ..channels.channel import Catalogue, Channel
from ..geometry.body_point import pivot
from .elements import Element, elements, joint_element, pins

if TYPE_CHECKING:
    from ..motion import Motion

JOINT = "joint"


@dataclass(frozen=True)
class Reaction:
    """What a joint, or anything else that acts, does to a body over the time of a motion.

    `.force` and `.moment` are channels (`.x`, `.y`, `.z`, `.norm`, `.to("kN")`); `.on`, `.in_frame` and `.at` give the
    same reaction on another body, in other axes, about another point.

    >>> import biela
    >>> A = biela.simulate("four-bar", 0.5).reaction("A")
    >>> A.body, A.bodies, A.force.unit, A.force.shape
    ('coupler', ('crank', 'coupler'), 'N', (1001, 2))
    >>> bool(abs(A.force + A.on("crank").force).max() < 1e-9)
    True
    >>> A.on("crank").in_frame("crank").force.x.name  # along the crank
    'A.reaction@crank.x in crank'
    """

    motion: Motion
    element: Element
    body: str
    """the body that it acts on"""
    frame: str = GROUND
    """whose axes the components are in: the ground's, a body's, or "joint" """
    about: str | None = None
    """the point that the moment is about; None: the joint's own point on the body"""

    @property
    def name(self) -> str:
        return self.element.name

    @property
    def bodies(self) -> tuple[str, ...]:
        """All the bodies that the joint acts on."""
        return self.element.bodies

    # ------------------------------------------------------------------------------------- in words
    def on(self, body: str) -> Reaction:
        """The same joint on another of its bodies."""
        if body not in self.element.bodies:
            why = f"{self.name!r} is between {', '.join(self.bodies)}"
            raise MethodError(Problem(f"{self.name!r} does not act on {body!r}", why=why, cure="name one of these"))
        return replace(self, body=body)

    def in_frame(self, frame: str) -> Reaction:
        """Components along the axes of the "ground", of a body, or of the "joint" itself."""
        resolved = self.motion.system.resolved
        rigid = [b for b, body in resolved.bodies.items() if not body.particle]
        if frame not in (GROUND, JOINT, *rigid):
            raise MethodError(Problem(f"{frame!r} has no axes", cure=f"one of: ground, joint, {', '.join(rigid)}"))
        if frame == JOINT:
            self._joint_axes()
        return replace(self, frame=frame)

    def at(self, point: str) -> Reaction:
        """The moment about another point: a named one, any of a body ("rod@0.1,0") or of the ground ("ground@1,2"),
        "origin", or a body's name for its centre of mass."""
        pivot(self.motion, point)  # told now if there is none
        return replace(self, about=point)

    # ----------------------------------------------------------------------------------------- numbers
    @property
    def force(self) -> Channel:
        """Force on the body, N: (samples, 2), in space (samples, 3)."""
        d = self.motion.system.resolved.dimension
        return Channel.of(self._turned(self._wrench[0])[:, :d], self._label("reaction"), "N")

    @property
    def moment(self) -> Channel:
        """Moment on the body, N m: (samples), in space (samples, 3)."""
        moment = self._turned(self._wrench[1])
        space = self.motion.system.resolved.dimension == 3
        return Channel.of(moment if space else moment[:, 2], self._label("moment"), "N*m")

    @property
    def power(self) -> Channel:
        """Of what acts between bodies, the power that it gives to all of them together, W."""
        free = self.motion.free_bodies
        g = free.on_bodies(self.element.force(free))
        return Channel.of((g * free.v).sum(axis=1), f"{self.name}.power", "W")

    @property
    def about_point(self) -> np.ndarray:
        """Where the moment is taken about, in ground axes: (samples, 3)."""
        motion = self.motion
        if self.about is not None:
            return pivot(motion, self.about)
        place = self.element.on(self.body)
        if place is None:
            return motion.free_bodies.centre(self.body)
        return three_components(motion.posture.place(place)[0])

    def _label(self, what: str) -> str:
        return f"{self.name}.{what}@{self.body}" + ("" if self.frame == GROUND else f" in {self.frame}")

    @property
    def _wrench(self) -> tuple[np.ndarray, np.ndarray]:
        free = self.motion.free_bodies
        force, moment = free.wrench(self.element.force(free), self.body)
        return force, moment + np.cross(free.centre(self.body) - self.about_point, force)

    def _turned(self, x: np.ndarray) -> np.ndarray:
        if self.frame == GROUND:
            return x
        R = self._joint_axes() if self.frame == JOINT else self.motion.body_motion(self.frame).R[0]
        return np.einsum("kji,kj->ki", R, x)

    def _joint_axes(self) -> np.ndarray:
        """Axes of the joint as columns: of its frame on the first body, along its line, along its rod."""
        j, posture = self.element.joint, self.motion.posture
        if j is not None and joint_class(j.type, self.motion.system.resolved.dimension).is_rod:
            a, b = (three_components(posture.place(p)[0]) for p in (j.places or tuple(f.place for f in j.frames)))
            return _triad(b - a)
        if j is not None and j.frames:
            f = j.frames[0]
            return self.motion.body_motion(f.body).R[0] @ np.array([f.e1, f.e2, f.e3], dtype=float).T
        if j is not None and j.lines:
            line = j.lines[0]
            if isinstance(line.vector, Direction) and line.vector.body == GROUND:
                u = np.tile(np.array(line.vector.local, dtype=float), (len(self.motion.t), 1))
            else:
                u = posture.line(line)[0]
            return _triad(three_components(u))
        bodies = [b for b in self.bodies if b != GROUND]
        why = f"{self.name!r} ({self.element.kind}) has no line and no axis in the plane"
        cure = f"name a body whose axes to use: {', '.join(bodies)}"
        raise MethodError(Problem(f"{self.name!r} has no axes of its own", why=why, cure=cure))

    def __repr__(self) -> str:
        axes = "" if self.frame == GROUND else f", axes of {self.frame}"
        largest = float(np.abs(self.force).max(initial=0.0))
        return f"Reaction({self.name!r} on {self.body!r}{axes}: at most {largest:.4g} N in a component)"


def reaction(r: Motion, name: str) -> Reaction:
    """Of a point of the plane what its pin does; of a joint, a driver, a spring or a load what it does.

    On the body that the channels name too: of a pin the one declared last, of a joint the second, never the ground.
    """
    resolved = r.system.resolved
    known, points = elements(resolved), pins(resolved)
    element = known.get(name)
    if element is None or element.kind == "pin":
        element = points.get(name, element)
    if element is None:
        every = list(dict.fromkeys([*known, *(p for p in resolved.start if p in points)]))
        close = get_close_matches(name, every, n=3)
        cure = f"did you mean {', '.join(close)}?" if close else f"one of: {', '.join(every) or '(nothing acts here)'}"
        why = "no joint, driver or force has this name, and no pin is at a point of this name"
        raise MethodError(Problem(f"nothing called {name!r} acts on bodies", why=why, cure=cure))
    return Reaction(r, element, element.last_body)


def reaction_channels(r: Motion, out: Catalogue) -> None:
    """Of every pin "P.reaction@body", by the names of all its points, and "P.reaction" on the last of its bodies; of
    every joint "J.reaction" and "J.moment" on its second body, about its point there. In ground axes.

    Where constraints are redundant they are the ones of least norm, each row in newtons (moments over the size of the
    mechanism): a convention, and the same one everywhere.   [R.1]
    """
    resolved = r.system.resolved
    axes = "xyz"[: resolved.dimension]
    for point, pin in pins(resolved).items():
        for body in pin.bodies:
            if body != GROUND:
                force = lambda one=Reaction(r, pin, body): np.asarray(one.force)  # noqa: E731
                out.vector(f"{point}.reaction@{body}", force, "N", axes, norm=True)
        for suffix in ("", *(f".{x}" for x in axes), ".norm"):
            out[f"{point}.reaction{suffix}"] = out[f"{point}.reaction@{pin.last_body}{suffix}"]
    for j in resolved.joints:
        element = joint_element(resolved, j)
        moving = [b for b in element.bodies if b in resolved.bodies]
        if not moving or not (j.places or j.frames or j.lines):
            continue
        one = Reaction(r, element, moving[-1])
        out.vector(f"{j.name}.reaction", lambda one=one: np.asarray(one.force), "N", axes, norm=True)
        moment = lambda one=one: np.asarray(one.moment)  # noqa: E731
        if resolved.dimension == 3:
            out.vector(f"{j.name}.moment", moment, "N*m", axes, norm=True)
        else:
            out[f"{j.name}.moment"] = (moment, "N*m")


def _triad(u: np.ndarray) -> np.ndarray:
    """Axes with the first along u; in the plane the third stays upright, in space the second is as level as it can."""
    e1 = u / np.linalg.norm(u, axis=1)[:, None]
    up = np.tile([0.0, 0.0, 1.0], (len(u), 1))
    steep = np.abs(e1[:, 2]) > 0.9
    up[steep] = [1.0, 0.0, 0.0]
    e2 = np.cross(up, e1)
    e2 /= np.linalg.norm(e2, axis=1)[:, None]
    return np.stack([e1, e2, np.cross(e1, e2)], axis=2)
