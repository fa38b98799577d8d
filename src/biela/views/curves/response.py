"""Frequency responses: magnitude and phase over frequency."""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure

from ...bondgraph.simulation.linear import Response
from ..dark import darken
from ..style import colour, heading, new_figure, save, style


def plot_response(response: Response, path: str | Path | None = None, theme: str = "light") -> Figure:
    """Bode's two diagrams; written to path (.png, .svg, .pdf) if one is given."""
    with style():
        figure = new_figure(8.0, 6.0)
        upper, lower = figure.subplots(2, 1, sharex=True)
        upper.semilogx(response.omega, response.magnitude, color=colour(0))
        upper.set_ylabel("magnitude [dB]")
        lower.semilogx(response.omega, response.phase, color=colour(1))
        lower.set_ylabel("phase [deg]")
        lower.set_xlabel("frequency [rad/s]")
        for axes in (upper, lower):
            axes.grid(True, which="both", color="#E5E7EB", lw=0.6)
        heading(figure, f"{response.name}: {response.output} / {response.source}")
    if theme == "dark":
        darken(figure)
    if path is not None:
        save(figure, path)
    return figure
