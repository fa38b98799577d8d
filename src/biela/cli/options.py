"""The options that several commands share, each said once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..methods.options import OPTIONS

METHOD, OUTPUT = "Method", "Output"


def _mechanisms(incomplete: str) -> list[str]:
    """For the shell's completion."""
    folder = Path(__file__).parents[1] / "library"
    return [file.stem for file in sorted(folder.glob("*.toml")) if file.stem.startswith(incomplete)]


def _names_of(table: str):
    def complete(incomplete: str) -> list[str]:
        from ..methods import registry

        return [name for name in getattr(registry, table) if name.startswith(incomplete)]

    return complete


def option(*names: str, help: str, panel: str | None = None, **more: Any) -> Any:
    """An option of a command, in a panel of its help."""
    return typer.Option(*names, help=help, rich_help_panel=panel, **more)


def flag(name: str) -> str:
    """An option as it is written on the command line.

    >>> flag("project_every")
    '--project-every'
    """
    return "--" + name.replace("_", "-")


def of_a_run(name: str):
    """An option of a run, as `methods.options` declares it."""
    declared = OPTIONS[name]
    metavar = None if declared.kind == "flag" else declared.metavar
    return option(flag(name), metavar=metavar, help=declared.help, panel=METHOD)


Name = Annotated[
    str,
    typer.Argument(
        metavar="NAME|FILE",
        help="A mechanism of the library (see `biela list`), or a model file (.toml).",
        autocompletion=_mechanisms,
        show_default=False,
    ),
]
Set = Annotated[
    list[str] | None,
    option("--set", metavar="NAME=VALUE", help="Another value of a declared parameter; repeatable."),
]
Coordinates = Annotated[
    str | None, option("--coordinates", metavar="SET", help="See `biela list coordinates`, or auto.", panel=METHOD)
]
Open = Annotated[
    list[str] | None,
    option(
        "--open", metavar="JOINT", panel=METHOD,
        help="Relative coordinates: open its loop at this joint (a pin by its point); repeatable.",
    ),
]  # fmt: skip
Formulation = Annotated[
    str | None,
    option(
        "--formulation", metavar="NAME", help="See `biela list formulations`, or auto.",
        panel=METHOD, autocompletion=_names_of("FORMULATIONS"),
    ),
]  # fmt: skip
Integrator = Annotated[
    str | None,
    option(
        "--integrator", metavar="NAME", help="See `biela list integrators`, or auto.",
        panel=METHOD, autocompletion=_names_of("INTEGRATORS"),
    ),
]  # fmt: skip
Step = Annotated[str | None, of_a_run("step")]
Tolerance = Annotated[str | None, of_a_run("tolerance")]
Duration = Annotated[
    str | None, option("--duration", metavar="TIME", help="Time to simulate; by default the model's.")
]
Samples = Annotated[int, option("--samples", metavar="N", help="How many instants to keep.", panel=OUTPUT)]
Output = Annotated[
    list[Path] | None,
    option("-o", "--output", metavar="FILE", help="Write .csv, .parquet, .nc or .json; repeatable.", panel=OUTPUT),
]
Channels = Annotated[
    str | None,
    option(
        "--channels", metavar="A,B,C", panel=OUTPUT,
        help="The channels to write (.nc holds them all); see `biela list channels`.",
    ),
]  # fmt: skip
Json = Annotated[bool, option("--json", help="JSON on standard output, for other programs.", panel=OUTPUT)]
Quiet = Annotated[bool, option("--quiet", "-q", help="Say nothing unless something goes wrong.", panel=OUTPUT)]
