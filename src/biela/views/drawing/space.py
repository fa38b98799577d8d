"""The scene of a mechanism in space on matplotlib axes: an orthographic view, what is nearer in front."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb

from ...results.geometry.body_point import read_point
from ..scene.frames import Thing
from ..scene.locks import is_closed
from ..scene.scene import Scene
from ..scene.solids import Face
from ..style import COLOURS, GREY, INK, colour
from . import symbols
from .joints import draw_joint, pedestal, pushing_arrow, turning_arrow
from .names import put_names
from .projection import Projection, best_view
from .stage import Stage
from .triad import corners, put_scale, put_triad
from .vectors import draw_vectors

UNIT = 0.026
"""the size of the signs over that of the picture"""
LARGEST = 0.22
"""the size of a sign over that of a body"""
PIECES = 60
"""of a path, each at its own depth"""


def draw_in_space(
    axes: Axes,
    scene: Scene,
    sample: int,
    trace: Sequence[str],
    names: bool,
    view: tuple[float, float] | None,
    vectors: Sequence[str],
    limits: tuple[np.ndarray, np.ndarray] | None,
) -> None:
    """See `draw_mechanism`."""
    traced = {p: read_point(scene.motion, p) for p in trace}
    paths = [np.asarray(p.position) for p in traced.values()]
    paths = [path[np.isfinite(path).all(axis=1)] for path in paths]
    extent = np.concatenate([_extent(scene, sample), *paths])
    if limits is not None:
        extent = np.array([[limits[k][i] for i, k in enumerate(c)] for c in product((0, 1), repeat=3)])
    solids = [scene.corners(s, sample) for s in scene.shapes if s["type"] == "solid" and s["name"]]
    largest = max([scene.size, *(np.ptp(corners, axis=0).max() for corners in solids)])
    stage = new_stage(axes, view_of(scene, view), extent, largest)
    for k, (p, path) in enumerate(zip(trace, paths, strict=True)):
        _path(stage, path, colour(k + 1), f"path of {p}")
    for shape in scene.shapes:
        draw_shape(stage, scene, shape, sample)
    for sign in scene.signs:
        _sign(stage, scene, sign, sample)
    along = _along(scene, sample)
    if names:
        place = {p: scene.at(x, sample) for p, x in scene.points.items()}
        centers = {s["name"]: scene.corners(s, sample)[0] for s in scene.shapes if s["type"] in ("center", "mass")}
        bare = {b: centers[b] for b, body in scene.resolved.bodies.items() if not body.points and b in centers}
        put_names(stage, place | bare, np.array([*extent, *centers.values(), *along]))
    flat = np.concatenate([stage.view.flat(np.array([*extent, *along])), *stage.taken])
    flat = flat if limits is None else stage.view.flat(extent)
    wide = set_limits(axes, flat, 1.8 * stage.unit)
    found = ("lower left", "lower right") if limits is not None else corners(axes, flat)
    if found is None:  # no corner is free: some paper below
        wide = set_limits(axes, flat, 1.8 * stage.unit, below=0.24)
        found = ("lower left", "lower right")
    put_triad(axes, stage.view, scene.resolved.gravity, found[0])
    put_scale(axes, wide, found[1])
    for k, text in enumerate(scene.notes):
        axes.text(0.0, 1.0 - 0.035 * k, text, transform=axes.transAxes, fontsize=8.5, color=GREY, va="top", zorder=9)
    if vectors:
        draw_vectors(axes, scene, sample, vectors, {p: x for p, x in traced.items() if "@" in p}, stage.view.flat)


def _extent(scene: Scene, sample: int) -> np.ndarray:
    """All the places that the picture must hold."""
    parts = [scene.extent(sample), *(scene.at(p, sample)[None] for p in scene.points.values())]
    for sign in scene.signs:
        if "parts" in sign:
            start, axis = scene.at(sign["start"], sample), scene.frames.direction(sign["axis"], sample)
            rail = [start + s * axis for s in sign["travel"]] if any(sign["travel"]) else []
            parts.append(np.array([scene.at(sign["at"], sample), *rail]))
    every = np.concatenate(parts)
    return every[np.isfinite(every).all(axis=1)]


def view_of(scene: Scene, view: tuple[float, float] | None) -> Projection:
    """Azimuth and elevation that are asked for; else one view for all the samples, in which the points of the
    mechanism, where it starts, are well apart."""
    gravity, start = scene.resolved.gravity, scene.start
    if view is not None or start is None:
        return Projection.view(gravity, *(view or (0.0,)))
    lines = [np.array([own[0], own[-1]]) for own in start.anchors.values() if len(own) > 1]
    points = [*start.points.values(), *(start.center(b) for b in scene.resolved.bodies.values() if not b.points)]
    return best_view(gravity, np.array(points).reshape(-1, 3), lines)


def new_stage(axes: Axes, view: Projection, extent: np.ndarray, size: float) -> Stage:
    """A stage with signs as large as suits the picture and a body of this size."""
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_axis_off()
    span = float(np.ptp(view.flat(extent), axis=0).max()) if len(extent) else 0.0
    depth = view.depth(extent)
    pen = float(np.clip(LARGEST * size / (UNIT * span), 0.35, 1.0)) if span else 1.0  # short links have small signs
    return Stage(axes, view, UNIT * pen * (span or size), float(depth.min()), float(depth.max()), pen)


def set_limits(axes: Axes, flat: np.ndarray, margin: float, below: float = 0.0) -> float:
    """Show everything, in the proportions of the axes as far as they are known; gives the width."""
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


def _along(scene: Scene, sample: int) -> list[np.ndarray]:
    """Places along the bars, which names keep clear of."""
    bars = [scene.corners(s, sample) for s in scene.shapes if s["type"] in ("bar", "rod", "sheet")]
    return [a + s * (b - a) for own in bars for a, b in [(own[0], own[-1])] for s in np.linspace(0.05, 0.95, 12)]


def _path(stage: Stage, path: np.ndarray, ink: str, name: str) -> None:
    """A path, paler where it is farther away, and behind what is nearer."""
    if len(path) < 2:
        return
    flat, depth = stage.view.flat(path), stage.view.depth(path)
    share = 0.62 - 0.5 * (depth - stage.far) / max(stage.near - stage.far, 1e-300)
    shades = [tuple(1 - (1 - c) * (1 - s) for c in to_rgb(ink)) for s in 0.5 * (share[1:] + share[:-1])]
    steps = np.stack([flat[:-1], flat[1:]], axis=1)
    for k, part in enumerate(np.array_split(np.arange(len(steps)), min(len(steps), PIECES))):
        pen: Any = {"colors": [shades[i] for i in part], "linewidths": 1.4, "capstyle": "round"}
        order = stage.order(path[part], 0.3)
        lines = LineCollection(list(steps[part]), **pen, zorder=order, label="" if k else name)
        stage.axes.add_collection(lines, autolim=False)


# ------------------------------------------------------------------------------------------------------ shapes
def draw_shape(stage: Stage, scene: Scene, shape: Thing, sample: int) -> None:
    """A body, or a part of it."""
    kind, at = shape["type"], scene.corners(shape, sample)
    ink = GREY if shape["colour"] < 0 else colour(shape["colour"])
    if kind in ("bar", "rod"):
        a, b = _set_back(stage, shape, at)
        stage.bar(a, b, ink, width=2.4 if kind == "rod" else symbols.THICK, lift=shape.get("lift", 0.0))
    elif kind == "mass":
        if shape.get("covered"):  # by the sign of a joint
            stage.bar(at[0], at[0], ink)
        else:
            stage.ball(at[0], 0.75 * stage.unit, ink, lift=0.5)
    elif kind == "sheet":
        stage.sheet(at, ink)
    elif kind == "center":
        if not shape["covered"]:
            marker: Any = {"marker": "+", "ms": 7, "mew": 1.3, "color": ink}
            stage.axes.plot(*stage.view.flat(at[0]), **marker, zorder=stage.order(at[0], 2.0))
    else:
        _solid(stage, scene, shape, at, sample, ink)


def _solid(stage: Stage, scene: Scene, shape: Thing, at: np.ndarray, sample: int, ink: str) -> None:
    """A ball or faces: of a body under the signs of its own joints; a slab under everything, or over it."""
    middle, *inner = scene.frames.carried(shape["frame"], [shape["at"], *shape.get("anchors", ())], sample)
    order = min([stage.order(middle), *(stage.order(p, -0.1) for p in inner)])
    if shape["type"] == "ball":
        return stage.ball(at[0], shape["radius"], ink, edge=ink, order=order)
    if shape["type"] == "slab":
        towards = float(scene.frames.direction(shape["normal"], sample) @ stage.view.towards)
        order = 0.2 if towards < 0 else 8.5
    faces = [Face(at[face], bool(sharp)) for face, sharp in zip(shape["faces"], shape["sharp"], strict=True)]
    body = bool(shape["name"])
    stage.solid(faces, ink, edge=ink if body else GREY, width=symbols.EDGE if body else 1.2, order=order)


def _set_back(stage: Stage, shape: Thing, ends: np.ndarray) -> np.ndarray:
    """The ends of a bar, moved back to the roots of the forks where universal joints hold it."""
    out, length = ends.copy(), float(np.linalg.norm(ends[1] - ends[0]))
    for k, back in enumerate(shape.get("back", ())):
        out[k] += min(back * stage.unit / length, 0.4) * (ends[1 - k] - ends[k])
    return out


# ------------------------------------------------------------------------------------------------------- signs
def _sign(stage: Stage, scene: Scene, sign: Thing, sample: int) -> None:
    kind = sign["type"]
    if "parts" in sign:
        draw_joint(stage, scene, sign, sample)
    elif kind == "link":
        a, b = (scene.at(p, sample) for p in sign["ends"])
        stage.bar(a, b, INK, width=2.2)
    elif kind == "springs":
        ends = np.array([scene.at(p, sample) for p in sign["ends"]])
        flat = stage.view.flat(ends)
        symbols.side_by_side(stage.axes, flat[0], flat[1], stage.unit, sign, stage.order(ends, 0.3))
        stage.taken.append(np.linspace(flat[0], flat[1], 12)[1:-1])
    elif kind in ("point", "ground"):
        at = scene.at(sign["at"], sample)
        if kind == "ground":
            pedestal(stage, at)
        ring: Any = {"marker": "o", "ms": 4.6 * stage.pen, "mfc": "white", "mec": INK, "mew": 1.2}
        stage.axes.plot(*stage.view.flat(at), **ring, zorder=stage.order(at, 0.6))
    elif kind == "lock":
        ends = [stage.view.flat(scene.at(p, sample)) for p in sign["ends"]]
        symbols.lock(stage.axes, ends, sign["rims"], stage.unit, is_closed(sign, float(scene.motion.t[sample])))
    else:
        at, axis = scene.at(sign["at"], sample), scene.frames.direction(sign["axis"], sample)
        if kind == "turning":
            turning_arrow(stage, at, axis, scene.frames.direction(sign["away"], sample), COLOURS[1])
        else:
            pushing_arrow(stage, at, axis, COLOURS[1])
