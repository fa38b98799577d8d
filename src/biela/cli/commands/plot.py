"""`biela plot`: any channels of a run, against time or each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...errors import MethodError, Problem
from .. import options as o
from ..files import PICTURES, can_write
from ..options import argument, option
from ..output import exit_code, finish
from ..reading import check_channels, read_model
from ..request import Request, with_run_options

THEMES = ("light", "dark")


@with_run_options()
def plot(
    name: o.Name,
    request: Request,
    channels: Annotated[
        list[str] | None, argument("CHANNEL...", "What to plot; see `biela list channels NAME`.")
    ] = None,
    output: Annotated[Path, option("FILE.png", "Write .png, .svg or .pdf.", "-o", "--output")] = Path("plot.png"),
    against: Annotated[str, option("CHANNEL", "The horizontal axis.")] = "t",
    theme: Annotated[str, option("light|dark", "Of the paper.")] = "light",
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
    if quiet and not result.ok:
        typer.echo(result.explain(), err=True)
    finish(result.quality(), written=[output], quiet=quiet, code=exit_code(result))
