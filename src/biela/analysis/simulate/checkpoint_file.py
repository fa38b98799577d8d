"""A run in a file: the model, the method, and where it is, so that another day it goes on bit for bit.

A file may be damaged, or made by somebody else. So it holds states only, numbers and nothing that points anywhere; the
equations are written anew from its model, and every array must be the one that they ask for (`checkpoint_checks`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import BielaError, MethodError, Problem
from ...methods.checkpoint import Checkpoint, Save
from ...methods.registry import FORMULATIONS, INTEGRATORS
from ...methods.run import implicit
from ...methods.settings import Settings, apply, choose
from ...model.file import load_text
from ...model.model import Model
from ...model.write import to_toml
from ...system.system import COORDINATES, System
from ...whole import whole
from ..assembly.assemble import assemble
from ..check.movability import checked_mobility
from .checkpoint_checks import (
    MAY_BE_INFINITE,
    TABLES,
    Unfit,
    arrays_in,
    at_least_zero,
    check_arrays,
    check_loop,
    check_settings,
    handed_over,
    positive,
    split,
    text_in,
)
from .simulate import LONGEST, check_coordinates

KIND = "biela checkpoint 2"
STATE_OF_THE_RUN = ("y", "ydot", "lam", "turns", "wound")
"""never mended: a run in which these are no numbers has ended"""


@dataclass
class SavedRun:
    """A run as its file has it: the model put together, the method, and where it is."""

    model: Model
    system: System
    settings: Settings
    duration: float
    samples: int
    checkpoint: Checkpoint | None = None


def saver(path: Path, run: SavedRun) -> Save:
    """A function that writes checkpoints of one run to one file, each whole or not at all.

    Whether the model can be written is found out here, before the run and not after it.
    """
    if path.suffix.lower() != ".npz":
        raise MethodError(Problem(f"cannot tell the format of {str(path)!r}", cure="end the checkpoint's name in .npz"))
    about: dict[str, Any] = {
        "kind": KIND,
        "model": to_toml(run.model),
        "coordinates": run.system.coordinates,
        "settings": plain(run.settings),
        "duration": run.duration,
        "samples": run.samples,
    }

    def save(kept: Checkpoint) -> None:
        loop = {"loop": kept.loop, "wall": kept.wall, "cpu": kept.cpu}
        text = np.array(json.dumps({**about, **loop}))
        arrays = {f"array.{name}": _sound(name, x) for name, x in kept.arrays.items()}
        tables = {f"table.{name}": x for name, x in zip(TABLES, kept.tables, strict=True)}

        def write(file: Path) -> None:
            with open(file, "wb") as out:
                np.savez(out, allow_pickle=False, about=text, **arrays, **tables)

        whole(path, write)
        kept.written = True

    return save


def _sound(name: str, x: np.ndarray) -> np.ndarray:
    """What a step that was given up has left of no number is nothing: whoever reads it has written it before."""
    if x.dtype != np.float64 or name in MAY_BE_INFINITE or name in STATE_OF_THE_RUN or np.isfinite(x).all():
        return x
    return np.where(np.isfinite(x), x, 0.0)


def read(path: Path) -> SavedRun:
    """What a checkpoint's file holds, with the model put together again; anything else is refused."""
    try:
        values = arrays_in(path)
        about = text_in(values.pop("about", None))
        if about.get("kind") != KIND:
            raise Unfit("it was written by another version of biela, or by another program")
        text, coordinates = about.get("model"), about.get("coordinates")
        if not isinstance(text, str) or not isinstance(coordinates, str) or coordinates not in COORDINATES:
            raise Unfit("it names no model")
        duration, samples = positive(about, "duration"), positive(about, "samples")
        if duration > LONGEST or samples != int(samples) or samples > 10_000_000:
            raise Unfit("no run is that long")
        settings = settings_of(about.get("settings"), duration)
    except FileNotFoundError:
        raise BielaError(Problem(f"there is no file {path}", cure="name a file that --checkpoint wrote")) from None
    except Unfit as error:
        cure = "name a file that --checkpoint wrote"
        raise BielaError(Problem(f"{path} is not a checkpoint", why=str(error), cure=cure)) from None
    model = load_text(text, title=f"the model in {path}")
    system = assemble(model, coordinates)
    check_coordinates(settings.integrator, system)
    checked_mobility(system)
    apply(settings, system)
    if settings.hands_over and handed_over(about.get("loop")):
        implicit(system, settings)
    try:
        tables, arrays = split(values)
        check_arrays(arrays, system, settings, about.get("loop"), int(samples))
        loop = check_loop(about.get("loop"), tables, system, settings, duration, int(samples))
        wall, cpu = (at_least_zero(about, name) for name in ("wall", "cpu"))
    except Unfit as error:
        cure = "use the version of biela that started the run; or start it again"
        raise BielaError(Problem(f"{path} cannot be continued", why=str(error), cure=cure)) from None
    kept = Checkpoint(arrays, loop, tables, duration, 0.0, wall, cpu)
    return SavedRun(model, system, settings, duration, int(samples), kept)


def plain(settings: Settings) -> dict[str, Any]:
    """Settings in words and numbers.

    >>> settings_of(plain(choose("penalty", "rk4", 1e-3)), duration=10.0) == choose("penalty", "rk4", 1e-3)
    True
    """
    values = {field.name: getattr(settings, field.name) for field in fields(settings)}
    return {**values, "formulation": settings.formulation.name, "integrator": settings.integrator.name}


def settings_of(data: Any, duration: float) -> Settings:
    """The same, read back, for a run that takes so long."""
    if not isinstance(data, dict) or set(data) != {field.name for field in fields(Settings)}:
        raise Unfit("it names no method")
    integrator, formulation = INTEGRATORS.get(str(data["integrator"])), FORMULATIONS.get(str(data["formulation"]))
    if integrator is None or integrator.scipy or (formulation is None and not integrator.direct):
        raise Unfit("it names no method")
    chosen = choose(None if integrator.direct else str(data["formulation"]), integrator.name)
    out = replace(chosen, **{k: v for k, v in data.items() if k not in ("formulation", "integrator")})
    check_settings(out, duration)
    return out
