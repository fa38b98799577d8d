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
from .commands.run import resume, run
from .commands.studio import studio
from .guard import guarded

app = typer.Typer(
    name="biela",
    help="Multibody mechanics: describe a mechanism once; biela writes its equations, solves them and shows what "
    "it does. `biela list` shows the mechanisms that are ready to run.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

PANELS = {
    "Mechanics": (
        run, resume, compare, kinematics, newton, freebody, inverse, equilibrium, modes, linearise, minimal, check,
        explain, plot, animate, bondgraph, report, studio,
    ),
    "Around it": (figure, list_, schema, doctor, warm),
}  # fmt: skip
for panel, commands in PANELS.items():
    for command in commands:
        app.command(name=command.__name__.rstrip("_"), rich_help_panel=panel)(guarded(command))


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
