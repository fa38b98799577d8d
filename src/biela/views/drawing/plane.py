"""The scene of a mechanism of the plane on matplotlib axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from ...results.geometry.body_point import read_point
from ..scene.frames import Thing
from ..scene.locks import is_closed
from ..scene.scene import Scene
from ..scene.solids import convex_hull
from ..style import CASE, COLOURS, GREY, INK, colour, light, plain_numbers
from . import names as naming
from . import symbols
from .vectors import draw_vectors

UNIT = 0.024
"""the size of the signs over that of the picture"""
CLEAR_BAR = 0.55
"""half of a bar, in units: an angular stop is drawn beside it"""


def draw_in_plane(
    axes: Axes,
    scene: Scene,
    sample: int,
    trace: Sequence[str],
    names: bool,
    adjust: str,
    vectors: Sequence[str],
    limits: tuple[np.ndarray, np.ndarray] | None,
) -> None:
    """See `draw_mechanism`."""
    traced = {p: read_point(scene.motion, p) for p in trace}
    if limits is None:
        unit = UNIT * _span(scene, sample, [np.asarray(p.position) for p in traced.values()])
    else:
        unit = UNIT * float((limits[1] - limits[0]).max() or scene.size)
    sheet = Sheet(axes, scene, sample, unit)
    axes.set_aspect("equal", adjustable=adjust)  # type: ignore[arg-type]
    axes.grid(alpha=0.6)
    for k, (p, path) in enumerate(traced.items()):
        axes.plot(*path.position.T, color=light(colour(k + 1), 0.25), lw=1.3, zorder=3.4, label=f"path of {p}")
    for shape in scene.shapes:
        sheet.shape(shape)
    for sign in scene.signs:
        (_parts if "parts" in sign else SIGNS[sign["type"]])(sheet, sign)
    if names:
        _names(sheet)
    for k, text in enumerate(scene.notes):
        put: dict[str, Any] = {"fontsize": 8.5, "color": GREY, "va": "bottom", "zorder": 9}
        axes.annotate(text, (0, 0), xycoords="axes fraction", xytext=(6, 6 + 12 * k), textcoords="offset points", **put)
    axes.set(xlabel="x [m]", ylabel="y [m]")
    axes.margins(0.08)
    if vectors:
        extra = {p: x for p, x in traced.items() if p not in scene.points}
        draw_vectors(axes, scene, sample, vectors, extra, np.asarray)
    if limits is not None:
        _show(axes, limits, 3.2 * unit)
    elif adjust == "box":
        _widen(axes)
    plain_numbers(axes)


def _span(scene: Scene, sample: int, paths: list[np.ndarray]) -> float:
    """How large the picture is."""
    places = [scene.at(p, sample) for p in scene.points.values()]
    places += [scene.at(p, sample) for s in scene.of("springs") for p in s["ends"]]
    places += [scene.at(s["at"], sample) for s in scene.of("wall", "stop")]
    for s in scene.shapes:
        if s["type"] in ("disc", "outline"):  # large bodies have large signs
            half = np.ptp(scene.extent(sample, [s]), axis=0).max() / 2
            first = scene.at(scene.points[next(iter(scene.resolved.bodies[s["name"]].points))], sample)
            places += [first - half, first + half]
    points = np.vstack([*places, *(p[np.isfinite(p).all(axis=1)] for p in paths)])
    return float(np.ptp(points, axis=0).max()) or scene.size


def _show(axes: Axes, limits: tuple[np.ndarray, np.ndarray], margin: float) -> None:
    """A box with a margin, whatever was drawn, in the proportions of the axes."""
    (left, low), (right, high) = limits[0] - margin, limits[1] + margin
    box = axes.get_window_extent()
    per_pixel = max((right - left) / box.width, (high - low) / box.height)
    half = per_pixel * np.array([box.width, box.height]) / 2
    middle = np.array([left + right, low + high]) / 2
    axes.set(xlim=(middle[0] - half[0], middle[0] + half[0]), ylim=(middle[1] - half[1], middle[1] + half[1]))


def _widen(axes: Axes) -> None:
    """A mechanism that is a mere line gets some paper beside it."""
    (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
    least = 0.4 * max(x1 - x0, y1 - y0)
    for low, high, put in ((x0, x1, axes.set_xlim), (y0, y1, axes.set_ylim)):
        if high - low < least:
            put((low + high - least) / 2, (low + high + least) / 2)


class Sheet:
    """Axes, the scene and the sample that is drawn on them, and the size of the signs in metres."""

    def __init__(self, axes: Axes, scene: Scene, sample: int, unit: float):
        self.axes, self.scene, self.sample, self.unit = axes, scene, sample, unit
        self.walls: list[np.ndarray] = []
        """lines of guides, which names keep clear of"""

    def at(self, place: list[float]) -> np.ndarray:
        return self.scene.at(place, self.sample)

    def way(self, sign: Thing) -> np.ndarray:
        """The unit vector of a sign's direction."""
        u = self.at(sign["way"][1]) - self.at(sign["way"][0])
        return u / (float(np.hypot(*u)) or 1.0)

    def shape(self, shape: Thing) -> None:
        """A body, or a part of it."""
        ink, corners, kind = colour(shape["colour"]), self.scene.corners(shape, self.sample), shape["type"]
        if kind == "mass":
            symbols.mass(self.axes, corners[0], self.unit, ink)
        elif kind == "disc":
            e = self.scene.frames.direction([shape["frame"], 1.0, 0.0], self.sample)
            symbols.disc(self.axes, corners[0], shape["radius"], ink, e)
        elif kind == "center":
            symbols.center(self.axes, corners[0], ink)
        elif kind == "stalk":
            if float(np.hypot(*(corners[1] - corners[0]))) > 0.5 * self.unit:
                self.axes.plot(*corners.T, color=ink, lw=1.1, ls=(0, (3, 2)), zorder=2.9)
        elif kind in ("plate", "outline"):
            symbols.plate(self.axes, corners, ink, rounded=kind == "plate")
        else:
            (symbols.rod if kind == "rod" else symbols.bar)(self.axes, corners, ink)


