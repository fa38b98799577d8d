"""`biela equilibrium`: where does it rest, and does it stay there?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ...errors import MethodError, Problem
from .. import options as o
from ..files import TABLES, can_write, write_result, write_text
from ..options import OUTPUT, option, switch
from ..output import STOPPED, finish
from ..reading import channel_names, check_channels, number, read_model

if TYPE_CHECKING:
    from ...analysis.equilibrium.equilibrium import Equilibrium

FILES = "A model that starts there (.toml), or its channels (.csv, .json, ...); repeatable."


def equilibrium(
    name: o.Name,
    every: Annotated[bool, switch("--all", "All positions of a mechanism with one freedom.")] = False,
    seek: Annotated[str, option("stable|nearest", "Along the forces, or to the nearest equilibrium.")] = "stable",
    time: Annotated[str, option("TIME", "Drivers and forces of time are held as then.")] = "0",
    reach: Annotated[str, option("N", "How far --all looks, in sizes of the mechanism.")] = "20",
    coordinates: o.Coordinates = None,
    set_: o.Set = None,
    output: Annotated[list[Path] | None, option("FILE", FILES, "-o", "--output", panel=OUTPUT)] = None,
    channels: o.Channels = None,
    as_json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Find where a mechanism rests, what holds it there, and whether it stays.

    Exit code 1 if --all finds none.
    """
    outputs = can_write(output, (".toml", *TABLES))
    names = channel_names(channels, bool(outputs) or as_json)
    t, far = number("--time", time, "time"), number("--reach", reach)
    if every and outputs:
        cure = "leave --all out, or use --json"
        raise MethodError(Problem("--all finds several positions: one file cannot hold them", cure=cure))
    model = read_model(name, set_)
    from ...analysis.equilibrium.equilibrium import equilibrium as find

    found = find(model, t=t, seek=seek, all=every, coordinates=coordinates, reach=far)
    several = list(found) if every else [found]
    for one in several:
        check_channels(one, names)
    if every:
        data = {"model": model.name, "closed": found.closed, "every_position": found.family, "notes": found.notes,
                "positions": [summary(one, names) for one in several]}  # fmt: skip
    else:
        data = {"model": model.name, **summary(found, names)}
    models = [path for path in outputs if path.suffix.lower() == ".toml"]
    for path in models:
        from ...model.write import to_toml

        write_text(path, to_toml(found.model()))
    write_result(found, [path for path in outputs if path not in models], names, data)

    def text() -> None:
        print(model.title or model.name)
        print(found.report())
        if not every:
            print(_positions(found))

    finish(text, data, outputs, as_json, quiet, STOPPED if every and not several else 0)


def summary(found: Equilibrium, names: list[str] | None) -> dict[str, Any]:
    """An equilibrium in numbers, for other programs."""
    own = [c for c in found.system.resolved.coordinates if c in found]
    return {
        "t": float(found.t[0]),
        "stability": found.stability,
        "moves": found.moves,
        "force_left": found.left,
        "constraint_violation_max": float(found["violation.position"].max(initial=0.0)),
        "coordinates": {c: float(found[c][0]) for c in own},
        "points": found.final,
        "channels": {n: found[n][0] for n in names or ()},
        "modes": [{"frequency_hz": m.frequency, "damping": m.damping, "kind": m.kind, "parts": m.shares()}
                  for m in found.judged.modes],
        "notes": found.notes,
    }  # fmt: skip


def _positions(found: Equilibrium) -> str:
    """Where its coordinates and points are, and what its force elements do."""
    resolved = found.system.resolved
    declared = [c.name for c in resolved.coordinates.values() if c.joint is None or resolved.dimension == 3]
    lines = [f"  {c} = {float(found[c][0]):.9g} {found.unit(c)}" for c in declared]
    for p in list(resolved.start)[:20]:
        lines.append(f"  {p} = ({', '.join(f'{float(x):.9g}' for x in found[p][0])}) m")
    for effort in (f"{f.name}.{kind}" for f in resolved.forces for kind in ("force", "moment")):
        if effort in found:
            lines.append(f"  {effort} = {float(found[effort][0]):.9g} {found.unit(effort)}")
    return "\n".join(lines)
