"""`biela animate`: simulate a mechanism and show it moving."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...errors import BielaError, MethodError, Problem
from .. import options as o
from ..files import can_write
from ..options import OUTPUT, option
from ..output import INTERRUPTED, exit_code, finish
from ..reading import check_channels, names_in, number, read_model
from ..request import Request, with_run_options
from ..watch import Watch
from .run import summary

if TYPE_CHECKING:
    from ...model.model import Model
    from ...results.result import Result

FILES = "Write .html (a player), .mp4, .gif, or one instant: .png, .svg, .pdf; repeatable. [default: NAME.html]"
COMPARE = "Another method over the same mechanism, drawn over it; repeatable."
MOST, USUAL = 20_000, 1000
"""samples at most, where the default of 1000 is too few to see the motion"""


@with_run_options()
def animate(
    name: o.Name,
    request: Request,
    set_: o.Set = None,
    output: Annotated[list[Path] | None, option("FILE", FILES, "-o", "--output", panel=OUTPUT)] = None,
    compare: Annotated[list[str] | None, option("FORMULATION+INTEGRATOR", COMPARE, panel=OUTPUT)] = None,
    trace: o.Trace = None,
    vectors: o.Vectors = None,
    plots: Annotated[str | None, option("A,B", "Channels to plot at first.", panel=OUTPUT)] = None,
    theme: Annotated[str | None, option("light|dark", "By default the reader's.", panel=OUTPUT)] = None,
    speed: Annotated[str | None, option("NUMBER", "1 is real time.", panel=OUTPUT)] = None,
    fps: Annotated[float, option("N", "Pictures per second of a film.", panel=OUTPUT)] = 30.0,
    at: Annotated[str | None, option("TIME", "Instant of a single picture.", panel=OUTPUT)] = None,
    view: Annotated[str | None, option("A,E", "In space: azimuth and elevation in degrees.", panel=OUTPUT)] = None,
    as_json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Simulate a mechanism and show it moving: a page that plays itself, a film, or one instant.

    The page is one file: no server, no network, no program but a browser.
    Exit code: 0 done, 1 stopped early (what there is is written), 2 refused, 130 interrupted.
    """
    from ...views.animate import KINDS, Player
    from ...views.scene.vectors import check_vectors

    others = [_method(request, text) for text in compare or ()]
    arrows, curves = names_in("--vectors", vectors), names_in("--plots", plots)
    check_vectors(arrows)
    player_options: dict[str, Any] = {
        "trace": trace or None, "vectors": arrows, "plots": curves or None, "theme": theme, "fps": fps,
        "speed": number("--speed", speed), "t": number("--at", at, "time"), "view": _view(view),
    }  # fmt: skip
    outputs = can_write(output, KINDS)
    if any(path.suffix.lower() == ".mp4" for path in outputs):
        from ...views.drawing.film import encoder

        encoder()
    model = read_model(name, set_)
    outputs = outputs or can_write(Path(f"{model.name}.html"), KINDS)
    if curves:
        check_channels(request.channels_of(model), curves)
    results = [_closely_sampled(one, model, quiet or as_json) for one in (request, *others)]
    player = Player(results, **player_options)
    for path in outputs:
        _write(player, path, quiet or as_json)
    notes = _notes(player, outputs)
    data = {**summary(results[0]), "compared": [summary(r) for r in results[1:]],
            "written": [str(p) for p in outputs], "picture_notes": notes}  # fmt: skip
    finish("\n".join(f"{r.method.split(' (')[0]}: {r.quality()}" for r in results), data, outputs, as_json, quiet)
    if not as_json and not quiet:
        for note in notes:
            typer.echo(f"note: {note}", err=True)
    bad = [r for r in results if not r.ok]
    for r in bad if quiet or not as_json else ():
        typer.echo(r.explain(), err=True)
    codes = [exit_code(r) for r in bad]
    if codes:
        raise typer.Exit(INTERRUPTED if INTERRUPTED in codes else codes[0])


def _notes(player: Any, outputs: list[Path]) -> list[str]:
    """What the pictures do not show, or show wrongly: as the page says it, or of a film how far its samples are."""
    import numpy as np

    from ...views.animate import FILMS, PAGES
    from ...views.player.sampling import too_far, turn_between
    from ...views.scene.frames import Frames

    kinds = {path.suffix.lower() for path in outputs}
    notes: list[str] = []
    if kinds & set(PAGES):
        notes = [note for r in player.data["results"] for note in r["notes"]]
    elif kinds & set(FILMS):
        frames = [Frames(m) for m in player.motions]
        notes = [too_far(turn_between(f.motion, f.poses, np.flatnonzero(f.good))) for f in frames]
    return [note for note in dict.fromkeys(notes) if note]


def _write(player: Any, path: Path, quiet: bool) -> None:
    """A page is there at once; a film shows how far it is."""
    with ExitStack() as stack:
        progress = None
        if path.suffix.lower() in (".mp4", ".gif"):
            watch = stack.enter_context(Watch(f"drawing {path.name}", quiet))
            progress = lambda share: watch(share, 0)  # noqa: E731
        try:
            player.save(path, progress)
        except MethodError as error:  # advice in the words of this command
            raise MethodError([replace(p, cure=p.cure.replace("speed=", "--speed ")) for p in error.problems]) from None


def _closely_sampled(request: Request, model: Model, quiet: bool) -> Result:
    """A run with samples so near to each other that the motion between them can be told."""
    import numpy as np

    from ...views.player.sampling import FAR, turn_between
    from ...views.scene.frames import Frames

    result = request.simulate(model, quiet)
    if request.samples != USUAL or len(result.t) < 3:
        return result
    poses = Frames(result).poses
    turn = turn_between(result, poses, np.arange(len(poses)))
    if turn <= FAR / 2:
        return result
    more = min(MOST, int(USUAL * 3 * turn / FAR) + 1)
    return replace(request, samples=more).simulate(model, quiet)


def _method(base: Request, text: str) -> Request:
    """ "lagrange+rk4", "lagrange" or "+rk4": another method, everything else as it was asked for."""
    formulation, _, integrator = (part.strip() for part in text.partition("+"))
    if not formulation and not integrator:
        raise MethodError(Problem(f"--compare {text!r} is not a method", cure="--compare lagrange+rk4"))
    return replace(base, formulation=formulation or base.formulation, integrator=integrator or base.integrator)


def _view(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        azimuth, elevation = (float(part) for part in text.split(","))
    except ValueError:
        raise BielaError(Problem(f"--view {text!r} is not two angles", cure="--view 40,25")) from None
    return azimuth, elevation
