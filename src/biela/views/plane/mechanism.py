"""A drawing of a mechanism: ground, links, plates, pins and sliders with their names, and paths of points.

Those of the plane are drawn here, those of space in `space`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...analysis.assembly.assemble import assemble
from ...model.joints import joint_class
from ...model.model import Model
from ...model.resolved import GROUND, Direction, ResolvedBody, ResolvedModel
from ...results.geometry.body_point import read_point
from ...results.motion import Motion
from ...system.system import System
from ..dark import darken
from ..limits import Reach, sliding_points, stop_marks, wheels
from ..springs import bare_anchor, spring_signs, wall_distance
from ..style import COLOURS, GREY, INK, colour, light, new_figure, plain_numbers, save, style
from . import names as naming
from . import symbols
from .drives import driven_pins
from .limit_signs import draw_locks, draw_stops, ends_of

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
    resolved = motion.system.resolved
    if resolved.dimension == 3:
        from ..space.mechanism import draw_in_space

        return draw_in_space(axes, motion, trace, at, names, view, vectors, limits)
    place = {p: np.asarray(motion[p])[at] for p in (*resolved.ground, *resolved.start)}
    traced = {p: read_point(motion, p) for p in trace}
    told: list[str] = []
    marks = stop_marks(motion, told)
    more = [np.array(ends_of(motion, [m.at], at)) for m in marks if not isinstance(m, Reach)]
    more += [np.array(ends_of(motion, ends, at)) for ends, _ in spring_signs(motion)]
    unit = _unit(motion, place, [*(np.asarray(p.position) for p in traced.values()), *more])
    if limits is not None:
        unit = 0.024 * float((limits[1] - limits[0]).max() or motion.system.size)
    axes.set_aspect("equal", adjustable=adjust)  # type: ignore[arg-type]
    axes.grid(alpha=0.6)
    for k, (p, path) in enumerate(traced.items()):
        axes.plot(*path.position.T, color=light(colour(k + 1), 0.25), lw=1.3, zorder=3.4, label=f"path of {p}")
    colours = {name: colour(k) for k, name in enumerate(resolved.bodies)}
    discs, sliding = wheels(resolved), set(sliding_points(resolved))
    for name, body in resolved.bodies.items():
        if not (body.particle and set(body.points) & sliding):  # else the block is the mass
            _body(axes, motion, body, place, at, unit, colours[name], discs.get(name))
    walls = _guides(axes, motion, at, unit, colours)
    _springs(axes, motion, at, unit)
    for joint in resolved.joints:
        if joint_class(joint.type, 2).sign == "rod":
            symbols.rod(axes, np.array(ends_of(motion, joint.places, at)), INK)
    for pin in ends_of(motion, driven_pins(resolved), at):
        symbols.turning(axes, pin, unit, COLOURS[1])
    draw_stops(axes, motion, marks, at, unit, colours)
    draw_locks(axes, motion, at, unit)
    signs = point_signs(resolved)
    for p, xy in place.items():
        sign = signs[p]
        if sign == "ground":
            symbols.ground_pin(axes, xy, unit)
        elif sign is not None and not (sign == "point" and _marker(resolved, place, p, unit)):
            symbols.pin(axes, xy, unit if sign == "pin" else 0.6 * unit, above=bool(resolved.owners.get(p)))
    if names:
        _label(axes, motion, place, at, unit, walls)
    for k, text in enumerate(told):
        look = {"fontsize": 8.5, "color": GREY, "va": "bottom", "zorder": 9}
        axes.annotate(
            text, (0, 0), xycoords="axes fraction", xytext=(6, 6 + 12 * k), textcoords="offset points", **look
        )
    axes.set(xlabel="x [m]", ylabel="y [m]")
    axes.margins(0.08)
    if vectors:
        from ..vectors import draw_vectors

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
    for body in motion.system.resolved.bodies.values():
        if body.kind in ("plate", "disc"):
            reach = sqrt(6 * body.inertia / body.mass) / 2 if body.mass else 0.0
            middle = place[next(iter(body.points))]
            points = np.vstack([points, middle + reach, middle - reach])
    for name, reach in wheels(motion.system.resolved).items():
        middle = place[next(iter(motion.system.resolved.bodies[name].points))]
        points = np.vstack([points, middle + reach, middle - reach])
    span = float(np.ptp(points, axis=0).max())
    return 0.024 * (span or motion.system.size)


def _body(
    axes: Axes, motion: Motion, body: ResolvedBody, place: dict[str, np.ndarray], at: int, unit: float, ink: str,
    wheel: float | None = None,
) -> None:  # fmt: skip
    corners = np.array([place[p] for p in body.points])
    if body.particle:
        symbols.mass(axes, corners[0], unit, ink)
        return
    center = np.asarray(motion[f"{body.name}.position"])[at]
    angle = float(motion[f"{body.name}.angle"][at])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    if wheel is not None or (body.kind == "disc" and body.mass):
        symbols.disc(axes, center, wheel or sqrt(2 * body.inertia / body.mass), ink, angle)
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
        if body.kind != "rod" and body.mass and len(hull) < 3:
            _stalk(axes, hull, center, unit, ink)
    if body.kind != "rod" and body.mass:
        symbols.center(axes, center, ink)


def _stalk(axes: Axes, hull: np.ndarray, center: np.ndarray, unit: float, ink: str) -> None:
    """A thin line to a centre of mass that lies beside its bar, so that it is seen to belong to it."""
    a, b = hull[0], hull[-1]
    along = b - a
    share = float(np.clip((center - a) @ along / (along @ along or 1.0), 0, 1))
    foot = a + share * along
    if float(np.hypot(*(center - foot))) > 0.5 * unit:
        axes.plot(*np.array([foot, center]).T, color=ink, lw=1.1, ls=(0, (3, 2)), zorder=2.9)


def _marker(resolved: ResolvedModel, place: dict[str, np.ndarray], name: str, unit: float) -> bool:
    """A point of the ground where something else is drawn: it only marks a place."""
    there = (xy for p, xy in place.items() if p != name)
    return name in resolved.ground and any(float(np.hypot(*(xy - place[name]))) < 0.05 * unit for xy in there)


def point_signs(resolved: ResolvedModel) -> dict[str, str | None]:
    """What points are drawn as: "ground", a "pin" that joins bodies, a "point" of one body; None under a mass.

    >>> import biela
    >>> point_signs(biela.assemble("slider-crank").resolved)
    {'O': 'ground', 'A': 'pin', 'B': 'pin'}
    """
    anchored = {p.point for f in resolved.forces for p in f.places if p.body == GROUND}
    joined = {p.point for j in resolved.joints for p in j.places if joint_class(j.type, 2).sign != "guide"}
    sliding = sliding_points(resolved)
    out: dict[str, str | None] = {}
    for name in (*resolved.ground, *resolved.start):
        held = [b for b in resolved.owners.get(name, ()) if b != GROUND]
        rigid = [b for b in held if not resolved.bodies[b].particle]
        slides = name in sliding and bool(rigid)
        if name in resolved.ground and (held or name in anchored or name in joined):
            out[name] = "ground"
        elif len(rigid) < len(held) and len(rigid) < 2 and not slides:
            out[name] = None
        else:
            out[name] = "pin" if len(rigid) > 1 or name in joined or slides else "point"
    return out


def plate_sides(body: ResolvedBody) -> tuple[float, float]:
    """Width and height of a plate: its points are taken to be on its edges, its inertia says the rest.

    >>> points = {"A": (0.0, 0.0), "B": (2.0, 0.0)}
    >>> plate_sides(ResolvedBody("p", "plate", points, 3.0, (1.0, 0.5), 3.0 * (4 + 1) / 12))
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


