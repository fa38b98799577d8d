"""Drawings of mechanisms: one of the samples of a motion, with paths of points, names and arrows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...analysis.assembly.assemble import assemble
from ...model.model import Model
from ...results.motion import Motion
from ...system.system import System
from ..scene.scene import Scene
from ..style import finished, new_figure, style
from .plane import draw_in_plane
from .space import draw_in_space

Subject = Motion | System | Model | str | Path


def sketch(
    subject: Subject,
    path: str | Path | None = None,
    *,
    trace: Sequence[str] = (),
    at: int = 0,
    names: bool = True,
    title: str | None = None,
    view: tuple[float, float] | None = None,
    vectors: Sequence[str] = (),
    theme: str = "light",
) -> Figure:
    """Draw a mechanism at one of its samples (by default the first), with the paths of the points in `trace` (names,
    or "body@x,y" for any point of a body) and with arrows: "velocity", "acceleration", "force", "reaction".

    `theme` is "light" or "dark". In space `view` says where it is seen from: azimuth and elevation in degrees.

    >>> figure = sketch("four-bar")
    >>> sorted(text.get_text() for text in figure.axes[0].texts)
    ['A', 'B', 'D', 'O', 'P']
    """
    if not isinstance(subject, Motion):  # of a model one instant: the assembled start
        subject = Motion.at_start(subject if isinstance(subject, System) else assemble(subject))
    with style():
        figure = new_figure(7.0, 5.6)
        axes = figure.subplots()
        draw_mechanism(axes, Scene(subject), at, trace, names, view=view, vectors=vectors)
        if title is None or title:
            axes.set_title(subject.system.name if title is None else title)
    return finished(figure, path, theme)


def draw_mechanism(
    axes: Axes,
    scene: Scene,
    sample: int = 0,
    trace: Sequence[str] = (),
    names: bool = True,
    *,
    adjust: str = "datalim",
    view: tuple[float, float] | None = None,
    vectors: Sequence[str] = (),
    limits: tuple[np.ndarray, np.ndarray] | None = None,
) -> None:
    """Draw on axes that are there already; lengths in metres, the same in both directions.

    `adjust` says what gives way to that in the plane: the range shown ("datalim") or the axes ("box"). In space `view`
    says where the mechanism is seen from: azimuth and elevation in degrees. `limits` are two corners of the box to be
    shown, the same for all pictures of a film.
    """
    if scene.dimension == 3:
        draw_in_space(axes, scene, sample, trace, names, view, vectors, limits)
    else:
        draw_in_plane(axes, scene, sample, trace, names, adjust, vectors, limits)
