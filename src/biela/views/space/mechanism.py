"""A drawing of a mechanism in space: bodies, joints with their axes, springs, paths and names, seen from above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb

from ...model.resolved import GROUND, ResolvedBody, ResolvedJoint
from ...results.geometry.body_point import read_point
from ...results.motion import Motion
from ..limits import holds
from ..plane import symbols
from ..plane.mechanism import convex_hull
from ..springs import spring_signs
from ..style import COLOURS, GREY, INK, colour
from .labels import corners, put_names, put_scale, put_triad
from .limits import space_stops
from .projection import Projection, best_view
from .scene import Scene
from .signs import RODS, Seat, draw_joint, ground, hinge, pushing_arrow, set_back, turning_arrow
from .solids import Ball, Surface, hull, inside
from .stage import Stage

DRIVEN = COLOURS[1]
LARGEST = 0.22  # the size of a sign over that of a body
PIECES = 60  # of a path, each at its own depth


def draw_in_space(
    axes: Axes,
    motion: Motion,
    trace: Sequence[str] = (),
    at: int = 0,
    names: bool = True,
    view: tuple[float, float] | None = None,
    vectors: Sequence[str] = (),
    limits: tuple[np.ndarray, np.ndarray] | None = None,
) -> None:
    """Draw on axes that are there already: an orthographic view, lengths across it in metres.

    `view` is the azimuth and the elevation of the eye in degrees; without it one is taken in which the points of the
    mechanism, where it starts, are well apart. `limits` are two corners of the box to be shown, the same for all
    pictures of a film.
    """
    scene = Scene(motion, at)
    resolved = scene.resolved
    surfaces = {name: scene.surface(body) for name, body in resolved.bodies.items()}
    traced = {p: read_point(motion, p) for p in trace}
    paths = [np.asarray(p.position) for p in traced.values()]
    paths = [path[np.isfinite(path).all(axis=1)] for path in paths]
    extent = _extent(scene, surfaces, paths)
    told: list[str] = []
    stops = space_stops(scene, 0.03 * scene.size, told)
    extent = np.concatenate([extent, *(f.corners for s in stops for f in s.faces)])
    if limits is not None:
        extent = np.array([[limits[k][i] for i, k in enumerate(c)] for c in product((0, 1), repeat=3)])
    solid = [np.ptp([c for f in s for c in f.corners], axis=0).max() for s in surfaces.values() if isinstance(s, list)]
    stage = _stage(axes, _view(motion, view), extent, max([scene.size, *solid]))
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_axis_off()
    for k, (p, path) in enumerate(zip(trace, paths, strict=True)):
        _path(stage, path, colour(k + 1), f"path of {p}")
    for name, body in resolved.bodies.items():
        _body(stage, scene, body, surfaces[name])
    seats = _spread(stage, scene)
    for j in scene.joints:
        _joint(stage, scene, j, seats[j.name])
    _springs(stage, scene)
    for owner, faces, normal in stops:
        order = None if normal is None else (0.2 if float(normal @ stage.view.towards) < 0 else 8.5)
        stage.solid(faces, scene.colours.get(owner, GREY), edge=GREY, order=order)
    _points(stage, scene)
    _locks(stage, scene)
    _drivers(stage, scene)
    if names:
        crowd = [scene.center(b) for b in resolved.bodies.values()]
        bare = {b.name: scene.center(b) for b in resolved.bodies.values() if not b.points}
        put_names(stage, scene.points | bare, np.array([*extent, *crowd, *_along(scene)]))
    flat = np.concatenate([stage.view.flat(np.array([*extent, *_along(scene)])), *stage.taken])
    flat = flat if limits is None else stage.view.flat(extent)
    wide = _limits(axes, flat, 1.8 * stage.unit)
    found = corners(axes, flat)
    if limits is not None:
        found = ("lower left", "lower right")
    elif found is None:  # no corner is free: make room below
        wide = _limits(axes, flat, 1.8 * stage.unit, below=0.24)
        found = ("lower left", "lower right")
    put_triad(axes, stage.view, resolved.gravity, found[0])
    put_scale(axes, wide, found[1])
    for k, text in enumerate(told):
        axes.text(0.0, 1.0 - 0.035 * k, text, transform=axes.transAxes, fontsize=8.5, color=GREY, va="top", zorder=9)
    if vectors:
        from ..vectors import draw_vectors

        draw_vectors(axes, motion, vectors, at, {p: x for p, x in traced.items() if "@" in p}, stage.view.flat)


def _limits(axes: Axes, flat: np.ndarray, margin: float, below: float = 0.0) -> float:
    """Room for everything, in the proportions of the axes as far as they are known; gives the width."""
    (left, low), (right, high) = flat.min(axis=0) - margin, flat.max(axis=0) + margin
    low -= below * (high - low)
    box = axes.get_position()
    figure = axes.figure.bbox
    ratio = max(box.width * figure.width, 1.0) / max(box.height * figure.height, 1.0)
    wide, tall = max(right - left, ratio * (high - low)), max(high - low, (right - left) / ratio)
    middle, half = np.array([left + right, low + high]) / 2, np.array([wide, tall]) / 2
    axes.dataLim.set_points(np.array([middle - half, middle + half]))  # limits that may still give way to the aspect
    axes.margins(0)
    axes.autoscale_view()
    return wide


def _view(motion: Motion, view: tuple[float, float] | None) -> Projection:
    """The same for all the samples of a motion: chosen where it starts."""
    gravity = motion.system.resolved.gravity
    if view is not None:
        return Projection.view(gravity, *view)
    start = Scene(motion, 0)
    lines = []
    for own in start.anchors.values():
        if len(own) > 1:
            lines.append(np.array([own[0], own[-1]]))
    points = [*start.points.values(), *(start.center(b) for b in start.resolved.bodies.values() if not b.points)]
    return best_view(gravity, np.array(points).reshape(-1, 3), lines)


def _extent(scene: Scene, surfaces: dict, paths: list[np.ndarray]) -> np.ndarray:
    """All the places that the picture must hold."""
    parts = [np.array([*scene.points.values()]).reshape(-1, 3), *scene.anchors.values(), *paths]
    for name, surface in surfaces.items():
        middle = scene.center(scene.resolved.bodies[name])
        parts.append(middle[None, :])
        if isinstance(surface, Ball):
            parts.append(middle + surface.radius * np.vstack([np.eye(3), -np.eye(3)]))
        elif surface:
            parts += [face.corners for face in surface]
    for seat in scene.seats.values():
        parts.append(np.array([seat.at, *(seat.at + s * seat.axis for s in seat.travel)]))
    every = np.concatenate(parts)
    return every[np.isfinite(every).all(axis=1)]


def _stage(axes: Axes, view: Projection, extent: np.ndarray, size: float) -> Stage:
    span = float(np.ptp(view.flat(extent), axis=0).max()) if len(extent) else 0.0
    depth = view.depth(extent)
    pen = float(np.clip(LARGEST * size / (0.026 * span), 0.35, 1.0)) if span else 1.0  # short links have small signs
    return Stage(axes, view, 0.026 * pen * (span or size), float(depth.min()), float(depth.max()), pen)


def _along(scene: Scene) -> list[np.ndarray]:
    """Places along the bars, which names keep clear of."""
    return [a + s * (b - a) for own in scene.anchors.values() if len(own) > 1 for a, b in [(own[0], own[-1])]
            for s in np.linspace(0.05, 0.95, 12)]  # fmt: skip


def _path(stage: Stage, path: np.ndarray, ink: str, name: str) -> None:
    """A path, paler where it is farther away, and behind what is nearer."""
    if len(path) < 2:
        return
    flat, depth = stage.view.flat(path), stage.view.depth(path)
    share = 0.62 - 0.5 * (depth - stage.far) / max(stage.near - stage.far, 1e-300)
    shades = [tuple(1 - (1 - c) * (1 - s) for c in to_rgb(ink)) for s in 0.5 * (share[1:] + share[:-1])]
    steps = np.stack([flat[:-1], flat[1:]], axis=1)
    for k, part in enumerate(np.array_split(np.arange(len(steps)), min(len(steps), PIECES))):
        look = {"colors": [shades[i] for i in part], "linewidths": 1.4, "capstyle": "round"}
        order = stage.order(path[part], 0.3)
        lines = LineCollection(list(steps[part]), **look, zorder=order, label="" if k else name)
        stage.axes.add_collection(lines, autolim=False)


# -------------------------------------------------------------------------------------------------- bodies
def _body(stage: Stage, scene: Scene, body: ResolvedBody, surface: Surface | None) -> None:
    anchors = scene.anchors[body.name]
    ink, center = scene.colours[body.name], scene.center(body)
    if body.particle:
        stage.ball(center, 0.75 * stage.unit, ink, lift=0.5)
        return
    if surface is not None:
        _solid(stage, surface, center, anchors, ink)
    elif body.kind == "rod" and len(anchors) == 2:
        stage.bar(anchors[0], anchors[1], ink, width=2.4)
    elif len(anchors) == 1:
        stage.bar(anchors[0], center, ink)
        if body.mass and float(np.linalg.norm(anchors[0] - center)) > 1e-6 * scene.size:
            stage.ball(center, 0.75 * stage.unit, ink)
    elif len(anchors) == 2:
        a, b = _held_back(stage, scene, body.name, anchors)
        stage.bar(a, b, ink)
    elif len(anchors):
        _frame(stage, anchors, ink)
    if body.mass and body.kind != "rod" and not _near(center, anchors, scene.size):
        x = stage.view.flat(center)
        stage.axes.plot(*x, marker="+", ms=7, mew=1.3, color=ink, zorder=stage.order(center, 2.0))


def _solid(stage: Stage, surface: Surface, center: np.ndarray, anchors: np.ndarray, ink: str) -> None:
    """A shape, and stalks to what is joined to it outside."""
    order = stage.order(center)
    for place in anchors:
        if inside(surface, place, center):
            order = min(order, stage.order(place, -0.1))  # under the signs of its own joints
        else:
            stage.bar(center, place, ink, lift=-0.5)
    if isinstance(surface, Ball):
        stage.ball(center, surface.radius, ink, edge=ink, order=order)
    else:
        stage.solid(surface, ink, edge=ink, width=symbols.EDGE, order=order)


def _frame(stage: Stage, places: np.ndarray, ink: str) -> None:
    """A bar, a flat plate or a hull, as the places lie."""
    middle = places.mean(axis=0)
    _, spread, axes = np.linalg.svd(places - middle)
    along = (places - middle) @ axes[0]
    if len(places) == 2 or spread[1] < 1e-6 * spread[0]:
        stage.bar(places[int(np.argmin(along))], places[int(np.argmax(along))], ink)
    elif len(places) == 3 or spread[2] < 1e-6 * spread[0]:
        corners = convex_hull((places - middle) @ axes[:2].T)
        stage.sheet(middle + corners @ axes[:2], ink)
    else:
        stage.solid(hull(places), ink, edge=ink, width=symbols.EDGE)


def _held_back(stage: Stage, scene: Scene, body: str, places: np.ndarray) -> np.ndarray:
    """The ends of a bar, moved back to the roots of the forks where Hooke joints hold it."""
    out = places.copy()
    for j in scene.joints:
        seat = scene.seats[j.name]
        if seat.sign == "cross" and body in j.bodies:
            back = set_back(stage, seat, j.bodies.index(body))
            for k, p in enumerate(places):
                way = places[1 - k] - p
                if _near(seat.at, p[None, :], scene.size) and np.any(way):
                    out[k] = p + min(back / float(np.linalg.norm(way)), 0.4) * way
    return out


def _near(place: np.ndarray, others: np.ndarray, size: float) -> bool:
    return any(float(np.linalg.norm(place - p)) < 1e-6 * size for p in others)


# ------------------------------------------------------------------------------------ joints and forces
def _spread(stage: Stage, scene: Scene) -> dict[str, Seat]:
    """The seats; hinges that share a place, as in a wrist, move along their axes to the body that goes that way."""
    out = dict(scene.seats)
    for name, seat in scene.seats.items():
        mates = [s for s in scene.seats.values() if s is not seat and _near(s.at, seat.at[None, :], scene.size)]
        if seat.sign != "hinge" or seat.grounded or not any(s.sign == "hinge" for s in mates):
            continue
        along = [float(way @ seat.axis) / n for way in seat.bodies if (n := float(np.linalg.norm(way))) > stage.unit]
        best = max(along, key=abs, default=0.0)
        if abs(best) > 0.7:
            out[name] = replace(seat, at=seat.at + np.sign(best) * 2.3 * stage.unit * seat.axis)
    return out


def _joint(stage: Stage, scene: Scene, j: ResolvedJoint, seat: Seat) -> None:
    if seat.sign not in RODS:
        draw_joint(stage, seat)
        return
    a, b = (scene.at(f.place) for f in j.frames)
    stage.bar(a, b, INK, width=2.2)
    for frame, place in zip(j.frames, (a, b), strict=True):
        if frame.body == GROUND:
            ground(stage, place)
        if seat.sign == "hinged rod" and frame is j.frames[0]:
            hinge(stage, Seat("hinge", place, seat.axis, seat.axis, seat.side, seat.colours, seat.bodies))
        else:
            stage.ball(place, 0.45 * stage.unit, lift=0.5)


def _springs(stage: Stage, scene: Scene) -> None:
    for places, signs in spring_signs(scene.motion):
        a, b = (scene.at(p) for p in places)
        flat = stage.view.flat(np.array([a, b]))
        symbols.side_by_side(stage.axes, flat[0], flat[1], stage.unit, signs, stage.order([a, b], 0.3))
        stage.taken.append(np.linspace(flat[0], flat[1], 12)[1:-1])


def _locks(stage: Stage, scene: Scene) -> None:
    t = float(np.asarray(scene.motion.t)[scene.sample])
    for hold in holds(scene.motion):
        flat = [stage.view.flat(scene.at(p)) for p in hold.ends]
        if len(flat) == 2 and float(np.hypot(*(flat[1] - flat[0]))) > stage.unit:
            symbols.clutch(stage.axes, flat[0], flat[1], stage.unit, hold.is_closed(t))
        else:
            symbols.brake(stage.axes, flat[0], stage.unit, hold.is_closed(t))


def _points(stage: Stage, scene: Scene) -> None:
    """A ring for every point that no joint covers; the ground's hatching where a force is anchored."""
    rods = [j for j in scene.joints if scene.seats[j.name].sign in RODS]
    covered = [*(seat.at for seat in scene.seats.values()), *(scene.at(f.place) for j in rods for f in j.frames)]
    anchored = {p.point for places, _ in spring_signs(scene.motion) for p in places if p.body == GROUND}
    for name, place in scene.points.items():
        if _near(place, np.array(covered).reshape(-1, 3), scene.size):
            continue
        owners = scene.resolved.owners.get(name, ())
        if name in scene.resolved.ground and name in anchored:
            ground(stage, place)
        elif any(scene.resolved.bodies[b].particle for b in owners if b != GROUND):
            continue
        ring = {"marker": "o", "ms": 4.6 * stage.pen, "mfc": "white", "mec": INK, "mew": 1.2}
        stage.axes.plot(*stage.view.flat(place), **ring, zorder=stage.order(place, 0.6))


def _drivers(stage: Stage, scene: Scene) -> None:
    """An arrow round or along the axis of a joint that is driven."""
    joints = {j.name: j for j in scene.joints}
    for driver in scene.resolved.drivers:
        c = scene.resolved.coordinates.get(driver.coordinate)
        if c is None or c.joint not in joints:
            continue
        seat = scene.seats[joints[c.joint].name]
        if c.type == "angle":
            axis = seat.other if c.name.endswith("angle2") else seat.axis
            turning_arrow(stage, seat.at, axis, seat.bodies[1], DRIVEN)
        elif seat.sign in ("slide", "sleeve", "slot"):
            pushing_arrow(stage, seat.at, seat.axis, DRIVEN)
