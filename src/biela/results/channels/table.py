"""Tables: columns with units, to CSV and Parquet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...errors import BielaError, Problem
from ...whole import write_whole

if TYPE_CHECKING:
    from ..motion import Motion


def default_names(result: Motion) -> list[str]:
    """Points, how bodies are turned, coordinates and energies: what people look at first.

    In space a body is turned by its quaternion, the joints' own coordinates say what moves against what, and a body
    without points is where its centre of mass is.
    """
    resolved = result.system.resolved
    space = resolved.dimension == 3
    axes = "xyz"[: resolved.dimension]
    bare = [b for b, body in resolved.bodies.items() if not body.points]
    turned = [f"p{k}" for k in range(4)] if space else ["angle"]
    names = [f"{p}.{x}" for p in (*resolved.start, *bare) for x in axes]
    names += [f"{b}.{part}" for b, body in resolved.bodies.items() if not body.particle for part in turned]
    names += [c.name for c in resolved.coordinates.values()
              if c.type != "term" and (space or c.joint is None or c.needed)]  # fmt: skip
    names += ["energy.kinetic", "energy.potential"]
    return names if result.work is None else [*names, "energy.work"]


def columns(result: Motion, names: list[str] | None = None) -> dict[str, np.ndarray]:
    """ "name [unit]" -> values, time first; vectors are split into their components."""
    out = {"t [s]": np.asarray(result.t)}
    for name in default_names(result) if names is None else names:
        for part, values in result[name].parts().items():
            out[f"{part} [{values.unit}]"] = np.asarray(values)
    return out


def write_csv(result: Motion, path: str | Path, names: list[str] | None = None) -> None:
    """Twelve significant digits, units in the header."""
    table = columns(result, names)

    def write(file: Path) -> None:
        header = ",".join(f'"{name}"' if "," in name else name for name in table)
        np.savetxt(file, np.column_stack(list(table.values())), "%.12g", ",", header=header, comments="")

    whole(path, write)


def write_parquet(result: Motion, path: str | Path, names: list[str] | None = None) -> None:
    """The same columns for pandas, polars or DuckDB."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise missing("pyarrow", "Parquet files") from None
    table = pyarrow.table({name: np.ascontiguousarray(x) for name, x in columns(result, names).items()})
    whole(path, lambda file: pyarrow.parquet.write_table(table, file))


def missing(library: str, job: str) -> BielaError:
    """The error for an optional library that is not installed."""
    return BielaError(Problem(f"{job} need {library}", cure="pip install 'biela[data]'"))


def whole(path: str | Path, write: Callable[[Path], object]) -> None:
    """Write a file all or nothing: into a temporary name first."""
    try:
        write_whole(Path(path), write)
    except (OSError, ValueError) as error:  # a NUL in the path is a ValueError
        why = getattr(error, "strerror", None) or str(error)
        raise BielaError(Problem(f"cannot write {path}", why=why, cure="choose another file or folder")) from None
