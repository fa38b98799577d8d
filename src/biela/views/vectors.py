"""Velocities, accelerations, forces and reactions as arrows on the drawing of a mechanism, each to a stated scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from ..errors import MethodError, Problem
from ..model.joints import joint_class
from ..model.resolved import GROUND
from ..results.motion import Motion
from ..results.reactions.elements import elements
from .arrows import Labels, Scale, put_key, straight
from .space.scene import Scene
from .style import COLOURS, INK

KINDS = {"velocity": ("m/s", COLOURS[2]), "acceleration": ("m/s\N{SUPERSCRIPT TWO}", COLOURS[3]),
         "force": ("N", COLOURS[4]), "reaction": ("N", COLOURS[1])}  # fmt: skip
REACH = 0.2  # of the drawing: the longest arrow of each kind


def check_vectors(names: Sequence[str]) -> list[str]:
    """The kinds of arrows that are known, or a refusal."""
    wrong = [n for n in names if n not in KINDS]
    if wrong:
        raise MethodError(Problem(f"there are no arrows for {wrong[0]!r}", cure=f"some of: {', '.join(KINDS)}"))
    return list(dict.fromkeys(names))


def draw_vectors(
    axes: Axes, motion: Motion, names: Sequence[str], at: int, extra: dict[str, Any], flat: Callable[[Any], np.ndarray]
) -> None:
    """Arrows at moving points (velocity, acceleration), joints (reaction), springs and loads (force), at one sample.

    `extra` are further points (name -> `BodyPoint`); `flat` brings places and vectors onto the paper.
    """
    (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
    span = max(x1 - x0, y1 - y0)
    scales, labels = [], Labels()
    for name in check_vectors(names):
        unit, ink = KINDS[name]
        found = (_acting if name in ("force", "reaction") else _moving)(motion, name, at, extra)
        scale = Scale.fit(name, unit, [float(np.linalg.norm(v)) for _, v in found], REACH * span, ink)
        for place, vector in found:
            if scale.per_unit * float(np.linalg.norm(vector)) < 4e-3 * span:
                continue
            start, end = flat(place), flat(place + scale.per_unit * vector)
            straight(axes, start, end, ink, zorder=10.0 + 0.1 * len(scales), width=1.7)
            labels.cover(start, end)
            labels.add(f"{np.linalg.norm(vector):.3g}", end, end - start, ink)
        scales.append(scale)
    for p in extra.values():
        axes.plot(*flat(np.asarray(p.position)[at]), marker="o", ms=4.0, color=INK, zorder=9.8)
    if motion.system.resolved.dimension == 3:
        axes.margins(0.05)
    axes.autoscale_view()
    labels.put(axes)
    (x0, x1) = axes.get_xlim()
    put_key(axes, scales, x1 - x0, below=0.0 if motion.system.resolved.dimension == 3 else 0.085)


def _moving(motion: Motion, name: str, at: int, extra: dict[str, Any]) -> list[tuple[np.ndarray, np.ndarray]]:
    points = {p: motion.point(p) for p in motion.system.resolved.start} | extra
    if not points:
        points = {b: None for b in motion.system.resolved.bodies}
    out = []
    for label, p in points.items():
        place = np.asarray(motion[f"{label}.position"] if p is None else p.position)[at]
        out.append((place, np.asarray(motion[f"{label}.{name}"] if p is None else getattr(p, name))[at]))
    return out


def _acting(motion: Motion, name: str, at: int, extra: dict[str, Any]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Of every pin and joint with a place its reaction, or of springs, dampers and loads their force, on the body
    that `r.reaction` names."""
    resolved, d = motion.system.resolved, motion.system.resolved.dimension
    seats = Scene(motion, at).seats if d == 3 and name == "reaction" else None
    out = []
    for label, e in elements(resolved).items():
        holds = e.kind == "pin" or e.joint is not None
        if e.kind == "driver" or not e.places or holds != (name == "reaction"):
            continue
        r = motion.reaction(label)
        place = e.acts_at(r.body)
        if r.body != GROUND and place is not None:
            where = motion.posture.place(place)[0][at]
            if seats is not None and e.joint is not None and joint_class(e.joint.type, 3).slides_along():
                where = seats[e.joint.name].at  # where its sign is, on the axis: the force is the same there
            out.append((where[:d], np.asarray(r.force)[at][:d]))
    return out
