"""`biela modes` and `biela linearise`: how does it vibrate and respond?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ...errors import MethodError, Problem
from .. import options as o
from ..files import PICTURES, can_write
from ..options import OUTPUT, option
from ..output import finish
from ..reading import assignment, instant, names_in, number, read_model

if TYPE_CHECKING:
    import numpy as np

    from ...analysis.linear.linearise import Linear

MATRICES = (".json", ".npz", ".mat")


def modes(
    name: o.Name,
    at: o.At = "equilibrium",
    coordinates: o.Coordinates = None,
    set_: o.Set = None,
    plot: Annotated[Path | None, option("FILE.png", "Draw the modes.", panel=OUTPUT)] = None,
    which: Annotated[int | None, option("K", "Draw this one alone.", "--mode")] = None,
    as_json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Natural frequencies, damping, and which part moves in each mode."""
    pictures = can_write(plot, PICTURES)
    if which is not None and plot is None:
        raise MethodError(Problem("--mode needs a picture", cure="give --plot FILE.png too"))
    linear = _linear(name, set_, at, coordinates)
    for path in pictures:
        from ...views.drawing.modes import mode_figure, modes_figure

        modes_figure(linear, path) if which is None else mode_figure(linear, which, path)
    text = "\n".join([_state(linear), linear.table(), *linear.notes])
    finish(text, summary(linear), pictures, as_json, quiet)


def linearise(
    name: o.Name,
    inputs: Annotated[
        str | None, option("A,B", "Efforts on coordinates (P.x, crank.angle), forces or drivers.")
    ] = None,
    outputs: Annotated[str | None, option("A,B", "Scalar channels.")] = None,
    at: o.At = "equilibrium",
    independent: o.Independent = None,
    coordinates: o.Coordinates = None,
    set_: o.Set = None,
    output: Annotated[
        list[Path] | None,
        option("FILE", "Write A, B, C, D as .json, .npz or .mat; repeatable.", "-o", "--output", panel=OUTPUT),
    ] = None,
    bode: Annotated[Path | None, option("FILE.png", "Plot the frequency response.", panel=OUTPUT)] = None,
    low: Annotated[str | None, option("FREQUENCY", "Lowest frequency of --bode, Hz.", "--from")] = None,
    high: Annotated[str | None, option("FREQUENCY", "Highest frequency of --bode, Hz.", "--to")] = None,
    respond: Annotated[str | None, option("TIME", "Integrate the linear model for this time (text 004).")] = None,
    step: o.Step = None,
    signal: Annotated[list[str] | None, option("INPUT=FORMULA", "An input signal, a formula of t; repeatable.")] = None,
    start: Annotated[
        list[str] | None, option("STATE=VALUE", "A state that differs from rest at t = 0; repeatable.")
    ] = None,
    motion: Annotated[Path | None, option("FILE.csv", "Write the motion of --respond.", panel=OUTPUT)] = None,
    plot: Annotated[Path | None, option("FILE.png", "Plot the motion of --respond.", panel=OUTPUT)] = None,
    as_json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """The mechanism to first order around a state: x' = A x + B u, y = C x + D u."""
    files, diagrams = can_write(output, MATRICES), can_write(bode, PICTURES)
    t_end, h = number("--respond", respond, "time"), number("--step", step, "time")
    if t_end is None:
        given = {"--step": step, "--signal": signal, "--start": start, "--motion": motion, "--plot": plot}
        idle = ", ".join(name for name, value in given.items() if value)
        if idle:
            raise MethodError(Problem(f"{idle}: there is no time response", cure="give --respond TIME too"))
    tables, curves = can_write(motion, (".csv",)), can_write(plot, PICTURES)
    signals = dict(assignment("--signal", text) for text in signal or ())
    states = {k: number(f"--start {k}", x) for k, x in (assignment("--start", text) for text in start or ())}
    entering, leaving = names_in("--inputs", inputs), names_in("--outputs", outputs)
    if diagrams and not (entering and leaving):
        raise MethodError(Problem("--bode needs inputs and outputs", cure="give --inputs and --outputs"))
    if not diagrams and (low is not None or high is not None):
        raise MethodError(Problem("--from and --to belong to --bode", cure="give --bode FILE.png too"))
    chosen = names_in("--independent", independent) or None
    linear = _linear(name, set_, at, coordinates, inputs=entering, outputs=leaving, independent=chosen)
    for path in files:
        linear.save(path)
    for path in diagrams:
        linear.frequency_response(_frequencies(linear, low, high)).plot(path)
    data = {**summary(linear), **linear.matrices()}
    if t_end is not None:
        response = linear.respond(t_end=t_end, step=h or t_end / 2000, inputs=signals, start=states)
        data |= {"t": response.t, "motion": {n: response[n] for n in response.names}}
        for path in tables:
            response.to_csv(path)
        for path in curves:
            response.plot(path)
    finish(lambda: _print_matrices(linear), data, [*files, *diagrams, *tables, *curves], as_json, quiet)


def _print_matrices(linear: Linear) -> None:
    import numpy as np

    print(_state(linear))
    print(f"states: {', '.join(linear.state_names)}")
    with np.printoptions(precision=6, suppress=False, linewidth=116, threshold=400):
        for key in "ABCD":
            if getattr(linear, key).size:
                print(f"{key} =\n{getattr(linear, key)}")
    for note in linear.notes:
        print(note)


def _linear(name: str, set_: list[str] | None, at: str, coordinates: str | None, **options: Any) -> Linear:
    t = None if at in ("equilibrium", "start") else instant("--at", at)
    model = read_model(name, set_)
    from ...analysis.linear.linearise import linearise as linear

    if not t:
        return linear(model, "start" if t == 0 else at, coordinates=coordinates, **options)
    from ...analysis.simulate.simulate import simulate

    motion = simulate(model, t, coordinates=coordinates, samples=200)
    if not motion.ok:
        what = f"t = {t:g} s is not reached"
        raise MethodError(Problem(what, where=model.name, why=motion.message, cure=motion.cure))
    return linear(motion, "end", **options)


def _frequencies(linear: Linear, low: str | None, high: str | None) -> np.ndarray:
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


def _state(linear: Linear) -> str:
    here = linear.space.here
    if here.equilibrium is not None:
        return f"{linear.system.name}: about its equilibrium ({here.equilibrium.stability})"
    return f"{linear.system.name}: about its state at t = {here.t:g} s"


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
                "points": {p: {"real": x.real, "imaginary": x.imag} for p, x in dict[str, Any](m.points).items()},
            }
            for m in linear.modes()
        ],
        "error": linear.space.error,
        "notes": linear.notes,
    }  # fmt: skip
