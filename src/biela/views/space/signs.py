"""The signs that joints in space are drawn with: hinges, slides, balls, crosses, threads, planes, welds, the ground.

Each is drawn at a place with an axis; its size is that of the stage's signs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.patches import Polygon

from ..plane.symbols import EDGE, hatched_line
from ..style import GREY, INK, light
from .solids import across, box, circle, cylinder
from .stage import DASHED, STEEL, Stage

CASE = "#9AA5AF"  # the housing of a joint
FORK = (1.45, 2.1)  # half the width of a fork, and its depth
DISC, BALL = PLANES = "disc on a plane", "ball on a plane"
RODS = "rod", "hinged rod"
"""signs of joints that stand for rods"""


@dataclass(frozen=True)
class Seat:
    """Where a joint sits: its place, its axis on the first and on the second body, and where these bodies are."""

    sign: str
    """the word for its drawing, as in `SIGNS`"""
    at: np.ndarray
    axis: np.ndarray
    other: np.ndarray
    side: np.ndarray
    """a direction across the axis, of the first body"""
    colours: tuple[str, str]
    bodies: tuple[np.ndarray, np.ndarray]
    """from the joint towards the middle of each body; zero where there is none"""
    grounded: bool = False
    travel: tuple[float, float] = (0.0, 0.0)
    """how far it slides along the axis, to and fro"""
    upside: float = 1.0
    """of a screw: right-handed or left-handed"""


def draw_joint(stage: Stage, seat: Seat) -> None:
    """The sign of a joint; types without one (angles, gears, equations) are not drawn."""
    sign = SIGNS.get(seat.sign)
    if sign is None:
        return
    if seat.grounded and seat.sign not in ("slide", "slot", *PLANES):
        ground(stage, seat.at, [way for way in seat.bodies if np.any(way)])
    sign(stage, seat)


def axis_line(stage: Stage, at: np.ndarray, axis: np.ndarray, start: float, end: float) -> None:
    """A short dash-dot line on both sides of a sign."""
    for way in (1.0, -1.0):
        ends = [at + way * s * stage.unit * axis for s in (start, end)]
        stage.line(ends, 0.0, GREY, 1.1, ls=DASHED, dash_capstyle="butt")
        stage.taken.append(stage.view.flat(np.array(ends)))


def ground(stage: Stage, at: np.ndarray, busy: Sequence[np.ndarray] = (), drop: float = 1.9) -> None:
    """A pedestal on hatching: below a place, unless something goes off that way; then above or beside it."""
    x = stage.view.flat(at)
    ways = [w / n for w in (stage.view.flat(b) for b in busy) if (n := float(np.hypot(*w))) > 1e-9 * stage.unit]
    feet = [np.array(foot, dtype=float) for foot in ((0, -1), (0, 1), (-1, 0), (1, 0))]
    free = [min([1.0 - float(foot @ way) for way in ways], default=2.0) for foot in feet]
    down = feet[next(k for k, f in enumerate(free) if f > min(0.35, 0.9 * max(free)))]
    along = np.array([-down[1], down[0]])
    unit, order = stage.unit, stage.order(at, -0.6)
    w, h = 0.85 * unit, drop * unit
    corners = [x - 0.28 * unit * along, x + 0.28 * unit * along, x + w * along + h * down, x - w * along + h * down]
    look = {"facecolor": "#ECEFF1", "edgecolor": INK, "lw": 1.2, "joinstyle": "round", "zorder": order}
    stage.axes.add_patch(Polygon(np.array(corners), **look))
    stage.taken.append(np.array([x + h * down + s * w * along for s in (-1.6, -0.8, 0.0, 0.8, 1.6)]))
    # a line's strokes are on its right-hand side
    hatched_line(stage.axes, x + h * down - 1.55 * w * along, x + h * down + 1.55 * w * along, unit, zorder=order)


def hinge(stage: Stage, seat: Seat, half: float = 0.95, radius: float = 0.5) -> None:
    """A cylinder about its axis."""
    axis_line(stage, seat.at, seat.axis, half, 2.5)
    stage.solid(cylinder(seat.at, seat.axis, radius * stage.unit, half * stage.unit), STEEL, lift=0.4)


def sleeve(stage: Stage, seat: Seat) -> None:
    """A sleeve on a shaft that shows at both ends."""
    axis_line(stage, seat.at, seat.axis, 1.8, 3.2)
    stage.solid(cylinder(seat.at, seat.axis, 0.24 * stage.unit, 1.75 * stage.unit), CASE, lift=0.3, width=1.0)
    stage.solid(cylinder(seat.at, seat.axis, 0.5 * stage.unit, 0.85 * stage.unit), STEEL, lift=0.4)


def thread(stage: Stage, seat: Seat) -> None:
    """A nut on a thread."""
    unit = stage.unit
    axis_line(stage, seat.at, seat.axis, 1.8, 3.2)
    stage.solid(cylinder(seat.at, seat.axis, 0.26 * unit, 1.8 * unit), CASE, lift=0.3, width=1.0)
    stage.solid(cylinder(seat.at, seat.axis, 0.54 * unit, 0.62 * unit), STEEL, lift=0.5)
    for way in (-1.0, 1.0):
        for k in range(4):
            middle = seat.at + way * (0.78 + 0.3 * k) * unit * seat.axis
            ring = circle(middle, seat.axis, 0.3 * unit)
            turn = np.linspace(-0.16, 0.16, len(ring))[:, None] * seat.upside * unit * seat.axis
            shown = (ring - middle) @ stage.view.towards > -0.05 * unit
            stage.line(_longest(ring + turn, shown), 0.45, INK, 1.0)


def slide(stage: Stage, seat: Seat) -> None:
    """A block on a rail; the ground's rail is hatched, as long as the block travels."""
    unit, e = stage.unit, seat.axis
    low, high = (seat.travel[0] - 2.6 * unit, seat.travel[1] + 2.6 * unit)
    rail = np.array([seat.at + low * e, seat.at + high * e])
    rigid = np.stack([e, seat.side, np.cross(e, seat.side)], axis=1)
    if seat.grounded:
        _hatched_rail(stage, rail, seat.at)
    else:
        axis_line(stage, seat.at, e, 1.2, 3.0)
    stage.solid(box(seat.at, rigid, np.array([2.4, 1.3, 1.3]) * unit), STEEL, lift=0.4)


