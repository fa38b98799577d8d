"""`biela animate`: simulate a mechanism and show it moving."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...errors import BielaError, MethodError, Problem
from .. import options as o
from ..guard import INTERRUPTED, STOPPED, emit, guarded
from ..reading import check_channels, number, read_model
from ..request import Request, asks_for_a_run
from ..writing import can_write
from .run import summary

if TYPE_CHECKING:
    from ...model.model import Model
    from ...results.result import Result

Films = Annotated[
    list[Path] | None,
    typer.Option(
        "-o", "--output", metavar="FILE", rich_help_panel=o.OUTPUT,
        help="Write .html (a player), .mp4, .gif, or one instant: .png, .svg, .pdf; repeatable. [default: NAME.html]",
    ),
]  # fmt: skip
Trace = Annotated[
    list[str] | None,
    typer.Option("--trace", metavar="P", help="Path of a point, or of body@x,y; repeatable.", rich_help_panel=o.OUTPUT),
]
Vectors = Annotated[
    str | None,
    typer.Option(
        "--vectors", metavar="A,B", rich_help_panel=o.OUTPUT,
        help="Arrows to show at first: velocity, acceleration, force, reaction.",
    ),
]  # fmt: skip
Plots = Annotated[
    str | None,
    typer.Option("--plots", metavar="A,B", help="Channels to plot at first.", rich_help_panel=o.OUTPUT),
]
Compare = Annotated[
    list[str] | None,
    typer.Option(
        "--compare", metavar="FORMULATION+INTEGRATOR", rich_help_panel=o.OUTPUT,
        help="Another method over the same mechanism, drawn over it; repeatable.",
    ),
]  # fmt: skip
Theme = Annotated[
    str | None, typer.Option("--theme", metavar="light|dark", help="By default the reader's.", rich_help_panel=o.OUTPUT)
]
Speed = Annotated[
    str | None, typer.Option("--speed", metavar="NUMBER", help="1 is real time.", rich_help_panel=o.OUTPUT)
]
Fps = Annotated[
    float, typer.Option("--fps", metavar="N", help="Pictures per second of a film.", rich_help_panel=o.OUTPUT)
]
Instant = Annotated[
    str | None, typer.Option("--at", metavar="TIME", help="Instant of a single picture.", rich_help_panel=o.OUTPUT)
]
View = Annotated[
    str | None,
    typer.Option("--view", metavar="A,E", help="In space: azimuth and elevation in degrees.", rich_help_panel=o.OUTPUT),
]


@guarded
@asks_for_a_run()
def animate(
    name: o.Name,
    request: Request,
    set_: o.Set = None,
    output: Films = None,
    compare: Compare = None,
    trace: Trace = None,
    vectors: Vectors = None,
    plots: Plots = None,
    theme: Theme = None,
    speed: Speed = None,
    fps: Fps = 30.0,
    at: Instant = None,
    view: View = None,
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
    look: dict[str, Any] = {
        "trace": trace or None, "vectors": _list(vectors), "plots": _list(plots) or None, "theme": theme, "fps": fps,
        "speed": number("--speed", speed), "t": number("--at", at, "time"), "view": _view(view),
    }  # fmt: skip
    check_vectors(look["vectors"])
    outputs = [can_write(path, KINDS) for path in output or ()]
    if any(path.suffix.lower() == ".mp4" for path in outputs):
        from ...views.drawing.film import encoder

        encoder()
    model = read_model(name, set_)
    outputs = outputs or [can_write(Path(f"{model.name}.html"), KINDS)]
    if look["plots"]:
        check_channels(request.channels_of(model), look["plots"])
    results: list[Result] = [_closely(asked, model, quiet or as_json) for asked in (request, *others)]
    player = Player(results, **look)
    for path in outputs:
        _write(player, path, quiet or as_json)
    if as_json:
        more = {"compared": [summary(r) for r in results[1:]], "written": [str(p) for p in outputs],
                "picture_notes": _said(player, outputs)}  # fmt: skip
        emit({**summary(results[0]), **more})
    elif not quiet:
        for r in results:
            typer.echo(f"{r.method.split(' (')[0]}: {r.quality()}")
        for path in outputs:
            typer.echo(f"wrote {path}")
        for note in _said(player, outputs):
            typer.echo(f"note: {note}", err=True)
    bad = [r for r in results if not r.ok]
    for r in bad if quiet or not as_json else ():
        typer.echo(r.explain(), err=True)
    if bad:
        raise typer.Exit(INTERRUPTED if any(r.status.name == "interrupted" for r in bad) else STOPPED)


def _said(player: Any, outputs: list[Path]) -> list[str]:
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
            from ..watch import Watch

            watch = stack.enter_context(Watch(f"drawing {path.name}", quiet))
            progress = lambda share: watch(share, 0)  # noqa: E731
        try:
            player.save(path, progress)
        except MethodError as error:  # advice in the words of this command
            raise MethodError([replace(p, cure=p.cure.replace("speed=", "--speed ")) for p in error.problems]) from None


MOST, USUAL = 20_000, 1000
"""samples that are taken where 1000, of nobody's choice, are too few to see the motion"""


def _closely(request: Request, model: Model, quiet: bool) -> Result:
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
    """"lagrange+rk4", "lagrange" or "+rk4": another method, everything else as it was asked for."""

    formulation, _, integrator = (part.strip() for part in text.partition("+"))
    if not formulation and not integrator:
        raise MethodError(Problem(f"--compare {text!r} is not a method", cure="--compare lagrange+rk4"))
    return replace(base, formulation=formulation or base.formulation, integrator=integrator or base.integrator)


def _list(text: str | None) -> list[str]:
    return [part.strip() for part in (text or "").split(",") if part.strip()]


def _view(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        azimuth, elevation = (float(part) for part in text.split(","))
    except ValueError:
        raise BielaError(Problem(f"--view {text!r} is not two angles", cure="--view 40,25")) from None
    return azimuth, elevation