def _guides(axes: Axes, motion: Motion, at: int, unit: float, colours: dict[str, str]) -> list[np.ndarray]:
    """Slots and slides: where the point can go, and a block on it; gives the lines of the walls."""
    out = []
    natural = motion.system.equations.exploded
    for joint in motion.system.resolved.joints:
        if joint_class(joint.type, 2).sign != "guide":
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
        reach = (travel.min() - margin, travel.max() + margin)
        out.append(symbols.guide(axes, points[at], e, reach, ground, unit, away))
        owners = motion.system.resolved.owners.get(block.point or "", ())
        mass = next((b for b in owners if b in colours and motion.system.resolved.bodies[b].particle), None)
        symbols.slider(axes, points[at], e, unit, None if mass is None else colours[mass])
    return out


def _springs(axes: Axes, motion: Motion, at: int, unit: float) -> None:
    """Springs and dampers between points, side by side where they share both; a wall where they end at no point."""
    for places, signs in spring_signs(motion):
        a, b = ends_of(motion, places, at)
        symbols.side_by_side(axes, a, b, unit, signs)
        away = (a - b) / (float(np.hypot(*(a - b))) or 1.0)
        for place, end, normal in zip(places, (a, b), (away, -away), strict=True):
            if bare_anchor(place):
                symbols.wall(axes, end, normal, (-1.6 * unit, 1.6 * unit), unit)


def _label(
    axes: Axes, motion: Motion, place: dict[str, np.ndarray], at: int, unit: float, walls: Sequence[np.ndarray]
) -> None:
    """Names beside the points, clear of links, springs and ground signs where there is room."""
    resolved, lines, boxes, sheets = motion.system.resolved, [*walls], [], []
    for body in resolved.bodies.values():
        corners = np.array([place[p] for p in body.points])
        if len(corners) > 1:
            hull = convex_hull(corners)
            lines.append(np.vstack([hull, hull[:1]]) if len(hull) > 2 else hull)
            sheets += [hull] if len(hull) > 2 else []
    rods = [j.places for j in resolved.joints if joint_class(j.type, 2).sign == "rod"]
    lines += [np.array(ends_of(motion, ends, at)) for ends in (*rods, *(ends for ends, _ in spring_signs(motion)))]
    gaps, place, signs = {}, naming.together(place, unit), point_signs(resolved)
    slides, driven = sliding_points(resolved), {pin.point for pin in driven_pins(resolved)}
    for label, (x, y) in place.items():
        p = label.split(", ")[0]
        if signs[p] == "ground":
            boxes.append((x - 1.4 * unit, y - 2.1 * unit, x + 1.4 * unit, y - 0.2 * unit))
        elif p in slides:
            boxes.append((x - 1.1 * unit, y - 0.8 * unit, x + 1.1 * unit, y + 0.8 * unit))
            gaps[label] = 1.25
        elif any(resolved.bodies[b].particle for b in resolved.owners.get(p, ()) if b in resolved.bodies):
            gaps[label] = 1.1
        if p in driven:
            gaps[label] = 2.0  # clear of the arrow round it
    naming.put(axes, place, naming.sides(place, lines, boxes, unit, gaps, sheets), unit, gaps)
