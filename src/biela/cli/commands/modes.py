"""`biela modes` and `biela linearise`: how does it vibrate and respond?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...errors import MethodError, Problem
from .. import options as o
from ..guard import emit, guarded
from ..reading import number, read_model
from ..writing import PICTURES, can_write

if TYPE_CHECKING:
    import numpy as np

    from ...analysis.linear.linearise import Linear
    from ...analysis.linear.modes import Mode

MATRICES = (".json", ".npz", ".mat")
At = Annotated[
    str, typer.Option("--at", metavar="equilibrium|start|TIME", help="Where; a time is reached by simulating.")
]
Picture = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE.png", help="Draw the modes.", rich_help_panel=o.OUTPUT)
]
Which = Annotated[int | None, typer.Option("--mode", metavar="K", help="Draw this one alone.")]
Inputs = Annotated[
    str | None,
    typer.Option("--inputs", metavar="A,B", help="Efforts on coordinates (P.x, crank.angle), forces or drivers."),
]
Outputs = Annotated[str | None, typer.Option("--outputs", metavar="A,B", help="Scalar channels.")]
Independent = Annotated[
    str | None, typer.Option("--independent", metavar="A,B", help="Coordinates of the state; else biela chooses.")
]
Bode = Annotated[
    Path | None,
    typer.Option("--bode", metavar="FILE.png", help="Plot the frequency response.", rich_help_panel=o.OUTPUT),
]
Low = Annotated[str | None, typer.Option("--from", metavar="FREQUENCY", help="Lowest frequency of --bode, Hz.")]
High = Annotated[str | None, typer.Option("--to", metavar="FREQUENCY", help="Highest frequency of --bode, Hz.")]
Matrices = Annotated[
    list[Path] | None,
    typer.Option("-o", "--output", metavar="FILE", help="Write A, B, C, D as .json, .npz or .mat; repeatable.",
                 rich_help_panel=o.OUTPUT),
]  # fmt: skip
Respond = Annotated[
    str | None,
    typer.Option("--respond", metavar="TIME", help="Integrate the linear model for this time (text 004)."),
]
Signals = Annotated[
    list[str] | None,
    typer.Option("--signal", metavar="INPUT=FORMULA", help="An input signal, a formula of t; repeatable."),
]
Starts = Annotated[
    list[str] | None,
    typer.Option("--start", metavar="STATE=VALUE", help="A state that differs from rest at t = 0; repeatable."),
]
Motion = Annotated[
    Path | None,
    typer.Option("--motion", metavar="FILE.csv", help="Write the motion of --respond.", rich_help_panel=o.OUTPUT),
]
Curves = Annotated[
    Path | None,
    typer.Option("--plot", metavar="FILE.png", help="Plot the motion of --respond.", rich_help_panel=o.OUTPUT),
]


@guarded
def modes(
    name: o.Name,
    at: At = "equilibrium",
    coordinates: o.Coordinates = None,
    set_: o.Set = None,
    plot: Picture = None,
    which: Which = None,
    as_json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Natural frequencies, damping, and which part moves in each mode."""
    if plot is not None:
        can_write(plot, PICTURES)
    if which is not None and plot is None:
        raise MethodError(Problem("--mode needs a picture", cure="give --plot FILE.png too"))
    linear = _linear(name, set_, at, coordinates)
    if plot is not None:
        from ...views.drawing.modes import mode_figure, modes_figure

        modes_figure(linear, plot) if which is None else mode_figure(linear, which, plot)
    if as_json:
        emit(summary(linear))
    elif not quiet:
        print("\n".join([_where(linear), linear.table(), *linear.notes]))
        if plot is not None:
            print(f"wrote {plot}")


