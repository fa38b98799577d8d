"""The figures of 000 (15-19, 21-26) in one call: motion, energy, constraint violation, multipliers; and an overview."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...errors import BielaError, Problem, reason_of
from ...results.motion import Motion
from ...results.result import Result
from ..drawing.mechanism import draw_mechanism
from ..drawing.projection import horizon
from ..scene.scene import Scene
from ..style import GREY, heading, legend, new_figure, save, style
from .plot import Line, draw, made

Part = Callable[[Axes, Motion], None]
MOST = 8  # rows of constraints that one picture can show


def figures(motion: Motion, folder: str | Path, name: str | None = None) -> list[Path]:
    """Write NAME-motion.png, -energy, -violation, -multipliers and -overview; gives the paths.

    What a motion does not have (a mechanism without constraints has no multipliers) is left out.
    """
    folder, name = Path(folder), name or motion.system.name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        why = reason_of(error)
        raise BielaError(Problem(f"cannot make the folder {folder}", why=why, cure="choose another folder")) from None
    pictures: dict[str, Callable[[Motion], Figure]] = {"motion": motion_figure, "energy": energy_figure}
    if motion.system.m:
        pictures |= {"violation": violation_figure, "multipliers": multiplier_figure}
    written = [save(picture(motion), folder / f"{name}-{part}.png") for part, picture in pictures.items()]
    return [*written, save(overview(motion), folder / f"{name}-overview.png")]


def motion_figure(motion: Motion) -> Figure:
    """The height of the last point over time, as in 000, figures 15, 21 and 24."""
    return _single(motion, [_motion], telling(motion)[0])


def energy_figure(motion: Motion) -> Figure:
    """Energies, and how far their sum is from what it should be: 000, figures 16, 22 and 25."""
    return _single(motion, _energy_parts(motion), "energy")


def violation_figure(motion: Motion) -> Figure:
    """Every constraint row: 000, figures 17, 23 and 26."""
    return _single(motion, [_violation], "constraint violation")


def multiplier_figure(motion: Motion) -> Figure:
    """Lagrange multipliers: 000, figures 18 and 19."""
    return _single(motion, [_multipliers], "Lagrange multipliers")


def overview(motion: Motion) -> Figure:
    """The mechanism with the path of its last point, and the most telling curves, on one page."""
    parts = [_motion, *_energy_parts(motion), *([_violation] if motion.system.m else [])]
    with style():
        figure = new_figure(13.0, 1.8 + 1.75 * len(parts))
        left, right = figure.subfigures(1, 2, width_ratios=(1, 1.15), wspace=0.03)  # type: ignore[misc]
        drawing = left.subplots()
        point = moving_point(motion)
        draw_mechanism(drawing, Scene(motion), trace=[] if point is None else [point], adjust="box")
        drawing.set_anchor("N")
        drawing.set_title("at the start" if point is None else f"at the start, and the path of {point}")
        axes = right.subplots(len(parts), 1, sharex=True, squeeze=False)[:, 0]
        for one, part in zip(axes, parts, strict=True):
            part(one, motion)
        axes[-1].set_xlabel("t [s]")
        heading(figure, motion.system.name, _footer(motion))  # type: ignore[arg-type]
    return figure


def _single(motion: Motion, parts: list[Part], title: str) -> Figure:
    with style():
        figure = new_figure(8.0, 1.5 + 2.6 * len(parts))
        axes = figure.subplots(len(parts), 1, sharex=True, squeeze=False)[:, 0]
        for one, part in zip(axes, parts, strict=True):
            part(one, motion)
        axes[-1].set_xlabel("t [s]")
        heading(figure, f"{motion.system.name}: {title}", made(motion))
    return figure


def _energy_parts(motion: Motion) -> list[Part]:
    """A motion that was prescribed, not integrated, has no energy error."""
    return [_energies, _energy_error] if isinstance(motion, Result) else [_energies]


def _footer(motion: Motion) -> str:
    return f"{made(motion)}\n{motion.quality()}"


def telling(motion: Motion) -> Line:
    """The one curve to look at first: the height of the last point, else whatever of it moves."""
    points = list(motion.system.resolved.start)
    bare = [name for name, body in motion.system.resolved.bodies.items() if not body.points]
    names = [f"{p}.{part}" for p in reversed([*bare, *points]) for part in _upwards_first(motion)]
    names += list(motion.system.resolved.coordinates)
    for name in names:
        channel = motion[name]
        if np.ptp(channel) > 1e-9 * motion.system.size:
            break
    else:
        channel = motion[names[0]] if names else motion["energy.kinetic"]
    return channel.name, np.asarray(channel), channel.unit


def _upwards_first(motion: Motion) -> list[str]:
    """The axes of the ground, the one along gravity first."""
    resolved = motion.system.resolved
    if resolved.dimension == 2:
        return ["y", "x"]
    first, second, above = (int(np.argmax(np.abs(axis))) for axis in horizon(resolved.gravity))
    return ["xyz"[k] for k in (above, second, first)]


def moving_point(motion: Motion) -> str | None:
    """The last point that moves at all."""
    for p in reversed(motion.system.resolved.start):
        if np.ptp(np.asarray(motion[p]), axis=0).max(initial=0.0) > 1e-6 * motion.system.size:
            return p
    return None


def _motion(axes: Axes, motion: Motion) -> None:
    draw(axes, np.asarray(motion.t), [telling(motion)])


def _energies(axes: Axes, motion: Motion) -> None:
    names = ["energy.kinetic", "energy.potential", "energy.total"]
    if motion.work is not None and np.abs(motion.work).max(initial=0.0) > 0:
        names.append("energy.work")
    lines = [(name.split(".")[1], np.asarray(motion[name]), "J") for name in names]
    draw(axes, np.asarray(motion.t), lines, "energy")


def _energy_error(axes: Axes, motion: Motion) -> None:
    draw(axes, np.asarray(motion.t), [("energy error", np.asarray(motion["energy.error"]), "J")], first=1)


def _violation(axes: Axes, motion: Motion) -> None:
    _rows(axes, motion, "violation", "violation of Phi")


def _multipliers(axes: Axes, motion: Motion) -> None:
    _rows(axes, motion, "multiplier", "multiplier")


def _rows(axes: Axes, motion: Motion, kind: str, quantity: str) -> None:
    """One line per constraint row; of many rows, those that reach furthest."""
    lines = [(row, np.asarray(motion[f"{kind}.{row}"]), "1") for row in motion.system.row_names]
    reach = {name: float(np.abs(y[np.isfinite(y)]).max(initial=0.0)) for name, y, _ in lines}
    shown = sorted(lines, key=lambda line: -reach[line[0]])[:MOST]
    shown = [line for line in lines if line in shown] if len(lines) <= MOST else shown
    draw(axes, np.asarray(motion.t), shown, quantity)
    if len(shown) == 1:
        axes.set_ylabel(f"{quantity}: {shown[0][0]}")
    if len(lines) > MOST:
        legend(axes, len(shown), title=f"the largest of {len(lines)} rows", title_fontproperties={"size": 8})
        axes.get_legend().get_title().set_color(GREY)  # type: ignore[union-attr]
