"""`biela report`: everything about a mechanism on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...errors import BielaError
from .. import options as o
from ..files import can_write
from ..options import option
from ..output import exit_code, finish
from ..reading import read_model
from ..request import Request, with_run_options


@with_run_options()
def report(
    name: o.Name,
    request: Request,
    output: Annotated[Path, option("FILE.html", "The page to write.", "-o", "--output")] = Path("report.html"),
    set_: o.Set = None,
    quiet: o.Quiet = False,
) -> None:
    """Write one page about a mechanism: drawing, equations, mobility, kinematics, dynamics, reactions, quality.

    The page needs no network and nothing else; what cannot be computed is said in its place.
    """
    can_write(output, (".html", ".htm"))
    model = read_model(name, set_)
    from ...views.report import report as write

    try:
        result = request.simulate(model, quiet)
    except BielaError as error:
        if request.coordinates or request.formulation or request.integrator:
            raise  # what was asked for does not go together
        typer.echo(f"no simulation: {error.problems[0].what}", err=True)
        write(model, output)
        finish("not simulated; the page says why", written=[output], quiet=quiet)
        return
    write(result, output)
    finish(result.quality(), written=[output], quiet=quiet, code=exit_code(result))
