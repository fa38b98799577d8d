"""Ready mechanisms, each a TOML file with its source and numbers it must reproduce."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import ModelError, Problem
from ..model.file import load_file
from ..model.model import Model
from ..model.resolve.naming import did_you_mean

__all__ = ["Library", "load", "names", "path"]


@dataclass(frozen=True)
class Library:
    """A folder of model files that are known by name: of mechanisms here, of bond graphs in `biela.bondgraph`."""

    folder: Path
    what: str
    """what each file describes"""
    read: Callable[[Path], Any]

    def names(self) -> list[str]:
        """What there is, in alphabetical order."""
        return sorted(file.stem for file in self.folder.glob("*.toml"))

    def path(self, name: str) -> Path:
        """The file of a name; '_' and '-' are the same, as are capitals."""
        wanted = str(name).strip().casefold().replace("_", "-").removesuffix(".toml")
        known = self.names()
        # Only a listed name becomes a path: "../secret" is just a name that does not exist.
        if wanted not in known:
            cure = did_you_mean(wanted, known, f"{self.what}s of the library", most=len(known))
            raise ModelError(Problem(f"the library has no {self.what} {name!r}", cure=cure))
        return self.folder / f"{wanted}.toml"

    def load(self, source: str | Path) -> Any:
        """By its name, or from a file (anything with a folder or ending in .toml)."""
        text = str(source)
        is_file = isinstance(source, Path) or text.endswith(".toml") or "/" in text or "\\" in text
        return self.read(Path(source) if is_file else self.path(text))


MECHANISMS = Library(Path(__file__).parent, "mechanism", load_file)


def names() -> list[str]:
    """The mechanisms there are, in alphabetical order.

    >>> "double-pendulum" in names()
    True
    """
    return MECHANISMS.names()


def path(name: str) -> Path:
    """The file of a mechanism; '_' and '-' are the same, as are capitals.

    >>> path("Double_Pendulum").name
    'double-pendulum.toml'
    """
    return MECHANISMS.path(name)


def load(source: str | Path) -> Model:
    """A model: by the name of a mechanism of the library, or by a file (anything with a folder or ending in .toml).

    >>> load("four-bar")
    Model('four-bar': 3 bodies, 0 joints, 0 forces)
    """
    return MECHANISMS.load(source)
