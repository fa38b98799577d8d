"""`biela run` and `biela resume`: simulate a mechanism; go on with a run that was interrupted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import options as o
from ..files import TABLES, can_make, can_write, write_result
from ..options import OUTPUT, argument, option
from ..output import exit_code, finish
from ..reading import channel_names, check_channels, opened, read_model
from ..request import Request, with_run_options
from ..watch import Watch

if TYPE_CHECKING:
    from ...model.model import Model
    from ...results.result import Result

CHECKPOINT = "Checkpoint, written every minute and at Ctrl-C; `biela resume FILE.npz` continues the run."


@with_run_options()
def run(
    name: o.Name,
    request: Request,
    open_: o.Open = None,
    set_: o.Set = None,
    output: o.Output = None,
    channels: o.Channels = None,
    plots: o.Plots = None,
    checkpoint: Annotated[Path | None, option("FILE.npz", CHECKPOINT, panel=OUTPUT)] = None,
    as_json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Simulate a mechanism and say how good the result is.

    With nothing chosen, biela chooses the method and controls the error.
    Exit code: 0 done, 1 stopped early or more than 1 % of the energy lost (what there is is written), 2 refused, 130
    interrupted.
    """
    outputs, folder = can_write(output, TABLES), None if plots is None else can_make(plots)
    names = channel_names(channels, bool(outputs))
    model = opened(read_model(name, set_), open_, request.coordinates)
    if names:
        check_channels(request.channels_of(model), names)
    can_write(checkpoint, (".npz",))
    result = request.simulate(model, quiet or as_json, checkpoint)
    _deliver(model, result, outputs, names, folder, checkpoint, as_json, quiet)


def resume(
    file: Annotated[Path, argument("FILE.npz", "The file that `biela run --checkpoint` wrote.")],
    output: o.Output = None,
    channels: o.Channels = None,
    plots: o.Plots = None,
    as_json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Go on with an interrupted run, bit for bit as if it had not been.

    Model, method, step, duration and samples are those of the run; interrupted again, it writes the same file again.
    """
    outputs, folder = can_write(output, TABLES), None if plots is None else can_make(plots)
    names = channel_names(channels, bool(outputs))
    can_write(file, (".npz",))
    from ...analysis.simulate.checkpoint_file import read

    saved = read(file)
    if names:
        from ...results.motion import Motion

        check_channels(Motion.at_start(saved.system), names)
    with Watch(saved.model.name, quiet or as_json) as watch:
        from ...analysis.simulate.resume import resume as continue_run

        result = continue_run(file, watch)
    _deliver(saved.model, result, outputs, names, folder, file, as_json, quiet)


def _deliver(
    model: Model, result: Result, outputs: list[Path], names: list[str] | None, folder: Path | None,
    checkpoint: Path | None, as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Write what was asked for, say how it went, and end with the exit code that says so, too."""
    data = summary(result)
    write_result(result, outputs, names, data)
    written = [*outputs]
    if folder is not None:
        written += result.figures(folder)
    if quiet and not as_json and not result.ok:
        typer.echo(result.explain(), err=True)

    def text() -> None:
        from ..run_report import show

        show(model, result)

    finish(text, data, written, as_json, quiet)
    kept = result.trajectory.checkpoint
    if checkpoint is not None and kept is not None and kept.written:
        typer.echo(f"to continue: biela resume {checkpoint}", err=True)
    if not result.ok:
        raise typer.Exit(exit_code(result))


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
