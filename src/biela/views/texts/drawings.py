"""Drawings of the mechanisms of the texts, their angles and their free bodies."""

from __future__ import annotations

import numpy as np
from matplotlib.patches import Arc

from ...analysis.assembly.assemble import assemble
from ...analysis.simulate.simulate import simulate
from ...results.motion import Motion
from ...results.result import Result
from ..drawing.freebody import free_body_on
from ..drawing.mechanism import sketch
from ..style import GREY, INK, heading, new_figure, style
from .registry import Drawn, Plate, figure
from .top_002 import run as top_run

STILLS = (
    ("000-6", "the double pendulum of a square and a disc", "double-pendulum@0.55"),
    ("000-11", "the double pendulum with a spring", "double-pendulum-spring@0.3"),
    ("000-14", "the double pendulum where it starts", "double-pendulum"),
    ("001-15.7", "mass hung from a spring and a damper", "mass-spring-damper@0.25"),
    ("001-15.12", "two masses one above the other", "two-mass-suspension@0.25"),
    ("001-15.22", "the double pendulum of two bars", "double-pendulum-001@0.35"),
    ("001-15.27", "the bar that swings about its end", "rod-pendulum@0.3"),
    ("001-15.28", "the slider-crank", "slider-crank-001"),
    ("002-4", "double pendulum of two point masses", "double-pendulum-002@0.4"),
    ("003-loop", "closed loop with the angles theta2 to theta6", "kinematics-003-six-bar"),
    ("003-four-bar", "the four-bar, in all kinds of coordinates", "kinematics-003-four-bar@0.15"),
    ("003-sliding", "rod in a sliding block, in all kinds of coordinates", "kinematics-003-sliding@0.15"),
    ("004-10.1", "mass hung from a spring and a damper", "mass-spring-damper@0.25"),
)
"""figure, what it shows, and a mechanism of the library, "@" the time that it has moved"""
FREE_BODIES = (
    ("001-15.13", "what acts on the upper mass", "two-mass-suspension@0.1:chassis"),
    ("001-15.14", "what acts on the lower mass", "two-mass-suspension@0.1:wheel"),
    ("001-15.23", "what acts on both bars of the double pendulum", "double-pendulum-001@0.35:bar1,bar2"),
)
"""the same, ":" the bodies that are taken out of it"""


def _place(text: str) -> tuple[Result | Motion, int]:
    """A mechanism of the library where it starts, or "name@time": when it has moved that long."""
    name, _, time = text.partition("@")
    if not time:
        return Motion.at_start(assemble(name)), 0
    result = simulate(name, float(time), samples=40)
    return result, len(result.t) - 1


def still(plate: Plate, where: str) -> Drawn:
    """A mechanism as it stands, or after a time."""
    motion, at = _place(where)
    name, _, time = where.partition("@")
    said = f"{name} of the library " + (f"after {time} s" if time else "where it starts")
    return sketch(motion, at=at, title=plate.title), [said]


def free(plate: Plate, where: str) -> Drawn:
    """Free bodies side by side."""
    where, _, bodies = where.partition(":")
    motion, at = _place(where)
    names = bodies.split(",")
    notes = []
    with style():
        drawn = new_figure(7.6 * len(names), 6.4)
        for axes, name in zip(np.ravel(drawn.subplots(1, len(names))), names, strict=True):
            body = motion.free_body(name, float(motion.t[at]))
            free_body_on(axes, body)
            axes.set_title(name, pad=8)
            acting = ", ".join(f"{a.name} {float(np.linalg.norm(a.force)):.5g} N" for a in body.acts)
            notes.append(f"{name} at t = {body.t:g} s: {acting}; left over {body.error:.0e}")
        heading(drawn, plate.title)
    return drawn, notes


for _figures, _draw in ((STILLS, still), (FREE_BODIES, free)):
    for _name, _shows, _where in _figures:
        figure(_name, _shows, _where)(_draw)


@figure("000-20", "double pendulum: its relative coordinates")
def angles_from_the_vertical(plate: Plate) -> Drawn:
    """A double pendulum with its two angles."""
    turns = [("P0", "P1", "φ1", None), ("P1", "P2", "φ2", None)]
    return _angles(plate, "double-pendulum@0.55", turns, "from the downward vertical")


@figure("001-15.24", "double pendulum: its relative coordinates")
def angles_from_bar_to_bar(plate: Plate) -> Drawn:
    turns = [("O", "A", "θ1", 0.0), ("A", "B", "θ2", "O")]
    return _angles(plate, "double-pendulum-001@0.45", turns, "from the x axis and from the first bar")


def _angles(plate: Plate, where: str, turns: list[tuple], said: str) -> Drawn:
    """`turns`: start, end and name of each angle, and from where it counts (None: downwards; else the bar before)."""
    result, at = _place(where)
    drawn = sketch(result, at=at, title=plate.title)
    axes, size = drawn.axes[0], result.system.size / 4
    with style():
        for start, end, name, since in turns:
            a, b = (np.asarray(result[p])[at] for p in (start, end))
            way = _direction(b - a)
            zero = -90.0 if since is None else _direction(a - np.asarray(result[since])[at]) if since else float(since)
            e = np.array([np.cos(np.radians(zero)), np.sin(np.radians(zero))])
            axes.plot(*np.array([a, a + 1.3 * size * e]).T, color=GREY, lw=1.2, ls=(0, (6, 3)), zorder=8)
            axes.plot(*np.array([a, a + 0.65 * (b - a)]).T, color=GREY, lw=1.2, ls=(0, (6, 3)), zorder=8)
            turn = (way - zero + 180) % 360 - 180
            low, high = sorted((zero, zero + turn))
            axes.add_patch(Arc(tuple(a), 1.5 * size, 1.5 * size, theta1=low, theta2=high, color=INK, lw=1.4, zorder=8))
            middle = np.radians((low + high) / 2)
            axes.text(a[0] + 0.98 * size * np.cos(middle), a[1] + 0.98 * size * np.sin(middle), name, fontsize=12,
                      ha="center", va="center", fontstyle="italic", zorder=9)  # fmt: skip
    return drawn, [f"angles are counted {said}"]


def _direction(e: np.ndarray) -> float:
    return float(np.degrees(np.arctan2(e[1], e[0])))


@figure("002-9", "the symmetric top")
def symmetric_top(plate: Plate) -> Drawn:
    """The top at its start."""
    return sketch(top_run("conserving", 0.01, 2), title=plate.title), ["leaning 0.3 rad, 50 rad/s about its axis"]
