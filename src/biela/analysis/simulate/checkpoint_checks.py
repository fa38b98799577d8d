"""What a checkpoint's file may hold: every number is checked before anything is made of it.

Kernels trust the arrays they work on, as C does. So an array from a file must have the shape and the kind that the
equations of its model ask for, and what counts or chooses must stay within what it counts or chooses.
"""

from __future__ import annotations

import json
from math import ceil, isfinite
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import numpy as np
from numpy.lib import format as npy

from ...machine.records import CLASSES
from ...methods.checkpoint import memory
from ...methods.options import OPTIONS, impossible
from ...methods.settings import CRITERIA, Settings
from ...system.system import System

TABLES = ("t", "y", "ydot", "lam", "turns")
KINDS = ("<f8", "<i8", "<u4")
MAY_BE_INFINITE = ("ctl", "mon", "margin", "side_kept", "greatest", "switching")
"""arrays in which an infinity may say that something is not known yet; everywhere else each number is finite"""
REMEMBERED = {"multipliers_wanted": (0, 1), "near_singular": (0, 1), "projection": (-1, 1)}
"""fields of `run` that remember something, and what they may be"""
EFFORT = 10_000
"""evaluations, and iterations, of a step: a run that needs more of them has been given up"""
SWITCHES = ("free", "left_out", "head_below")
"""arrays of zeros and ones"""
COUNTED = 2**53


class Unfit(Exception):
    """Why a file is not a checkpoint of this model."""


