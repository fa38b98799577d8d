"""Tables: columns with units, to CSV and Parquet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...errors import BielaError, Problem
from ...whole import whole

if TYPE_CHECKING:
    from .by_name import ChannelsByName


def columns(result: ChannelsByName, names: list[str] | None = None) -> dict[str, np.ndarray]:
    """ "name [unit]" -> values, time first; vectors are split into their components."""
    out = {"t [s]": np.asarray(result.t)}
    for name in result.default_names() if names is None else names:
        for part, values in result[name].parts().items():
            out[f"{part} [{values.unit}]"] = np.asarray(values)
    return out


def write_csv(result: ChannelsByName, path: str | Path, names: list[str] | None = None) -> None:
    """Twelve significant digits, units in the header."""
    table = columns(result, names)

    def write(file: Path) -> None:
        header = ",".join(f'"{name}"' if "," in name else name for name in table)
        np.savetxt(file, np.column_stack(list(table.values())), "%.12g", ",", header=header, comments="")

    whole(path, write)


def write_parquet(result: ChannelsByName, path: str | Path, names: list[str] | None = None) -> None:
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
