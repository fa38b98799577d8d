"""`biela compare`: the same motion by several methods."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from .. import options as o
from ..files import PICTURES, can_write
from ..options import option, switch
from ..output import INTERRUPTED, STOPPED, finish, status_line
from ..reading import number, read_model

METHOD = "\\[coordinates:]\\[formulation+]integrator, as in penalty+trapezoidal, relative:projection+rk4 or " \
    "hht\\[rho=0.8]; repeatable."  # fmt: skip
COMBINED = "All combinations with these; repeatable."


def compare(
    name: o.Name,
    step: Annotated[list[str] | None, option("TIME", "A step, such as 1e-3; repeatable.")] = None,
    tolerance: Annotated[
        list[str] | None, option("NUMBER", "For integrators that control their error; repeatable.")
    ] = None,
    pair: Annotated[list[str] | None, option("METHOD", METHOD)] = None,
    coordinates: Annotated[list[str] | None, option("SET", COMBINED)] = None,
    formulation: Annotated[list[str] | None, option("NAME", COMBINED)] = None,
    integrator: Annotated[list[str] | None, option("NAME", COMBINED)] = None,
    duration: o.Duration = None,
    reference: Annotated[
        str, option("METHOD", "What positions are compared with: auto, self, none, a method.")
    ] = "auto",
    target: Annotated[str | None, option("LENGTH", "The position error that the recommendation asks for.")] = None,
    repeats: Annotated[int, option("N", "Runs of each; the fastest one counts.")] = 3,
    stability: Annotated[
        bool, switch("--stability", "Stability of the integrators, and their errors in amplitude and period.")
    ] = False,
    set_: o.Set = None,
    output: Annotated[Path | None, option("FILE.csv", "Write the table.", "-o", "--output")] = None,
    plot: Annotated[Path | None, option("FILE.png", "Plot errors against time and evaluations.")] = None,
    as_json: o.Json = False,
) -> None:
    """Compare methods: time, evaluations, energy error, position error, order; and which to take.

    Without methods, those of table 1 of text 000. What fails is a row with its reason. Time is that of computing,
    machine code being compiled beforehand. Ctrl-C keeps the rows that are done.
    """
    steps = [number("--step", text, "time") for text in step or ()]
    tolerances = [number("--tolerance", text) for text in tolerance or ()]
    t_end, wanted = number("--duration", duration, "time"), number("--target", target, "length")
    can_write(output, (".csv",))
    can_write(plot, PICTURES)
    model = read_model(name, set_)
    from ...analysis.compare.compare import compare as compare_methods

    tell = status_line()
    try:
        comparison = compare_methods(
            model, pair, steps, t_end, reference, tell, coordinates=coordinates or (), formulations=formulation or (),
            integrators=integrator or (), tolerances=tolerances, target=wanted, repeats=repeats,
        )  # fmt: skip
    finally:
        tell("")
    if output is not None:
        comparison.to_csv(output)
    if plot is not None and comparison.rows:
        comparison.plot(plot)
    code = 0 if comparison.ok else INTERRUPTED if comparison.interrupted else STOPPED

    def text() -> None:
        print(comparison.text() + (f"\n\n{comparison.stability()}" if stability else ""))

    finish(text, comparison.data(), as_json=as_json, code=code)
