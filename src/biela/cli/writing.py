"""Files that a command writes: refused in advance if they cannot be, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import BielaError, Problem

if TYPE_CHECKING:
    from ..results.motion import Motion

TABLES = (".csv", ".parquet", ".nc", ".json")
PICTURES = (".png", ".svg", ".pdf")
EXTRAS = {".parquet": ("pyarrow",), ".nc": ("xarray", "h5netcdf")}


def can_write(path: Path, suffixes: Sequence[str]) -> Path:
    """Refuse an output that could not be written, before hours of computing and not after."""
    if path.suffix.lower() not in suffixes:
        raise BielaError(
            Problem(
                f"cannot tell the format of {str(path)!r}",
                why=f"{path.suffix!r} is none that biela writes" if path.suffix else "it has no suffix",
                cure=f"end its name in {', '.join(suffixes)}",
            )
        )
    for library in EXTRAS.get(path.suffix.lower(), ()):
        if find_spec(library) is None:
            raise BielaError(Problem(f"{path.suffix} files need {library}", cure="pip install 'biela[data]'"))
    folder = path.parent
    if path.is_dir():
        raise BielaError(Problem(f"cannot write {path}", why="it is a folder", cure="name a file"))
    if not folder.is_dir():
        raise BielaError(Problem(f"cannot write {path}", why=f"there is no folder {folder}", cure="make it first"))
    if not os.access(folder, os.W_OK):
        raise BielaError(Problem(f"cannot write {path}", why=f"{folder} is write-protected", cure="choose another folder"))
    return path


def make_folder(path: Path) -> Path:
    """A folder to write into, made if it is not there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BielaError(Problem(f"cannot make the folder {path}", why=why, cure="choose another folder")) from None
    if not os.access(path, os.W_OK):
        raise BielaError(Problem(f"cannot write into {path}", why="it is write-protected", cure="choose another folder"))
    return path


def write_text(path: Path, text: str) -> None:
    """A text file, whole or not at all."""
    from ..results.table import whole

    whole(path, lambda file: file.write_text(text, encoding="utf-8"))


def write_motion(motion: Motion, path: Path, names: list[str] | None, summary: dict[str, Any]) -> None:
    """A motion as its file's suffix says."""
    suffix = path.suffix.lower()
    if suffix == ".csv":
        motion.to_csv(path, names)
    elif suffix == ".parquet":
        motion.to_parquet(path, names)
    elif suffix == ".nc":
        motion.to_netcdf(path)
    else:
        import json

        from .guard import plain

        table = plain({**summary, "columns": motion.table(names)})
        write_text(path, json.dumps(table, allow_nan=False, ensure_ascii=False) + "\n")
