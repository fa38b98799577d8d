"""`biela inverse`: the motor efforts and joint reactions that a motion needs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...errors import MethodError, Problem
from .. import options as o
from ..guard import INTERRUPTED, STOPPED, emit, guarded
from ..reading import channel_names, check_channels, number, read_model
from ..watch import Watch
from ..writing import PICTURES, TABLES, can_write, write_motion

if TYPE_CHECKING:
    from ...results.inverse import InverseResult

Motions = Annotated[
    list[str] | None,
    typer.Option(
        "--motion", metavar="C=LAW|FILE",
        help="How a coordinate moves, as in 'crank.angle=2*pi*t', or a file: .csv with a header, or .nc that biela "
        "wrote; repeatable. By default the model's own drivers.",
    ),
]  # fmt: skip
Motors = Annotated[
    str | None,
    typer.Option("--motors", metavar="A,B,C", help="The coordinates on which efforts act; else those prescribed."),
]
Smoothing = Annotated[
    str | None,
    typer.Option("--smoothing", metavar="NOISE", help="Noise in tables to be smoothed away: 0.001, '0.5 mm', auto."),
]
Spline = Annotated[str, typer.Option("--spline", metavar="NAME", help="Through tables: quintic or cubic.")]
Free = Annotated[
    bool, typer.Option("--free", help="Freedoms that nothing prescribes move as the forces make them (simulated).")
]
Gap = Annotated[
    str, typer.Option("--gap", metavar="NUMBER", help="Between prescriptions, relative to the size of the mechanism.")
]
Samples = Annotated[
    int | None, typer.Option("--samples", metavar="N", help="Even intervals; else 1000, or the rows of the table.")
]
Picture = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE.png", help="Plot the efforts.", rich_help_panel=o.OUTPUT)
]


@guarded
def inverse(
    name: o.Name,
    motion: Motions = None,
    motors: Motors = None,
    duration: o.Duration = None,
    samples: Samples = None,
    smoothing: Smoothing = None,
    spline: Spline = "quintic",
    free: Free = False,
    gap: Gap = "1e-6",
    coordinates: o.Coordinates = None,
    set_: o.Set = None,
    output: o.Output = None,
    channels: o.Channels = None,
    plot: Picture = None,
    as_json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Motor efforts and joint reactions that a motion needs.

    Exit code: 0 done, 1 stopped early (what there is is written), 2 refused, 130 interrupted.
    """
    outputs = [can_write(path, TABLES) for path in output or ()]
    if plot is not None:
        can_write(plot, PICTURES)
    names = channel_names(channels, bool(outputs) or plot is not None)
    asked = [_motion(text) for text in motion or ()]
    listed = None if motors is None else [m.strip() for m in motors.split(",") if m.strip()]
    if motors is not None and not listed:
        raise MethodError(Problem("--motors is empty", cure="--motors J1.angle,J2.angle"))
    end, admitted = number("--duration", duration, "time"), number("--gap", gap)
    model = read_model(name, set_)
    with Watch(model.name, quiet or as_json) as watch:
        from ...analysis.inverse.inverse import inverse as solve

        result = solve(
            model, asked or None, motors=listed, t_end=end, samples=samples, coordinates=coordinates,
            smoothing=smoothing, spline=spline, free="simulate" if free else None, tolerance=admitted or 0.0,
            progress=watch,
        )  # fmt: skip
    check_channels(result, names)
    data = summary(result)
    chosen = names or [*(f"{m.coordinate}.{part}" for m in result.motors for part in ("effort", "power"))]
    for path in outputs:
        write_motion(result, path, names or _telling(result), data)
    written = [*outputs]
    if plot is not None:
        result.plot(*chosen, path=plot)
        written.append(plot)
    if as_json:
        emit(data)
    elif not quiet:
        print(f"{model.title or model.name}: {result.method}")
        print(result.report())
        for path in written:
            print(f"wrote {path}")
    if not result.ok:
        raise typer.Exit(INTERRUPTED if result.interrupted else STOPPED)


def _motion(text: str) -> dict[str, str | float] | str:
    """"crank.angle = 2*pi*t" -> {"crank.angle": "2*pi*t"}; a file stays what it is.

    >>> _motion("theta=20*t"), _motion("walk.csv")
    ({'theta': '20*t'}, 'walk.csv')
    """
    if text.lower().endswith((".csv", ".nc")):
        return text
    name, equals, law = (part.strip() for part in text.partition("="))
    if not (name and equals and law):
        cure = "--motion 'crank.angle=2*pi*t', --motion FILE.csv or --motion FILE.nc"
        raise MethodError(Problem(f"--motion {text!r} is not a motion", cure=cure))
    return {name: law}


def _telling(result: InverseResult) -> list[str]:
    """What to write when no channels are named: what moves, and what the motors do."""
    motors = [f"{m.coordinate}.{part}" for m in result.motors for part in ("effort", "power", "energy")]
    return [*motors, *(name for name in result.default_names() if name not in motors)]


def summary(result: InverseResult) -> dict[str, Any]:
    """What was found, for other programs."""
    return {
        "model": result.system.name,
        "coordinates": result.system.coordinates,
        "method": result.method,
        "instants": len(result.t),
        "t_end": float(result.t[-1]),
        "motors": result.summary(),
        "gaps": result.gap,
        "equations_left": result.residual,
        "power_balance_max": result.power_error,
        "power_scale": result.power_scale,
        "constraint_violation_max": float(result["violation.position"].max(initial=0.0)),
        "status": result.facts()["status"],
        "message": result.message,
        "notes": result.notes,
        "final": result.final,
    }
