"""The options that several commands share, each declared once; those of one command stand in its signature."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..methods.options import OPTIONS

METHOD, OUTPUT = "Method", "Output"


def option(metavar: str, help: str, *names: str, panel: str | None = None, **more: Any) -> Any:
    """An option with a value, in a panel of the help; it is called as its parameter unless names are given."""
    return typer.Option(*names, metavar=metavar, help=help, rich_help_panel=panel, **more)


def switch(name: str, help: str, *more: str, panel: str | None = None) -> Any:
    """An option without a value."""
    return typer.Option(name, *more, help=help, rich_help_panel=panel)


def argument(metavar: str, help: str, show_default: bool = False, **more: Any) -> Any:
    """What follows the name of a command."""
    return typer.Argument(metavar=metavar, help=help, show_default=show_default, **more)


def flag(name: str) -> str:
    """An option as it is written on the command line.

    >>> flag("project_every")
    '--project-every'
    """
    return "--" + name.replace("_", "-")


def of_a_run(name: str) -> Any:
    """An option of a run, as `methods.options` declares it."""
    declared = OPTIONS[name]
    if declared.kind == "flag":
        return switch(flag(name), declared.help, panel=METHOD)
    return option(declared.metavar, declared.help, flag(name), panel=METHOD)


def completing_files(folder: str) -> Any:
    """Completion by the shell: the model files in a folder of biela."""

    def complete(incomplete: str) -> list[str]:
        files = (Path(__file__).parents[1] / folder).glob("*.toml")
        return sorted(file.stem for file in files if file.stem.startswith(incomplete))

    return complete


def _completing_methods(table: str) -> Any:
    def complete(incomplete: str) -> list[str]:
        from ..methods import registry

        return [name for name in getattr(registry, table) if name.startswith(incomplete)]

    return complete


# ------------------------------------------------------------------------------------------------------- the model
Name = Annotated[
    str,
    argument(
        "NAME|FILE", "A mechanism of the library (see `biela list`), or a model file (.toml).",
        autocompletion=completing_files("library"),
    ),
]  # fmt: skip
Set = Annotated[list[str] | None, option("NAME=VALUE", "Another value of a declared parameter; repeatable.", "--set")]

# ------------------------------------------------------------------------------------------------------ the method
Coordinates = Annotated[str | None, option("SET", "See `biela list coordinates`, or auto.", panel=METHOD)]
Open = Annotated[
    list[str] | None,
    option(
        "JOINT", "Relative coordinates: open its loop at this joint (a pin by its point); repeatable.", "--open",
        panel=METHOD,
    ),
]  # fmt: skip
Formulation = Annotated[
    str | None,
    option(
        "NAME", "See `biela list formulations`, or auto.", panel=METHOD,
        autocompletion=_completing_methods("FORMULATIONS"),
    ),
]  # fmt: skip
Integrator = Annotated[
    str | None,
    option(
        "NAME", "See `biela list integrators`, or auto.", panel=METHOD,
        autocompletion=_completing_methods("INTEGRATORS"),
    ),
]  # fmt: skip
Step = Annotated[str | None, of_a_run("step")]
Tolerance = Annotated[str | None, of_a_run("tolerance")]
Duration = Annotated[str | None, option("TIME", "Time to simulate; by default the model's.")]
Samples = Annotated[int, option("N", "How many instants to keep.", panel=OUTPUT)]

# ---------------------------------------------------------------------------------------------- states and motions
At = Annotated[str, option("equilibrium|start|TIME", "Where; a time is reached by simulating.")]
Independent = Annotated[str | None, option("A,B", "Coordinates of the state; else biela chooses.")]
Coordinate = Annotated[str | None, option("C", "What moves: a coordinate, JOINT.angle, BODY.angle, P.x, ...")]
From = Annotated[str | None, option("VALUE", 'Where it starts, as in "0 deg".', "--from")]
To = Annotated[str | None, option("VALUE", 'Where it ends, as in "360 deg" or "0.2 m".', "--to")]

# ------------------------------------------------------------------------------------------------------ the output
Output = Annotated[
    list[Path] | None,
    option("FILE", "Write .csv, .parquet, .nc or .json; repeatable.", "-o", "--output", panel=OUTPUT),
]
Channels = Annotated[
    str | None,
    option("A,B,C", "The channels to write (.nc holds them all); see `biela list channels`.", panel=OUTPUT),
]
TextFile = Annotated[Path | None, option("FILE", "Write .txt, .md or .tex.", "-o", "--output", panel=OUTPUT)]
Plots = Annotated[
    Path | None, option("FOLDER", "Plot motion, energy, constraint violation and multipliers.", panel=OUTPUT)
]
Trace = Annotated[list[str] | None, option("P", "Path of a point, or of body@x,y; repeatable.", panel=OUTPUT)]
Vectors = Annotated[str | None, option("A,B", "Arrows to show: velocity, acceleration, force, reaction.", panel=OUTPUT)]
Latex = Annotated[bool, switch("--latex", "Formulas in LaTeX.")]
Json = Annotated[bool, switch("--json", "JSON on standard output, for other programs.", panel=OUTPUT)]
Quiet = Annotated[bool, switch("--quiet", "Say nothing unless something goes wrong.", "-q", panel=OUTPUT)]
