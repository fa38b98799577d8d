"""Plots of channels: against time or against each other, units on every axis."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...errors import BielaError, Problem
from ...results.channels.channel import Channel
from ...results.motion import Motion
from ..style import colour, dash, finished, heading, legend, new_figure, plain_numbers, style

if TYPE_CHECKING:
    from ...bondgraph.simulation.result import BondResult

    Drawable = Motion | BondResult

__all__ = ["draw", "label", "plot"]

QUANTITIES = {
    "m": "length", "m/s": "velocity", "m/s^2": "acceleration", "rad": "angle", "rad/s": "angular velocity",
    "rad/s^2": "angular acceleration", "N": "force", "N*m": "moment", "J": "energy", "W": "power", "s": "time",
    "1": "value", "1/s": "rate",
}  # fmt: skip
Line = tuple[str, np.ndarray, str]
"""name, values, unit"""


def plot(
    motions: Drawable | Sequence[Drawable],
    *names: str,
    against: str = "t",
    path: str | Path | None = None,
    labels: Sequence[str] | None = None,
    theme: str = "light",
    title: str | None = None,
) -> Figure:
    """Plot channels of a motion, or of several in one figure, against time or another channel (a phase plane); those
    with the same unit share their axes.

    `labels` tell several motions apart (by default how they were computed); `theme` is "light" or "dark". Gives a
    matplotlib figure, and writes it (.png, .svg, .pdf) if a path is given.

    >>> import biela
    >>> figure = plot(biela.simulate("simple-pendulum", 1.0), "P.x", "P.y", "P.speed")
    >>> [axes.get_ylabel() for axes in figure.axes]
    ['length [m]', 'P.speed [m/s]']
    """
    # (results of bond graphs have the channels of motions, and no more)
    every: list[Any] = list(motions) if isinstance(motions, list | tuple) else [motions]
    _check(every, names, labels, theme)
    several = len(every) > 1
    known = tell_apart(every) if labels is None else list(labels)
    groups: dict[str, list[tuple[int, Line]]] = {}
    for k, motion in enumerate(every):
        for name in names:
            for line in components(motion, name):
                groups.setdefault(line[2], []).append((k, line))
    across = [_horizontal(motion, against) for motion in every]
    unit = across[0].unit
    # a path in the plane looks right only if a metre is as long upwards as sideways
    plane = against != "t" and len(groups) == 1 and unit == "m" == next(iter(groups))
    with style():
        size = (6.4, 6.0) if plane else (8.0, 1.3 + 2.5 * len(groups))
        figure = new_figure(*size)
        axes = figure.subplots(len(groups), 1, sharex=True, squeeze=False)[:, 0]
        for part, group in zip(axes, groups.values(), strict=True):
            if several:
                _overlaid(part, across, group, known)
            else:
                draw(part, np.asarray(across[0]), [line for _, line in group])
        axes[-1].set_xlabel(label(against, unit))
        if plane:
            axes[0].set_aspect("equal", adjustable="datalim")
        models = " / ".join(dict.fromkeys(m.system.name for m in every))
        heading(figure, models if title is None else title, "" if several else made(every[0]))
    return finished(figure, path, theme)


def _check(every: list[Motion], names: Sequence[str], labels: Sequence[str] | None, theme: str) -> None:
    if not names:
        raise BielaError(Problem("nothing to plot", cure="name a channel; channels() lists them"))
    if not every:
        raise BielaError(Problem("there is no motion to plot", cure="give at least one result"))
    if labels is not None and len(labels) != len(every):
        raise BielaError(Problem(f"{len(labels)} labels for {len(every)} motions", cure="give one label each"))
    if theme not in ("light", "dark"):
        raise BielaError(Problem(f"there is no theme {theme!r}", cure="one of: light, dark"))


def _horizontal(motion: Motion, against: str) -> Channel:
    channel = motion[against]
    if channel.ndim != 1:
        cure = " or ".join(channel.parts())
        raise BielaError(Problem(f"{against!r} is a vector: it cannot be the horizontal axis", cure=cure))
    return channel


def _overlaid(axes: Axes, across: list[Channel], group: list[tuple[int, Line]], labels: list[str]) -> None:
    """Lines of several motions on one set of axes: a colour for each motion, a dash for each channel."""
    channels = list(dict.fromkeys(line[0] for _, line in group))
    for k, (name, y, _) in group:
        text = labels[k] if len(channels) == 1 else f"{name}, {labels[k]}"
        dashes = ("-", "--", ":", "-.")[channels.index(name) % 4]
        axes.plot(np.asarray(across[k]), y, color=colour(k), ls=dashes, label=text)
    unit = group[0][1][2]
    axes.set_ylabel(label(channels[0] if len(channels) == 1 else QUANTITIES.get(unit, "value"), unit))
    axes.margins(x=0.01)
    plain_numbers(axes)
    legend(axes, len(group), ncols=1 if max(map(len, labels)) > 30 else min(len(group), 3))


def tell_apart(every: Sequence[Motion]) -> list[str]:
    """What tells motions apart: their model, or how they were computed, or their number."""
    if len(every) == 1:
        return [every[0].system.name]
    for texts in ([m.system.name for m in every], [made(m) for m in every]):
        if len(set(texts)) == len(texts) and all(texts):
            return texts
    return [f"{k + 1}: {made(m) or m.system.name}" for k, m in enumerate(every)]


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


def stack(
    x: np.ndarray, groups: Sequence[Sequence[Line]], xlabel: str = "t [s]", quantity: str = "", height: float = 2.3
) -> Figure:
    """Groups of lines, each on axes of its own, one above the other; `height` of each in inches."""
    with style():
        figure = new_figure(8.0, 0.7 + height * len(groups))
        axes = figure.subplots(len(groups), 1, sharex=True, squeeze=False)[:, 0]
        for one, lines in zip(axes, groups, strict=True):
            draw(one, x, lines, quantity)
        axes[-1].set_xlabel(xlabel)
    return figure


def label(name: str, unit: str) -> str:
    """A name with its unit, if it has one.

    >>> label("P.x", "m"), label("t", "s"), label("violation.position", "1")
    ('P.x [m]', 't [s]', 'violation.position')
    """
    return name if unit in ("", "1") else f"{name} [{unit}]"


def made(motion: Motion) -> str:
    """How a motion was made, without the reasons."""
    return motion.method.split(" (")[0]
