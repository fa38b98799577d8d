"""Drawings of the mechanisms of the texts, their angles and their free bodies."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Arc

from ...analysis.assembly.assemble import assemble
from ...analysis.simulate.simulate import simulate
from ...results.motion import Motion
from ...results.result import Result
from ..drawing.freebody import free_body_on
from ..drawing.mechanism import sketch
from ..style import GREY, INK, heading, new_figure, style
from .top_002 import run as top_run


def _place(text: str) -> tuple[Result | Motion, int]:
    """A mechanism of the library where it starts, or "name@time": when it has moved that long."""
    name, _, time = text.partition("@")
    if not time:
        return Motion.at_start(assemble(name)), 0
    result = simulate(name, float(time), samples=40)
    return result, len(result.t) - 1


WHERE = {
    "000-6": "double-pendulum@0.55",
    "000-11": "double-pendulum-spring@0.3",
    "000-14": "double-pendulum",
    "001-15.7": "mass-spring-damper@0.25",
    "001-15.12": "two-mass-suspension@0.25",
    "001-15.13": "two-mass-suspension@0.1:chassis",
    "001-15.14": "two-mass-suspension@0.1:wheel",
    "001-15.22": "double-pendulum-001@0.35",
    "001-15.23": "double-pendulum-001@0.35:bar1,bar2",
    "001-15.27": "rod-pendulum@0.3",
    "001-15.28": "slider-crank-001",
    "002-4": "double-pendulum-002@0.4",
    "003-loop": "kinematics-003-six-bar",
    "003-four-bar": "kinematics-003-four-bar@0.15",
    "003-sliding": "kinematics-003-sliding@0.15",
    "004-10.1": "mass-spring-damper@0.25",
}
"""what is drawn: a mechanism of the library, "@" the time that it has moved, ":" the bodies that are taken out of it"""


def title(number: str) -> str:
    """Text, number and what it shows; the pictures of text 003 have no numbers."""
    from . import PLATES

    text, _, rest = number.partition("-")
    return f"text {text}" + (f", figure {rest}" if rest[0].isdigit() else "") + f": {PLATES[number].shows}"


def still(number: str) -> tuple[Figure, list[str]]:
    """A mechanism as it stands, or after a time."""
    motion, at = _place(WHERE[number])
    name, _, time = WHERE[number].partition("@")
    said = f"{name} of the library " + (f"after {time} s" if time else "where it starts")
    return sketch(motion, at=at, title=title(number)), [said]


def free(number: str) -> tuple[Figure, list[str]]:
    """Free bodies side by side."""
    where, _, bodies = WHERE[number].partition(":")
    motion, at = _place(where)
    names = bodies.split(",")
    notes = []
    with style():
        figure = new_figure(7.6 * len(names), 6.4)
        for axes, name in zip(np.ravel(figure.subplots(1, len(names))), names, strict=True):
            body = motion.free_body(name, float(motion.t[at]))
            free_body_on(axes, body)
            axes.set_title(name, pad=8)
            acting = ", ".join(f"{a.name} {float(np.linalg.norm(a.force)):.5g} N" for a in body.acts)
            notes.append(f"{name} at t = {body.t:g} s: {acting}; left over {body.error:.0e}")
        heading(figure, title(number))
    return figure, notes


ANGLES = {
    "000-20": ("double-pendulum@0.55", [("P0", "P1", "φ1", None), ("P1", "P2", "φ2", None)]),
    "001-15.24": ("double-pendulum-001@0.45", [("O", "A", "θ1", 0.0), ("A", "B", "θ2", "O")]),
}
"""start, end and name of each angle, and from where it counts: the downward vertical, the x axis, the bar before"""


def angles(number: str) -> tuple[Figure, list[str]]:
    """A double pendulum with its two angles."""
    where, drawn_angles = ANGLES[number]
    result, at = _place(where)
    drawn = sketch(result, at=at, title=title(number))
    axes, size = drawn.axes[0], result.system.size / 4
    with style():
        for start, end, name, since in drawn_angles:
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
    since = {"000-20": "from the downward vertical", "001-15.24": "from the x axis and from the first bar"}[number]
    return drawn, [f"angles are counted {since}"]


def _direction(e: np.ndarray) -> float:
    return float(np.degrees(np.arctan2(e[1], e[0])))


def symmetric_top() -> tuple[Figure, list[str]]:
    """The top at its start."""
    return sketch(top_run("conserving", 0.01, 2), title="text 002, figure 9: the symmetric top"), [
        "leaning 0.3 rad, 50 rad/s about its axis"
    ]
