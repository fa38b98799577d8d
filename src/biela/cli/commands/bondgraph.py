"""`biela bondgraph`: causality, equations, runs, linear analysis and drawings of bond graphs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...errors import MethodError, Problem
from .. import options as o
from ..guard import INTERRUPTED, STOPPED, emit, guarded
from ..options import option
from ..reading import channel_names, check_channels, number, setting
from ..writing import PICTURES, TABLES, can_write, write_motion

if TYPE_CHECKING:
    from ...bondgraph import BondGraph, BondResult

RUN, LINEAR = "Run", "Linear analysis"


def _graphs(incomplete: str) -> list[str]:
    folder = Path(__file__).parents[2] / "bondgraph" / "library"
    return [file.stem for file in sorted(folder.glob("*.toml")) if file.stem.startswith(incomplete)]


Graph = Annotated[
    str | None,
    typer.Argument(
        metavar="[NAME|FILE]", help="A bond graph of the library, or a file (.toml). By default: list the library.",
        autocompletion=_graphs, show_default=False,
    ),
]  # fmt: skip
Mechanism = Annotated[bool, option("--mechanism", help="NAME is a mechanism: make a bond graph of it.")]
Equations = Annotated[bool, option("--equations", help="Print the state equations in symbols.")]
Latex = Annotated[bool, option("--latex", help="The equations as LaTeX.")]
Draw = Annotated[
    Path | None,
    option("--draw", metavar="FILE.svg", help="Draw the graph with its causal strokes (.svg, .png, .pdf)."),
]
Save = Annotated[Path | None, option("--save", metavar="FILE.toml", help="Write the graph as a file.")]
Schema = Annotated[bool, option("--schema", help="Print the JSON Schema of the files.")]
Run = Annotated[bool, option("--run", help="Simulate it.", panel=RUN)]
Plot = Annotated[
    Path | None, option("--plot", metavar="FILE.png", help="Plot the channels, or the response.", panel=RUN)
]
Eigenvalues = Annotated[bool, option("--eigenvalues", help="Eigenvalues, frequencies, damping.", panel=LINEAR)]
Response = Annotated[
    str | None,
    option("--response", metavar="SOURCE:OUTPUT", panel=LINEAR,
            help="Transfer function from a source to a state, effort or flow, as in battery:b14.flow."),
]  # fmt: skip


@guarded
def bondgraph(
    name: Graph = None,
    mechanism: Mechanism = False,
    equations: Equations = False,
    latex: Latex = False,
    draw: Draw = None,
    save: Save = None,
    schema: Schema = False,
    run: Run = False,
    duration: o.Duration = None,
    integrator: o.Integrator = None,
    step: o.Step = None,
    tolerance: o.Tolerance = None,
    samples: o.Samples = 1000,
    output: o.Output = None,
    channels: o.Channels = None,
    plot: Plot = None,
    eigenvalues: Eigenvalues = False,
    response: Response = None,
    set_: o.Set = None,
    as_json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Bond graphs: show one with its causality, print its equations, run it, draw it.

    Without a name: those of the library. With --run: `-o` and `--plot` write what happened.
    """
    if schema:
        from ...bondgraph import json_schema

        emit(json_schema())
        return
    if name is None:
        _library(as_json)
        return
    outputs = [can_write(path, TABLES) for path in output or ()]
    for path, suffixes in ((draw, PICTURES), (plot, PICTURES), (save, (".toml",))):
        if path is not None:
            can_write(path, suffixes)
    given = {"--duration": duration, "--integrator": integrator, "--step": step, "--tolerance": tolerance}
    _refuse_idle(run, response, {**given, "-o": output, "--channels": channels, "--plot": plot})
    names = channel_names(channels, bool(outputs) or plot is not None)
    timing = [number("--duration", duration, "time"), number("--step", step, "time"), number("--tolerance", tolerance)]
    graph = _read(name, mechanism, set_)
    graph.equations  # noqa: B018 - every mistake is told before anything is written
    data: dict[str, Any] = {"graph": graph.name, **facts(graph)}
    written: list[Path] = []
    say = not (as_json or quiet)
    if say:
        print(f"{graph.title or graph.name}\n\n{graph.text()}")
    if equations or latex:
        text = graph.equations.latex() if latex else graph.equations.text()
        data["equations"] = text
        if say:
            print(f"\n{text}")
    elif say:
        _tell_causality(graph)
    for path, write in ((draw, graph.draw), (save, graph.save)):
        if path is not None:
            write(path)
            written.append(path)
    if eigenvalues or response is not None:
        written += _linear(graph, eigenvalues, response, None if run else plot, data, say)
    code = 0
    if run:
        result = _simulate(graph, timing, integrator, samples, quiet)
        check_channels(result.channels(), names)
        data["run"] = summary(result)
        for path in outputs:
            write_motion(result, path, names, data)  # type: ignore[arg-type]
        written += outputs
        if plot is not None:
            result.plot(*(names or _states(graph)), path=plot)
            written.append(plot)
        if say or not result.ok:
            typer.echo(("\n" if say else "") + result.explain(), err=not say)
        code = 0 if result.ok else INTERRUPTED if result.status.name == "interrupted" else STOPPED
    if as_json:
        emit({**data, "written": [str(path) for path in written]})
    elif say:
        for path in written:
            print(f"wrote {path}")
    if code:
        raise typer.Exit(code)


