"""Tables of a motion: a column of times and columns of coordinates, from arrays or from a CSV file."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import MethodError, Problem, reason_of, so_many
from ...model.units import EXPECTED, UnitError, compatible, describe, parse_quantity
from ..kinematics.inputs import is_angle
from .spline import FEWEST

TIMES = ("t", "time")
"""what a column of times is called"""


@dataclass(frozen=True)
class Columns:
    """A table in SI units: times, and values by name."""

    t: np.ndarray
    values: dict[str, np.ndarray]
    where: str
    """what to call it in a message"""


def read_csv(path: Path, model: Any) -> Columns:
    """A CSV file whose first line names the columns, with units in brackets where they are not SI: "theta [deg]"."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            lines = [(n, row) for n, row in enumerate(csv.reader(file), 1) if any(cell.strip() for cell in row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        why = reason_of(error)
        raise MethodError(Problem(f"cannot read {path}", why=why, cure="name a CSV file with a header")) from None
    if not lines:
        raise MethodError(Problem("the table is empty", where=str(path), cure="a header, then rows of numbers"))
    header = [cell.strip() for cell in lines[0][1]]
    if all(_is_number(cell) for cell in header):
        cure = 'first line: the names of the columns, as in "t [s], crank.angle [deg]"'
        raise MethodError(Problem("the table has no header", f"{path}, line {lines[0][0]}", cure=cure))
    problems: list[Problem] = []
    names = [_name_and_unit(cell)[0] for cell in header]
    for name in sorted({n for n in names if names.count(n) > 1}):
        problems.append(Problem(f"two columns are called {name!r}", str(path), cure="give each column once"))
    data = np.full((len(lines) - 1, len(header)), np.nan)
    for k, (line, row) in enumerate(lines[1:]):
        if len(row) != len(header):
            why = f"{len(row)} cells, but the header has {len(header)}"
            problems.append(Problem("a row of the table has another length", f"{path}, line {line}", why))
            continue
        for j, cell in enumerate(row):
            if _is_number(cell):
                data[k, j] = float(cell)
            elif cell.strip() and len(problems) < 10:
                problems.append(Problem(f"{cell.strip()!r} is not a number", f"{path}, line {line}, {header[j]}"))
            elif len(problems) < 10:
                cure = "fill the gap, or leave the whole row out"
                problems.append(Problem("the table has a gap", f"{path}, line {line}, {header[j]}", cure=cure))
    if problems:
        raise MethodError(problems)
    return checked(dict(zip(header, data.T, strict=True)), model, str(path))


def checked(table: Mapping[str, Any], model: Any, where: str = "motion") -> Columns:
    """Columns "name" or "name [unit]" as arrays in SI units, or all that is wrong with them."""
    problems: list[Problem] = []
    found: dict[str, tuple[str | None, np.ndarray]] = {}
    for header, values in table.items():
        name, unit = _name_and_unit(str(header))
        try:
            column = np.asarray(values, dtype=float)
        except (TypeError, ValueError):
            problems.append(Problem(f"column {name!r} is not made of numbers", where, cure="one number for each time"))
            continue
        if column.ndim != 1:
            why = f"it has {column.ndim} dimensions"
            problems.append(Problem(f"column {name!r} is not one row of numbers", where, why, "give x, y, z apart"))
            continue
        found[name] = unit, column
    clock = next((name for name in found if name.lower() in TIMES), None)
    if clock is None:
        why = "columns: " + ", ".join(map(str, table))
        problems.append(Problem("the table has no times", where, why, 'call the column of times "t" or "t [s]"'))
        raise MethodError(problems)
    t = _in_si(clock, *found.pop(clock), "time", where, problems)
    out: dict[str, np.ndarray] = {}
    for name, (unit, column) in found.items():
        if len(column) != len(t):
            why = f"{len(column)} values, {len(t)} times"
            problems.append(Problem(f"column {name!r} has another length than the times", where, why))
            continue
        out[name] = _in_si(name, unit, column, _kind(model, name), where, problems)
        bad = np.flatnonzero(~np.isfinite(out[name]))
        if len(bad):
            why = f"{so_many(len(bad), 'value')} without a number, the first at row {bad[0] + 1}, t = {t[bad[0]]:g} s"
            problems.append(Problem(f"column {name!r} has a gap", where, why, "fill the gap, or leave these rows out"))
    problems += _clock_problems(t, where)
    if not out and not problems:
        problems.append(Problem("the table has nothing but times", where, cure="add a column such as crank.angle"))
    if problems:
        raise MethodError(problems)
    return Columns(t, out, where)


