"""`biela minimal`: as many equations as freedoms, in numbers at a state or in symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from ...errors import MethodError, Problem, so_many
from .. import options as o
from ..files import TEXTS, can_write, write_text
from ..options import option, switch
from ..output import finish
from ..reading import names_in, number, opened, read_model

if TYPE_CHECKING:
    from ...model.model import Model


def minimal(
    name: o.Name,
    independent: o.Independent = None,
    symbols: Annotated[bool, switch("--symbols", "Formulas of the parameters (small mechanisms).")] = False,
    latex: o.Latex = False,
    angles: Annotated[str | None, option("KIND", "In formulas: absolute (from the ground) or relative.")] = None,
    at: o.At = "start",
    coordinates: o.Coordinates = None,
    open_: o.Open = None,
    set_: o.Set = None,
    output: o.TextFile = None,
    as_json: o.Json = False,
) -> None:
    """The least number of equations: M z'' = Q, with S for all the velocities, v = S z'."""
    can_write(output, TEXTS)
    names = names_in("--independent", independent) or None
    latex = latex or (output is not None and output.suffix.lower() == ".tex")
    # formulas always follow a tree, whatever the coordinates whose S they write out
    model = opened(read_model(name, set_), open_, "relative" if symbols or latex else coordinates)
    if symbols or latex:
        if at != "start":
            raise MethodError(Problem("formulas hold at any state", cure="leave out --at, or leave out --symbols"))
        text, data = _formulas(model, names, coordinates, angles or "absolute", latex)
    elif angles is not None:
        raise MethodError(Problem("--angles is for formulas", cure="add --symbols, or leave out --angles"))
    else:
        text, data = _numbers(model, names, at, coordinates)
    if output is not None:
        write_text(output, text)
        text = f"wrote {output}"
    finish(text, data, as_json=as_json)


def _formulas(
    model: Model, names: list[str] | None, coordinates: str | None, angles: str, latex: bool
) -> tuple[str, dict[str, Any]]:
    from ...analysis.minimal.symbols import minimal_equations

    found = minimal_equations(model, names, coordinates, angles)
    data = {
        "model": model.name, "independent": found.names, "equations": found.equations(),
        "constraints": [str(e) for e in found.Phi], "where": {str(k): str(e) for k, e in found.short.items()},
        "coordinates": found.whole.coordinates, "velocities": found.whole.names,
        "S": [[str(e) for e in row] for row in found.whole.S.tolist()],
        "S'": [[str(e) for e in row] for row in found.whole.S_dot.tolist()],
    }  # fmt: skip
    return found.latex() if latex else found.text(), data


def _numbers(model: Model, names: list[str] | None, at: str, coordinates: str | None) -> tuple[str, dict[str, Any]]:
    from ...analysis.minimal.reduced import minimal as reduce

    if at in ("start", "equilibrium"):
        found = reduce(model, names, coordinates, at)
    else:
        from ...analysis.simulate.simulate import simulate

        end = number("--at", at, "time")
        found = reduce(simulate(model, end, coordinates=coordinates), names, at="end")
    count = so_many(len(found.names), "freedom")
    lines = [f"{model.title or model.name}: {count}, z = ({', '.join(found.names)})"]
    lines += [f"t = {found.t:g} s, z' = {_row(found.rate)}", "M z'' = Q", "M"]
    lines += [f"  {_row(row)}" for row in found.M]
    lines += ["Q", f"  {_row(found.Q)}", "z''", f"  {_row(found.acceleration)}", "S (rows: all the velocities)"]
    width = max(map(len, found.system.v_names), default=0)
    lines += [f"  {v.ljust(width)}  {_row(row)}" for v, row in zip(found.system.v_names, found.S, strict=True)]
    data = {
        "model": model.name, "independent": list(found.names), "t": found.t, "rate": found.rate, "M": found.M,
        "Q": found.Q, "acceleration": found.acceleration, "velocities": found.system.v_names, "S": found.S,
        "notes": found.notes,
    }  # fmt: skip
    return "\n".join([*lines, *found.notes]), data


def _row(values: Any) -> str:
    return "  ".join(f"{x: .9g}" for x in values)