def _hatched_rail(stage: Stage, rail: np.ndarray, at: np.ndarray) -> None:
    """A rail of the ground, with strokes on its lower side on paper."""
    flat, order, unit = stage.view.flat(rail), stage.order(at, -1.0), stage.unit
    along = flat[1] - flat[0]
    length = float(np.hypot(*along))
    if length < 0.5 * unit:
        return
    normal = np.array([along[1], -along[0]]) / length
    if normal[1] > 1e-9 or (abs(normal[1]) <= 1e-9 and normal[0] < 0):
        flat, normal = flat[::-1], -normal
    shifted = flat + 0.75 * unit * normal
    # a line's strokes are on its right-hand side
    hatched_line(stage.axes, shifted[0], shifted[1], unit, int(np.clip(length / (0.55 * unit), 5, 60)), zorder=order)
    stage.line(rail, 0.0, GREY, 1.1, ls=DASHED, zorder=stage.order(at, -1.0))


def ball(stage: Stage, seat: Seat) -> None:
    """A ball and its socket."""
    stage.ball(seat.at, 0.58 * stage.unit, lift=0.5)


def cross(stage: Stage, seat: Seat) -> None:
    """A Hooke joint: a cross, and a fork of each body that holds its own axis."""
    unit = stage.unit
    for axis, ink, way in ((seat.axis, seat.colours[0], seat.bodies[0]), (seat.other, seat.colours[1], seat.bodies[1])):
        arm = way - (way @ axis) * axis
        size = float(np.linalg.norm(arm))
        for end in (1.0, -1.0):
            tip = seat.at + end * FORK[0] * unit * axis
            stage.line([seat.at, tip], 0.3, INK, 2.8, solid_capstyle="butt")
            if size > 1e-9 * unit:
                angles = np.linspace(0, np.pi / 2, 16)
                bent = np.outer(np.cos(angles), end * FORK[0] * axis) + np.outer(np.sin(angles), FORK[1] * arm / size)
                order = stage.order(tip, 0.5)
                stage.taken.append(stage.view.flat(seat.at + unit * bent))
                for width, colour in ((6.4, ink), (6.4 - 2 * EDGE, light(ink))):
                    stage.line(seat.at + unit * bent, 0.0, colour, width, solid_capstyle="round", zorder=order)
            stage.ball(tip, 0.26 * unit, lift=0.7)
    stage.ball(seat.at, 0.34 * unit, lift=0.4)


def set_back(stage: Stage, seat: Seat, body: int) -> float:
    """How far from a joint the bar of a body ends: at the root of its fork."""
    axis, way = (seat.axis, seat.other)[body], seat.bodies[body]
    return FORK[1] * stage.unit * float(np.linalg.norm(way - (way @ axis) * axis) / (np.linalg.norm(way) or 1.0))


