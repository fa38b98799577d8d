"""A drawing of a mechanism: ground, links, plates, pins and sliders with their names, and paths of points.

Those of the plane are drawn here, those of space in `space`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..analysis.assembly import assemble
from ..model.meaning import GROUND, BodyMeaning, CoordinateMeaning, Direction, Meaning, Place
from ..model.model import Model
from ..results.body_point import read_point
from ..results.motion import Motion
from ..system.system import System
from . import symbols
from .dark import darken
from .style import INK, PAPER, colour, light, new_figure, plain_numbers, save, style

Subject = Motion | System | Model | str | Path


def sketch(
    subject: Subject,
    path: str | Path | None = None,
    *,
    trace: Sequence[str] = (),
    at: int = 0,
    names: bool = True,
    title: str | None = None,
    view: tuple[float, float] | None = None,
    vectors: Sequence[str] = (),
    theme: str = "light",
) -> Figure:
    """Draw a mechanism at one of its samples (by default the first), with the paths of the points in `trace` (names,
    or "body@x,y" for any point of a body) and with arrows: "velocity", "acceleration", "force", "reaction".

    `theme` is "light" or "dark". In space `view` says where it is seen from: azimuth and elevation in degrees.

    >>> figure = sketch("four-bar")
    >>> sorted(text.get_text() for text in figure.axes[0].texts)
    ['A', 'B', 'D', 'O', 'P']
    """
    motion = subject if isinstance(subject, Motion) else _still(subject)
    with style():
        figure = new_figure(7.0, 5.6)
        axes = figure.subplots()
        draw_mechanism(axes, motion, trace, at, names, view=view, vectors=vectors)
        if title is None or title:
            axes.set_title(motion.system.name if title is None else title)
    if theme == "dark":
        darken(figure)
    if path is not None:
        save(figure, path)
    return figure


def _still(subject: System | Model | str | Path) -> Motion:
    """A motion of one instant: the assembled start."""
    return Motion.at_start(subject if isinstance(subject, System) else assemble(subject))


def draw_mechanism(
    axes: Axes,
    motion: Motion,
    trace: Sequence[str] = (),
    at: int = 0,
    names: bool = True,
    adjust: str = "datalim",
    view: tuple[float, float] | None = None,
    vectors: Sequence[str] = (),
    limits: tuple[np.ndarray, np.ndarray] | None = None,
) -> None:
    """Draw on axes that are there already; lengths in metres, the same in both directions.

    `adjust` says what gives way to that: the range shown ("datalim") or the axes ("box"). In space `view` says where
    the mechanism is seen from: azimuth and elevation in degrees. `limits` are two corners of the box to be shown, the
    same for all pictures of a film.
    """
    meaning = motion.system.meaning
    if meaning.dimension == 3:
        from .space import draw_in_space

        return draw_in_space(axes, motion, trace, at, names, view, vectors, limits)
    place = {p: np.asarray(motion[p])[at] for p in (*meaning.ground, *meaning.start)}
    traced = {p: read_point(motion, p) for p in trace}
    unit = _unit(motion, place, [np.asarray(p.position) for p in traced.values()])
    if limits is not None:
        unit = 0.024 * float((limits[1] - limits[0]).max() or motion.system.size)
    axes.set_aspect("equal", adjustable=adjust)  # type: ignore[arg-type]
    axes.grid(alpha=0.6)
    for k, (p, path) in enumerate(traced.items()):
        axes.plot(*path.position.T, color=light(colour(k + 1), 0.25), lw=1.3, zorder=2.5, label=f"path of {p}")
    for k, body in enumerate(meaning.bodies.values()):
        _body(axes, motion, body, place, at, unit, colour(k))
    _guides(axes, motion, at, unit)
    _springs(axes, motion, at, unit)
    anchors = {p.point for f in meaning.forces for p in f.places if p.body == GROUND}
    for p, xy in place.items():
        held = [b for b in meaning.owners.get(p, ()) if b != GROUND]
        if p in meaning.ground and (held or p in anchors):
            symbols.ground_pin(axes, xy, unit)
        elif not all(meaning.bodies[b].particle for b in held) or not held:
            symbols.pin(axes, xy, unit if held else 0.6 * unit, above=bool(held))
    if names:
        _label(axes, place, unit)
    axes.set(xlabel="x [m]", ylabel="y [m]")
    axes.margins(0.08)
    if vectors:
        from .vectors import draw_vectors

        draw_vectors(axes, motion, vectors, at, {p: x for p, x in traced.items() if p not in place}, np.asarray)
    if limits is not None:
        _shown(axes, limits, 3.2 * unit)
    elif adjust == "box":
        _widen(axes)
    plain_numbers(axes)


def _shown(axes: Axes, limits: tuple[np.ndarray, np.ndarray], margin: float) -> None:
    """A box with a margin, whatever was drawn, in the proportions of the axes."""
    (left, low), (right, high) = limits[0] - margin, limits[1] + margin
    box = axes.get_window_extent()
    per_pixel = max((right - left) / box.width, (high - low) / box.height)
    half = per_pixel * np.array([box.width, box.height]) / 2
    middle = np.array([left + right, low + high]) / 2
    axes.set(xlim=(middle[0] - half[0], middle[0] + half[0]), ylim=(middle[1] - half[1], middle[1] + half[1]))


def _widen(axes: Axes) -> None:
    """A mechanism that is a mere line gets some room beside it."""
    (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
    least = 0.4 * max(x1 - x0, y1 - y0)
    for low, high, put in ((x0, x1, axes.set_xlim), (y0, y1, axes.set_ylim)):
        if high - low < least:
            put((low + high - least) / 2, (low + high + least) / 2)


def _unit(motion: Motion, place: dict[str, np.ndarray], paths: list[np.ndarray]) -> float:
    """The size of the signs: a small part of the picture."""
    points = np.vstack([*place.values(), *(p[np.isfinite(p).all(axis=1)] for p in paths)])
    for body in motion.system.meaning.bodies.values():
        if body.kind in ("plate", "disc"):
            reach = sqrt(6 * body.inertia / body.mass) / 2 if body.mass else 0.0
            middle = place[next(iter(body.points))]
            points = np.vstack([points, middle + reach, middle - reach])
    span = float(np.ptp(points, axis=0).max())
    return 0.024 * (span or motion.system.size)


def _body(
    axes: Axes, motion: Motion, body: BodyMeaning, place: dict[str, np.ndarray], at: int, unit: float, ink: str
) -> None:
    corners = np.array([place[p] for p in body.points])
    if body.particle:
        symbols.mass(axes, corners[0], unit, ink)
        return
    center = np.asarray(motion[f"{body.name}.position"])[at]
    angle = float(motion[f"{body.name}.angle"][at])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    if body.kind == "disc" and body.mass:
        symbols.disc(axes, center, sqrt(2 * body.inertia / body.mass), ink)
    elif body.kind == "plate" and body.mass:
        w, h = plate_sides(body)
        local = np.array([(-w, -h), (w, -h), (w, h), (-w, h)]) / 2
        symbols.plate(axes, center + local @ turn.T, ink, rounded=False)
    else:
        hull = convex_hull(corners)
        if body.kind == "rod":
            symbols.rod(axes, corners, ink)
        elif len(hull) == 2:
            symbols.bar(axes, hull, ink)
        elif len(hull) > 2:
            symbols.plate(axes, hull, ink)
    if body.kind != "rod" and body.mass:
        symbols.center(axes, center, ink)


def plate_sides(body: BodyMeaning) -> tuple[float, float]:
    """Width and height of a plate: its points are taken to be on its edges, its inertia says the rest.

    >>> points = {"A": (0.0, 0.0), "B": (2.0, 0.0)}
    >>> plate_sides(BodyMeaning("p", "plate", points, 3.0, (1.0, 0.5), 3.0 * (4 + 1) / 12))
    (2.0, 1.0)
    """
    square = 12 * float(body.inertia) / float(body.mass)  # w^2 + h^2
    away = np.abs(np.array(list(body.points.values()), dtype=float) - np.array(body.center, dtype=float)) * 2
    w, h = (float(x) for x in away.max(axis=0))
    if abs(w * w + h * h - square) < 1e-9 * square:
        return w, h
    if 0 < w * w < square:
        return w, sqrt(square - w * w)
    if 0 < h * h < square:
        return sqrt(square - h * h), h
    return sqrt(square / 2), sqrt(square / 2)


def convex_hull(points: np.ndarray) -> np.ndarray:
    """The corners of a set of points; two of them if all lie on a line (Andrew's monotone chain).

    >>> convex_hull(np.array([[0, 0], [2, 0], [1, 0], [1, 1]])).tolist()
    [[0, 0], [2, 0], [1, 1]]
    """
    order = sorted(map(tuple, np.unique(points, axis=0)))
    if len(order) < 3:
        return np.array(order)
    size = float(np.ptp(points, axis=0).max())

    def half(items: list[tuple]) -> list[tuple]:
        out: list[tuple] = []
        for p in items:
            while len(out) > 1 and _cross(out[-2], out[-1], p) <= 1e-9 * size * size:
                out.pop()
            out.append(p)
        return out

    return np.array(half(order)[:-1] + half(order[::-1])[:-1])


def _cross(o: tuple, a: tuple, b: tuple) -> float:
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def _guides(axes: Axes, motion: Motion, at: int, unit: float) -> None:
    """Slots and slides: where the point can go, and a block on it."""
    natural = motion.system.lowered.exploded
    for joint in motion.system.meaning.joints:
        if joint.type not in ("point-on-line", "prismatic"):
            continue
        line = joint.lines[0]
        block = joint.places[0] if joint.places else joint.lines[-1].through
        if block is None:
            continue
        u = motion.vector(natural.vector(line))[0][at]
        e = u / (float(np.hypot(*u)) or 1.0)
        points = motion.vector(natural.place(block))[0]
        ground = isinstance(line.vector, Direction) and line.vector.body == GROUND
        ground = ground or (not isinstance(line.vector, Direction) and line.vector.start.body == GROUND)
        travel = (points - points[at]) @ e if ground else np.zeros(1)
        margin = 3.2 * unit
        away = wall_distance(motion, block, e, at)
        symbols.guide(axes, points[at], e, (travel.min() - margin, travel.max() + margin), ground, unit, away)
        symbols.slider(axes, points[at], e, unit)


def wall_distance(motion: Motion, block: Place, e: np.ndarray, at: int) -> float:
    """How far the wall of a guide is from its line, in units of the signs: beside the block, and clear of springs and
    dampers that lie along it."""
    natural, most = motion.system.lowered.exploded, 0
    for places, signs in spring_signs(motion.system.meaning):
        a, b = (motion.vector(natural.place(p))[0] for p in places)
        k = at if np.any(a[at] != b[at]) else int(np.argmax(np.abs(b - a).sum(axis=1)))
        along, here = b[k] - a[k], motion.vector(natural.place(block))[0][k]
        straight = abs(along[0] * e[1] - along[1] * e[0]) < 1e-6 * motion.system.size
        if straight and min(float(np.hypot(*(p[k] - here))) for p in (a, b)) < 1e-6 * motion.system.size:
            most = max(most, len(signs))
    return 0.62 if most == 0 else 0.85 * most


def _springs(axes: Axes, motion: Motion, at: int, unit: float) -> None:
    """Springs and dampers between points, side by side where they share both."""
    natural = motion.system.lowered.exploded
    for places, signs in spring_signs(motion.system.meaning):
        a, b = (motion.vector(natural.place(p))[0][at] for p in places)
        symbols.side_by_side(axes, a, b, unit, signs)


def spring_signs(meaning: Meaning) -> Iterator[tuple[tuple[Place, ...], list[Any]]]:
    """The two places between which springs and dampers act, and the signs of all that act there."""
    pairs: dict[tuple[Place, ...], list[Any]] = {}
    for force in meaning.forces:
        places = force.places
        if force.coordinate is not None:
            c = meaning.coordinates.get(force.coordinate)
            places = () if c is None else _ends(c)
        if len(places) == 2:
            pairs.setdefault(tuple(places), []).append(force)
    for places, forces in pairs.items():
        yield places, [s for f in forces for s in _signs(f.law)]


def _ends(coordinate: CoordinateMeaning) -> tuple[Place, ...]:
    """What a distance or a position is measured between; an angle has no such ends."""
    if coordinate.type == "position" and coordinate.lines[0].through is not None:
        return (coordinate.lines[0].through, coordinate.places[0])
    return coordinate.places


def _signs(law: Any) -> list[Any]:
    out = [symbols.spring] if law.stiffness else []
    return out + [symbols.damper] if law.damping else out


def _label(axes: Axes, place: dict[str, np.ndarray], unit: float) -> None:
    """Names beside the points, away from the middle of the drawing."""
    middle = np.mean(list(place.values()), axis=0)
    for p, xy in place.items():
        side = 1.0 if xy[0] >= middle[0] - 1e-9 else -1.0
        axes.annotate(
            p, tuple(xy), xytext=(7 * side, 8), textcoords="offset points", ha="left" if side > 0 else "right",
            fontsize=10.5, fontweight="bold", color=INK, zorder=9,
            bbox={"boxstyle": "round,pad=0.12", "facecolor": PAPER, "edgecolor": "none", "alpha": 0.75},
        )  # fmt: skip
