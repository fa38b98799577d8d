"""`biela kinematics`: move a coordinate over a range; positions, velocities, accelerations, dead points."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ...errors import MethodError, Problem
from .. import options as o
from ..files import PICTURES, TABLES, can_write, write_result
from ..options import OUTPUT, option, switch
from ..output import STOPPED, finish
from ..reading import channel_names, check_channels, names_in, number, opened, read_model

if TYPE_CHECKING:
    from ...analysis.kinematics.kinematics import KinematicResult

REPORT = "Extremes of channels, transmission angles, Grashof's class, range of the input."
POSITION = "Value of the coordinate at which it is drawn; by default where it starts."


def kinematics(
    name: o.Name,
    coordinate: o.Coordinate = None,
    turn: Annotated[str | None, option("BODY|JOINT|C", "Turn a body, or an angle, through one turn.")] = None,
    start: o.From = None,
    stop: o.To = None,
    rate: Annotated[str, option("RATE", 'How fast it moves, as in "60 rpm" or 1.')] = "1",
    count: Annotated[int, option("N", "How many positions.")] = 361,
    branch: Annotated[int | None, option("K", "Another way to assemble it: 0, 1, ...")] = None,
    coordinates: o.Coordinates = None,
    open_: o.Open = None,
    set_: o.Set = None,
    output: o.Output = None,
    channels: o.Channels = None,
    plot: Annotated[Path | None, option("FILE.png", "Plot the channels.", panel=OUTPUT)] = None,
    report: Annotated[bool, switch("--report", REPORT)] = False,
    sketch: Annotated[Path | None, option("FILE.png", "Draw the mechanism.", panel=OUTPUT)] = None,
    vectors: o.Vectors = None,
    trace: o.Trace = None,
    position: Annotated[str | None, option("VALUE", POSITION, panel=OUTPUT)] = None,
    as_json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Move a coordinate over a range (by default a whole turn) and find its dead points.

    Masses and forces are not needed. Without a coordinate, the model's own drivers move it over its run.
    """
    outputs, curves, drawing = can_write(output, TABLES), can_write(plot, PICTURES), can_write(sketch, PICTURES)
    arrows = names_in("--vectors", vectors)
    if not drawing and (arrows or trace):
        what = "--vectors" if arrows else "--trace"
        raise MethodError(Problem(f"{what} needs a drawing", cure="add --sketch FILE.png"))
    if arrows:
        from ...views.scene.vectors import check_vectors

        arrows = check_vectors(arrows)
    names = channel_names(channels, bool(outputs or curves) or report)
    if coordinate is not None and turn is not None:
        raise MethodError(Problem("--coordinate and --turn both say what moves", cure="give one of them"))
    from ...analysis.kinematics.inputs import is_angle, turning
    from ...model.resolve.expansion import without_repeats

    model = without_repeats(opened(read_model(name, set_), open_, coordinates))
    moved = coordinate if turn is None else turning(model, turn)
    angular = moved is None or is_angle(model, moved)
    kind = "angle" if angular else "length"
    begin, end = number("--from", start, kind), number("--to", stop, kind)
    pace = number("--rate", rate, "angular velocity" if angular else "velocity")
    from ...analysis.kinematics.kinematics import kinematics as move

    result = move(model, moved, begin, end, count, rate=pace, branch=branch, coordinates=coordinates)
    check_channels(result, names)
    data, text = summary(result), f"{model.title or model.name}: {result.coordinate} moves\n{result.report()}"
    if report:
        from ...analysis.kinematics.report import kinematic_report

        facts = kinematic_report(result, model, names)
        data["report"], text = facts.data(), f"{text}\n\n{facts.text()}"
    write_result(result, outputs, names, data)
    for path in drawing:
        result.sketch(_time_at(result, number("--position", position, kind)), path, vectors=arrows, trace=trace or [])
    for path in curves:
        against = result.coordinate if result.coordinate in result.channels() else "t"
        result.plot(*(names or _curves_of(result)), against=against, path=path)
    finish(text, data, [*outputs, *drawing, *curves], as_json, quiet, 0 if result.ok else STOPPED)


def _time_at(result: KinematicResult, value: float | None) -> float | None:
    """When the coordinate has a value; None if none is asked for."""
    import numpy as np

    if value is None:
        return None
    known = result.coordinate in result
    moved = np.asarray(result[result.coordinate] if known else result.t, dtype=float)
    if not moved.min() - 1e-9 <= value <= moved.max() + 1e-9:
        why = f"{result.coordinate} is moved from {moved.min():.6g} to {moved.max():.6g}"
        raise MethodError(Problem(f"--position {value:.6g} is not reached", why=why, cure="give another"))
    return float(result.t[int(np.argmin(np.abs(moved - value)))])


def _curves_of(result: KinematicResult) -> list[str]:
    """Channels to plot when none are named: the last point that moves, or else the coordinates."""
    from ...views.curves.figures import moving_point

    point, axes = moving_point(result), "xyz"[: result.system.resolved.dimension]
    if point is not None:
        return [f"{point}.{kind}{x}" for kind in ("", "v", "a") for x in axes]
    return list(result.system.resolved.coordinates) or ["energy.kinetic"]


def summary(result: KinematicResult) -> dict[str, Any]:
    """What was found, for other programs."""
    dead = [
        {"kind": p.kind, "coordinate": p.coordinate, "value": p.value, "t": p.t, "in_line": p.line, "text": str(p)}
        for p in result.dead_points
    ]
    return {
        "model": result.system.name,
        "coordinate": result.coordinate,
        "coordinates": result.system.coordinates,
        "positions": len(result.t),
        "constraint_violation_max": float(result["violation.position"].max(initial=0.0)),
        "dead_points": dead,
        "status": "finished" if result.ok else "stopped",
        "message": result.message,
        "notes": result.notes,
        "final": result.final,
    }
