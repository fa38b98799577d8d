"""Files that a command writes: refused in advance if they cannot be, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..errors import BielaError, Problem

TABLES = (".csv", ".parquet", ".nc", ".json")
PICTURES = (".png", ".svg", ".pdf")
TEXTS = (".txt", ".md", ".tex")
EXTRAS = {".parquet": ("pyarrow",), ".nc": ("xarray", "h5netcdf", "h5py")}


def can_write(paths: Path | Iterable[Path] | None, suffixes: Sequence[str]) -> list[Path]:
    """The files that are asked for; one that could not be written is refused before hours of computing, not after."""
    asked = [paths] if isinstance(paths, Path) else list(paths or ())
    for path in asked:
        _check(path, suffixes)
    return asked


def _check(path: Path, suffixes: Sequence[str]) -> None:
    suffix, folder, what = path.suffix.lower(), path.parent, f"cannot write {path}"
    if suffix not in suffixes:
        why = f"{path.suffix!r} is not among the formats for this" if suffix else "its name has no suffix"
        raise _refused(f"cannot tell the format of {str(path)!r}", why, f"end its name in {', '.join(suffixes)}")
    for library in EXTRAS.get(suffix, ()):
        if find_spec(library) is None:
            raise _refused(what, f"{suffix} files need {library}", "pip install 'biela[data]'")
    if path.is_dir():
        raise _refused(what, "it is a folder", "name a file")
    if not folder.is_dir():
        raise _refused(what, f"there is no folder {folder}", "make it first")
    if not os.access(folder, os.W_OK):
        raise _refused(what, f"{folder} is write-protected", "choose another folder")


def can_make(folder: Path) -> Path:
    """Refuse a folder that could not be made or written into; it is made only when there is something to put in it."""
    nearest = folder.absolute()
    while not os.path.lexists(nearest) and nearest != nearest.parent:
        nearest = nearest.parent
    if not nearest.is_dir():
        raise _refused(f"{folder} cannot be a folder", f"{nearest} is a file", "choose another folder")
    if not os.access(nearest, os.W_OK):
        raise _refused(f"cannot write into {folder}", f"{nearest} is write-protected", "choose another folder")
    return folder


def _refused(what: str, why: str, cure: str) -> BielaError:
    return BielaError(Problem(what, why=why, cure=cure))


def write_text(path: Path, text: str) -> None:
    """A text file, whole or not at all."""
    from ..whole import whole

    whole(path, lambda file: file.write_text(text.rstrip("\n") + "\n", encoding="utf-8"))


def write_result(result: Any, paths: Iterable[Path], names: list[str] | None, summary: dict[str, Any]) -> None:
    """Channels of a result over time, each file as its suffix says; the summary goes into .json."""
    for path in paths:
        suffix = path.suffix.lower()
        if suffix == ".csv":
            result.to_csv(path, names)
        elif suffix == ".parquet":
            result.to_parquet(path, names)
        elif suffix == ".nc":
            result.to_netcdf(path)
        else:
            import json

            from .output import plain

            data = plain({**summary, "columns": result.table(names)})
            write_text(path, json.dumps(data, allow_nan=False, ensure_ascii=False))
