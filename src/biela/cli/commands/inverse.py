"""`biela inverse`: the motor efforts and joint reactions that a motion needs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ...errors import MethodError, Problem
from .. import options as o
from ..files import PICTURES, TABLES, can_write, write_result
from ..options import OUTPUT, option, switch
from ..output import exit_code, finish
from ..reading import channel_names, check_channels, names_in, number, read_model
from ..watch import Watch

if TYPE_CHECKING:
    from ...results.inverse import InverseResult

MOTION = (
    "How a coordinate moves, as in 'crank.angle=2*pi*t', or a file: .csv with a header, or .nc that biela wrote; "
    "repeatable. By default the model's own drivers."
)
FREE = "Freedoms that nothing prescribes move as the forces make them (simulated)."


def inverse(
    name: o.Name,
    motion: Annotated[list[str] | None, option("C=LAW|FILE", MOTION)] = None,
    motors: Annotated[
        str | None, option("A,B,C", "The coordinates on which efforts act; else those prescribed.")
    ] = None,
    duration: o.Duration = None,
    samples: Annotated[int | None, option("N", "Even intervals; else 1000, or the rows of the table.")] = None,
    smoothing: Annotated[
        str | None, option("NOISE", "Noise in tables to be smoothed away: 0.001, '0.5 mm', auto.")
    ] = None,
    spline: Annotated[str, option("NAME", "Through tables: quintic or cubic.")] = "quintic",
    free: Annotated[bool, switch("--free", FREE)] = False,
    gap: Annotated[str, option("NUMBER", "Between prescriptions, relative to the size of the mechanism.")] = "1e-6",
    coordinates: o.Coordinates = None,
    set_: o.Set = None,
    output: o.Output = None,
    channels: o.Channels = None,
    plot: Annotated[Path | None, option("FILE.png", "Plot the efforts.", panel=OUTPUT)] = None,
    as_json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Motor efforts and joint reactions that a motion needs.

    Exit code: 0 done, 1 stopped early (what there is is written), 2 refused, 130 interrupted.
    """
    outputs, pictures = can_write(output, TABLES), can_write(plot, PICTURES)
    names = channel_names(channels, bool(outputs or pictures))
    laws = [_motion(text) for text in motion or ()]
    coordinates_of_motors = names_in("--motors", motors, "J1.angle,J2.angle") or None
    t_end, tolerance = number("--duration", duration, "time"), number("--gap", gap)
    model = read_model(name, set_)
    with Watch(model.name, quiet or as_json) as watch:
        from ...analysis.inverse.inverse import inverse as solve

        result = solve(
            model, laws or None, motors=coordinates_of_motors, t_end=t_end, samples=samples, coordinates=coordinates,
            smoothing=smoothing, spline=spline, free="simulate" if free else None, tolerance=tolerance,
            progress=watch,
        )  # fmt: skip
    check_channels(result, names)
    data = summary(result)
    efforts = [f"{m.coordinate}.{part}" for m in result.motors for part in ("effort", "power", "energy")]
    written = names or [*efforts, *(other for other in result.default_names() if other not in efforts)]
    write_result(result, outputs, written, data)
    for path in pictures:
        result.plot(*(names or [effort for effort in efforts if not effort.endswith(".energy")]), path=path)
    text = f"{model.title or model.name}: {result.method}\n{result.report()}"
    finish(text, data, [*outputs, *pictures], as_json, quiet, exit_code(result))


def _motion(text: str) -> dict[str, str | float] | str:
    """ "crank.angle = 2*pi*t" -> {"crank.angle": "2*pi*t"}; a file stays what it is.

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