@guarded
def linearise(
    name: o.Name,
    inputs: Inputs = None,
    outputs: Outputs = None,
    at: At = "equilibrium",
    independent: Independent = None,
    coordinates: o.Coordinates = None,
    set_: o.Set = None,
    output: Matrices = None,
    bode: Bode = None,
    low: Low = None,
    high: High = None,
    duration: Respond = None,
    step: o.Step = None,
    signal: Signals = None,
    start: Starts = None,
    motion: Motion = None,
    plot: Curves = None,
    as_json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """The mechanism to first order around a state: x' = A x + B u, y = C x + D u."""
    files = [can_write(path, MATRICES) for path in output or ()]
    march = _march(duration, step, signal, start, motion, plot)
    entering, leaving = _list("--inputs", inputs), _list("--outputs", outputs)
    if bode is not None:
        can_write(bode, PICTURES)
        if not entering or not leaving:
            raise MethodError(Problem("--bode needs inputs and outputs", cure="give --inputs and --outputs"))
    elif low is not None or high is not None:
        raise MethodError(Problem("--from and --to belong to --bode", cure="give --bode FILE.png too"))
    linear = _linear(name, set_, at, coordinates, entering, leaving, _list("--independent", independent) or None)
    for path in files:
        linear.save(path)
    if bode is not None:
        linear.frequency_response(_range(linear, low, high)).plot(bode)
    if march is not None:
        moved = linear.respond(**march)
        if motion is not None:
            moved.to_csv(motion)
        if plot is not None:
            moved.plot(plot)
    if as_json:
        more = {"t": moved.t, "motion": {n: moved[n] for n in moved.names}} if march is not None else {}
        emit({**summary(linear), **linear.matrices(), **more})
    elif not quiet:
        import numpy as np

        print(_where(linear))
        print(f"states: {', '.join(linear.state_names)}")
        with np.printoptions(precision=6, suppress=False, linewidth=116, threshold=400):
            for key in "ABCD":
                if getattr(linear, key).size:
                    print(f"{key} =\n{getattr(linear, key)}")
        print("\n".join(linear.notes) + ("\n" if linear.notes else ""), end="")
        for path in [*files, *(path for path in (bode, motion, plot) if path)]:
            print(f"wrote {path}")


def _march(
    duration: str | None, step: str | None, signal: list[str] | None, start: list[str] | None, motion: Path | None,
    plot: Path | None,
) -> dict[str, Any] | None:  # fmt: skip
    """Arguments of `Linear.respond`, or None; nonsense is refused before anything is computed."""
    time, h = number("--respond", duration, "time"), number("--step", step, "time")
    given = {"--step": step, "--signal": signal, "--start": start, "--motion": motion, "--plot": plot}
    if time is None:
        idle = [name for name, value in given.items() if value]
        if idle:
            raise MethodError(Problem(f"{', '.join(idle)}: there is no time response", cure="give --respond TIME too"))
        return None
    if motion is not None:
        can_write(motion, (".csv",))
    if plot is not None:
        can_write(plot, PICTURES)
    inputs = dict(_equals("--signal", text) for text in signal or ())
    states = {name: number(f"--start {name}", value) for name, value in (_equals("--start", s) for s in start or ())}
    return {"t_end": time, "step": h or time / 2000, "inputs": inputs, "start": states}


def _equals(option: str, text: str) -> tuple[str, str]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not (name and equals and value):
        raise MethodError(Problem(f"{option} {text!r} is not NAME=VALUE", cure=f"write {option} NAME=VALUE"))
    return name, value


def _linear(
    name: str,
    set_: list[str] | None,
    at: str,
    coordinates: str | None,
    inputs: list[str] | None = None,
    outputs: list[str] | None = None,
    independent: list[str] | None = None,
) -> Linear:
    when = None if at in ("equilibrium", "start") else number("--at", at, "time")
    model = read_model(name, set_)
    from ...analysis.linear.linearise import linearise as linear

    more: dict[str, Any] = {"inputs": inputs or [], "outputs": outputs or [], "independent": independent}
    if when is None:
        return linear(model, at, coordinates=coordinates, **more)
    if when < 0:
        raise MethodError(Problem(f"--at {at} is before the start", cure="give a time from 0 on"))
    if when == 0:
        return linear(model, "start", coordinates=coordinates, **more)
    from ...analysis.simulate.simulate import simulate

    motion = simulate(model, when, coordinates=coordinates, samples=200)
    if not motion.ok:
        what = f"t = {when:g} s is not reached"
        raise MethodError(Problem(what, where=model.name, why=motion.message, cure=motion.cure))
    return linear(motion, "end", **more)


def _range(linear: Linear, low: str | None, high: str | None) -> np.ndarray:
    """Angular frequencies: from a tenth of the slowest to ten times the fastest, unless told."""
    import numpy as np

    known = [m.omega for m in linear.modes() if m.omega > 0] or [2 * np.pi]
    first = number("--from", low) or min(known) / (2 * np.pi) / 10
    last = number("--to", high) or max(known) / (2 * np.pi) * 10
    if not 0 < first < last:
        raise MethodError(Problem(f"from {first:g} Hz to {last:g} Hz is not a range", cure="0 < from < to"))
    grid = 2 * np.pi * np.geomspace(first, last, 800)
    peaks = [m.omega for m in linear.modes() if 2 * np.pi * first < m.omega < 2 * np.pi * last]
    near = [w * (1 + s * m) for w in peaks for m in np.geomspace(1e-4, 0.1, 25) for s in (-1, 1)]
    return np.unique(np.concatenate([grid, near]))


def _list(option: str, text: str | None) -> list[str]:
    names = [x.strip() for x in (text or "").split(",") if x.strip()]
    if text is not None and not names:
        raise MethodError(Problem(f"{option} is empty", cure=f"{option} A,B"))
    return names


def _where(linear: Linear) -> str:
    here = linear.space.here
    if here.equilibrium is not None:
        return f"{linear.system.name}: about its equilibrium ({here.equilibrium.stability})"
    return f"{linear.system.name}: about its state at t = {here.t:g} s"


def _complex(mode: Mode) -> dict[str, Any]:
    return dict(mode.points)


def summary(linear: Linear) -> dict[str, Any]:
    """The modes, for other programs."""
    return {
        "model": linear.system.name,
        "at_rest": linear.at_rest,
        "t": linear.space.here.t,
        "independent": list(linear.space.chart.names),
        "modes": [
            {
                "eigenvalue": [m.eigenvalue.real, m.eigenvalue.imag], "frequency_hz": m.frequency, "omega": m.omega,
                "damping": m.damping, "kind": m.kind, "parts": m.shares(),
                "points": {p: {"real": x.real, "imaginary": x.imag} for p, x in _complex(m).items()},
            }
            for m in linear.modes()
        ],
        "error": linear.space.error,
        "notes": linear.notes,
    }  # fmt: skip
