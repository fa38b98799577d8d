"""The result of a simulation: by name, with units, and with a judgement of its own quality."""

from __future__ import annotations

from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..methods.run import Trajectory
from ..methods.settings import Settings
from ..methods.status import Status
from ..system.lowering import ForceInfo
from ..system.measure import vector_motion
from ..system.system import System
from .channel import Channel
from .channels import catalogue
from .freebody import FreeBodies


class Result:
    """What happened: channels by name, energies, violations, multipliers, reactions, and how good it is.

    >>> import biela
    >>> r = biela.simulate("simple-pendulum", 1.0)
    >>> r.ok, r["P.x"].unit
    (True, 'm')
    >>> bool(abs(r["energy.total"] - r["energy.total"][0]).max() < 1e-6)
    True
    """

    def __init__(self, system: System, settings: Settings, trajectory: Trajectory, duration: float):
        n = system.n
        self.system = system
        self.settings = settings
        self.trajectory = trajectory
        self.duration = duration
        self.t = Channel.of(trajectory.t, "t", "s")
        self.q = trajectory.y[:, :n]
        self.v = trajectory.y[:, n : 2 * n]
        self.a = trajectory.ydot[:, n : 2 * n]
        self.work = trajectory.y[:, 2 * n]
        self.notes: list[str] = list(system.notes)
        self.message = ""

    # ------------------------------------------------------------------------------------- judgement
    @property
    def status(self) -> Status:
        """How the run ended."""
        return self.trajectory.status

    @property
    def ok(self) -> bool:
        """True if the run reached its end."""
        return self.status == Status.finished

    @property
    def method(self) -> str:
        """Coordinates, formulation and integrator, and why."""
        s, tr = self.settings, self.trajectory
        step = f"h = {tr.step:g} s" if tr.step else "error-controlled"
        return f"{self.system.coordinates} coordinates, {s.formulation.name} + {s.integrator.name}, {step} ({s.reason})"

    @property
    def energy_scale(self) -> float:
        """The largest energy that was exchanged; what an energy error is to be compared with."""
        e = np.concatenate([self["energy.kinetic"], [np.ptp(self["energy.potential"])], np.abs(self.work)])
        return float(e.max(initial=0.0))

    def quality(self) -> str:
        """One line: end, energy error, constraint violation, effort."""
        tr = self.trajectory
        scale = self.energy_scale
        relative = f" ({tr.energy_error / scale:.1e} of {scale:.3g} J)" if scale > 0 else ""
        end = "finished" if self.ok else f"stopped at t = {tr.stopped_at:.6g} s: {self.status.sentence}"
        return (
            f"{end}; energy error {tr.energy_error:.2e} J{relative}; |Phi| {tr.violation:.1e}, |Phi'| "
            f"{tr.rate_violation:.1e}; {tr.steps} steps, {tr.evaluations} evaluations, {tr.wall:.3g} s"
        )

    def explain(self) -> str:
        """What happened and what to try, in a few lines."""
        lines = [self.quality(), "method: " + self.method]
        if self.message:
            lines.append(self.message)
        if not self.ok and self.status.cure:
            lines.append("try: " + self.status.cure)
        return "\n".join(lines + self.notes)

    def __repr__(self) -> str:
        return f"Result({self.system.name!r}, {len(self.t)} samples to t = {self.t[-1]:g} s: {self.quality()})"

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
        lam = self.trajectory.lam
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
        from ..system.measure import heading, length

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
