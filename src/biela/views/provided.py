"""What results ask of the views (`biela.viewing.Views`). Each function loads its own file when it is first called."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..analysis.assembly.newton import NewtonTrace
    from ..analysis.compare.study import Comparison
    from ..analysis.linear.linearise import Linear
    from ..analysis.linear.motion import LinearMotion
    from ..analysis.linear.response import Response
    from ..bondgraph.model.graph import BondGraph
    from ..bondgraph.simulation.linear import Response as BondGraphResponse
    from ..bondgraph.simulation.result import BondResult
    from ..results.motion import Motion
    from ..results.reactions.free_body import FreeBody
    from ..results.result import Result
    from .animate import Player


def plot(motion: Motion | BondResult, /, *names: str, against: str, path: str | Path | None, **options: Any) -> Figure:
    from .curves.plot import plot

    return plot(motion, *names, against=against, path=path, **options)


def figures(motion: Motion, folder: str | Path, name: str | None, /) -> list[Path]:
    from .curves.figures import figures

    return figures(motion, folder, name)


def sketch(motion: Motion, path: str | Path | None, /, at: int, **options: Any) -> Figure:
    from .drawing.mechanism import sketch

    return sketch(motion, path, at=at, **options)


def animate(motion: Motion, path: str | Path | None, /, **options: Any) -> Player:
    from .animate import animate

    return animate(motion, path, **options)


def report(result: Result, path: str | Path | None, /) -> str:
    from .report import report

    return report(result, path)


def free_body(body: FreeBody, path: str | Path | None, /, **options: Any) -> Figure:
    from .drawing.freebody import free_body_diagram

    return free_body_diagram(body, path, **options)


def iterations(trace: NewtonTrace, path: str | Path | None, /) -> Figure:
    from .curves.newton import newton_figure

    return newton_figure(trace, path)


def comparison(comparison: Comparison, path: str | Path | None, theme: str, /) -> Figure:
    from .curves.comparison import plot_comparison

    return plot_comparison(comparison, path, theme)


def mode(linear: Linear, k: int, path: str | Path | None, /, **options: Any) -> Figure:
    from .drawing.modes import mode_figure

    return mode_figure(linear, k, path, **options)


def bode(response: Response, path: str | Path | None, theme: str, /) -> Figure:
    from .curves.linear import bode

    return bode(response, path, theme)


def linear_motion(motion: LinearMotion, path: str | Path | None, /) -> Figure:
    from .curves.linear import plot_linear_motion

    return plot_linear_motion(motion, path)


def bond_graph(graph: BondGraph, path: str | Path | None, /) -> Figure:
    from .drawing.bondgraph import draw

    return draw(graph, path)


def bond_graph_response(response: BondGraphResponse, path: str | Path | None, theme: str, /) -> Figure:
    from .curves.linear import plot_response

    return plot_response(response, path, theme)
