"""The parts that signs of joints in space are made of (`scene.signs`), drawn on a stage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.patches import Polygon

from ..scene.frames import Thing
from ..scene.scene import Scene
from ..scene.signs import Part
from ..scene.solids import box, circle, cylinder
from ..style import CASE, GREY, INK, SHAFT, STEEL, colour, light
from .stage import DASHED, Stage
from .symbols import EDGE, hatched_line, head

METALS = {"steel": STEEL, "shaft": SHAFT}


class Seat:
    """A joint's sign at one sample, in ground axes: its place, its axis on both bodies, and where these are."""

    def __init__(self, stage: Stage, scene: Scene, sign: Thing, sample: int):
        vector = lambda name: scene.frames.direction(sign[name], sample)  # noqa: E731
        self.sign, self.grounded = sign, sign["grounded"]
        self.axis, self.other, self.side = vector("axis"), vector("other"), vector("side")
        self.at = scene.at(sign["at"], sample) + sign["shift"] * stage.unit * self.axis
        self.bodies = [scene.frames.direction(v, sample) for v in sign["bodies"]]
        self.inks = [GREY if k < 0 else colour(k) for k in sign["colours"]]
        self.start = scene.at(sign["start"], sample)


def draw_joint(stage: Stage, scene: Scene, sign: Thing, sample: int) -> None:
    """The sign of a joint, part by part."""
    seat = Seat(stage, scene, sign, sample)
    for part in sign["parts"]:
        PARTS[part["part"]](stage, seat, part)


def pedestal(stage: Stage, at: np.ndarray, busy: Sequence[np.ndarray] = (), drop: float = 1.9) -> None:
    """The ground: a pedestal on hatching, below a place unless something goes off that way; then above or beside it."""
    x = stage.view.flat(at)
    taken = [w / n for w in (stage.view.flat(b) for b in busy) if (n := float(np.hypot(*w))) > 1e-9 * stage.unit]
    feet = [np.array(foot, dtype=float) for foot in ((0, -1), (0, 1), (-1, 0), (1, 0))]
    free = [min([1.0 - float(foot @ way) for way in taken], default=2.0) for foot in feet]
    down = feet[next(k for k, f in enumerate(free) if f > min(0.35, 0.9 * max(free)))]
    along = np.array([-down[1], down[0]])
    unit, order = stage.unit, stage.order(at, -0.6)
    w, h = 0.85 * unit, drop * unit
    corners = [x - 0.28 * unit * along, x + 0.28 * unit * along, x + w * along + h * down, x - w * along + h * down]
    fill: Any = {"facecolor": CASE, "edgecolor": INK, "lw": 1.2, "joinstyle": "round", "zorder": order}
    stage.axes.add_patch(Polygon(np.array(corners), **fill))
    stage.taken.append(np.array([x + h * down + s * w * along for s in (-1.6, -0.8, 0.0, 0.8, 1.6)]))
    # a line's strokes are on its right-hand side
    hatched_line(stage.axes, x + h * down - 1.55 * w * along, x + h * down + 1.55 * w * along, unit, zorder=order)


def _pedestal(stage: Stage, seat: Seat, part: Part) -> None:
    if seat.grounded:
        pedestal(stage, seat.at, [way for way in seat.bodies if np.linalg.norm(way) > 1e-12])


def _axis(stage: Stage, seat: Seat, part: Part) -> None:
    """A short dash-dot line on both sides of a sign."""
    for way in (1.0, -1.0):
        ends = [seat.at + way * s * stage.unit * seat.axis for s in (part["from"], part["to"])]
        stage.line(ends, 0.0, GREY, 1.1, ls=DASHED, dash_capstyle="butt")
        stage.taken.append(stage.view.flat(np.array(ends)))


def _rail(stage: Stage, seat: Seat, part: Part) -> None:
    """Of the ground, with strokes on its lower side on paper, as long as the joint travels."""
    if not seat.grounded:
        return _axis(stage, seat, part)
    unit, order, (low, high) = stage.unit, stage.order(seat.at, -1.0), seat.sign["travel"]
    reach = low - part["beyond"] * unit, high + part["beyond"] * unit
    rail = np.array([seat.start + s * seat.axis for s in reach])
    flat = stage.view.flat(rail)
    along = flat[1] - flat[0]
    length = float(np.hypot(*along))
    if length < 0.5 * unit:
        return
    normal = np.array([along[1], -along[0]]) / length
    if normal[1] > 1e-9 or (abs(normal[1]) <= 1e-9 and normal[0] < 0):
        flat, normal = flat[::-1], -normal
    shifted = flat + 0.75 * unit * normal
    hatched_line(stage.axes, shifted[0], shifted[1], unit, int(np.clip(length / (0.55 * unit), 5, 60)), zorder=order)
    stage.line(rail, 0.0, GREY, 1.1, ls=DASHED, zorder=order)


def _cylinder(stage: Stage, seat: Seat, part: Part) -> None:
    faces = cylinder(seat.at, seat.axis, part["radius"] * stage.unit, part["half"] * stage.unit)
    stage.solid(faces, METALS[part["metal"]], lift=part["lift"], width=1.2 if part["metal"] == "steel" else 1.0)


