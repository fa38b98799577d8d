"""A mode drawn: the mechanism at rest, and over it how it stands at both ends of the vibration."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...analysis.linear.linearise import Linear
from ...analysis.linear.modes import Mode
from ...errors import BielaError, Problem
from ...results.motion import Motion
from ..scene.scene import Scene
from ..scene.solids import convex_hull
from ..style import INK, finished, heading, new_figure, style
from .mechanism import draw_mechanism
from .space import view_of

SWING = 0.13
"""how far the part that moves most is shown to go, over the size of the picture"""
ENDS = ((1, INK, "-"), (-1, INK, (0, (4, 2))))


def mode_figure(
    linear: Linear, k: int = 0, path: str | Path | None = None, view: tuple[float, float] | None = None
) -> Figure:
    r"""Draw one mode; of a damped one the real part.

    >>> import biela
    >>> figure = mode_figure(biela.linearise("double-pendulum"), 1)
    >>> figure.axes[0].get_title('left')
    'mode 1: 0.598103 Hz\ndisc 56 %, square 44 %'
    """
    modes = linear.modes()
    if not 0 <= k < len(modes):
        raise BielaError(Problem(f"there is no mode {k}", why=f"{len(modes)} modes", cure=f"0 to {len(modes) - 1}"))
    with style():
        figure = new_figure(7.0, 5.8)
        draw_mode(figure.subplots(), linear, k, view)
        heading(figure, linear.system.name)
    return finished(figure, path)


def modes_figure(linear: Linear, path: str | Path | None = None, most: int = 6) -> Figure:
    """The first modes side by side."""
    count = min(len(linear.modes()), most)
    if count == 0:
        raise BielaError(Problem("there is no mode to draw", where=linear.system.name))
    across = min(count, 3)
    down = -(-count // across)
    with style():
        figure = new_figure(5.0 * across, 4.6 * down)
        every = figure.subplots(down, across, squeeze=False).ravel()
        for k, axes in enumerate(every):
            if k < count:
                draw_mode(axes, linear, k)
            else:
                axes.set_axis_off()
        heading(figure, f"{linear.system.name}: modes")
    return finished(figure, path)


def draw_mode(axes: Axes, linear: Linear, k: int, view: tuple[float, float] | None = None) -> None:
    """On axes that are there already."""
    mode = linear.modes()[k]
    motion = displaced(linear, mode)
    rest = Motion(motion.system, np.zeros(1), motion.q[:1], motion.v[:1], motion.a[:1], motion.lam[:1], None)
    still = Scene(rest)
    draw_mechanism(axes, still, names=False, view=view)
    flat = view_of(still, view).flat if still.dimension == 3 else np.asarray
    scene = Scene(motion)
    for sample, (_, ink, line) in enumerate(ENDS, start=1):
        for outline in _outlines(scene, sample, flat):
            axes.plot(*outline.T, color=ink, lw=1.3, ls=line, zorder=8)
    what = f"{mode.frequency:.6g} Hz" if mode.kind in ("oscillates", "grows") and mode.eigenvalue.imag else mode.kind
    if mode.kind == "oscillates" and mode.damping > 1e-9:
        what += f", damping {mode.damping:.3g}"
    elif mode.kind == "grows" and mode.eigenvalue.imag:
        what += ", grows"
    axes.set_title(f"mode {k}: {what}\n{mode.moving(most=3)}", fontsize=9.5)


def displaced(linear: Linear, mode: Mode) -> Motion:
    """Three samples: at rest and at both ends, each a closed mechanism, not one with stretched bars."""
    chart, system = linear.space.chart, linear.system
    rest = linear.space.here.q
    span = _span(system, rest)
    spins = max((float(np.linalg.norm(p.spin)) for p in mode.parts), default=0.0)
    moved = max((float(np.linalg.norm(p.centre)) for p in mode.parts), default=0.0)
    moved = max([moved, *(float(np.linalg.norm(x)) for x in mode.points.values())])
    size = min(SWING * span / moved if moved > 0 else np.inf, 0.6 / spins if spins > 0 else np.inf)
    z = np.real(mode.z) if np.abs(np.real(mode.z)).max(initial=0.0) > 0 else np.imag(mode.z)
    states = [rest]
    for side, _, _ in ENDS:
        share = size if np.isfinite(size) else 0.0
        q = None
        while q is None and share > 1e-6 * size:
            q = chart.position(side * share * z)
            share *= 0.5
        states.append(rest if q is None else q)
    still = np.zeros((len(states), system.n))
    lam = np.zeros((len(states), system.m))
    return Motion(system, np.zeros(len(states)), np.array(states), still, still, lam, None)


def _span(system: Any, q: np.ndarray) -> float:
    """How far the points and centres of a mechanism are apart."""
    here, resolved = system.posture(q), system.resolved
    places = [here.place(resolved.place(p))[0][0] for p in (*resolved.ground, *resolved.start)]
    places += [here.vector(system.equations.exploded.center(b))[0][0] for b in resolved.bodies]
    return float(np.ptp(np.array(places), axis=0).max(initial=0.0)) or system.size


def _outlines(scene: Scene, sample: int, flat: Any) -> list[np.ndarray]:
    """Every body as closed lines on paper."""
    out = []
    small = 0.02 * _span(scene.motion.system, scene.motion.q[0])
    for shape in scene.shapes:
        kind, corners = shape["type"], flat(scene.corners(shape, sample))
        if kind in ("disc", "ball", "mass"):
            out.append(_ring(corners[0], shape.get("radius", small)))
            if kind == "disc":  # how it has turned
                e = scene.frames.direction([shape["frame"], 1.0, 0.0], sample)
                out.append(np.vstack([corners, corners + shape["radius"] * e]))
        elif kind not in ("center", "stalk", "slab") and shape["name"]:
            outline = convex_hull(corners) if len(corners) > 2 else corners
            out.append(np.vstack([outline, outline[:1]]))
    masses = [s for s in scene.of("slider") if s["colour"] >= 0]  # drawn as the block of their guide
    return out + [_ring(scene.at(s["at"], sample), small) for s in masses]


def _ring(centre: np.ndarray, radius: float) -> np.ndarray:
    a = np.linspace(0, 2 * np.pi, 33)
    return centre + radius * np.column_stack([np.cos(a), np.sin(a)])


__all__ = ["draw_mode", "mode_figure", "modes_figure"]