def weld(stage: Stage, seat: Seat) -> None:
    """Two bodies made one: a dark square."""
    x, size = stage.view.flat(seat.at), 0.36 * stage.unit
    corners = x + size * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    stage.axes.add_patch(Polygon(corners, facecolor=INK, edgecolor=INK, lw=1.0, zorder=stage.order(seat.at, 0.5)))


def floor(stage: Stage, seat: Seat) -> None:
    """A piece of the plane that a body slides on, and its normal."""
    u, v, size = seat.side, np.cross(seat.axis, seat.side), 2.6 * stage.unit
    corners = np.array([seat.at + size * (a * u + b * v) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    fill = GREY if seat.grounded else seat.colours[0]
    flat, order = stage.view.flat(corners), stage.order(corners, -0.5)
    stage.taken.append(flat)
    look = {"facecolor": light(fill, 0.85), "edgecolor": fill, "lw": 1.0, "zorder": order}
    stage.axes.add_patch(Polygon(flat, **look, hatch="////" if seat.grounded else None))
    stage.line([seat.at, seat.at + 2.3 * stage.unit * seat.axis], 0.0, GREY, 1.1, ls=DASHED)
    if seat.sign == DISC:
        stage.solid(cylinder(seat.at, seat.axis, 0.75 * stage.unit, 0.16 * stage.unit), STEEL, lift=0.4)
    else:
        ball(stage, seat)


def slot(stage: Stage, seat: Seat) -> None:
    """A ball on a line."""
    low, high = (seat.travel[0] - 2.6 * stage.unit, seat.travel[1] + 2.6 * stage.unit)
    rail = np.array([seat.at + low * seat.axis, seat.at + high * seat.axis])
    if seat.grounded:
        _hatched_rail(stage, rail, seat.at)
    else:
        stage.line(rail, -0.2, GREY, 1.1, ls=DASHED)
    ball(stage, seat)


def turning_arrow(stage: Stage, at: np.ndarray, axis: np.ndarray, away: np.ndarray, colour: str) -> None:
    """An arrow round an axis, on the side away from a body: something drives it."""
    unit = stage.unit
    side = -1.0 if float(away @ axis) > 0 else 1.0
    arc = circle(at + side * 1.9 * unit * axis, axis, 1.3 * unit, 0.1, 0.78)
    for k in range(0, len(arc) - 1, 5):
        stage.line(arc[k : k + 6], 0.0, colour, 1.8, solid_capstyle="round")
    _head(stage, arc[-4], arc[-1], colour)
    stage.taken.append(stage.view.flat(arc))


def _head(stage: Stage, back: np.ndarray, end: np.ndarray, colour: str) -> None:
    """The head of an arrow."""
    x, unit = stage.view.flat(end), stage.unit
    way = x - stage.view.flat(back)
    way = way / (float(np.hypot(*way)) or 1.0)
    side = np.array([-way[1], way[0]])
    head = np.array([x + 0.75 * unit * way, x + 0.34 * unit * side, x - 0.34 * unit * side])
    stage.axes.add_patch(Polygon(head, facecolor=colour, edgecolor=colour, zorder=stage.order(end, 0.3)))


def pushing_arrow(stage: Stage, at: np.ndarray, axis: np.ndarray, colour: str) -> None:
    """An arrow along an axis: something drives it."""
    start, end = at + 1.3 * stage.unit * axis, at + 3.1 * stage.unit * axis
    stage.line([start, end], 0.6, colour, 1.8)
    _head(stage, start, end, colour)


def side_of(axis: np.ndarray) -> np.ndarray:
    """A direction across an axis."""
    return across(axis)[0]


def _longest(points: np.ndarray, shown: np.ndarray) -> np.ndarray:
    """The longest run of places that are shown, taking a closed line round its end."""
    if shown.all() or not shown.any():
        return points
    start = int(np.argmin(shown))
    points, shown = np.roll(points[:-1], -start, axis=0), np.roll(shown[:-1], -start)
    return points[shown]


SIGNS: dict[str, Callable[[Stage, Seat], None]] = {
    "hinge": hinge,
    "slide": slide,
    "sleeve": sleeve,
    "thread": thread,
    "ball": ball,
    "cross": cross,
    **dict.fromkeys(PLANES, floor),
    "slot": slot,
    "weld": weld,
}
"""word of a joint -> its drawing; the player has the same words, and `RODS` are drawn as bars"""
