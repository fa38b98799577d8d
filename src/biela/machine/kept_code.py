"""Machine code on disk: in a folder that nobody but the user can write to, in files that know whether they are whole.

Machine code that is read back is run, so it is taken only from a folder that is the user's own. A file that is damaged,
or that another process is just writing, is as good as none: the function is made anew, and a note says so.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import pickle
import shutil
import stat
import tempfile
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from time import time
from types import FunctionType
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile

from ..errors import reason_of
from .code_closure import closure_digest

DIGEST = hashlib.sha256
SIZE = 32
"""bytes of a digest, at the head of each file"""
_told: dict[str, str] = {}


def notes() -> list[str]:
    """What there is to say of machine code on disk; each is told once."""
    out = [f"note: {what}" for what in _told.values()]
    for kind in _told:
        _told[kind] = ""
    return [note for note in out if note != "note: "]


def tell(kind: str, what: str) -> None:
    """Keep a note, one of each kind."""
    _told.setdefault(kind, what)


# ------------------------------------------------------------------------------------------------------ the folder
def private_folder(name: str) -> Path:
    """A folder of this name for machine code: in $BIELA_CACHE, else in the user's cache folder; if others could write
    there, or nobody can, in a temporary one of the user alone."""
    base = os.environ.get("BIELA_CACHE") or os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    try:
        folder = (Path(base) if base else Path.home() / ".cache") / "biela" / name
        _make(folder)
        why = _not_private(folder)
    except (OSError, RuntimeError) as error:  # RuntimeError: no home
        why = reason_of(error)
        folder = Path(base or "~/.cache") / "biela" / name
    if not why:
        return folder
    own = Path(tempfile.gettempdir()) / f"biela-{os.getuid() if hasattr(os, 'getuid') else 'cache'}"
    try:
        own.mkdir(mode=0o700, exist_ok=True)
        if own.is_symlink() or _not_private(own) or (hasattr(os, "getuid") and own.stat().st_mode & 0o077):
            raise PermissionError
        (own / name).mkdir(mode=0o700, exist_ok=True)
        if _not_private(own / name):
            raise PermissionError
        kept = own / name
    except OSError:  # somebody else has taken the name
        kept = Path(tempfile.mkdtemp(prefix="biela-"))
        atexit.register(shutil.rmtree, kept, ignore_errors=True)
    tell("folder", f"machine code is kept in {kept}, not in {folder}: {why}")
    return kept


def _make(folder: Path) -> None:
    """The folder and those above it that are missing; ours for us alone."""
    if not folder.parent.parent.exists():
        folder.parent.parent.mkdir(parents=True, exist_ok=True)
    for own in (folder.parent, folder):
        own.mkdir(mode=0o700, exist_ok=True)


def _not_private(folder: Path) -> str:
    """Why machine code in this folder is not to be trusted, or cannot be kept there; nothing if all is well."""
    if not os.access(folder, os.W_OK | os.X_OK):
        return "it cannot be written to"
    if not hasattr(os, "geteuid"):
        return ""
    found = folder.stat()
    if found.st_uid != os.geteuid():
        return "it belongs to another user"
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "others may write to it"
    for above in (folder.parent, folder.parent.parent):
        found = above.stat()
        if found.st_uid not in (0, os.geteuid()):
            return f"{above} belongs to another user"
        if found.st_mode & stat.S_IWOTH and not found.st_mode & stat.S_ISVTX:
            return f"others may write to {above}"
    return ""


# ------------------------------------------------------------------------------------------------------- the files
class Damaged(Exception):
    """A file that is not whole."""


def with_digest(content: bytes) -> bytes:
    """What a file holds: a digest, and the content."""
    return DIGEST(content).digest() + content


def read_whole(path: str | Path) -> bytes:
    """The content of a file, if it is whole."""
    whole = Path(path).read_bytes()
    if DIGEST(whole[SIZE:]).digest() != whole[:SIZE]:
        raise Damaged(str(path))
    return whole[SIZE:]


class _Files(IndexDataCacheFile):
    """Numba's files of one function: an index, and a file for each signature; each begins with its own digest, and
    says what it is the code of, for two processes may write at once."""

    def save(self, key: Any, data: Any) -> None:
        try:
            super().save(key, (key, data))
        except Exception as error:  # a full disk, a folder that is gone: the code is there, it is not kept
            tell("unkept", f"machine code could not be kept in {self._cache_path}: {error}")

    def load(self, key: Any) -> Any:
        found = super().load(key)
        return found[1] if found is not None and found[0] == key else None

    def _load_index(self) -> dict:
        try:
            version, stamp, overloads = self._read(self._index_path)
        except OSError:  # none yet, or none that may be read
            return {}
        except Exception:
            tell_damaged(self._cache_path)
            return {}
        return overloads if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict) -> None:
        self._write(self._index_path, (self._version, self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        return self._read(self._data_path(name))

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), data)

    def _read(self, path: str) -> Any:
        return pickle.loads(read_whole(path))

    def _write(self, path: str, data: Any) -> None:
        content = self._dump(data)
        with self._open_for_write(path) as file:
            file.write(with_digest(content))


class _Folder:
    """Where the code of a function is; what Numba asks of a `locator`."""

    def __init__(self, function: FunctionType, folder: Path):
        self._py_file, self.folder = function.__code__.co_filename, folder

    def ensure_cache_path(self) -> None:
        """Make the folder."""
        self.folder.mkdir(parents=True, exist_ok=True)


class _Code(CompileResultCacheImpl):
    def __init__(self, function: FunctionType, folder: Path):
        self._lineno = function.__code__.co_firstlineno
        self._locator = _Folder(function, folder)


class KeptCode(FunctionCache):
    """Numba's cache of one function, by the closure of what it uses, whose damage does no harm."""

    def __init__(self, function: FunctionType, folder: Path):
        self._name, self._py_func = repr(function), function
        self._impl, self._cache_path = _Code(function, folder), str(folder)
        self.enable()

    @cached_property
    def _cache_file(self) -> _Files:
        """Its files, named when it is compiled: then all that it uses is there."""
        function, digest = self._py_func, closure_digest(self._py_func)
        module = function.__module__.partition(".")[2] or function.__module__
        name = f"{module}.{function.__qualname__}".replace("<", "").replace(">", "")
        if function.__closure__:
            # functions that a factory makes share a name, and so would their symbols, made in different processes and
            # read into one: of two, the linker may take the first for both
            function.__qualname__ += f"_{digest}"
        return _Files(self._cache_path, f"{name}-{digest}", "")

    def _index_key(self, sig: Any, codegen: Any) -> tuple:
        """The signature and the processor: the file's name has the rest. (Numba would add a digest of what a function
        closes over, which is another one in each process.)"""
        return sig, codegen.magic_tuple()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code, or None where there is none that is whole."""
        try:
            return super().load_overload(sig, target_context)
        except OSError:
            return None
        except Exception:
            tell_damaged(self._cache_path)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep it, if that can be done."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            tell("unkept", f"machine code could not be kept in {self._cache_path}: {reason_of(error)}")


def tell_damaged(folder: str) -> None:
    """A note, once."""
    tell("damaged", f"machine code in {folder} was damaged; it was compiled again")


def kept(compiled: Any, folder: Path) -> None:
    """Keep the machine code of a function in a folder, and take it from there."""
    function = getattr(compiled, "py_func", None) or compiled.__wrapped__
    if os.path.exists(function.__code__.co_filename):
        compiled._cache = KeptCode(function, folder)


def forget_old(folder: Path, days: float = 60.0) -> None:
    """Take away what was made long ago, by this version or another: what is still used is made anew."""
    for file in folder.parent.rglob("*"):
        with suppress(OSError):
            if file.suffix in (".nbi", ".nbc", ".o") and time() - file.stat().st_mtime > 86400 * days:
                file.unlink()