def arrays_in(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a file, none larger than the file itself."""
    try:
        with ZipFile(path) as archive:
            found = archive.infolist()
            if any(x.compress_type != ZIP_STORED or x.file_size != x.compress_size for x in found):
                raise Unfit("its arrays are compressed in a way that biela does not use")
            if sum(x.file_size for x in found) > path.stat().st_size or len({x.filename for x in found}) < len(found):
                raise Unfit("it is damaged")
            return {x.filename.removesuffix(".npy"): _array(archive.read(x)) for x in found}
    except (FileNotFoundError, Unfit):
        raise
    except Exception as error:  # whatever zip and NumPy say of a file that is damaged or something else
        raise Unfit(str(error).splitlines()[0][:200] if str(error) else "it holds something else") from None


def _array(data: bytes) -> np.ndarray:
    from io import BytesIO

    file = BytesIO(data)
    header = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}.get(npy.read_magic(file))
    if header is None:
        raise Unfit("it holds something else")
    shape, by_columns, kind = header(file)
    text = kind.kind == "U" and shape == () and kind.itemsize
    size = kind.itemsize
    for length in shape:
        size *= length
    if kind.hasobject or by_columns or not (text or kind.str in KINDS) or size != len(data) - file.tell():
        raise Unfit("it holds something else")
    return np.frombuffer(data, dtype=kind, offset=file.tell()).reshape(shape).copy()


def text_in(array: np.ndarray | None) -> dict[str, Any]:
    """The table of words and numbers in a file."""
    if array is None or array.dtype.kind != "U":
        raise Unfit("it has no description")
    try:
        data = json.loads(str(array))
    except (ValueError, RecursionError):
        raise Unfit("its description is damaged") from None
    if not isinstance(data, dict):
        raise Unfit("its description is damaged")
    return data


def _is_number(x: Any) -> bool:
    return isinstance(x, (int, float)) and not isinstance(x, bool) and abs(x) < 1e300  # false for nan, too


def positive(data: dict[str, Any], name: str) -> float:
    """A number above zero."""
    value = data.get(name)
    if not _is_number(value) or value <= 0:  # type: ignore[operator]
        raise Unfit(f"its {name} is not a positive number")
    return float(value)  # type: ignore[arg-type]


def at_least_zero(data: dict[str, Any], name: str) -> float:
    """A number that is not negative."""
    value = data.get(name)
    if not _is_number(value) or value < 0:  # type: ignore[operator]
        raise Unfit(f"its {name} is not a number of seconds")
    return float(value)  # type: ignore[arg-type]


def handed_over(loop: Any) -> bool:
    """Whether an implicit integrator has taken over from the one that was chosen."""
    value = loop.get("handed_over") if isinstance(loop, dict) else None
    return _is_number(value) and value >= 0  # type: ignore[operator]


def check_settings(s: Settings, duration: float) -> None:
    """Settings as `choose` could have made them."""
    options: Any = {name: getattr(s, name) for name in OPTIONS}
    numbers = [value for name, value in options.items() if OPTIONS[name].is_quantity]
    usual = (
        all(x is None or _is_number(x) for x in numbers)
        and not impossible(options)
        and None not in (s.xi, s.omega, s.rho)
        and isinstance(s.project_every, int) and 0 <= s.project_every < COUNTED
        and isinstance(s.reason, str) and isinstance(s.adaptive, bool) and isinstance(s.hands_over, bool)
        and (s.criterion is None or s.criterion in list(CRITERIA))
        and (s.step is None or (s.step <= duration and duration / s.step <= 1e10))
        and (s.step is not None or s.adaptive)
        and (s.tolerance is None or s.tolerance <= 1)
        and 0 <= s.rho <= 1
        and s.starter in (None, *s.integrator.starters)
        and (s.multiplier_updates is None or s.multiplier_updates in range(1, 1001))
    )  # fmt: skip
    if not usual or (s.integrator.adaptive and not s.adaptive):
        raise Unfit("its method is not one that biela chooses")


def split(values: dict[str, np.ndarray]) -> tuple[tuple[np.ndarray, ...], dict[str, np.ndarray]]:
    """The samples, and the arrays of the run."""
    arrays = {name.removeprefix("array."): x for name, x in values.items() if name.startswith("array.")}
    tables = [values.get(f"table.{name}") for name in TABLES]
    if any(x is None for x in tables) or len(arrays) + len(TABLES) != len(values):
        raise Unfit("its arrays are not those of a run")
    return tuple(tables), arrays  # type: ignore[return-value]


def _check_counters(run: Any, steps: float, taken: float) -> None:
    """What counts or remembers is within what so many steps, tried and taken, come to."""
    right = all(least <= getattr(run, name) <= most for name, (least, most) in REMEMBERED.items())
    right &= all(0 <= count <= EFFORT * (steps + 1) for count in (run.settle_calls, run.evaluations))
    right &= bool(0 <= run.iterations <= EFFORT * (run.evaluations + 1))
    right &= bool(0 <= run.rechoices <= run.settle_calls)  # choices are made where a step settles
    right &= bool(0 <= run.history <= taken)  # a method of several steps remembers no more than there have been
    if not right:
        raise Unfit("its numbers cannot come from a run: its counters are not those of this method")


def _tried_steps(loop: Any, mon: Any, samples: int) -> float:
    """How many steps a run has tried so far, as far as its file says."""
    done = loop.get("done") if isinstance(loop, dict) else None
    counted = np.array([mon.rejected, mon.steps])
    if not np.isfinite(counted).all():
        raise Unfit("its numbers cannot come from a run: not all of mon are finite")
    return samples + float(np.abs(counted).sum()) + (float(done) if _is_number(done) else 0.0)  # type: ignore[arg-type]


def check_arrays(arrays: dict[str, np.ndarray], system: System, settings: Settings, loop: Any, samples: int) -> None:
    """The arrays are those that the equations ask for, and say nothing that would lead out of them."""
    own = memory(system)
    same = set(arrays) == set(own) and all(
        arrays[name].shape == x.shape and arrays[name].dtype == x.dtype for name, x in own.items()
    )
    if not same:
        raise Unfit("its arrays are not those of the equations that biela writes for this model today")
    n, m, rank = system.n, system.m, system.rank
    within = all(np.isin(arrays[name], (0, 1)).all() for name in SWITCHES)
    numbers = {name: x for name, x in arrays.items() if x.dtype == np.float64}
    bad = [n for n, x in numbers.items() if not (np.isfinite(x) | (np.isinf(x) & (n in MAY_BE_INFINITE))).all()]
    if bad:
        raise Unfit(f"its numbers cannot come from a run: not all of {', '.join(sorted(bad))} are finite")
    run, mon = (arrays[name].view(CLASSES[name]) for name in ("run", "mon"))
    tried = _tried_steps(loop, mon, samples)
    _check_counters(run, tried, tried - samples)
    pieces, s = arrays["piece_kept"], system.arrays
    within &= bool(((pieces == -1) | ((pieces >= s.tab_ptr[:-1]) & (pieces < s.tab_ptr[1:]))).all())
    if settings.formulation.chooses_coordinates and not system.is_open_tree:
        within &= int(arrays["free"].sum()) == n - rank
        piv = arrays["piv"]
        within &= bool((piv[:m] < max(m, 1)).all() and (piv[m : m + n] < n).all() and (piv[m + n :] <= 1).all())
    else:
        within &= bool((arrays["piv"] < max(n, len(arrays["lam"]))).all())
    if not within:
        raise Unfit("its numbers cannot come from a run")


def check_loop(loop: Any, tables: tuple[np.ndarray, ...], system: System, settings: Settings, duration: float,
               samples: int) -> dict[str, float]:  # fmt: skip
    """Where the time loop is, within the tables of the samples."""
    names = ("t", "h", "row", "looked", "handed_over") if settings.adaptive else ("done", "stride")
    if not isinstance(loop, dict) or set(loop) != set(names) or not all(_is_number(loop[x]) for x in names):
        raise Unfit("it does not say where the run was")
    s = system.arrays
    if settings.adaptive:
        rows, t, h, row = samples + 1, loop["t"], loop["h"], loop["row"]
        right = 0 <= t <= duration and 0 < h <= duration and row == int(row) and 1 <= row <= rows
        right = right and 0 <= loop["looked"] <= t and -1 <= loop["handed_over"] <= t
    else:
        total, done, stride = max(1, ceil(duration / settings.step - 1e-9)), loop["done"], loop["stride"]  # type: ignore[operator]
        right = done == int(done) and stride == int(stride) and 0 <= done <= total and 1 <= stride <= total
        rows = total // max(1, int(stride)) + (1 if total % max(1, int(stride)) else 0) + 1 if right else 0
    widths = ((), (len(s.y),), (len(s.y),), (system.m,), (len(s.turns),))
    shapes = [(rows, *width) for width in widths]
    if not right or [x.shape for x in tables] != shapes or any(x.dtype != np.float64 for x in tables):
        raise Unfit("the time at which it says the run was is not within its samples")
    if settings.adaptive and not np.array_equal(tables[0], np.linspace(0.0, duration, rows)):
        raise Unfit("its samples are not at the times of this run")
    if any(np.isnan(x).any() for x in tables) or not all(isfinite(x) for x in loop.values()):
        raise Unfit("its samples are not numbers")
    return {name: loop[name] for name in names}