def _library(as_json: bool) -> None:
    from ...bondgraph import load, names

    graphs = [load(name) for name in names()]
    rows = [(g.name, g.title, g.reference.source) for g in graphs]
    if as_json:
        emit([dict(zip(("graph", "what", "source"), row, strict=True)) for row in rows])
        return
    from ..show import console, table

    console().print(table("bond graph", "what", "source", rows=rows))


def _refuse_idle(run: bool, response: str | None, given: dict[str, Any]) -> None:
    """Options that would do nothing."""
    idle = [k for k, v in given.items() if v and not run and not (k == "--plot" and response is not None)]
    if idle:
        raise MethodError([Problem(f"{k} has no effect here", cure="add --run") for k in idle])


def _read(name: str, mechanism: bool, settings: list[str] | None) -> BondGraph:
    from ...bondgraph import from_model, load, names

    if mechanism:
        from ..reading import read_model

        return from_model(read_model(name, settings))
    plain = os.path.basename(name) == name and not name.lower().endswith(".toml")
    graph = load(name if plain and (name in names() or not os.path.isfile(name)) else Path(name))
    changes = dict(setting(text) for text in settings or ())
    return graph.with_parameters(**changes) if changes else graph


def _tell_causality(graph: BondGraph) -> None:
    from ...bondgraph.equations.writing import remarks

    eq = graph.equations
    kind = "linear" if eq.linear else "non-linear"
    print(f"\n{len(eq.states)} states ({kind}): {', '.join(eq.states) or '(none)'}")
    for line in remarks(eq):
        print(line)


def _linear(
    graph: BondGraph, eigenvalues: bool, response: str | None, plot: Path | None, data: dict, say: bool
) -> list[Path]:
    system = graph.linear()
    if say and system.at is not None:
        print("\nlinearised at " + ", ".join(f"{k} = {v:g}" for k, v in system.at.items()))
    if eigenvalues:
        data["eigenvalues"] = [[float(s.real), float(s.imag)] for s in system.eigenvalues]
        if say:
            print("\neigenvalues\n" + "\n".join(f"  {mode}" for mode in system.modes))
    if response is None:
        return []
    source, colon, output = response.partition(":")
    if not (source and colon and output):
        cure = f"--response SOURCE:OUTPUT; sources: {', '.join(system.sources)}"
        raise MethodError(Problem(f"--response {response!r} cannot be understood", cure=cure))
    num, den = system.transfer_function(source, output)
    data["transfer_function"] = {"source": source, "output": output, "numerator": num, "denominator": den}
    if say:
        print(f"\n{output} / {source}\n  numerator   {_polynomial(num)}\n  denominator {_polynomial(den)}")
    if plot is None:
        return []
    system.response(source, output).plot(plot)
    return [plot]


def _polynomial(coefficients: Any) -> str:
    """Powers of s, the highest first."""
    n = len(coefficients) - 1
    terms = [
        f"{c:.6g}" + (f" s^{n - k}" if n - k > 1 else " s" if n - k == 1 else "") for k, c in enumerate(coefficients)
    ]
    return " + ".join(terms).replace("+ -", "- ")


def _simulate(
    graph: BondGraph, timing: list[float | None], integrator: str | None, samples: int, quiet: bool
) -> BondResult:
    from ..watch import Watch

    class Plain(Watch):
        """No machine code is needed here, so that a first Ctrl-C already keeps what was computed."""

        def _say_if_compiling(self) -> None:
            self.running = True

    duration, step, tolerance = timing
    watch = Plain(graph.name, quiet)
    watch.running = True
    with watch:
        return graph.simulate(
            duration, integrator=integrator, step=step, tolerance=tolerance, samples=samples, progress=watch
        )


def _states(graph: BondGraph) -> list[str]:
    states = [node.state for node in graph.network.of("I", "C")]
    return states or [f"{b}.flow" for b in graph.network.bonds]


def facts(graph: BondGraph) -> dict[str, Any]:
    """What causality says, for other programs."""
    eq = graph.equations
    return {
        "states": list(eq.states),
        "sources": list(eq.inputs),
        "linear": eq.linear,
        "strokes": dict(graph.causality.stroke),
        "derivative_causality": list(eq.dependent),
        "algebraic_loops": [
            {"bonds": loop.bonds, "elements": loop.elements, "closed": loop.closed} for loop in eq.loops
        ],
    }


def summary(result: BondResult) -> dict[str, Any]:
    """A run, for other programs."""
    return {
        "integrator": result.run.integrator,
        "reason": result.run.reason,
        "step": result.run.step,
        "t_end": float(result.t[-1]),
        "wall_s": result.run.wall,
        **result.facts(),
        "energy_scale": result.energy_scale,
        "message": result.message,
        "notes": result.notes,
        "final": {name: float(result[name][-1]) for name in _states(result.graph)},
    }
