"""What is said about a motion: coordinates with laws of time or columns of a table, or a motion that was recorded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
from .motion_table import Columns, checked, read_csv
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
    asked = Prescription()
    parts = list(motion) if isinstance(motion, (list, tuple)) else [motion]
    for part in parts:
        _add(asked, model, system, part, smoothing, DEGREES[spline])
    if asked.recorded is not None and (asked.laws or len(parts) > 1):
        cure = "give the recording by itself, or name its columns in a table"
        raise MethodError(Problem("a recorded motion is complete by itself", where="motion", cure=cure))
    if smoothing is not None and not asked.instants:
        cure = "leave smoothing out, or give the motion as a table"
        raise MethodError(Problem("there is no table to be smoothed", where="smoothing", cure=cure))
    return asked


def _add(asked: Prescription, model: Model, system: System, part: Any, smoothing: Any, degree: int) -> None:
    if part is None:
        return
    if isinstance(part, Motion) or hasattr(part, "data_vars"):
        asked.recorded = recording(part)
    elif isinstance(part, Mapping):
        _mapping(asked, model, system, part, smoothing, degree)
    elif isinstance(part, (str, Path)):
        path = Path(part)
        if path.suffix.lower() == ".csv":
            asked.from_file = True
            _table(asked, model, system, read_csv(path, model), smoothing, degree)
        elif path.suffix.lower() == ".nc":
            asked.recorded = read_netcdf(path)
        else:
            cure = 'a file .csv or .nc, {"crank.angle": "2*pi*t"}, a table {"t": ..., "crank.angle": ...}, or a result'
            raise MethodError(Problem(f"{str(part)!r} is not a motion", where="motion", cure=cure))
    else:
        raise MethodError(
            Problem(
                f"a {type(part).__name__} is not a motion", where="motion",
                cure='{"crank.angle": "2*pi*t"}, a table {"t": times, "crank.angle": values}, a file or a result',
            )
        )  # fmt: skip


def _mapping(asked: Prescription, model: Model, system: System, part: Mapping, smoothing: Any, degree: int) -> None:
    """Laws coordinate by coordinate; with "t" among the keys, also columns over these times."""
    columns: dict[str, Any] = {}
    clock = any(str(key).partition("[")[0].strip().lower() in ("t", "time") for key in part)
    for key, value in part.items():
        if not isinstance(key, str):
            raise MethodError(Problem(f"{key!r} is not the name of a coordinate", where="motion"))
        if clock and not isinstance(value, (str, int, float, Table, Mapping)) and not callable(value):
            columns[key] = value
        elif isinstance(value, Table) or (isinstance(value, Mapping) and {*value} >= {"x", "y"}):
            said = dict(value.model_dump(exclude_none=True) if isinstance(value, Table) else value)
            table = checked({"t": said.pop("x"), key: said.pop("y")}, model, f"motion of {key}")
            asked_degree = _degree(said, f"motion of {key}", degree)
            _table(asked, model, system, table, smoothing, asked_degree)
        elif isinstance(value, (tuple, list)) and len(value) == 2 and np.ndim(value[0]) == 1:
            table = checked({"t": value[0], key: value[1]}, model, f"motion of {key}")
            _table(asked, model, system, table, smoothing, degree)
        elif isinstance(value, (str, int, float)) or callable(value):
            asked.laws[key] = value
        else:
            cure = 'a formula of t, a number, (times, values), or columns beside a column "t"'
            raise MethodError(Problem(f"the motion of {key!r} cannot be understood", where="motion", cure=cure))
    if columns:
        _table(asked, model, system, checked(columns, model), smoothing, degree)


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


def _table(asked: Prescription, model: Model, system: System, table: Columns, smoothing: Any, degree: int) -> None:
    """Splines through the columns that are coordinates; rates and accelerations beside them are used as they are."""
    known = driveable(system)
    channels = Motion.at_start(system).channels()
    unused, problems = [], []
    for name, values in table.values.items():
        if name not in known:
            where = fixed_at(system, name)
            if where is not None and np.abs(values - where).max() > 1e-6 * system.size:
                why = f"joints hold it at {where:.6g} m, the table says {values[np.abs(values - where).argmax()]:.6g} m"
                problems.append(Problem(f"{name!r} cannot move", table.where, why, "leave the column out"))
            elif name in channels or _is_computed(name):
                unused.append(name)
            else:
                cure = did_you_mean(name, known, "coordinates")
                what = f"column {name!r} is not a coordinate of {model.name!r}"
                problems.append(Problem(what, table.where, cure=cure))
            continue
        if is_angle(model, name):
            values = _unwrapped(asked, name, values)
        rate, second = (table.values.get(x) for x in derivatives_of(name, model))
        if rate is not None and second is not None and smoothing is None:
            asked.laws[name] = through_states(table.t, values, rate, second)
        else:
            noise = _noise(model, name, smoothing, table.t, values)
            asked.laws[name] = _fitted(asked, name, table.t, values, noise, degree)
        asked.spans[name] = float(table.t[0]), float(table.t[-1])
    if problems:
        raise MethodError(problems)
    used = {x for name in table.values if name in known for x in derivatives_of(name, model)}
    left = [name for name in unused if smoothing is not None or name not in used or name not in table.values]
    half = [name for name in used if name in table.values and _alone(name, table, known, model)]
    if not any(name in known for name in table.values):
        cure = "name a column after what moves: " + ", ".join(known[:6])
        raise MethodError(Problem("no column of the table is a coordinate", table.where, cure=cure))
    if left or half:
        unused = listed(list(dict.fromkeys([*left, *half])), 6)
        asked.notes.append(f"note: columns that prescribe nothing: {unused}")
    asked.instants.append(table.t)


def _is_computed(name: str) -> bool:
    """What a run writes beside the motion."""
    owner, _, part = name.rpartition(".")
    return part in ("effort", "power", "energy") or owner in ("power", "energy", "violation", "multiplier")


def _alone(name: str, table: Columns, known: Sequence[str], model: Model) -> bool:
    """A rate without its acceleration, or the other way round: it is not used."""
    for base in known:
        pair = derivatives_of(base, model)
        if name in pair and base in table.values:
            return not all(x in table.values for x in pair)
    return False


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


def _unwrapped(asked: Prescription, name: str, values: np.ndarray) -> np.ndarray:
    """Angles that a table keeps within a turn."""
    jumps = np.abs(np.diff(values))
    turns = int((jumps > 1.8 * np.pi).sum())
    if not turns:
        return values
    often = so_many(turns, "time")
    asked.notes.append(f"note: {name} jumps by a whole turn {often} in the table; the turns were put back")
    return np.unwrap(values)


def _noise(model: Model, name: str, smoothing: Any, t: np.ndarray, values: np.ndarray) -> float | None:
    """The noise to be taken away, in SI units; None: none."""
    if isinstance(smoothing, Mapping):
        smoothing = smoothing.get(name)
    if smoothing is None:
        return None
    if smoothing == "auto":
        return noise_of(t, values)
    out = number(smoothing, "smoothing", "angle" if is_angle(model, name) else "length")
    if not (np.isfinite(out) and out >= 0):
        cure = 'the noise in the values (as in 0.001 or "0.5 mm"), or "auto"'
        raise MethodError(Problem(f"smoothing = {smoothing!r} is not possible", cure=cure))
    return out


def _fitted(asked: Prescription, name: str, t: np.ndarray, y: np.ndarray, noise: float | None, degree: int) -> Any:
    if noise is None:
        spline = interpolate(t, y, degree)
        rough = noise_of(t, y)
        # variance of the second difference of independent errors: 6 noise^2 / h^4
        echo = np.sqrt(6.0) * rough / float(np.median(np.diff(t))) ** 2
        size = float(np.sqrt(np.mean(spline.derivative(2)(t) ** 2)))
        if size > 0 and echo > 0.1 * size and rough > 1e-12 * np.abs(y).max(initial=0.0):
            asked.notes.append(
                f"note: {name} looks noisy by about {rough:.2g}, which makes about {min(1.0, echo / size):.0%} of its "
                "acceleration; smoothing= takes noise away"
            )
        swing = overshoot(t, y, spline)
        if swing is not None:
            cure = "more rows there help"
            asked.notes.append(f"note: the spline of {name} leaves its table: it reaches {swing}; {cure}")
        return spline
    fit = smooth(t, y, noise)
    asked.notes.append(
        f"note: {name} was smoothed: its values changed by {fit.rms:.3g} (root mean square), {fit.largest:.3g} at most"
    )
    return fit.spline


def common_span(spans: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """The times that all tables cover."""
    spans = list(spans)
    return max(a for a, _ in spans), min(b for _, b in spans)