# ------------------------------------------------------------------------------------------------------ signs
def _guide(sheet: Sheet, s: Thing) -> None:
    margin = 3.2 * sheet.unit
    reach = (s["travel"][0] - margin, s["travel"][1] + margin)
    sheet.walls.append(symbols.guide(sheet.axes, sheet.at(s["at"]), sheet.way(s), reach, sheet.unit, s["away"]))


def _parts(sheet: Sheet, s: Thing) -> None:
    """The sign of a joint, part by part."""
    at, e = sheet.at(s["at"]), sheet.way(s)
    axes = sheet.unit * np.array([e, [-e[1], e[0]]])
    fill = CASE if s["colour"] < 0 else light(colour(s["colour"]), 0.45)
    for part in s["parts"]:
        points = at + np.array(part["points"]) @ axes
        if part["part"] == "line":
            sheet.axes.plot(*points.T, color=GREY, lw=1.2, ls=(0, (6, 2, 1, 2)), zorder=4)
            sheet.walls.append(points)
        else:
            sheet.axes.add_patch(Polygon(points, facecolor=fill, edgecolor=INK, lw=1.2, zorder=5))


def _springs(sheet: Sheet, s: Thing) -> None:
    a, b = (sheet.at(p) for p in s["ends"])
    symbols.side_by_side(sheet.axes, a, b, sheet.unit, s)
    away = (a - b) / (float(np.hypot(*(a - b))) or 1.0)
    for wall, end, normal in zip(s["walls"], (a, b), (away, -away), strict=True):
        if wall:
            symbols.wall(sheet.axes, end, normal, (-1.6 * sheet.unit, 1.6 * sheet.unit), sheet.unit)


def _wall(sheet: Sheet, s: Thing) -> None:
    normal, unit = sheet.scene.frames.direction(s["normal"], sheet.sample), sheet.unit
    low, high = s["reach"] or (0.0, 0.0)
    margin = (2.2 if s["reach"] is None else 6.0) * unit
    at = sheet.at(s["at"]) + s["clear"] * unit * normal
    symbols.wall(sheet.axes, at, normal, (low - margin, high + margin), unit)


