"""`biela plot`: any channels of a run, against time or each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...errors import MethodError, Problem
from .. import options as o
from ..guard import INTERRUPTED, STOPPED, guarded
from ..reading import check_channels, read_model
from ..request import Request, asks_for_a_run
from ..writing import PICTURES, can_write

Names = Annotated[
    list[str] | None, typer.Argument(metavar="CHANNEL...", help="What to plot; see `biela list channels NAME`.")
]
THEMES = ("light", "dark")
Against = Annotated[str, typer.Option("--against", metavar="CHANNEL", help="The horizontal axis.")]
Picture = Annotated[Path, typer.Option("-o", "--output", metavar="FILE.png", help="Write .png, .svg or .pdf.")]

Theme = Annotated[str, typer.Option("--theme", metavar="light|dark", help="Of the paper.")]


@guarded
@asks_for_a_run()
def plot(
    name: o.Name,
    request: Request,
    channels: Names = None,
    output: Picture = Path("plot.png"),
    against: Against = "t",
    theme: Theme = "light",
    set_: o.Set = None,
    quiet: o.Quiet = False,
) -> None:
    """Simulate a mechanism and plot channels of it.

    Channels with the same unit share their axes. Without channels: an overview.
    """
    if theme not in THEMES:
        raise MethodError(Problem(f"there is no theme {theme!r}", cure=f"--theme {' or '.join(THEMES)}"))
    can_write(output, PICTURES)
    model = read_model(name, set_)
    check_channels(request.channels_of(model), [*(channels or ()), against])
    result = request.simulate(model, quiet)
    if channels:
        result.plot(*channels, against=against, path=output, theme=theme)
    else:
        from ...views.curves.figures import overview
        from ...views.dark import darken
        from ...views.style import save

        figure = overview(result)
        save(darken(figure) if theme == "dark" else figure, output)
    if not quiet:
        print(f"{result.quality()}\nwrote {output}")
    elif not result.ok:
        typer.echo(result.explain(), err=True)
    if not result.ok:
        raise typer.Exit(INTERRUPTED if result.status.name == "interrupted" else STOPPED)
