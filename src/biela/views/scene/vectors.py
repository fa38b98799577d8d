"""Arrows: velocities and accelerations of points, reactions of joints, forces of springs and loads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import BielaError, MethodError, Problem
from ...model.joints import joint_class
from ...model.resolved import GROUND, Place
from ...results.motion import Motion
from ...results.reactions.elements import elements
from .scene import Scene

UNITS = {"velocity": "m/s", "acceleration": "m/s²", "force": "N", "reaction": "N"}
"""the kinds of arrows, and what they are measured in"""
REACH = 0.2
"""of the picture: the length of the longest arrow of each kind"""
Arrow = tuple[list[float], np.ndarray]
"""a place, and a vector at every sample"""


def check_vectors(kinds: Sequence[str]) -> list[str]:
    """The kinds of arrows that are asked for, each once; those that there are not are refused."""
    wrong = [kind for kind in kinds if kind not in UNITS]
    if wrong:
        cure = f"some of: {', '.join(UNITS)}"
        raise MethodError([Problem(f"there are no arrows for {kind!r}", cure=cure) for kind in wrong])
    return list(dict.fromkeys(kinds))


def arrows(
    scene: Scene, kinds: Sequence[str], motion: Motion | None = None, notes: list[str] | None = None
) -> dict[str, list[Arrow]]:
    """Of each kind those that there are; `motion` are the instants at which they are wanted, if not all.

    A kind that cannot be computed is left out and said so in `notes`; without notes it is an error.
    """
    motion, out = motion or scene.motion, {}
    for kind in check_vectors(kinds):
        try:
            found = (_moving if kind in ("velocity", "acceleration") else _acting)(scene, motion, kind)
        except BielaError as error:
            if notes is None:
                raise
            notes.append(f"no arrows for {kind}: {error.problems[0].what}")
            continue
        least = _noise(scene, motion, kind)
        found = [(place, v) for place, v in found if np.isfinite(v).any() and np.nanmax(np.abs(v)) > least]
        if found:
            out[kind] = found
    return out


def _noise(scene: Scene, motion: Motion, kind: str) -> float:
    """What is no more than rounding: against speeds that cross the mechanism in the time shown, against its weight and
    what its energy would do over its size."""
    span = float(scene.motion.t[-1] - scene.motion.t[0])
    if kind in ("velocity", "acceleration"):
        return 1e-12 * scene.size / span ** (1 if kind == "velocity" else 2) if span > 0 else 0.0
    mass = sum(float(b.mass) for b in scene.resolved.bodies.values())
    weight = mass * float(np.linalg.norm([float(g) for g in scene.resolved.gravity]))
    energy = np.asarray(motion["energy.kinetic"])
    return 1e-10 * max(weight, float(np.nanmax(energy, initial=0.0)) / scene.size)


def _moving(scene: Scene, motion: Motion, kind: str) -> list[Arrow]:
    """At the points that move, and at the centres of bodies without points."""
    resolved = scene.resolved
    out = [(scene.points[p], np.asarray(motion[f"{p}.{kind}"])) for p in resolved.start]
    bare = [(name, body) for name, body in resolved.bodies.items() if not body.points]
    return out + [(scene.frames.place(Place(name, body.center)), np.asarray(motion[f"{name}.{kind}"]))
                  for name, body in bare]  # fmt: skip


def _acting(scene: Scene, motion: Motion, kind: str) -> list[Arrow]:
    """Reactions of pins and joints, or what springs, dampers and loads do, on the body that `r.reaction` names.

    Of joints that slide in space the arrow is drawn where their sign is, on the axis; the force is the same there."""
    out: list[Arrow] = []
    for label, e in elements(scene.resolved).items():
        constrains = e.kind == "pin" or e.joint is not None
        if e.kind == "driver" or not e.places or constrains != (kind == "reaction"):
            continue
        r = motion.reaction(label)
        place = e.acts_at(r.body)
        if r.body != GROUND and place is not None:
            at = scene.frames.place(place)
            if scene.start is not None and e.joint is not None and joint_class(e.joint.type, 3).slides_along():
                at = scene.start.from_posture(e.joint)
            out.append((at, np.asarray(r.force)[:, : scene.dimension]))
    return out


def per_unit(found: list[Arrow], span: float) -> float:
    """Metres of drawing per unit: most arrows stay within a fifth of the picture, and a rare peak within most of it."""
    sizes = np.concatenate([np.linalg.norm(v, axis=1) for _, v in found]) if found else np.zeros(0)
    sizes = sizes[np.isfinite(sizes) & (sizes > 0)]
    if not len(sizes):
        return 0.0
    return span * min(REACH / float(np.quantile(sizes, 0.95)), 3 * REACH / float(sizes.max()))
