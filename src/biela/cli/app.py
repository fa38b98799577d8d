"""The program `biela`: one command per question. Each command lives in its own file."""

from __future__ import annotations

from typing import Annotated

import typer

from .animate import animate
from .bondgraph import bondgraph
from .check import check
from .compare import compare
from .doctor import doctor, warm
from .equilibrium import equilibrium
from .explain import explain
from .figure import figure
from .freebody import freebody
from .inverse import inverse
from .kinematics import kinematics
from .listing import list_, schema
from .minimal import minimal
from .modes import linearise, modes
from .newton import newton
from .plot import plot
from .report import report
from .resume import resume
from .run import run
from .studio import studio

app = typer.Typer(
    name="biela",
    help="Multibody mechanics: describe a mechanism once; biela writes its equations, solves them and shows what "
    "it does. `biela list` shows the mechanisms that are ready to run.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

MECHANICS, AROUND = "Mechanics", "Around it"
app.command(rich_help_panel=MECHANICS)(run)
app.command(rich_help_panel=MECHANICS)(resume)
app.command(rich_help_panel=MECHANICS)(compare)
app.command(rich_help_panel=MECHANICS)(kinematics)
app.command(rich_help_panel=MECHANICS)(newton)
app.command(rich_help_panel=MECHANICS)(freebody)
app.command(rich_help_panel=MECHANICS)(inverse)
app.command(rich_help_panel=MECHANICS)(equilibrium)
app.command(rich_help_panel=MECHANICS)(modes)
app.command(rich_help_panel=MECHANICS)(linearise)
app.command(rich_help_panel=MECHANICS)(minimal)
app.command(rich_help_panel=MECHANICS)(check)
app.command(rich_help_panel=MECHANICS)(explain)
app.command(rich_help_panel=MECHANICS)(plot)
app.command(rich_help_panel=MECHANICS)(animate)
app.command(rich_help_panel=MECHANICS)(bondgraph)
app.command(rich_help_panel=MECHANICS)(report)
app.command(rich_help_panel=MECHANICS)(studio)
app.command(rich_help_panel=AROUND)(figure)
app.command(name="list", rich_help_panel=AROUND)(list_)
app.command(rich_help_panel=AROUND)(schema)
app.command(rich_help_panel=AROUND)(doctor)
app.command(rich_help_panel=AROUND)(warm)


def _version(wanted: bool) -> None:
    if wanted:
        from biela import __version__

        print(f"biela {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    """Options of the program itself."""