def _stop(sheet: Sheet, s: Thing) -> None:
    way, unit = sheet.way(s), sheet.unit
    angle = np.arctan2(way[1], way[0]) + s["turn"]
    e = np.array([np.cos(angle), np.sin(angle)])
    ink = None if s["colour"] < 0 else colour(s["colour"])
    symbols.angle_stop(sheet.axes, sheet.at(s["at"]), e, max(s["radius"], 2.6 * unit), s["side"], unit, CLEAR_BAR, ink)


def _reach(sheet: Sheet, s: Thing) -> None:
    a, b = (sheet.at(p) for p in s["ends"])
    symbols.reach_arc(sheet.axes, a, b - a, s["radius"], s["side"], sheet.unit)


def _point(sheet: Sheet, s: Thing) -> None:
    at, unit, owners = sheet.at(s["at"]), sheet.unit, sheet.scene.resolved.owners.get(s["name"])
    if s["type"] == "ground":
        symbols.ground_pin(sheet.axes, at, unit)
    elif s["type"] == "pin" or not _only_marks(sheet, s["name"], at):
        symbols.pin(sheet.axes, at, unit if s["type"] == "pin" else 0.6 * unit, above=bool(owners))


def _only_marks(sheet: Sheet, name: str, at: np.ndarray) -> bool:
    """A point of the ground where something else is drawn: it only marks a place."""
    others = [sheet.at(p) for other, p in sheet.scene.points.items() if other != name]
    on_top = any(float(np.hypot(*(xy - at))) < 0.05 * sheet.unit for xy in others)
    return name in sheet.scene.resolved.ground and on_top


def _lock(sheet: Sheet, s: Thing) -> None:
    ends = [sheet.at(p) for p in s["ends"]]
    closed = is_closed(s, float(np.asarray(sheet.scene.motion.t)[sheet.sample]))
    symbols.lock(sheet.axes, ends, s["rims"], sheet.unit, closed)


SIGNS: dict[str, Callable[[Sheet, Thing], None]] = {
    "guide": _guide,
    "springs": _springs,
    "rod": lambda sheet, s: symbols.rod(sheet.axes, np.array([sheet.at(p) for p in s["ends"]]), INK),
    "turning": lambda sheet, s: symbols.turning(sheet.axes, sheet.at(s["at"]), sheet.unit, COLOURS[1]),
    "wall": _wall,
    "stop": _stop,
    "reach": _reach,
    "lock": _lock,
    **dict.fromkeys(("pin", "ground", "point"), _point),
}
"""what signs of the scene look like"""


def _names(sheet: Sheet) -> None:
    """Names beside the points, clear of links, springs and ground signs as far as possible."""
    scene, unit, lines, sheets = sheet.scene, sheet.unit, [*sheet.walls], []
    resolved = scene.resolved
    place = {p: sheet.at(x) for p, x in scene.points.items()}
    for body in resolved.bodies.values():
        corners = np.array([place[p] for p in body.points])
        if len(corners) > 1:
            hull = convex_hull(corners)
            lines.append(np.vstack([hull, hull[:1]]) if len(hull) > 2 else hull)
            sheets += [hull] if len(hull) > 2 else []
    lines += [np.array([sheet.at(p) for p in s["ends"]]) for s in scene.of("rod", "springs")]
    signs = {kind: {s["name"] for s in scene.of(kind)} for kind in ("ground", "slider", "turning")}
    gaps, boxes, place = {}, [], naming.together(place, unit)
    for label, (x, y) in place.items():
        p = label.split(", ")[0]
        if p in signs["ground"]:
            boxes.append((x - 1.4 * unit, y - 2.1 * unit, x + 1.4 * unit, y - 0.2 * unit))
        elif p in signs["slider"]:
            boxes.append((x - 1.1 * unit, y - 0.8 * unit, x + 1.1 * unit, y + 0.8 * unit))
            gaps[label] = 1.25
        elif any(resolved.bodies[b].particle for b in resolved.owners.get(p, ()) if b in resolved.bodies):
            gaps[label] = 1.1
        if p in signs["turning"]:
            gaps[label] = 2.0  # clear of the arrow round it
    naming.put(sheet.axes, place, naming.sides(place, lines, boxes, unit, gaps, sheets), unit, gaps)
