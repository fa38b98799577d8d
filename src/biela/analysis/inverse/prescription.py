"""What is said about a motion: coordinates with laws of time or columns of a table, or a motion that was recorded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import MethodError, Problem, so_many
from ...model.interpolation import overshoot
from ...model.items import Table
from ...model.model import Model
from ...model.resolve.naming import did_you_mean
from ...results.motion import Motion
from ...system.system import System
from ..kinematics.inputs import is_angle
from ..numbers import listed, number
from ..quantities import body_angles, point_components
from .motion_table import TIMES, Columns, checked, read_csv
from .recording import Recording, read_netcdf, recording
from .refusals import fixed_at
from .spline import interpolate, noise_of, smooth, through_states

DEGREES = {"quintic": 5, "cubic": 3}


@dataclass
class Prescription:
    """The motion asked for, before it is compared with the model."""

    laws: dict[str, Any] = field(default_factory=dict)
    """coordinate -> what a driver takes as its law"""
    spans: dict[str, tuple[float, float]] = field(default_factory=dict)
    """coordinate -> first and last time of its table"""
    instants: list[np.ndarray] = field(default_factory=list)
    """the times of each table"""
    recorded: Recording | None = None
    from_file: bool = False
    """the columns of a file say what moves, not the user one by one"""
    notes: list[str] = field(default_factory=list)


def read_motion(model: Model, system: System, motion: Any, smoothing: Any, spline: str) -> Prescription:
    """Read `motion=` in any of its forms. `system`: the mechanism put together, for the names of its channels."""
    if spline not in DEGREES:
        raise MethodError(Problem(f"there is no spline {spline!r}", cure=f"one of: {', '.join(DEGREES)}"))
    reader = _Reader(model, system, smoothing, DEGREES[spline])
    parts = list(motion) if isinstance(motion, (list, tuple)) else [motion]
    for part in parts:
        reader.read(part)
    out = reader.out
    if out.recorded is not None and (out.laws or len(parts) > 1):
        cure = "give the recording by itself, or name its columns in a table"
        raise MethodError(Problem("a recorded motion is complete by itself", where="motion", cure=cure))
    if smoothing is not None and not out.instants:
        cure = "leave smoothing out, or give the motion as a table"
        raise MethodError(Problem("there is no table to be smoothed", where="smoothing", cure=cure))
    return out


class _Reader:
    """Puts what is said about a motion, part by part, into a prescription."""

    def __init__(self, model: Model, system: System, smoothing: Any, degree: int):
        self.model, self.system, self.smoothing, self.degree = model, system, smoothing, degree
        self.out = Prescription()

    def read(self, part: Any) -> None:
        """One of the forms in which a motion may come."""
        if part is None:
            return
        suffix = Path(part).suffix.lower() if isinstance(part, (str, Path)) else ""
        if isinstance(part, Motion) or hasattr(part, "data_vars"):
            self.out.recorded = recording(part)
        elif isinstance(part, Mapping):
            self._mapping(part)
        elif suffix == ".csv":
            self.out.from_file = True
            self._table(read_csv(Path(part), self.model), self.degree)
        elif suffix == ".nc":
            self.out.recorded = read_netcdf(Path(part))
        elif isinstance(part, (str, Path)):
            cure = 'a file .csv or .nc, {"crank.angle": "2*pi*t"}, a table {"t": ..., "crank.angle": ...}, or a result'
            raise MethodError(Problem(f"{str(part)!r} is not a motion", where="motion", cure=cure))
        else:
            cure = '{"crank.angle": "2*pi*t"}, a table {"t": times, "crank.angle": values}, a file or a result'
            raise MethodError(Problem(f"a {type(part).__name__} is not a motion", where="motion", cure=cure))

    def _mapping(self, part: Mapping) -> None:
        """Laws coordinate by coordinate; with "t" among the keys, also columns over these times."""
        columns: dict[str, Any] = {}
        clock = any(str(key).partition("[")[0].strip().lower() in TIMES for key in part)
        for key, value in part.items():
            where = f"motion of {key}"
            if not isinstance(key, str):
                raise MethodError(Problem(f"{key!r} is not the name of a coordinate", where="motion"))
            if clock and not isinstance(value, (str, int, float, Table, Mapping)) and not callable(value):
                columns[key] = value
            elif isinstance(value, Table) or (isinstance(value, Mapping) and {*value} >= {"x", "y"}):
                given = dict(value.model_dump(exclude_none=True) if isinstance(value, Table) else value)
                table = checked({"t": given.pop("x"), key: given.pop("y")}, self.model, where)
                self._table(table, _degree(given, where, self.degree))
            elif isinstance(value, (tuple, list)) and len(value) == 2 and np.ndim(value[0]) == 1:
                self._table(checked({"t": value[0], key: value[1]}, self.model, where), self.degree)
            elif isinstance(value, (str, int, float)) or callable(value):
                self.out.laws[key] = value
            else:
                cure = 'a formula of t, a number, (times, values), or columns beside a column "t"'
                raise MethodError(Problem(f"the motion of {key!r} cannot be understood", where="motion", cure=cure))
        if columns:
            self._table(checked(columns, self.model), self.degree)

    def _table(self, table: Columns, degree: int) -> None:
        """Splines through the columns that are coordinates; rates and accelerations beside them are used as they
        are."""
        model, system, out = self.model, self.system, self.out
        known = driveable(system)
        channels = Motion.at_start(system).channels()
        ignored, used, problems = [], set(), []
        for name, values in table.values.items():
            if name in known:
                used |= self._column(name, values, table, degree)
                continue
            at = fixed_at(system, name)
            if at is not None and np.abs(values - at).max() > 1e-6 * system.size:
                why = f"joints hold it at {at:.6g} m, the table says {values[np.abs(values - at).argmax()]:.6g} m"
                problems.append(Problem(f"{name!r} cannot move", table.where, why, "leave the column out"))
            elif name in channels or _is_computed(name):
                ignored.append(name)
            else:
                what = f"column {name!r} is not a coordinate of {model.name!r}"
                problems.append(Problem(what, table.where, cure=did_you_mean(name, known, "coordinates")))
        if problems:
            raise MethodError(problems)
        if not any(name in known for name in table.values):
            cure = "name a column after what moves: " + ", ".join(known[:6])
            raise MethodError(Problem("no column of the table is a coordinate", table.where, cure=cure))
        ignored = [name for name in ignored if name not in used]
        if ignored:
            out.notes.append(f"note: columns that prescribe nothing: {listed(ignored, 6)}")
        out.instants.append(table.t)

    def _column(self, name: str, values: np.ndarray, table: Columns, degree: int) -> set[str]:
        """The law of a coordinate; gives the columns of its derivatives that were used."""
        out, derivatives = self.out, derivatives_of(name, self.model)
        if is_angle(self.model, name):
            values = self._unwrapped(name, values)
        rate, second = (table.values.get(x) for x in derivatives)
        out.spans[name] = float(table.t[0]), float(table.t[-1])
        if rate is not None and second is not None and self.smoothing is None:
            out.laws[name] = through_states(table.t, values, rate, second)
            return set(derivatives)
        out.laws[name] = self._fitted(name, table.t, values, degree)
        return set()

    def _unwrapped(self, name: str, values: np.ndarray) -> np.ndarray:
        """Angles that a table keeps within a turn."""
        turns = int((np.abs(np.diff(values)) > 1.8 * np.pi).sum())
        if not turns:
            return values
        often = so_many(turns, "time")
        self.out.notes.append(f"note: {name} jumps by a whole turn {often} in the table; the turns were put back")
        return np.unwrap(values)

    def _noise(self, name: str, t: np.ndarray, values: np.ndarray) -> float | None:
        """The noise to be taken away, in SI units; None: none."""
        smoothing = self.smoothing.get(name) if isinstance(self.smoothing, Mapping) else self.smoothing
        if smoothing is None:
            return None
        if smoothing == "auto":
            return noise_of(t, values)
        out = number(smoothing, "smoothing", "angle" if is_angle(self.model, name) else "length")
        if not (np.isfinite(out) and out >= 0):
            cure = 'the noise in the values (as in 0.001 or "0.5 mm"), or "auto"'
            raise MethodError(Problem(f"smoothing = {smoothing!r} is not possible", cure=cure))
        return out

    def _fitted(self, name: str, t: np.ndarray, y: np.ndarray, degree: int) -> Any:
        """The spline of a column, through its values or smoothed."""
        notes, noise = self.out.notes, self._noise(name, t, y)
        if noise is not None:
            fit = smooth(t, y, noise)
            notes.append(f"note: {name} was smoothed: its values changed by {fit.rms:.3g} (root mean square), "
                         f"{fit.largest:.3g} at most")  # fmt: skip
            return fit.spline
        spline = interpolate(t, y, degree)
        rough = noise_of(t, y)
        # variance of the second difference of independent errors: 6 noise^2 / h^4
        echo = np.sqrt(6.0) * rough / float(np.median(np.diff(t))) ** 2
        size = float(np.sqrt(np.mean(spline.derivative(2)(t) ** 2)))
        if size > 0 and echo > 0.1 * size and rough > 1e-12 * np.abs(y).max(initial=0.0):
            share = min(1.0, echo / size)
            notes.append(f"note: {name} looks noisy by about {rough:.2g}, which makes about {share:.0%} of its "
                         "acceleration; smoothing= takes noise away")  # fmt: skip
        swing = overshoot(t, y, spline)
        if swing is not None:
            notes.append(f"note: the spline of {name} leaves its table: it reaches {swing}; more rows there help")
        return spline


def _degree(said: Mapping, where: str, degree: int) -> int:
    """The degree of the spline of a table that may say by itself what joins its points."""
    unknown = sorted(str(key) for key in said if key != "interpolation")
    if unknown:
        raise MethodError(Problem(f"a table has no {unknown[0]!r}", where, cure="x, y and interpolation"))
    if said.get("interpolation", "cubic") != "cubic":
        why = "inverse dynamics needs accelerations, and those of other curves jump at the points"
        what = f"interpolation = {said['interpolation']!r} gives no forces"
        cure = 'leave it out, or say "cubic"; more points help against a spline that overshoots'
        raise MethodError(Problem(what, where, why, cure))
    return 3 if said else degree


def _is_computed(name: str) -> bool:
    """What a run writes beside the motion."""
    owner, _, part = name.rpartition(".")
    return part in ("effort", "power", "energy") or owner in ("power", "energy", "violation", "multiplier")


def driveable(system: System) -> list[str]:
    """All the coordinates that a motion can be prescribed for."""
    resolved = system.resolved
    names = [*resolved.coordinates, *point_components(resolved), *body_angles(resolved)]
    return [name for name in dict.fromkeys(names) if fixed_at(system, name) is None]


def derivatives_of(name: str, model: Model) -> tuple[str, str]:
    """The channels that are the first and the second derivative of a coordinate."""
    owner, _, part = name.rpartition(".")
    if part in ("x", "y", "z") and name not in model.coordinates:
        return f"{owner}.v{part}", f"{owner}.a{part}"
    return f"{name}.rate", f"{name}.acceleration"


def common_span(spans: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """The times that all tables cover."""
    spans = list(spans)
    return max(a for a, _ in spans), min(b for _, b in spans)
