"""Plots of channels: against time or against each other, units on every axis."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..errors import BielaError, Problem
from ..results.motion import Motion
from .style import colour, dash, heading, legend, new_figure, plain_numbers, save, style

__all__ = ["draw", "figures", "label", "plot"]

QUANTITIES = {
    "m": "length", "m/s": "velocity", "m/s^2": "acceleration", "rad": "angle", "rad/s": "angular velocity",
    "rad/s^2": "angular acceleration", "N": "force", "N*m": "moment", "J": "energy", "W": "power", "s": "time",
    "1": "value", "1/s": "rate",
}  # fmt: skip
Line = tuple[str, np.ndarray, str]
"""name, values, unit"""


def plot(motion: Motion, *names: str, against: str = "t", path: str | Path | None = None) -> Figure:
    """Plot channels of a motion against time or another channel; those with the same unit share their axes.

    Gives a matplotlib figure, and writes it (.png, .svg, .pdf) if a path is given.

    >>> import biela
    >>> figure = plot(biela.simulate("simple-pendulum", 1.0), "P.x", "P.y", "P.speed")
    >>> [axes.get_ylabel() for axes in figure.axes]
    ['length [m]', 'P.speed [m/s]']
    """
    if not names:
        raise BielaError(Problem("nothing to plot", cure="name a channel; channels() lists them"))
    horizontal = motion[against]
    if horizontal.ndim != 1:
        cure = " or ".join(horizontal.parts())
        raise BielaError(Problem(f"{against!r} is a vector: it cannot be the horizontal axis", cure=cure))
    lines = [line for name in names for line in components(motion, name)]
    groups: dict[str, list[Line]] = {}
    for line in lines:
        groups.setdefault(line[2], []).append(line)
    # a path in the plane looks right only if a metre is as long upwards as sideways
    plane = against != "t" and len(groups) == 1 and horizontal.unit == "m" == lines[0][2]
    with style():
        size = (6.4, 6.0) if plane else (8.0, 1.3 + 2.5 * len(groups))
        figure = new_figure(*size)
        axes = figure.subplots(len(groups), 1, sharex=True, squeeze=False)[:, 0]
        for part, group in zip(axes, groups.values(), strict=True):
            draw(part, np.asarray(horizontal), group)
        axes[-1].set_xlabel(label(against, horizontal.unit))
        if plane:
            axes[0].set_aspect("equal", adjustable="datalim")
        heading(figure, motion.system.name, made(motion))
    if path is not None:
        save(figure, path)
    return figure


def components(motion: Motion, name: str) -> list[Line]:
    """A channel as lines: one, or one for every component of a vector."""
    return [(part, np.asarray(values), values.unit) for part, values in motion[name].parts().items()]


def draw(axes: Axes, x: np.ndarray, lines: Sequence[Line], quantity: str = "", first: int = 0, **options: Any) -> None:
    """Lines of one unit on one set of axes; named in a legend if there are several."""
    for k, (name, y, _) in enumerate(lines):
        axes.plot(x, y, color=colour(first + k), ls=dash(k), label=name, **options)
    unit = lines[0][2] if lines else ""
    axes.set_ylabel(label(lines[0][0] if len(lines) == 1 else quantity or QUANTITIES.get(unit, "value"), unit))
    axes.margins(x=0.01)
    plain_numbers(axes)
    if len(lines) > 1:
        legend(axes, len(lines))


def label(name: str, unit: str) -> str:
    """A name with its unit, if it has one.

    >>> label("P.x", "m"), label("t", "s"), label("violation.position", "1")
    ('P.x [m]', 't [s]', 'violation.position')
    """
    return name if unit in ("", "1") else f"{name} [{unit}]"


def made(motion: Motion) -> str:
    """How a motion was made, without the reasons."""
    return motion.method.split(" (")[0]


def figures(motion: Motion, folder: str | Path, name: str | None = None) -> list[Path]:
    """Motion, energy, constraint violation, multipliers and an overview as PNG files; see `biela.views.figures`."""
    from .figures import figures

    return figures(motion, folder, name)
