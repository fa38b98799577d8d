"""Values over time, asked for by name, and written as tables and files: what motions of mechanisms and runs of bond
graphs have in common."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import BielaError, Problem
from ...viewing import views
from ...whole import whole
from .channel import Catalogue, Channel


class ChannelsByName:
    """Channels over the times `t`; a subclass says which there are, and which come first."""

    t: Channel
    system: Any
    """what moves; it has a name"""

    @cached_property
    def _catalogue(self) -> Catalogue:
        raise NotImplementedError

    def default_names(self) -> list[str]:
        """The channels that are written and shown unless others are named."""
        raise NotImplementedError

    def __getitem__(self, name: str) -> Channel:
        if name == "t":
            return self.t.copy()
        entry = self._catalogue.get(name)
        if entry is None:
            close = get_close_matches(name, self._catalogue, n=3)
            raise KeyError(
                f"no channel {name!r}" + (f"; did you mean {', '.join(close)}?" if close else "; see channels()")
            )
        compute, unit = entry
        return Channel.of(np.array(compute(), dtype=float), name, unit)  # a copy: it is the reader's to change

    def __contains__(self, name: object) -> bool:
        return name == "t" or name in self._catalogue

    def __iter__(self) -> Iterator[str]:
        return iter(self._catalogue)

    def channels(self, pattern: str = "*") -> list[str]:
        """Names of all channels, or of those that match a pattern such as "A.*"."""
        return [name for name in self._catalogue if fnmatch(name, pattern)]

    def unit(self, name: str) -> str:
        """The unit of a channel."""
        return "s" if name == "t" else self._catalogue[name][1]

    # ---------------------------------------------------------------------------------------- how it was made
    @property
    def method(self) -> str:
        """How it was computed."""
        return ""

    def quality(self) -> str:
        """One line on how good it is."""
        return ""

    def facts(self) -> dict[str, Any]:
        """Numbers about the computation, for files."""
        return {}

    # ----------------------------------------------------------------------------------------------- outputs
    def table(self, names: list[str] | None = None) -> dict[str, np.ndarray]:
        """Columns "name [unit]" -> values, time first; vectors are split into their components."""
        out = {"t [s]": np.asarray(self.t)}
        for name in self.default_names() if names is None else names:
            for part, values in self[name].parts().items():
                out[f"{part} [{values.unit}]"] = np.asarray(values)
        return out

    def to_csv(self, path: str | Path, names: list[str] | None = None) -> None:
        """A table with units in its header, twelve significant digits."""
        table = self.table(names)

        def write(file: Path) -> None:
            header = ",".join(f'"{name}"' if "," in name else name for name in table)
            np.savetxt(file, np.column_stack(list(table.values())), "%.12g", ",", header=header, comments="")

        whole(path, write)

    def to_parquet(self, path: str | Path, names: list[str] | None = None) -> None:
        """A Parquet table, for pandas, polars or DuckDB (needs pyarrow: the extra `data`)."""
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise missing("pyarrow", "Parquet files") from None
        table = pyarrow.table({name: np.ascontiguousarray(x) for name, x in self.table(names).items()})
        whole(path, lambda file: pyarrow.parquet.write_table(table, file))

    def to_xarray(self) -> Any:
        """Everything as an xarray Dataset (extra `data`)."""
        try:
            import xarray
        except ImportError:
            raise missing("xarray", "labelled data sets") from None
        variables, labels = self._variables()
        return xarray.Dataset(
            variables,
            coords={"t": ("t", np.asarray(self.t), {"units": "s"}), **labels},
            attrs={"model": self.system.name, "method": self.method, "quality": self.quality(), **self.facts()},
        )

    def _variables(self) -> tuple[dict[str, Any], dict[str, list[str]]]:
        """What a data set holds: (dimensions, values, attributes) by name, and the labels along each dimension."""
        return {name: (("t",), np.asarray(self[name]), {"units": self.unit(name)}) for name in self}, {}

    def to_netcdf(self, path: str | Path) -> None:
        """Everything in one netCDF 4 file, readable by xarray, MATLAB, Julia, ParaView (extra `data`)."""
        data = self.to_xarray()
        try:
            import h5netcdf  # noqa: F401
        except ImportError:
            raise missing("h5netcdf", "netCDF files") from None
        whole(path, lambda file: data.to_netcdf(file, engine="h5netcdf"))

    def plot(self, *names: str, against: str = "t", path: str | Path | None = None, **options: Any) -> Any:
        """Plot channels; gives a matplotlib figure, and writes it if a path is given; see `biela.plot`."""
        return views().plot(self, *names, against=against, path=path, **options)


def missing(library: str, job: str) -> BielaError:
    """The error for an optional library that is not installed."""
    return BielaError(Problem(f"{job} need {library}", cure="pip install 'biela[data]'"))
