"""`biela kinematics`: move a coordinate over a range; positions, velocities, accelerations, dead points."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...errors import MethodError, Problem
from .. import options as o
from ..drawing import Drawing
from ..guard import STOPPED, emit, guarded
from ..reading import channel_names, check_channels, number, opened, read_model
from ..writing import PICTURES, TABLES, can_write, write_motion

if TYPE_CHECKING:
    from ...analysis.kinematics.kinematics import KinematicResult
    from ...model.model import Model

Coordinate = Annotated[
    str | None,
    typer.Option("--coordinate", metavar="C", help="What moves: a coordinate, JOINT.angle, BODY.angle, P.x, ..."),
]
Turn = Annotated[
    str | None, typer.Option("--turn", metavar="BODY|JOINT|C", help="Turn a body, or an angle, through one turn.")
]
From = Annotated[str | None, typer.Option("--from", metavar="VALUE", help='Where it starts, as in "0 deg".')]
To = Annotated[str | None, typer.Option("--to", metavar="VALUE", help='Where it ends, as in "360 deg" or "0.2 m".')]
Rate = Annotated[str, typer.Option("--rate", metavar="RATE", help='How fast it moves, as in "60 rpm" or 1.')]
Count = Annotated[int, typer.Option("--count", metavar="N", help="How many positions.")]
Branch = Annotated[int | None, typer.Option("--branch", metavar="K", help="Another way to assemble it: 0, 1, ...")]
Picture = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE.png", help="Plot the channels.", rich_help_panel=o.OUTPUT)
]

Report = Annotated[
    bool,
    typer.Option("--report", help="Extremes of channels, transmission angles, Grashof's class, range of the input."),
]
Sketch = Annotated[
    Path | None,
    typer.Option("--sketch", metavar="FILE.png", help="Draw the mechanism.", rich_help_panel=o.OUTPUT),
]
Vectors = Annotated[
    str | None,
    typer.Option(
        "--vectors", metavar="A,B", rich_help_panel=o.OUTPUT,
        help="On the drawing: velocity, acceleration, force, reaction.",
    ),
]  # fmt: skip
Trace = Annotated[
    list[str] | None,
    typer.Option(
        "--trace", metavar="P", rich_help_panel=o.OUTPUT,
        help="On the drawing: the path of a point, or of body@x,y; repeatable.",
    ),
]  # fmt: skip
Place = Annotated[
    str | None,
    typer.Option(
        "--position", metavar="VALUE", rich_help_panel=o.OUTPUT,
        help="Value of the coordinate at which it is drawn; by default where it starts.",
    ),
]  # fmt: skip


@guarded
def kinematics(
    name: o.Name,
    coordinate: Coordinate = None,
    turn: Turn = None,
    start: From = None,
    stop: To = None,
    rate: Rate = "1",
    count: Count = 361,
    branch: Branch = None,
    coordinates: o.Coordinates = None,
    open_: o.Open = None,
    set_: o.Set = None,
    output: o.Output = None,
    channels: o.Channels = None,
    plot: Picture = None,
    report: Report = False,
    sketch: Sketch = None,
    vectors: Vectors = None,
    trace: Trace = None,
    position: Place = None,
    as_json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Move a coordinate over a range (by default a whole turn) and find its dead points.

    Masses and forces are not needed. Without a coordinate, the model's own drivers move it over its run.
    """
    outputs = [can_write(path, TABLES) for path in output or ()]
    if plot is not None:
        can_write(plot, PICTURES)
    drawing = Drawing.asked(sketch, vectors, trace)
    names = channel_names(channels, bool(outputs) or plot is not None or report)
    from ...model.resolve.expansion import without_repeats

    model = without_repeats(opened(read_model(name, set_), open_, coordinates))
    moved = _moved(model, coordinate, turn)
    angular = _is_angle(model, moved)
    kind = "angle" if angular else "length"
    begin, end = number("--from", start, kind), number("--to", stop, kind)
    pace = number("--rate", rate, "angular velocity" if angular else "velocity")
    assert pace is not None
    from ...analysis.kinematics.kinematics import kinematics as move

    result = move(model, moved, begin, end, count, rate=pace, branch=branch, coordinates=coordinates)
    check_channels(result, names)
    data = summary(result)
    facts = None
    if report:
        from ...analysis.kinematics.report import kinematic_report

        facts = kinematic_report(result, model, names)
        data["report"] = facts.data()
    for path in outputs:
        write_motion(result, path, names, data)
    written = [*outputs]
    if drawing is not None:
        written.append(drawing.draw(result, number("--position", position, kind)))
    if plot is not None:
        against = result.coordinate if result.coordinate in result.channels() else "t"
        result.plot(*(names or _telling(result)), against=against, path=plot)
        written.append(plot)
    if as_json:
        emit(data)
    elif not quiet:
        print(f"{model.title or model.name}: {result.coordinate} moves")
        print(result.report())
        if facts is not None:
            print("\n" + facts.text())
        for path in written:
            print(f"wrote {path}")
    if not result.ok:
        raise typer.Exit(STOPPED)


def _moved(model: Model, coordinate: str | None, turn: str | None) -> str | None:
    if coordinate is not None and turn is not None:
        raise MethodError(Problem("--coordinate and --turn both say what moves", cure="give one of them"))
    if turn is None:
        return coordinate
    from ...analysis.kinematics.inputs import turning

    return turning(model, turn)


def _is_angle(model: Model, coordinate: str | None) -> bool:
    """Angles are measured in degrees or radians, all else in lengths."""
    from ...analysis.kinematics.inputs import is_angle

    return coordinate is None or is_angle(model, coordinate)


def _telling(result: KinematicResult) -> list[str]:
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
