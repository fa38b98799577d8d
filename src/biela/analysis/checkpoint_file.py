"""A run in a file: the model, the method, and where it is, so that another day it goes on bit for bit."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from ..errors import BielaError, MethodError, Problem
from ..methods.checkpoint import Checkpoint, Save
from ..methods.settings import Settings, choose, lay_matrices
from ..model.file import load_text
from ..model.model import Model
from ..model.write import to_toml
from ..results.table import whole
from ..system.system import System
from .assembly import assemble

KIND = "biela checkpoint 1"
TABLES = ("t", "y", "ydot", "lam", "turns")


def saver(path: Path, model: Model, system: System, settings: Settings, duration: float, samples: int) -> Save:
    """A function that writes checkpoints of one run to one file, each whole or not at all.

    Whether the model can be written is found out here, before the run and not after it.
    """
    if path.suffix.lower() != ".npz":
        raise MethodError(Problem(f"cannot tell the format of {str(path)!r}", cure="end the checkpoint's name in .npz"))
    about: dict[str, Any] = {
        "kind": KIND,
        "model": to_toml(model),
        "coordinates": system.coordinates,
        "rank": system.rank,
        "settings": plain(settings),
        "duration": duration,
        "samples": samples,
    }

    def save(kept: Checkpoint) -> None:
        loop = {"loop": kept.loop, "alpha": kept.alpha, "wall": kept.wall, "cpu": kept.cpu}
        text = np.array(json.dumps({**about, **loop}))
        arrays = {f"array.{name}": x for name, x in kept.arrays.items()}
        tables = {f"table.{name}": x for name, x in zip(TABLES, kept.tables, strict=True)}

        def write(file: Path) -> None:
            with open(file, "wb") as out:
                np.savez(out, allow_pickle=False, about=text, **arrays, **tables)

        whole(path, write)

    return save


def read(path: Path) -> tuple[Model, System, Settings, float, int, Checkpoint]:
    """What a checkpoint's file holds, with the model put together again."""
    try:
        with np.load(path, allow_pickle=False) as file:
            values = {name: file[name] for name in file.files}
        about = json.loads(str(values.pop("about")))
        if about["kind"] != KIND:
            raise ValueError
    except FileNotFoundError:
        raise BielaError(Problem(f"there is no file {path}", cure="name a file that --checkpoint wrote")) from None
    except (OSError, ValueError, KeyError, TypeError, BadZipFile, json.JSONDecodeError) as error:
        why = str(error).splitlines()[0] if str(error) else "it holds something else"
        cure = "name a file that --checkpoint wrote"
        raise BielaError(Problem(f"{path} is no checkpoint", why=why, cure=cure)) from None
    model = load_text(about["model"], title=str(path))
    system = assemble(model, about["coordinates"])
    system.rank = about["rank"]
    tables = tuple(values.pop(f"table.{name}") for name in TABLES)
    arrays = {name.removeprefix("array."): x for name, x in values.items()}
    kept = Checkpoint(arrays, about["loop"], tables, about["duration"], about["alpha"], about["wall"], about["cpu"])
    settings = settings_of(about["settings"])
    lay_matrices(settings, system)
    known = set(system.arrays._fields)
    if not (set(arrays) <= known and kept.fits(system)):
        why = "its arrays are not those of the equations that biela writes for this model today"
        raise BielaError(Problem(f"{path} cannot go on", why=why, cure="use the version of biela that began the run"))
    return model, system, settings, about["duration"], about["samples"], kept


def plain(settings: Settings) -> dict[str, Any]:
    """Settings in words and numbers.

    >>> settings_of(plain(choose("penalty", "rk4", 1e-3))) == choose("penalty", "rk4", 1e-3)
    True
    """
    values = {field.name: getattr(settings, field.name) for field in fields(settings)}
    return {**values, "formulation": settings.formulation.name, "integrator": settings.integrator.name}


def settings_of(data: dict[str, Any]) -> Settings:
    """The same, read back."""
    name = data["integrator"]
    direct = choose(None, name).integrator.direct
    chosen = choose(None if direct else data["formulation"], name)
    return replace(chosen, **{k: v for k, v in data.items() if k not in ("formulation", "integrator")})
