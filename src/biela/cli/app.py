"""The program `biela`: one command per question. Each command lives in its own file."""

from __future__ import annotations

from typing import Annotated

import typer

from .commands.animate import animate
from .commands.bondgraph import bondgraph
from .commands.check import check
from .commands.compare import compare
from .commands.doctor import doctor, warm
from .commands.equilibrium import equilibrium
from .commands.explain import explain
from .commands.figure import figure
from .commands.freebody import freebody
from .commands.inverse import inverse
from .commands.kinematics import kinematics
from .commands.listing import list_, schema
from .commands.minimal import minimal
from .commands.modes import linearise, modes
from .commands.newton import newton
from .commands.plot import plot
from .commands.report import report
from .commands.resume import resume
from .commands.run import run
from .commands.studio import studio

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
