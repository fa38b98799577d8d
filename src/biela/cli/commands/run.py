"""`biela run`: simulate a mechanism."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import options as o
from ..guard import INTERRUPTED, STOPPED, emit, guarded
from ..reading import channel_names, check_channels, opened, read_model
from ..request import Request, asks_for_a_run
from ..writing import TABLES, can_make, can_write, write_motion

if TYPE_CHECKING:
    from ...model.model import Model
    from ...results.result import Result

Plots = Annotated[
    Path | None,
    typer.Option(
        "--plots", metavar="FOLDER", rich_help_panel=o.OUTPUT,
        help="Plot motion, energy, constraint violation and multipliers.",
    ),
]  # fmt: skip
CheckpointFile = Annotated[
    Path | None,
    typer.Option(
        "--checkpoint", metavar="FILE.npz", rich_help_panel=o.OUTPUT,
        help="Checkpoint, written every minute and at Ctrl-C; `biela resume FILE.npz` continues the run.",
    ),
]  # fmt: skip


@guarded
@asks_for_a_run()
def run(
    name: o.Name,
    request: Request,
    open_: o.Open = None,
    set_: o.Set = None,
    output: o.Output = None,
    channels: o.Channels = None,
    plots: Plots = None,
    checkpoint: CheckpointFile = None,
    as_json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Simulate a mechanism and say how good the result is.

    With nothing chosen, biela chooses the method and controls the error.
    Exit code: 0 done, 1 stopped early or more than 1 % of the energy lost (what there is is written), 2 refused, 130
    interrupted.
    """
    outputs = [can_write(path, TABLES) for path in output or ()]
    folder = None if plots is None else can_make(plots)
    names = channel_names(channels, bool(outputs))
    model = opened(read_model(name, set_), open_, request.coordinates)
    if names:
        check_channels(request.channels_of(model), names)
    if checkpoint is not None:
        can_write(checkpoint, (".npz",))
    result = request.simulate(model, quiet or as_json, checkpoint)
    deliver(model, result, outputs, names, folder, checkpoint, as_json, quiet)


def deliver(
    model: Model, result: Result, outputs: list[Path], names: list[str] | None, folder: Path | None,
    checkpoint: Path | None, as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Write what was asked for, say how it went, and end with the exit code that says so, too."""
    data = summary(result)
    for path in outputs:
        write_motion(result, path, names, data)
    written = [str(path) for path in outputs]
    if folder is not None:
        from ...views.curves.figures import figures

        written += [str(path) for path in figures(result, folder)]
    if as_json:
        emit(data)
    elif not quiet:
        _show(model, result, written)
    elif not result.ok:
        typer.echo(result.explain(), err=True)
    kept = result.trajectory.checkpoint
    if checkpoint is not None and kept is not None and kept.written:
        typer.echo(f"to continue: biela resume {checkpoint}", err=True)
    if not result.ok:
        raise typer.Exit(INTERRUPTED if result.status.name == "interrupted" else STOPPED)


def summary(result: Result) -> dict[str, Any]:
    """A run in numbers, for other programs."""
    tr, settings = result.trajectory, result.settings
    return {
        "model": result.system.name,
        "coordinates": result.system.coordinates,
        "formulation": settings.formulation.name,
        "integrator": settings.integrator.name,
        "reason": result.reason,
        "step": tr.step,
        "steps": tr.steps,
        "evaluations": tr.evaluations,
        "iterations": tr.iterations,
        "rejected": tr.rejected,
        "duration": result.duration,
        "t_end": float(result.t[-1]),
        "wall_s": tr.wall,
        "energy_error_max": tr.energy_error,
        "energy_scale": result.energy_scale,
        "constraint_violation_max": tr.violation,
        "velocity_violation_max": tr.rate_violation,
        "status": result.status.name,
        "ok": result.ok,
        "method": result.ran,
        "verdict": result.verdict.data(),
        "message": result.message,
        "notes": result.notes,
        "independent": [{"t": t, "coordinates": list(names)} for t, names in result.independent],
        "events": [event.data() for event in result.events],
        "final": result.final,
    }


def _show(model: Model, result: Result, written: list[str]) -> None:
    """The same for people."""
    from ..quality import report
    from ..show import console

    out = console()
    for part in report(model, result):
        out.print(part, soft_wrap=isinstance(part, str))
    for path in written:
        out.print(f"wrote {path}", soft_wrap=True)
