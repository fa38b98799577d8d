"""`biela resume`: go on with a run that was interrupted."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .. import options as o
from ..guard import guarded
from ..reading import channel_names, check_channels
from ..watch import Watch
from ..writing import TABLES, can_make, can_write
from .run import Plots, deliver

File = Annotated[
    Path, typer.Argument(metavar="FILE.npz", help="The file that `biela run --checkpoint` wrote.", show_default=False)
]


@guarded
def resume(
    file: File,
    output: o.Output = None,
    channels: o.Channels = None,
    plots: Plots = None,
    as_json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Go on with an interrupted run, bit for bit as if it had not been.

    Model, method, step, duration and samples are those of the run; interrupted again, it writes the same file again.
    """
    outputs = [can_write(path, TABLES) for path in output or ()]
    folder = None if plots is None else can_make(plots)
    names = channel_names(channels, bool(outputs))
    can_write(file, (".npz",))
    from ...analysis.simulate.checkpoint_file import read

    saved = read(file)
    if names:
        from ...results.motion import Motion

        check_channels(Motion.at_start(saved.system), names)
    with Watch(saved.model.name, quiet or as_json) as watch:
        from ...analysis.simulate.resume import resume as go_on

        result = go_on(file, watch)
    deliver(saved.model, result, outputs, names, folder, file, as_json, quiet)
