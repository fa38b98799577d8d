"""Free-body diagrams: a body alone, where it is, with an arrow for all that acts on it, to a stated scale."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...model.resolved import Place
from ...results.reactions.free_body import SUPPORT, Act, FreeBody
from ..scene.frames import Thing
from ..scene.scene import Scene
from ..scene.solids import circle
from ..style import COLOURS, GREY, INK, finished, new_figure, style
from . import symbols
from .arrows import Labels, Scale, curved, put_key, round_arc, straight
from .joints import pedestal
from .plane import Sheet
from .space import draw_shape, new_stage, set_limits, view_of
from .triad import put_scale, put_triad

INKS = {"weight": COLOURS[2], "pin": COLOURS[1], **dict.fromkeys(("load", "moment"), COLOURS[3]),
        **dict.fromkeys(("inertia", SUPPORT), GREY)}  # fmt: skip
SHORTEST = 0.03  # of the longest arrow: shorter ones are told in words


def free_body_diagram(
    body: FreeBody, path: str | Path | None = None, *, title: str | None = None, view: tuple[float, float] | None = None
) -> Figure:
    """Draw a free body: forces as straight arrows, moments as curved ones, the inertia dashed.

    In space `view` says where it is seen from: azimuth and elevation in degrees.

    >>> import biela
    >>> figure = free_body_diagram(biela.simulate("four-bar", 0.2).free_body("coupler"))
    >>> any("A:" in text.get_text() for text in figure.axes[0].texts)
    True
    """
    with style():
        figure = new_figure(7.6, 6.2)
        axes = figure.subplots()
        free_body_on(axes, body, view)
        name = f"{'the ground' if body.of_ground else body.body} ({body.model}) at t = {body.t:.6g} s"
        axes.set_title(name if title is None else title)
        if _small(body):
            figure.supxlabel(_small(body), x=0.99, ha="right", fontsize=8, color=GREY)
    return finished(figure, path)


def free_body_on(axes: Axes, body: FreeBody, view: tuple[float, float] | None = None) -> None:
    """Draw it on axes that are there already."""
    scene = Scene(body.motion)
    if body.dimension == 3:
        _in_space(axes, scene, body, view)
    else:
        _in_the_plane(axes, scene, body)


def ink_of(act: Act) -> str:
    """Pins and joints in one colour, drivers and springs in another, as in textbooks."""
    if act.kind in INKS:
        return INKS[act.kind]
    active = act.kind == "driver" or any(word in act.kind for word in ("spring", "damper", "actuator"))
    return COLOURS[3] if active else COLOURS[1]


def _magnitudes(body: FreeBody) -> tuple[float, float]:
    return (
        max([float(np.linalg.norm(a.force)) for a in body.acts] + [0.0]),
        max([float(np.linalg.norm(a.moment)) for a in body.acts] + [0.0]),
    )


def _drawn(body: FreeBody, a: Act) -> tuple[bool, bool]:
    """Whether its force and its moment are large enough to be drawn."""
    force, moment = _magnitudes(body)
    tiny = 1e-9 * body.largest
    f, m = float(np.linalg.norm(a.force)), float(np.linalg.norm(a.moment))
    return f > max(SHORTEST * force, tiny), m > max(SHORTEST * moment, tiny * body.size, 2e-3 * force * body.size)


def _small(body: FreeBody) -> str:
    """What is there but too small to draw."""
    said = []
    for a in body.acts:
        shown = _drawn(body, a)
        f, m = float(np.linalg.norm(a.force)), float(np.linalg.norm(a.moment))
        if not shown[0] and f > 1e-9 * body.largest:
            said.append(f"{a.name} {f:.3g} N")
        if not shown[1] and m > 1e-9 * body.largest * body.size:
            said.append(f"{a.name} {m:.3g} N m")
    return "too small to draw: " + ", ".join(said) if said else ""


def _texts(a: Act, space: bool = False) -> tuple[str, str]:
    f, m = float(np.linalg.norm(a.force)), float(np.linalg.norm(a.moment))
    if a.kind == "inertia":
        turn = "d(J\N{GREEK SMALL LETTER OMEGA})/dt" if space else "I \N{GREEK SMALL LETTER ALPHA}"
        return f"\N{MINUS SIGN}m a: {f:.4g} N", f"\N{MINUS SIGN}{turn}: {m:.4g} N m"
    return f"{a.name}: {f:.4g} N", f"{a.name}: {m:.4g} N m"


def _points(scene: Scene, body: FreeBody) -> dict[str, np.ndarray]:
    """The points that are drawn: those of the body; of the ground those where something acts."""
    acting = {a.where for a in body.acts}
    own = scene.resolved.bodies.get(body.body)
    if own is None:
        names = [p for p in scene.resolved.ground if p in acting] if body.of_ground else []
        return {p: scene.at(scene.points[p], body.sample) for p in names}
    places = {p: Place(own.name, local, p) for p, local in own.points.items()}
    return {p: scene.at(scene.frames.place(place), body.sample) for p, place in places.items()}


def _in_the_plane(axes: Axes, scene: Scene, body: FreeBody) -> None:
    own, place = scene.resolved.bodies.get(body.body), _points(scene, body)
    points = np.array([*place.values(), body.centre[:2], *(a.point[:2] for a in body.acts if own is None)])
    span = max(float(np.ptp(points, axis=0).max()), 0.35 * body.size)
    unit = 0.03 * span
    sheet = Sheet(axes, scene, body.sample, unit)
    for shape in _shapes(scene, body):
        sheet.shape(shape)
    for xy in place.values():
        if own is None:
            symbols.ground_pin(axes, xy, 0.8 * unit)
        elif not own.particle:
            symbols.pin(axes, xy, 0.8 * unit)
    axes.set_aspect("equal", adjustable="datalim")
    axes.grid(alpha=0.6)
    scale = _scale(body, 0.62 * span)
    labels = Labels()
    for a, b in pairwise(points):
        labels.cover(a, b, 20)
    middle = points.mean(axis=0)
    curls: dict[tuple[float, float], int] = {}
    beside = Beside(0.9 * unit)
    for act in body.acts:
        shown, ink, (text, turn) = _drawn(body, act), ink_of(act), _texts(act)
        x, dashed = act.point[:2], act.kind in ("inertia", SUPPORT)
        if shown[0]:
            arrow = scale.per_unit * act.force[:2]
            start, end = _pull_or_push(x, arrow, middle, own is None or act.kind in ("weight", "inertia"))
            pulls = start is x
            start, end = beside(start, end)
            straight(axes, start, end, ink, dashed)
            labels.cover(start, end)
            labels.add(text, *((end, arrow) if pulls else (start, -arrow)), ink)
        if shown[1]:
            key = (round(float(x[0]), 9), round(float(x[1]), 9))
            k = curls[key] = curls.get(key, -1) + 1
            arc = round_arc(x, (2.6 + 1.3 * k) * unit, float(act.moment[2]), start=-0.5 + 0.9 * k)
            curved(axes, arc, ink, 1.5 * unit, dashed)
            labels.taken.append(arc)
            labels.add(turn, arc[len(arc) // 2], arc[len(arc) // 2] - x, ink)
    centre = body.centre_name
    for name, xy in {**place, centre: body.centre[:2]}.items():
        if name != centre or min([float(np.hypot(*(xy - p))) for p in place.values()], default=np.inf) > unit:
            labels.add(name, xy, xy - middle if name != centre else np.array([1.0, -1.0]), INK)
    for corner in ((-0.3, -0.3), (0.3, 0.3)):  # a body that is a mere line gets some paper beside it
        axes.plot(*(middle + span * np.array(corner)), alpha=0.0)
    axes.margins(0.16)
    axes.set(xlabel="x [m]", ylabel="y [m]")
    labels.put(axes)
    put_key(axes, [scale], float(np.diff(axes.get_xlim())[0]), below=0.085)


def _shapes(scene: Scene, body: FreeBody) -> list[Thing]:
    return [shape for shape in scene.shapes if shape["name"] == body.body]


def _scale(body: FreeBody, reach: float) -> Scale:
    """The longest force has this reach; moments have none."""
    curls = any(_drawn(body, a)[1] for a in body.acts)
    said = "forces to scale, moments by their numbers" if curls else "forces to scale"
    return Scale.fit(said, "N", [float(np.linalg.norm(a.force)) for a in body.acts], reach)


class Beside:
    """Arrows that would lie on one another are drawn side by side."""

    def __init__(self, gap: float):
        self.gap = gap
        self.drawn: list[tuple[np.ndarray, np.ndarray]] = []

    def __call__(self, start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        way = end - start
        e = way / (float(np.hypot(*way)) or 1.0)
        n = np.array([-e[1], e[0]])
        for k in (0, 1, -1, 2, -2, 3, -3):
            shift = k * self.gap * n
            if not any(self._hides(start + shift, end + shift, a, b) for a, b in self.drawn):
                break
        self.drawn.append((start + shift, end + shift))
        return self.drawn[-1]

    def _hides(self, start: np.ndarray, end: np.ndarray, a: np.ndarray, b: np.ndarray) -> bool:
        """Nearly parallel, and one beginning on the other."""
        u, w = end - start, b - a
        lengths = float(np.hypot(*u)) * float(np.hypot(*w))
        if lengths == 0 or abs(u[0] * w[1] - u[1] * w[0]) > 0.12 * lengths:
            return False
        e = w / float(np.hypot(*w))
        along = sorted((float((start - a) @ e), float((end - a) @ e)))
        aside = abs(float((start - a) @ np.array([-e[1], e[0]])))
        return aside < 0.7 * self.gap and along[1] > 0.5 * self.gap and along[0] < float(np.hypot(*w)) - 0.5 * self.gap


def _pull_or_push(x: np.ndarray, arrow: np.ndarray, middle: np.ndarray, inside: bool) -> tuple[np.ndarray, np.ndarray]:
    """An arrow that starts at its point; one that would run into the body ends there instead."""
    inward = float(arrow @ (middle - x))
    if not inside and inward > 0.25 * float(np.hypot(*arrow)) * float(np.hypot(*(middle - x))) > 0:
        return x - arrow, x
    return x, x + arrow


def _in_space(axes: Axes, scene: Scene, body: FreeBody, view: tuple[float, float] | None) -> None:
    own, named, shapes = scene.resolved.bodies.get(body.body), _points(scene, body), _shapes(scene, body)
    projection = view_of(scene, view)
    anchors = np.array([*named.values(), body.centre, *(a.point for a in body.acts)])
    shown = np.vstack([anchors, scene.extent(body.sample, [s for s in shapes if s["type"] in ("bar", "rod", "sheet")])])
    span = max(float(np.ptp(projection.flat(shown), axis=0).max()), 0.5 * body.size)
    scale = _scale(body, 0.7 * span)
    tips = [a.point + scale.per_unit * a.force for a in body.acts if _drawn(body, a)[0]]
    extent = np.array([*anchors, *tips, *scene.extent(body.sample, shapes)])
    stage = new_stage(axes, projection, extent, max(body.size, span))
    for shape in shapes:
        draw_shape(stage, scene, shape, body.sample)
    labels, unit = Labels(), stage.unit
    beside = Beside(0.8 * unit)
    for a, b in pairwise(anchors):
        labels.cover(projection.flat(a), projection.flat(b), 20)
    covered = [projection.flat(extent)]
    for act in body.acts:
        drawn, ink, (text, turn) = _drawn(body, act), ink_of(act), _texts(act, space=True)
        dashed, x = act.kind in ("inertia", SUPPORT), act.point
        if drawn[0]:
            start, end = beside(*projection.flat(np.array([x, x + scale.per_unit * act.force])))
            straight(axes, start, end, ink, dashed)
            labels.cover(start, end)
            labels.add(text, end, end - start, ink)
        if drawn[1]:
            axis = act.moment / float(np.linalg.norm(act.moment))
            arc = projection.flat(circle(x + 2.4 * unit * axis, axis, 1.7 * unit, 0.05, 0.8))
            line = projection.flat(np.array([x, x + 4.2 * unit * axis]))
            axes.plot(*line.T, color=ink, lw=0.9, ls=DOTS, zorder=9.9)
            curved(axes, arc, ink, 1.1 * unit, dashed)
            labels.taken += [arc, np.linspace(line[0], line[1], 8)]
            covered += [arc, line]
            labels.add(turn, line[1], line[1] - line[0], ink)
    for name, xyz in named.items():
        if own is None:
            pedestal(stage, xyz)
        ring: dict[str, Any] = {"marker": "o", "ms": 4.6, "mfc": "white", "mec": INK, "mew": 1.2, "zorder": 9.5}
        axes.plot(*projection.flat(xyz), **ring)
        labels.add(name, projection.flat(xyz), projection.flat(xyz - body.centre), INK)
    axes.plot(*projection.flat(body.centre), marker="+", ms=8, mew=1.5, color=INK, zorder=9.4)
    apart = all(np.linalg.norm(p - body.centre) > 1e-6 * body.size for p in named.values())
    if apart and not (own is not None and own.particle):
        labels.add(body.centre_name, projection.flat(body.centre), np.array([1.0, -1.0]), INK)
    wide = set_limits(axes, np.concatenate(covered), 4.0 * unit, below=0.16)
    labels.put(axes)
    put_triad(axes, projection, scene.resolved.gravity, "lower right")
    put_key(axes, [scale], wide)
    put_scale(axes, wide, "upper right")


DOTS = (0, (6, 2, 1.2, 2))
