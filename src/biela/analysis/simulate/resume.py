"""Going on with a run that was interrupted, bit for bit as if it had not been."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from ...errors import MethodError, Problem
from ...methods.run import Progress, run
from ...results.result import Result
from ..check.mobility import mobility
from .checkpoint_file import read, saver
from .notes import add_notes
from .simulate import keep_checkpoint, run_again


def resume(
    interrupted: Result | str | Path, progress: Progress | None = None, checkpoint: str | Path | None = None
) -> Result:
    """Go on with an interrupted run: a `Result`, or the file that `simulate(..., checkpoint=FILE)` left.

    All that kernels remember is restored, so the rest comes out bit for bit as if the run had not been interrupted. A
    run from a file writes its checkpoints to the same file again, unless another is given.

    >>> import biela
    >>> def impatient(fraction, steps):
    ...     if fraction > 0.1:
    ...         raise KeyboardInterrupt
    >>> options = {"integrator": "conserving", "step": 1e-5, "samples": 50}
    >>> half = biela.simulate("simple-pendulum", 1.0, progress=impatient, **options)
    >>> half.status.name, biela.resume(half).ok
    ('interrupted', True)
    """
    save = None
    if isinstance(interrupted, Result):
        system, settings, duration = interrupted.system, interrupted.settings, interrupted.duration
        kept = interrupted.trajectory.checkpoint
        if kept is None:
            raise MethodError(why_not(interrupted))
        samples = len(kept.tables[0])
        if checkpoint is not None:
            raise MethodError(
                Problem("a result does not know its model, so no checkpoint can be written",
                        cure="resume from the file of simulate(..., checkpoint=FILE)")
            )  # fmt: skip
    else:
        saved = read(Path(interrupted))
        system, settings, duration, kept = saved.system, saved.settings, saved.duration, saved.checkpoint
        assert kept is not None
        samples, save = saved.samples, saver(Path(checkpoint or interrupted), saved)
    system.workspace.begin_counting()
    trajectory = run(system, settings, duration, samples, progress, kept, save)
    result = Result(system, settings, trajectory, duration)
    keep_checkpoint(result, save)
    start = system.q0.copy(), system.v0.copy()
    result.again = partial(run_again, system, duration, len(result.t) - 1, start)
    add_notes(result, mobility(system))
    at = kept.loop["t"] if "t" in kept.loop else kept.loop["done"] * (trajectory.step or 0.0)
    result.notes.append(f"note: continued at t = {at:.6g} s")
    return result


def why_not(result: Result) -> Problem:
    """Why a run cannot be continued."""
    if result.finished:
        return Problem("the run has reached its end", cure="simulate for a longer time")
    if result.status.name != "interrupted":
        why = f"it stopped at t = {result.trajectory.stopped_at:.6g} s: {result.status.sentence}"
        return Problem("the run was not interrupted", why=why, cure=result.cure)
    if result.settings.integrator.scipy:
        why = f"the memory of {result.settings.integrator.name} is SciPy's own"
        cure = "integrator='dopri5', or one with fixed steps, can be resumed"
        return Problem("this run cannot be continued", why=why, cure=cure)
    return Problem("this run cannot be continued", why="it was interrupted within a step",
                   cure="press Ctrl-C once, and wait")  # fmt: skip
