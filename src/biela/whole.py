"""Files written whole or not at all, with the mode that any new file would have."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Callable
from pathlib import Path

from .errors import BielaError, Problem, reason_of


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Call `write` with the name of a new file beside `path`, which then takes its place; a failure leaves whatever was
    there untouched, and raises OSError. A new file obeys the umask, one that was there keeps its mode."""
    part = path.with_name(f".{path.stem[:40]}.{secrets.token_hex(4)}{path.suffix}")
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    try:
        write(part)
        with contextlib.suppress(FileNotFoundError):
            os.chmod(part, stat.S_IMODE(os.stat(path).st_mode))
        os.replace(part, path)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def whole(path: str | Path, write: Callable[[Path], object]) -> None:
    """The same for what a user asked for: a failure is told as a problem of the file."""
    try:
        write_whole(Path(path), write)
    except (OSError, ValueError) as error:  # a NUL in the path is a ValueError
        cure = "choose another file or folder"
        raise BielaError(Problem(f"cannot write {path}", why=reason_of(error), cure=cure)) from None
