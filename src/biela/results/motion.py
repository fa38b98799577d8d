"""A motion: positions, velocities, accelerations and multipliers of a system at many instants, asked for by name."""

from __future__ import annotations

from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..system.lowering import ForceInfo
from ..system.measure import heading, length, vector_motion
from ..system.system import System
from .channel import Channel
from .channels import catalogue
from .freebody import FreeBodies


class Motion:
    """Samples of a motion. `Result` (dynamics) and `KinematicResult` are motions with a judgement of their own."""

    def __init__(self, system: System, t: Any, q: Any, v: Any, a: Any, lam: Any, work: Any):
        self.system = system
        self.t = Channel.of(t, "t", "s")
        self.q, self.v, self.a, self.lam, self.work = q, v, a, lam, work
        self.notes: list[str] = list(system.notes)
        self.message = ""

    def quality(self) -> str:
        """One line on how good it is."""
        return ""

    @property
    def method(self) -> str:
        """How it was computed."""
        return ""

    def facts(self) -> dict[str, Any]:
        """Numbers about the computation, for files."""
        return {}

    # -------------------------------------------------------------------------------------- channels
    def __getitem__(self, name: str) -> Channel:
        if name == "t":
            return self.t
        entry = self._catalogue.get(name)
        if entry is None:
            from difflib import get_close_matches

            close = get_close_matches(name, self._catalogue, n=3)
            raise KeyError(
                f"no channel {name!r}" + (f"; did you mean {', '.join(close)}?" if close else "; see channels()")
            )
        compute, unit = entry
        return Channel.of(compute(), name, unit)

    def channels(self, pattern: str = "*") -> list[str]:
        """Names of all channels, or of those that match a pattern such as "A.*"."""
        return [name for name in self._catalogue if fnmatch(name, pattern)]

    def unit(self, name: str) -> str:
        """The unit of a channel."""
        return "s" if name == "t" else self._catalogue[name][1]

    @cached_property
    def _catalogue(self) -> dict[str, tuple[Any, str]]:
        return catalogue(self)

    @property
    def final(self) -> dict[str, list[float]]:
        """The last position of every named point."""
        meaning = self.system.meaning
        return {p: [float(x) for x in np.asarray(self[p])[-1]] for p in (*meaning.ground, *meaning.start)}

    # --------------------------------------------------------------------- pieces the channels are made of
    def vector(self, vector: tuple) -> tuple:
        """Motion of a vector of the mechanism: (value, rate, second rate), each (samples, 2)."""
        return vector_motion(self.system.lowered.natural, vector, self.q, self.v, self.a)

    @cached_property
    def free_bodies(self) -> FreeBodies:
        """The mechanism taken apart."""
        return FreeBodies(self)

    @cached_property
    def multipliers(self) -> np.ndarray:
        """Multipliers of all rows; of redundant rows those of least norm (a convention)."""
        lam = self.lam
        spare = self.system.m - self.system.rank
        if spare <= 0 or not lam.size:
            return lam
        out = np.empty_like(lam)
        for k in range(len(lam)):
            B = self.system.at(self.q[k], self.v[k], float(self.t[k])).B
            null = np.linalg.svd(B)[0][:, -spare:]
            out[k] = lam[k] - null @ (null.T @ lam[k])
        return out

    def force_motion(self, f: ForceInfo) -> tuple[np.ndarray, np.ndarray]:
        """What a force element feels: length (or angle, or coordinate) and its rate."""
        if f.kind == "coordinate":
            low = self.system.lowered
            i = len(low.natural.q_names) + f.column - len(low.natural.copies)
            return self.q[:, i], self.v[:, i]
        if f.kind == "line":
            d, rate, _ = length(*self.vector(f.vectors[0])[:2])
            return d, rate  # type: ignore[return-value]
        u, w = (heading(*self.vector(vec)[:2]) for vec in f.vectors)
        angle = np.unwrap(w[0] - u[0])
        angle = angle - 2 * np.pi * np.round(angle[0] / (2 * np.pi))
        return angle, w[1] - u[1]  # type: ignore[operator]

    def law_value(self, f: ForceInfo, x: Any, v: Any) -> np.ndarray:
        """The law of a force element at every sample."""
        from ..system.entry import law_at

        header = self.system.header
        zero = np.zeros(len(self.t))
        x, v = (zero if x is None else x), (zero if v is None else v)
        return np.array(
            [law_at(header, f.law_index, float(t), float(a), float(b)) for t, a, b in zip(self.t, x, v, strict=True)]
        )

    # ---------------------------------------------------------------------------------------- outputs
    def table(self, names: list[str] | None = None) -> dict[str, np.ndarray]:
        """Columns "name [unit]" -> values; vectors are split into x and y."""
        from .table import columns

        return columns(self, names)

    def to_csv(self, path: str | Path, names: list[str] | None = None) -> None:
        """A table with units in its header."""
        from .table import write_csv

        write_csv(self, path, names)

    def to_parquet(self, path: str | Path, names: list[str] | None = None) -> None:
        """A Parquet table (needs pyarrow: the extra `data`)."""
        from .table import write_parquet

        write_parquet(self, path, names)

    def to_netcdf(self, path: str | Path) -> None:
        """Everything in one netCDF file (needs h5netcdf: the extra `data`)."""
        from .storage import write_netcdf

        write_netcdf(self, path)

    def to_xarray(self) -> Any:
        """Everything as an xarray Dataset (extra `data`)."""
        from .storage import dataset

        return dataset(self)

    def plot(self, *names: str, against: str = "t", path: str | Path | None = None) -> Any:
        """Plot channels; gives a matplotlib figure, and writes it if a path is given."""
        from importlib import import_module

        return import_module("biela.views.plot").plot(self, *names, against=against, path=path)

    def figures(self, folder: str | Path, name: str | None = None) -> list[Path]:
        """The figures of 000 (motion, energy, violation, multipliers) as PNG files."""
        from importlib import import_module

        return import_module("biela.views.plot").figures(self, folder, name)
