"""`biela plot`: any channels of a run, against time or each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...errors import MethodError, Problem
from .. import options as o
from ..guard import INTERRUPTED, STOPPED, guarded
from ..reading import channels_of, check_channels, read_model
from ..request import Request
from ..writing import PICTURES, can_write

Names = Annotated[
    list[str] | None, typer.Argument(metavar="CHANNEL...", help="What to plot; see `biela list channels NAME`.")
]
THEMES = ("light", "dark")
Against = Annotated[str, typer.Option("--against", metavar="CHANNEL", help="The horizontal axis.")]
Picture = Annotated[Path, typer.Option("-o", "--output", metavar="FILE.png", help="Write .png, .svg or .pdf.")]

Theme = Annotated[str, typer.Option("--theme", metavar="light|dark", help="Of the paper.")]


@guarded
def plot(
    name: o.Name,
    channels: Names = None,
    output: Picture = Path("plot.png"),
    against: Against = "t",
    theme: Theme = "light",
    coordinates: o.Coordinates = None,
    formulation: o.Formulation = None,
    integrator: o.Integrator = None,
    step: o.Step = None,
    duration: o.Duration = None,
    tolerance: o.Tolerance = None,
    samples: o.Samples = 1000,
    alpha: o.Alpha = None,
    xi: o.Xi = None,
    omega: o.Omega = None,
    project_every: o.ProjectEvery = None,
    rho: o.Rho = None,
    dissipation: o.Dissipation = None,
    adaptive: o.Adaptive = False,
    criterion: o.Criterion = None,
    corrector_tolerance: o.CorrectorTolerance = None,
    position_tolerance: o.PositionTolerance = None,
    starter: o.Starter = None,
    multiplier_updates: o.MultiplierUpdates = None,
    set_: o.Set = None,
    quiet: o.Quiet = False,
) -> None:
    """Simulate a mechanism and plot channels of it.

    Channels with the same unit share their axes. Without channels: an overview.
    """
    request = Request(
        coordinates, formulation, integrator, step, duration, tolerance, samples, alpha, xi, omega, project_every,
        rho, dissipation, adaptive, criterion, corrector_tolerance, position_tolerance, starter, multiplier_updates,
    )
    request.arguments()
    if theme not in THEMES:
        raise MethodError(Problem(f"there is no theme {theme!r}", cure=f"--theme {' or '.join(THEMES)}"))
    can_write(output, PICTURES)
    model = read_model(name, set_)
    check_channels(channels_of(model, coordinates, formulation, integrator), [*(channels or ()), against])
    result = request.simulate(model, quiet)
    if channels:
        result.plot(*channels, against=against, path=output, theme=theme)
    else:
        from ...views.dark import darken
        from ...views.figures import overview
        from ...views.style import save

        figure = overview(result)
        save(darken(figure) if theme == "dark" else figure, output)
    if not quiet:
        print(f"{result.quality()}\nwrote {output}")
    elif not result.ok:
        typer.echo(result.explain(), err=True)
    if not result.ok:
        raise typer.Exit(INTERRUPTED if result.status.name == "interrupted" else STOPPED)
