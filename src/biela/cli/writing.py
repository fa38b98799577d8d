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
EXTRAS = {".parquet": ("pyarrow",), ".nc": ("xarray", "h5netcdf", "h5py")}


def _no(what: str, why: str, cure: str) -> BielaError:
    return BielaError(Problem(what, why=why, cure=cure))


def can_write(path: Path, suffixes: Sequence[str]) -> Path:
    """Refuse an output that could not be written, before hours of computing and not after."""
    suffix, folder, what = path.suffix.lower(), path.parent, f"cannot write {path}"
    if suffix not in suffixes:
        why = f"{path.suffix!r} is not among the formats for this" if suffix else "its name has no suffix"
        raise _no(f"cannot tell the format of {str(path)!r}", why, f"end its name in {', '.join(suffixes)}")
    for library in EXTRAS.get(suffix, ()):
        if find_spec(library) is None:
            raise _no(what, f"{suffix} files need {library}", "pip install 'biela[data]'")
    if path.is_dir():
        raise _no(what, "it is a folder", "name a file")
    if not folder.is_dir():
        raise _no(what, f"there is no folder {folder}", "make it first")
    if not os.access(folder, os.W_OK):
        raise _no(what, f"{folder} is write-protected", "choose another folder")
    return path


def can_make(folder: Path) -> Path:
    """Refuse a folder that could not be made or written into; it is made only when there is something to put in it."""
    nearest = folder.absolute()
    while not os.path.lexists(nearest) and nearest != nearest.parent:
        nearest = nearest.parent
    if not nearest.is_dir():
        raise _no(f"{folder} cannot be a folder", f"{nearest} is a file", "choose another folder")
    if not os.access(nearest, os.W_OK):
        raise _no(f"cannot write into {folder}", f"{nearest} is write-protected", "choose another folder")
    return folder


def write_text(path: Path, text: str) -> None:
    """A text file, whole or not at all."""
    from ..whole import whole

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
