"""The model files of one folder: listed, read and written; nothing outside of it, whatever a path says."""

from __future__ import annotations

import hashlib
from pathlib import Path, PurePosixPath, PureWindowsPath

from ..errors import BielaError, Problem
from ..model.file import LARGEST
from ..whole import whole

MOST = 500
"""files listed"""
DEEP = 3
"""folders below the chosen one that are looked into"""


class Folder:
    """One folder of the user's, and the .toml files in it."""

    def __init__(self, root: Path):
        self.root = root.resolve()
        self.mark = _mark(str(self.root).encode())[:16]
        """tells folders of the same name apart, without saying where they are"""

    def files(self) -> list[str]:
        """The model files there are, by their paths from the folder; hidden ones and links to elsewhere left out."""
        found: list[str] = []

        def search(folder: Path, depth: int) -> None:
            try:
                entries = sorted(folder.iterdir(), key=lambda p: (p.is_dir(), p.name.casefold()))
            except OSError:
                return
            for entry in entries:
                if entry.name.startswith(".") or entry.is_symlink() or len(found) >= MOST:
                    continue
                if entry.is_dir() and depth < DEEP:
                    search(entry, depth + 1)
                elif entry.is_file() and entry.suffix.lower() == ".toml":
                    found.append(entry.relative_to(self.root).as_posix())

        search(self.root, 0)
        return found

    def inside(self, name: str) -> Path:
        """The file of this name, if it lies in the folder when all links are followed."""
        cure = "start `biela studio` in the folder you want, or give it the file"
        refused = BielaError(Problem("this file is outside of the studio's folder", str(name)[:200], cure=cure))
        if not isinstance(name, str) or not name or len(name) > 1000 or any(c in name for c in "\0\\:"):
            raise refused
        asked = PurePosixPath(name)
        if asked.is_absolute() or PureWindowsPath(name).is_absolute() or ".." in asked.parts:
            raise refused
        if any(part.startswith(".") for part in asked.parts):
            raise refused
        if asked.suffix.lower() != ".toml":
            raise BielaError(Problem("model files end in .toml", str(asked)[:200], cure=f"{asked.name[:80]}.toml"))
        try:
            path = (self.root / Path(*asked.parts)).resolve()
        except (OSError, RuntimeError):
            raise refused from None
        if not path.is_relative_to(self.root):
            raise refused
        return path

    def read(self, name: str) -> tuple[str, str]:
        """Text and mark of a file; the mark tells whether somebody else wrote it since."""
        path = self.inside(name)
        if path.exists() and not path.is_file():
            raise BielaError(Problem("this is not a file", name))
        try:
            with open(path, "rb") as file:
                content = file.read(LARGEST + 1)
        except OSError as error:
            raise BielaError(Problem("the file cannot be read", name, error.strerror or "")) from None
        if len(content) > LARGEST:
            raise BielaError(Problem("the file is too large for a model", name, f"more than {LARGEST // 2**20} MB"))
        try:
            return content.decode("utf-8-sig"), _mark(content)
        except UnicodeDecodeError as error:
            raise BielaError(Problem("this is not a text file", name, f"byte {error.start} is not UTF-8")) from None

    def write(self, name: str, text: str, seen: str | None) -> str:
        """Write a file whole or not at all; `seen` is its mark when it was read, None for a new file.

        A file that is there but was not seen like this is not written over.
        """
        path = self.inside(name)
        try:
            if path.exists() and not path.is_file():
                raise BielaError(Problem("this is not a file", name, cure="choose another name"))
            there = path.read_bytes() if path.exists() else None
            content = text.encode("utf-8")
        except OSError as error:
            raise BielaError(Problem("the file cannot be written", name[:80], error.strerror or "",
                                     cure="choose another name")) from None  # fmt: skip
        except UnicodeEncodeError:
            raise BielaError(Problem("this text cannot be written as UTF-8", name)) from None
        if there is not None and _mark(there) != seen:
            raise Changed(name)
        if len(content) > LARGEST:
            raise BielaError(Problem("this is too large for a model", name, f"more than {LARGEST // 2**20} MB"))
        if not path.parent.is_dir():
            raise BielaError(Problem("there is no such folder", str(PurePosixPath(name).parent), cure="make it first"))
        try:
            whole(path, lambda file: file.write_bytes(content))
        except OSError as error:
            raise BielaError(Problem("the file cannot be written", name[:80], error.strerror or "")) from None
        return _mark(content)


class Changed(BielaError):
    """The file on disk is not the one that was read."""

    def __init__(self, name: str):
        super().__init__(Problem("there is another version of this file on disk", name,
                                 cure="save under another name, or overwrite it"))  # fmt: skip


def _mark(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
