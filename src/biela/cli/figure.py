"""`biela figure`: a figure of the texts, computed and drawn anew."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from . import options as o
from .guard import emit, guarded
from .writing import PICTURES, can_write

Number = Annotated[str | None, typer.Argument(metavar="[FIGURE]", help="Such as 000.15; without it: what there is.")]
Picture = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write .png, .svg or .pdf. [default: FIGURE.png]")
]
Theme = Annotated[str, typer.Option("--theme", metavar="light|dark", help="Dark ink on light paper, or the reverse.")]


@guarded
def figure(
    number: Number = None,
    output: Picture = None,
    theme: Theme = "light",
    as_json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Draw a figure of the texts anew, from a run of its own."""
    from ..views.texts import FIGURES
    from ..views.texts import figure as drawn

    if number is None:
        if as_json:
            emit({name: recipe.what for name, recipe in FIGURES.items()})
            return
        for name, recipe in FIGURES.items():
            typer.echo(f"{name:10} {recipe.what}")
        return
    path = can_write(output or Path(f"figure-{number}.png"), PICTURES)
    drawn(number, path, theme)
    if as_json:
        emit({"figure": number, "what": FIGURES[number].what, "written": str(path)})
    elif not quiet:
        typer.echo(f"{FIGURES[number].what}\nwrote {path}")
