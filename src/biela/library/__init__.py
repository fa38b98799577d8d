"""Ready mechanisms, each a TOML file with its source and numbers it must reproduce."""

from __future__ import annotations

from pathlib import Path

from ..errors import ModelError, Problem
from ..model.file import load_file
from ..model.model import Model
from ..model.resolve.naming import did_you_mean

__all__ = ["load", "names", "path"]

FOLDER = Path(__file__).parent


def names() -> list[str]:
    """The mechanisms there are, in alphabetical order.

    >>> "double-pendulum" in names()
    True
    """
    return sorted(file.stem for file in FOLDER.glob("*.toml"))


def path(name: str) -> Path:
    """The file of a mechanism; '_' and '-' are the same, as are capitals.

    >>> path("Double_Pendulum").name
    'double-pendulum.toml'
    """
    wanted = str(name).strip().casefold().replace("_", "-").removesuffix(".toml")
    known = names()
    # Only a listed name becomes a path: "../secret" is just a name that does not exist.
    if wanted not in known:
        cure = did_you_mean(wanted, known, "mechanisms of the library", most=len(known))
        raise ModelError(Problem(f"the library has no mechanism {name!r}", cure=cure))
    return FOLDER / f"{wanted}.toml"


def load(source: str | Path) -> Model:
    """A model: by the name of a mechanism of the library, or by a file (anything with a folder or ending in .toml).

    >>> load("four-bar")
    Model('four-bar': 3 bodies, 0 joints, 0 forces)
    """
    text = str(source)
    if isinstance(source, Path) or text.endswith(".toml") or "/" in text or "\\" in text:
        return load_file(Path(source))
    return load_file(path(text))
