"""What linear models do: frequency responses (Bode) of mechanisms and bond graphs, small motions over time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from ...analysis.linear.motion import LinearMotion
from ...analysis.linear.response import Response
from ...bondgraph.simulation.linear import Response as BondGraphResponse
from ...errors import BielaError, Problem
from ..style import colour, dash, finished, heading, legend, new_figure, style

MOST_PAIRS, MOST_PANELS = 12, 8
"""outputs over inputs in one Bode plot; channels in one figure of a motion"""


def bode(response: Response, path: str | Path | None = None, theme: str = "light") -> Figure:
    """Magnitude (on its own scale) above, phase below; one line for each output over each input.

    >>> import biela, numpy as np
    >>> lin = biela.linearise("mass-spring-damper", inputs=["y"], outputs=["y"])
    >>> figure = bode(lin.frequency_response(np.geomspace(1, 100, 50)))
    >>> [axes.get_ylabel() for axes in figure.axes]
    ['y over y [m/N]', 'phase [deg]']
    """
    pairs = [(o, i) for o in range(len(response.outputs)) for i in range(len(response.inputs))][:MOST_PAIRS]
    if not pairs or not len(response.omega):
        raise BielaError(Problem("nothing to plot", cure="name inputs, outputs and frequencies"))
    names = [(response.outputs[o], response.inputs[i]) for o, i in pairs]
    units = {response.unit(*pair) for pair in names}
    hertz = response.omega / (2 * np.pi)
    with style():
        figure = new_figure(8.0, 6.4)
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(1.6, 1.0))
        for k, ((o, i), (output, input)) in enumerate(zip(pairs, names, strict=True)):
            label = f"{output} over {input}" + ("" if len(units) == 1 else f" [{response.unit(output, input)}]")
            size = response.magnitude[:, o, i]
            upper.plot(hertz, np.where(size > 0, size, np.nan), color=colour(k), ls=dash(k), label=label)
            lower.plot(hertz, np.degrees(response.phase[:, o, i]), color=colour(k), ls=dash(k))
        upper.set_xscale("log")
        if np.isfinite(response.magnitude).any() and (response.magnitude > 0).any():
            upper.set_yscale("log")
        unit = units.pop() if len(units) == 1 else ""
        only = f"{names[0][0]} over {names[0][1]}" if len(names) == 1 else "output over input"
        upper.set_ylabel(f"{only} [{unit}]" if unit else only)
        lower.set_ylabel("phase [deg]")
        lower.set_xlabel("frequency [Hz]")
        _whole_turns(lower)
        for axes in (upper, lower):
            axes.grid(True, which="both", alpha=0.5)
            axes.margins(x=0.01)
        if len(pairs) > 1:
            legend(upper, min(len(pairs), 3))
        heading(figure, f"{response.title}: frequency response")
    return finished(figure, path, theme)


def _whole_turns(axes) -> None:
    """Ticks at multiples of 45 or 90 degrees."""
    from matplotlib.ticker import MultipleLocator

    low, high = axes.get_ylim()
    if high - low < 5:
        axes.set_ylim((low + high) / 2 - 45, (low + high) / 2 + 45)
    axes.yaxis.set_major_locator(MultipleLocator(45 if high - low < 400 else 90 if high - low < 900 else 180))


def plot_response(response: BondGraphResponse, path: str | Path | None = None, theme: str = "light") -> Figure:
    """The same of a bond graph, in decibels; written to path (.png, .svg, .pdf) if one is given."""
    with style():
        figure = new_figure(8.0, 6.0)
        upper, lower = figure.subplots(2, 1, sharex=True)
        upper.semilogx(response.omega, response.magnitude, color=colour(0))
        upper.set_ylabel("magnitude [dB]")
        lower.semilogx(response.omega, response.phase, color=colour(1))
        lower.set_ylabel("phase [deg]")
        lower.set_xlabel("frequency [rad/s]")
        for axes in (upper, lower):
            axes.grid(True, which="both", lw=0.6)
        heading(figure, f"{response.name}: {response.output} / {response.source}")
    return finished(figure, path, theme)


def plot_linear_motion(motion: LinearMotion, path: str | Path | None = None) -> Figure:
    """One panel for each output, or without outputs for each state; written to path if one is given."""
    names = (motion.outputs or motion.states)[:MOST_PANELS]
    with style():
        figure = new_figure(8.0, 1.2 + 1.9 * len(names))
        for k, (axes, name) in enumerate(zip(figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0], names,
                                             strict=True)):  # fmt: skip
            axes.plot(motion.t, motion[name], color=colour(k))
            unit = motion.units.get(name)
            axes.set_ylabel(f"{name} [{unit}]" if unit else name)
        figure.axes[-1].set_xlabel("t [s]")
        heading(figure, f"{motion.model}: small motion", f"trapezoidal rule, h = {motion.step:g} s")
    return finished(figure, path)