WIDE = 8.0
"""times the usual interval: a wider one is a gap, across which a spline would make up a motion"""


def _gaps(t: np.ndarray, where: str) -> list[Problem]:
    """Rows that are missing, by the interval between the others."""
    step = np.diff(t)
    usual = float(np.median(step))
    wide = np.flatnonzero(step > WIDE * usual)
    if not len(wide):
        return []
    k = int(wide[np.argmax(step[wide])])
    why = f"no row between t = {t[k]:.9g} s and {t[k + 1]:.9g} s; the usual interval is {usual:.4g} s"
    return [Problem("the table has a gap", where, why, "fill it, or give the motion in two tables, before and after")]


def _clock_problems(t: np.ndarray, where: str) -> list[Problem]:
    """Times must increase, and be enough."""
    if len(t) < FEWEST:
        why = f"{so_many(len(t), 'row')}, but an acceleration needs at least {FEWEST}"
        return [Problem("the table is too short", where, why, "give more rows, or a formula")]
    if not np.isfinite(t).all():
        row = int(np.flatnonzero(~np.isfinite(t))[0])
        return [Problem("a time is missing", where, f"row {row + 1} has none", "fill it, or leave the row out")]
    bad = np.flatnonzero(np.diff(t) <= 0)
    if not len(bad):
        return _gaps(t, where)
    k = int(bad[0])
    again = t[k + 1] == t[k]
    what = "a time is there twice" if again else "the times do not increase"
    why = f"row {k + 2}: t = {t[k + 1]:.9g} s after {t[k]:.9g} s" + (f"; {len(bad)} such rows" * (len(bad) > 1))
    return [Problem(what, where, why, "sort the rows by time and give each time once")]


def _kind(model: Any, name: str) -> str:
    """What a column measures, by its name."""
    base, _, part = name.rpartition(".")
    if part in ("rate", "acceleration") and base:
        angular = is_angle(model, base) or (part == "rate" and base in model.bodies)
        return f"{'angular ' * angular}{'velocity' if part == 'rate' else 'acceleration'}"
    if part in ("vx", "vy", "vz", "ax", "ay", "az"):
        return "velocity" if part[0] == "v" else "acceleration"
    if is_angle(model, name):
        return "angle"
    return "length" if name in model.coordinates or part in ("x", "y", "z", "position") else ""


def _in_si(name: str, unit: str | None, column: np.ndarray, kind: str, where: str, problems: list[Problem]) -> Any:
    if not unit or unit == "1" or not kind:
        return column
    try:
        quantity = parse_quantity(f"1 {unit}")
    except UnitError as error:
        problems.append(Problem(f"column {name!r}: the unit {unit!r} cannot be understood", where, str(error)))
        return column
    if quantity is None or (kind in EXPECTED and not compatible(quantity.dimension, kind)):
        why = f"its unit {unit!r} is {describe(quantity.dimension) if quantity else 'unknown'}"
        problems.append(Problem(f"column {name!r} should be {'an' if kind[0] in 'aeiou' else 'a'} {kind}", where, why))
        return column
    return column * quantity.value


def _name_and_unit(header: str) -> tuple[str, str | None]:
    """ "theta [deg]" -> ("theta", "deg")."""
    name, bracket, unit = header.strip().partition("[")
    return name.strip(), unit.rstrip().removesuffix("]").strip() if bracket else None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
