"""`biela report`: everything about a mechanism on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .. import options as o
from ..guard import INTERRUPTED, STOPPED, guarded
from ..reading import read_model
from ..request import Request, asks_for_a_run
from ..writing import can_write

Page = Annotated[Path, typer.Option("-o", "--output", metavar="FILE.html", help="The page to write.")]


@guarded
@asks_for_a_run()
def report(
    name: o.Name,
    request: Request,
    output: Page = Path("report.html"),
    set_: o.Set = None,
    quiet: o.Quiet = False,
) -> None:
    """Write one page about a mechanism: drawing, equations, mobility, kinematics, dynamics, reactions, quality.

    The page needs no network and nothing else; what cannot be computed is said in its place.
    """
    can_write(output, (".html", ".htm"))
    model = read_model(name, set_)
    from ...errors import BielaError
    from ...views.report import report as write

    result = None
    try:
        result = request.simulate(model, quiet)
    except BielaError as error:
        if request.coordinates or request.formulation or request.integrator:
            raise  # what was asked for does not go together
        typer.echo(f"no simulation: {error.problems[0].what}", err=True)
    write(model if result is None else result, output)
    if not quiet:
        print(f"{result.quality() if result is not None else 'not simulated; the page says why'}\nwrote {output}")
    if result is not None and not result.ok:
        raise typer.Exit(INTERRUPTED if result.status.name == "interrupted" else STOPPED)