def _box(stage: Stage, seat: Seat, part: Part) -> None:
    axes = np.stack([seat.axis, seat.side, np.cross(seat.axis, seat.side)], axis=1)
    stage.solid(box(seat.at, axes, np.array(part["sides"]) * stage.unit), STEEL, lift=part["lift"])


def _forks(stage: Stage, seat: Seat, part: Part) -> None:
    unit = stage.unit
    for axis, ink, way in zip((seat.axis, seat.other), seat.inks, seat.bodies, strict=True):
        arm = way - (way @ axis) * axis
        size = float(np.linalg.norm(arm))
        for end in (1.0, -1.0):
            tip = seat.at + end * part["width"] * unit * axis
            stage.line([seat.at, tip], 0.3, INK, 2.8, solid_capstyle="butt")
            if size > 1e-9 * unit:
                angles = np.linspace(0, np.pi / 2, 16)
                bent = np.outer(np.cos(angles), end * part["width"] * axis)
                bent = seat.at + unit * (bent + np.outer(np.sin(angles), part["depth"] * arm / size))
                stage.taken.append(stage.view.flat(bent))
                for width, shade in ((6.4, ink), (6.4 - 2 * EDGE, light(ink))):
                    stage.line(bent, 0.0, shade, width, solid_capstyle="round", zorder=stage.order(tip, 0.5))
            stage.ball(tip, 0.26 * unit, lift=0.7)


def _turns(stage: Stage, seat: Seat, part: Part) -> None:
    """Of a thread: what is seen of its rings on both sides of the nut."""
    unit = stage.unit
    for way in (-1.0, 1.0):
        for k in range(part["count"]):
            middle = seat.at + way * (part["first"] + part["pitch"] * k) * unit * seat.axis
            ring = circle(middle, seat.axis, part["radius"] * unit)
            rise = np.linspace(-0.16, 0.16, len(ring))[:, None] * seat.sign["hand"] * unit * seat.axis
            shown = (ring - middle) @ stage.view.towards > -0.05 * unit
            stage.line(_longest(ring + rise, shown), 0.45, INK, 1.0)


def _longest(points: np.ndarray, shown: np.ndarray) -> np.ndarray:
    """The longest run of places that are shown, taking a closed line round its end."""
    if shown.all() or not shown.any():
        return points
    start = int(np.argmin(shown))
    points, shown = np.roll(points[:-1], -start, axis=0), np.roll(shown[:-1], -start)
    return points[shown]


def _floor(stage: Stage, seat: Seat, part: Part) -> None:
    u, v, size = seat.side, np.cross(seat.axis, seat.side), part["half"] * stage.unit
    corners = np.array([seat.at + size * (a * u + b * v) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    ink = GREY if seat.grounded else seat.inks[0]
    flat = stage.view.flat(corners)
    stage.taken.append(flat)
    fill: Any = {"facecolor": light(ink, 0.85), "edgecolor": ink, "lw": 1.0, "zorder": stage.order(corners, -0.5)}
    stage.axes.add_patch(Polygon(flat, **fill, hatch="////" if seat.grounded else None))
    stage.line([seat.at, seat.at + part["normal"] * stage.unit * seat.axis], 0.0, GREY, 1.1, ls=DASHED)


def _weld(stage: Stage, seat: Seat, part: Part) -> None:
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * part["half"] * stage.unit
    fill: Any = {"facecolor": INK, "edgecolor": INK, "lw": 1.0, "zorder": stage.order(seat.at, 0.5)}
    stage.axes.add_patch(Polygon(stage.view.flat(seat.at) + corners, **fill))


PARTS: dict[str, Callable[[Stage, Seat, Part], None]] = {
    "pedestal": _pedestal,
    "axis": _axis,
    "rail": _rail,
    "cylinder": _cylinder,
    "box": _box,
    "ball": lambda stage, seat, part: stage.ball(seat.at, part["radius"] * stage.unit, lift=part["lift"]),
    "forks": _forks,
    "turns": _turns,
    "floor": _floor,
    "weld": _weld,
}


def turning_arrow(stage: Stage, at: np.ndarray, axis: np.ndarray, away: np.ndarray, ink: str) -> None:
    """An arrow round an axis, on the side away from a body: something drives it."""
    unit = stage.unit
    side = -1.0 if float(away @ axis) > 0 else 1.0
    arc = circle(at + side * 1.9 * unit * axis, axis, 1.3 * unit, 0.1, 0.78)
    for k in range(0, len(arc) - 1, 5):
        stage.line(arc[k : k + 6], 0.0, ink, 1.8, solid_capstyle="round")
    _head(stage, arc[-4], arc[-1], ink)
    stage.taken.append(stage.view.flat(arc))


def pushing_arrow(stage: Stage, at: np.ndarray, axis: np.ndarray, ink: str) -> None:
    """An arrow along an axis: something drives it."""
    start, end = at + 1.3 * stage.unit * axis, at + 3.1 * stage.unit * axis
    stage.line([start, end], 0.6, ink, 1.8)
    _head(stage, start, end, ink)


def _head(stage: Stage, back: np.ndarray, end: np.ndarray, ink: str) -> None:
    x = stage.view.flat(end)
    head(stage.axes, x, x - stage.view.flat(back), stage.unit, ink, stage.order(end, 0.3))
