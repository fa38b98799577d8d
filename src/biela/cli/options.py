"""The options that several commands share, each said once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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


def _option(*names: str, help: str, panel: str | None = None, **more):
    return typer.Option(*names, help=help, rich_help_panel=panel, **more)


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
    _option("--set", metavar="NAME=VALUE", help="Another value of a declared parameter; repeatable."),
]
Coordinates = Annotated[
    str | None, _option("--coordinates", metavar="SET", help="See `biela list coordinates`, or auto.", panel=METHOD)
]
Open = Annotated[
    list[str] | None,
    _option(
        "--open", metavar="JOINT", panel=METHOD,
        help="Relative coordinates: open its loop at this joint (a pin by its point); repeatable.",
    ),
]  # fmt: skip
Formulation = Annotated[
    str | None,
    _option(
        "--formulation", metavar="NAME", help="See `biela list formulations`, or auto.",
        panel=METHOD, autocompletion=_names_of("FORMULATIONS"),
    ),
]  # fmt: skip
Integrator = Annotated[
    str | None,
    _option(
        "--integrator", metavar="NAME", help="See `biela list integrators`, or auto.",
        panel=METHOD, autocompletion=_names_of("INTEGRATORS"),
    ),
]  # fmt: skip
Step = Annotated[
    str | None, _option("--step", metavar="TIME", help='Time step, such as 1e-3 or "10 ms".', panel=METHOD)
]
Duration = Annotated[
    str | None, _option("--duration", metavar="TIME", help="Time to simulate; by default the model's.")
]
Tolerance = Annotated[
    str | None,
    _option("--tolerance", metavar="NUMBER", help="Of the error control, or of the corrector.", panel=METHOD),
]
Adaptive = Annotated[
    bool,
    _option("--adaptive", help="Variable steps for any one-step integrator; --tolerance is the accuracy of the run, "
            "--step the longest step.", panel=METHOD),
]  # fmt: skip
Criterion = Annotated[
    str | None, _option("--criterion", metavar="NAME", help="What steers variable steps: error, energy.", panel=METHOD)
]
Samples = Annotated[int, _option("--samples", metavar="N", help="How many instants to keep.", panel=OUTPUT)]
Alpha = Annotated[str | None, _option("--alpha", metavar="NUMBER", help="Penalty factor.", panel=METHOD)]
Xi = Annotated[str | None, _option("--xi", metavar="NUMBER", help="Damping ratio of the constraints.", panel=METHOD)]
Rho = Annotated[
    str | None, _option("--rho", metavar="NUMBER", help="Spectral radius at infinite frequency, 1 = no damping.",
                        panel=METHOD)
]  # fmt: skip
Dissipation = Annotated[
    str | None, _option("--dissipation", metavar="NUMBER", help="Of `decaying`: above 0, up to 1.", panel=METHOD)
]
Omega = Annotated[
    str | None, _option("--omega", metavar="RATE", help="Natural frequency of the constraints, rad/s.", panel=METHOD)
]
ProjectEvery = Annotated[
    int | None,
    _option("--project-every", metavar="K", help="Back onto the constraints every K steps; 0: never.", panel=METHOD),
]
CorrectorTolerance = Annotated[
    str | None,
    _option("--corrector-tolerance", metavar="NUMBER", panel=METHOD,
            help="What a corrector may still change, in the units of the coordinates."),
]  # fmt: skip
PositionTolerance = Annotated[
    str | None,
    _option("--position-tolerance", metavar="NUMBER", help="Of `projection`: what |Phi| may be.", panel=METHOD),
]
Starter = Annotated[
    str | None, _option("--starter", metavar="NAME", help="First steps of ab4 and abm4: rk4, rk2.", panel=METHOD)
]
MultiplierUpdates = Annotated[
    int | None,
    _option("--multiplier-updates", metavar="K", panel=METHOD,
            help="Of `augmented`: so many updates of the multipliers per evaluation; by default until they settle."),
]  # fmt: skip
Output = Annotated[
    list[Path] | None,
    _option("-o", "--output", metavar="FILE", help="Write .csv, .parquet, .nc or .json; repeatable.", panel=OUTPUT),
]
Channels = Annotated[
    str | None,
    _option(
        "--channels", metavar="A,B,C", panel=OUTPUT,
        help="The channels to write (.nc holds them all); see `biela list channels`.",
    ),
]  # fmt: skip
Json = Annotated[bool, _option("--json", help="JSON on standard output, for other programs.", panel=OUTPUT)]
Quiet = Annotated[bool, _option("--quiet", "-q", help="Say nothing unless something goes wrong.", panel=OUTPUT)]
