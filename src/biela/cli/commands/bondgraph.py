"""`biela bondgraph`: causality, equations, runs, linear analysis and drawings of bond graphs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...errors import MethodError, Problem
from .. import options as o
from ..files import PICTURES, TABLES, can_write, write_result
from ..options import argument, completing_files, option, switch
from ..output import emit, exit_code, list_rows
from ..reading import channel_names, check_channels, is_of_library, number, read_model, with_settings
from ..watch import Watch

if TYPE_CHECKING:
    from ...bondgraph import BondGraph, BondResult, Linear

RUN, LINEAR = "Run", "Linear analysis"
GRAPH = "A bond graph of the library, or a file (.toml). By default: list the library."
RESPONSE = "Transfer function from a source to a state, effort or flow, as in battery:b14.flow."


def bondgraph(
    name: Annotated[
        str | None, argument("[NAME|FILE]", GRAPH, autocompletion=completing_files("bondgraph/library"))
    ] = None,
    mechanism: Annotated[bool, switch("--mechanism", "NAME is a mechanism: make a bond graph of it.")] = False,
    equations: Annotated[bool, switch("--equations", "Print the state equations in symbols.")] = False,
    latex: o.Latex = False,
    draw: Annotated[
        Path | None, option("FILE.svg", "Draw the graph with its causal strokes (.svg, .png, .pdf).")
    ] = None,
    save: Annotated[Path | None, option("FILE.toml", "Write the graph as a file.")] = None,
    schema: Annotated[bool, switch("--schema", "Print the JSON Schema of the files.")] = False,
    run: Annotated[bool, switch("--run", "Simulate it.", panel=RUN)] = False,
    duration: o.Duration = None,
    integrator: o.Integrator = None,
    step: o.Step = None,
    tolerance: o.Tolerance = None,
    samples: o.Samples = 1000,
    output: o.Output = None,
    channels: o.Channels = None,
    plot: Annotated[Path | None, option("FILE.png", "Plot the channels, or the response.", panel=RUN)] = None,
    eigenvalues: Annotated[bool, switch("--eigenvalues", "Eigenvalues, frequencies, damping.", panel=LINEAR)] = False,
    response: Annotated[str | None, option("SOURCE:OUTPUT", RESPONSE, panel=LINEAR)] = None,
    set_: o.Set = None,
    as_json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Bond graphs: show one with its causality, print its equations, run it, draw it.

    Without a name: those of the library. With --run: `-o` and `--plot` write what happened.
    """
    from ... import bondgraph as bg

    if schema:
        emit(bg.json_schema())
        return
    if name is None:
        graphs = [bg.load(known) for known in bg.names()]
        list_rows(("graph" if as_json else "bond graph", "what", "source"),
                  [(g.name, g.title, g.reference.source) for g in graphs], as_json)  # fmt: skip
        return
    outputs, curves = can_write(output, TABLES), can_write(plot, PICTURES)
    written = [*can_write(draw, PICTURES), *can_write(save, (".toml",))]
    given = {"--duration": duration, "--integrator": integrator, "--step": step, "--tolerance": tolerance,
             "-o": output, "--channels": channels, "--plot": None if response else plot}  # fmt: skip
    idle = [] if run else [k for k, v in given.items() if v]
    if idle:
        raise MethodError([Problem(f"{k} has no effect here", cure="add --run") for k in idle])
    names = channel_names(channels, bool(outputs or curves))
    arguments: dict[str, Any] = {
        "t_end": number("--duration", duration, "time"), "step": number("--step", step, "time"),
        "tolerance": number("--tolerance", tolerance), "integrator": integrator, "samples": samples,
    }  # fmt: skip
    if mechanism:
        graph = bg.from_model(read_model(name, set_))
    else:
        graph = with_settings(bg.load(name if is_of_library(name, bg.names()) else Path(name)), set_)
    eq = graph.equations  # every mistake is told before anything is written
    said = [f"{graph.title or graph.name}\n\n{graph.text()}"]
    data: dict[str, Any] = {"graph": graph.name, **eq.facts()}
    if equations or latex:
        data["equations"] = eq.latex() if latex else eq.text()
        said.append(data["equations"])
    else:
        said.append(eq.summary())
    if draw is not None:
        graph.draw(draw)
    if save is not None:
        graph.save(save)
    if eigenvalues or response is not None:
        linear = graph.linear()
        said += _linear(linear, eigenvalues, response, data)
        if curves and not run:
            linear.response(*_ends(linear, response)).plot(plot)
    code = 0
    if run:
        with Watch(graph.name, quiet, compiles=False) as watch:
            result = graph.simulate(progress=watch, **arguments)
        check_channels(result.channels(), names)
        data["run"] = summary(result)
        write_result(result, outputs, names, data)
        for path in curves:
            result.plot(*(names or _states(graph)), path=path)
        said.append(result.explain())
        code = exit_code(result)
        if code and (as_json or quiet):
            typer.echo(result.explain(), err=True)
    written += [*outputs, *curves]
    if as_json:
        emit({**data, "written": [str(path) for path in written]})
    elif not quiet:
        print("\n\n".join(said))
        for path in written:
            print(f"wrote {path}")
    if code:
        raise typer.Exit(code)


def _linear(linear: Linear, eigenvalues: bool, response: str | None, data: dict[str, Any]) -> list[str]:
    """Eigenvalues and a transfer function: as numbers into the data, as text."""
    said = []
    if linear.at is not None:
        said.append("linearised at " + ", ".join(f"{k} = {v:g}" for k, v in linear.at.items()))
    if eigenvalues:
        data["eigenvalues"] = [[float(s.real), float(s.imag)] for s in linear.eigenvalues]
        said.append("eigenvalues\n" + "\n".join(f"  {mode}" for mode in linear.modes))
    if response is not None:
        source, output = _ends(linear, response)
        num, den = linear.transfer_function(source, output)
        data["transfer_function"] = {"source": source, "output": output, "numerator": num, "denominator": den}
        said.append(f"{output} / {source}\n  numerator   {_polynomial(num)}\n  denominator {_polynomial(den)}")
    return said


def _ends(linear: Linear, response: str | None) -> tuple[str, str]:
    source, _, output = (response or "").partition(":")
    if not (source and output):
        cure = f"--response SOURCE:OUTPUT; sources: {', '.join(linear.sources)}"
        raise MethodError(Problem(f"--response {response!r} cannot be understood", cure=cure))
    return source, output


def _polynomial(coefficients: Any) -> str:
    """Powers of s, the highest first."""
    n = len(coefficients) - 1
    powers = [f" s^{n - k}" if n - k > 1 else " s" if n - k == 1 else "" for k in range(n + 1)]
    return " + ".join(f"{c:.6g}{s}" for c, s in zip(coefficients, powers, strict=True)).replace("+ -", "- ")


def _states(graph: BondGraph) -> list[str]:
    states = [node.state for node in graph.network.of("I", "C")]
    return states or [f"{b}.flow" for b in graph.network.bonds]


def summary(result: BondResult) -> dict[str, Any]:
    """A run, for other programs."""
    return {
        "integrator": result.trajectory.integrator,
        "reason": result.trajectory.reason,
        "step": result.trajectory.step,
        "t_end": float(result.t[-1]),
        "wall_s": result.trajectory.wall,
        **result.facts(),
        "energy_scale": result.energy_scale,
        "message": result.message,
        "notes": result.notes,
        "final": {name: float(result[name][-1]) for name in _states(result.graph)},
    }
