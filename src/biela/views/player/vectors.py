"""Arrows for a page: velocities and accelerations of points, reactions of joints, forces of springs and loads."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import BielaError
from ...model.joints import joint_class
from ...model.resolved import GROUND
from ...results.motion import Motion
from ...results.reactions.elements import elements
from .frames import Frames
from .packing import pack

UNITS = {"velocity": "m/s", "acceleration": "m/s²", "force": "N", "reaction": "N"}
REACH = 0.2
Arrow = tuple[list[float], np.ndarray]
"""a place, and a vector at every sample"""


def arrows(motion: Motion, frames: Frames, kinds: list[str], notes: list[str]) -> dict[str, list[Arrow]]:
    """Of each kind those that there are; a kind that cannot be computed is left out, and said so.

    `motion` are the instants at which they are wanted; `frames` tell places.
    """
    out: dict[str, list[Arrow]] = {}
    for kind in kinds:
        try:
            found = (_moving if kind in ("velocity", "acceleration") else _acting)(motion, frames, kind)
        except BielaError as error:
            notes.append(f"no arrows for {kind}: {error.problems[0].what}")
            continue
        least = _noise(motion, kind)
        found = [(place, v) for place, v in found if np.isfinite(v).any() and np.nanmax(np.abs(v)) > least]
        if found:
            out[kind] = found
    return out


def _noise(motion: Motion, kind: str) -> float:
    """What is no more than rounding: against speeds that cross the mechanism in the time shown, against its weight and
    what its energy would do over its size."""
    span, size = max(float(motion.t[-1] - motion.t[0]), 1e-300), motion.system.size
    if kind in ("velocity", "acceleration"):
        return 1e-12 * size / span ** (1 if kind == "velocity" else 2)
    resolved = motion.system.resolved
    mass = sum(float(b.mass) for b in resolved.bodies.values())
    weight = mass * float(np.linalg.norm([float(g) for g in resolved.gravity]))
    energy = np.asarray(motion["energy.kinetic"])
    return 1e-10 * max(weight, float(np.nanmax(energy, initial=0.0)) / size)


def _moving(motion: Motion, frames: Frames, kind: str) -> list[Arrow]:
    resolved = frames.resolved
    out = [(frames.point(p), np.asarray(motion[f"{p}.{kind}"])) for p in resolved.start]
    for name, body in resolved.bodies.items():
        if not body.points:
            center = [0.0] * frames.dimension if body.particle else [float(x) for x in body.center]
            out.append(([frames.index[name], *center], np.asarray(motion[f"{name}.{kind}"])))
    return out


def _acting(motion: Motion, frames: Frames, kind: str) -> list[Arrow]:
    """Reactions of pins and joints, or what springs, dampers and loads do, on the body that `r.reaction` names.

    Of joints that slide in space the arrow is drawn where their sign is, on the axis; the force is the same there."""
    d, out = frames.dimension, []
    still = None
    if d == 3 and kind == "reaction":
        from .space_shapes import Still

        still = Still(frames, int(np.argmax(frames.good)))
    for label, e in elements(frames.resolved).items():
        holds = e.kind == "pin" or e.joint is not None
        if e.kind == "driver" or holds != (kind == "reaction"):
            continue
        if not e.places:
            continue
        r = motion.reaction(label)
        place = e.acts_at(r.body)
        if r.body != GROUND and place is not None:
            slides = still is not None and e.joint is not None and joint_class(e.joint.type, 3).slides_along()
            at = still.seat(e.joint) if slides else frames.place(place)  # type: ignore[union-attr, arg-type]
            out.append((at, np.asarray(r.force)[:, :d]))
    return out


def per_unit(found: list[Arrow], span: float) -> float:
    """Metres of drawing per unit: most arrows stay within a fifth of the picture, and a rare peak within most of it."""
    sizes = np.concatenate([np.linalg.norm(v, axis=1) for _, v in found]) if found else np.zeros(0)
    sizes = sizes[np.isfinite(sizes) & (sizes > 0)]
    if not len(sizes):
        return 0.0
    return span * min(REACH / float(np.quantile(sizes, 0.95)), 3 * REACH / float(sizes.max()))


def packed(kind: str, found: list[Arrow], stride: int) -> dict[str, Any]:
    """Arrows as a page reads them: at every `stride`-th of the instants that are drawn, and the last."""
    data = np.stack([v for _, v in found], axis=1)
    return {"kind": kind, "unit": UNITS[kind], "stride": stride, "at": [p for p, _ in found], "data": pack(data)}
