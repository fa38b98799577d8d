"""Newton-Raphson drawn: what is left of the equations at every iterate, and where the bodies are there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ...analysis.assembly.newton import NewtonTrace
from ...model.resolved import Place
from ..style import COLOURS, GREY, INK, finished, heading, light, new_figure, style

MOST = 12
"""iterates that are drawn: the first ones and the last"""


def newton_figure(trace: NewtonTrace, path: str | Path | None = None) -> Figure:
    """|Phi| over the iterations on a logarithmic axis; beside it the bodies, from the guess (pale) to the end (dark).

    >>> import biela
    >>> figure = newton_figure(biela.newton("four-bar"))
    >>> figure.axes[0].get_ylabel(), len(figure.axes)
    ('|Phi|', 2)
    """
    space = trace.system.resolved.dimension == 3
    with style():
        figure = new_figure(11.0, 4.8)
        left = figure.add_subplot(1, 2, 1)
        Phi = np.where(np.isfinite(trace.Phi), np.maximum(trace.Phi, 1e-17), np.nan)
        left.semilogy(range(len(Phi)), Phi, "o-", color=COLOURS[0])
        left.set_xlabel("iteration")
        left.set_ylabel("|Phi|")
        left.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes: Any = figure.add_subplot(1, 2, 2, projection="3d" if space else None)
        _draw(axes, trace, space)
        made = f"{trace.system.coordinates} coordinates, {'line search' if trace.damped else 'whole steps'}"
        heading(figure, f"{trace.system.name}: Newton-Raphson {trace.verdict}", made)
    return finished(figure, path)


def _draw(axes: Any, trace: NewtonTrace, space: bool) -> None:
    resolved = trace.system.resolved
    shown = [k for k, i in enumerate(trace.iterates) if np.isfinite(i.q).all()]
    shown = [*shown[: MOST - 1], *shown[-1:]] if len(shown) > MOST else shown
    for k in shown:
        first, last = k == shown[0], k == shown[-1]
        pale = light(COLOURS[0], 0.8 * (1 - (k + 1) / (len(trace.iterates) + 1)))
        shade = INK if last else COLOURS[1] if first else pale
        here = trace.system.posture(trace.iterates[k].q)
        for name, body in resolved.bodies.items():
            at = np.array([here.place(Place(name, local, p))[0][0] for p, local in body.points.items()])
            if len(at) > 2:
                at = np.vstack([at, at[:1]])
            if len(at):
                axes.plot(*at.T, "o-", color=shade, markersize=3, linewidth=1.8 if first or last else 1.0,
                          zorder=3 if last else 2)  # fmt: skip
    for at in resolved.ground.values():
        axes.plot(*([float(x)] for x in at), "s", color=GREY, markersize=6)
    axes.plot(*([[]] * (3 if space else 2)), color=COLOURS[1], label="guess")
    axes.plot(*([[]] * (3 if space else 2)), color=INK, label="last iterate")
    axes.legend()
    if not space:
        axes.set_aspect("equal", adjustable="datalim")
        axes.set_xlabel("x [m]")
        axes.set_ylabel("y [m]")
