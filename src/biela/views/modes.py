"""A mode drawn: the mechanism at rest, and over it how it stands at both ends of the vibration."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..analysis.linear.linearise import Linear
from ..analysis.linear.modes import Mode
from ..errors import BielaError, Problem
from ..results.motion import Motion
from .plane.mechanism import convex_hull, draw_mechanism
from .space.mechanism import _view
from .space.scene import Scene
from .space.solids import Ball
from .style import INK, heading, new_figure, save, style

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
    if path is not None:
        save(figure, path)
    return figure


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
    if path is not None:
        save(figure, path)
    return figure


def draw_mode(axes: Axes, linear: Linear, k: int, view: tuple[float, float] | None = None) -> None:
    """On axes that are there already."""
    mode = linear.modes()[k]
    motion = displaced(linear, mode)
    space = motion.system.resolved.dimension == 3
    rest = _sample(motion, 0)
    draw_mechanism(axes, rest, names=False, view=view)
    flat = _view(rest, view).flat if space else lambda p: np.asarray(p)[..., :2]
    for sample, (_, ink, line) in enumerate(ENDS, start=1):
        for outline in _outlines(motion, sample, flat):
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
    places = np.array([np.asarray(x) for x in _points(system, rest)]).reshape(-1, system.resolved.dimension)
    span = float(np.ptp(places, axis=0).max(initial=0.0)) or system.size
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


def _points(system: Any, q: np.ndarray) -> list[np.ndarray]:
    here, resolved = system.posture(q), system.resolved
    return [here.place(resolved.place(p))[0][0] for p in (*resolved.ground, *resolved.start)] + [
        here.vector(system.equations.exploded.center(b))[0][0] for b in resolved.bodies
    ]


def _sample(motion: Motion, k: int) -> Motion:
    s = slice(k, k + 1)
    return Motion(motion.system, np.zeros(1), motion.q[s], motion.v[s], motion.a[s], motion.lam[s], None)


def _outlines(motion: Motion, sample: int, flat: Any) -> list[np.ndarray]:
    """Every body as a closed line on paper."""
    resolved = motion.system.resolved
    if resolved.dimension == 3:
        scene = Scene(motion, sample)
        out = []
        for name, body in resolved.bodies.items():
            surface, anchors = scene.surface(body), scene.anchors[name]
            if isinstance(surface, Ball):
                out.append(_ring(flat(scene.center(body)), surface.radius))
            elif surface:
                out.append(_closed(convex_hull(np.vstack([flat(f.corners) for f in surface]))))
            elif len(anchors) > 1:
                out.append(_closed(convex_hull(flat(anchors))))
            elif len(anchors):
                ends = np.array([anchors[0], scene.center(body)])
                apart = float(np.abs(ends[0] - ends[1]).max()) > 1e-9 * scene.size
                out.append(flat(ends) if apart else _ring(flat(anchors[0]), 0.05 * scene.size))
        return out
    from math import sqrt

    from .plane.mechanism import plate_sides

    single, out = _sample(motion, sample), []
    for name, body in resolved.bodies.items():
        corners = np.array([np.asarray(single[p])[0] for p in body.points])
        centre = np.asarray(single[f"{name}.position"])[0]
        if body.particle:
            out.append(_ring(corners[0], 0.02 * _span(motion)))
            continue
        if body.kind in ("disc", "plate") and body.mass:
            angle = float(single[f"{name}.angle"][0])
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            if body.kind == "disc":
                radius = sqrt(2 * body.inertia / body.mass)
                out.append(_ring(centre, radius))
                out.append(np.array([centre, centre + turn @ np.array([radius, 0.0])]))
            else:
                w, h = plate_sides(body)
                local = np.array([(-w, -h), (w, -h), (w, h), (-w, h)]) / 2
                out.append(_closed(centre + local @ turn.T))
        elif len(corners) > 1:
            out.append(_closed(convex_hull(corners)))
        else:
            out.append(np.array([corners[0], centre]) if len(corners) else _ring(centre, 0.02 * _span(motion)))
    return out


def _span(motion: Motion) -> float:
    places = np.array(_points(motion.system, motion.q[0]))
    return float(np.ptp(places, axis=0).max(initial=0.0)) or motion.system.size


def _closed(corners: np.ndarray) -> np.ndarray:
    return np.vstack([corners, corners[:1]])


def _ring(centre: np.ndarray, radius: float) -> np.ndarray:
    a = np.linspace(0, 2 * np.pi, 33)
    return np.asarray(centre)[:2] + radius * np.column_stack([np.cos(a), np.sin(a)])


__all__ = ["draw_mode", "mode_figure", "modes_figure"]
