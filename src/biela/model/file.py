"""Model files: TOML, read with every mistake named and its line, written in one piece or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from ..errors import ModelError, Problem, reason_of
from ..whole import write_whole
from .mistakes import problems_of
from .model import Model
from .toml import parsed
from .write import to_toml

__all__ = ["load_file", "load_text", "save", "to_toml", "validated"]

LARGEST = 20 * 2**20  # bytes
M = TypeVar("M", bound=BaseModel)


def load_file(path: str | Path) -> Model:
    """The model in a TOML file. A file that does not say `name` takes it from the file's own name."""
    path = Path(path)
    text = _read(path)
    return load_text(text, title=f"file {str(path)!r}", name=path.stem)


def load_text(text: str, title: str = "model", name: str = "model") -> Model:
    """The model in a TOML text.

    >>> load_text('[ground]\\nO = [0, 0]').ground
    {'O': (0.0, 0.0)}
    """
    data = parsed(text, title, 'tables look like [bodies.crank], entries like mass = 1.5, texts like "12 mm"')
    if not data:
        cure = "start from one in the library: `biela list` shows them"
        raise ModelError(Problem("the file is empty: it describes no mechanism", cure=cure), title)
    if {"elements", "bonds"} <= set(data) and "bodies" not in data:
        why = "it has elements and bonds, and no bodies"
        cure = "`biela bondgraph FILE` computes it"
        raise ModelError(Problem("this is a bond graph, not a mechanism", why=why, cure=cure), title)
    return validated(Model, {"name": name, **data}, title, text)


def validated(model: type[M], data: Any, title: str, text: str = "") -> M:
    """An instance of `model`, or a `ModelError` with one problem per mistake in the data."""
    if not isinstance(data, Mapping):
        cure = "give ground, points, bodies, ... by name"
        raise ModelError(Problem("a model is a table of names and values", "", repr(data)[:60], cure), title)
    try:
        return model.model_validate(data)
    except ValidationError as error:
        wrong = error
    except ModelError as error:  # how `Model` itself tells it
        wrong = error.validation  # type: ignore[attr-defined]
    raise ModelError(problems_of(wrong, model, data, text), title)


def save(model: Model, path: str | Path) -> None:
    """Write a model that `load_file` reads back equal. A failure leaves whatever was there untouched."""
    path = Path(path)
    text = to_toml(model)
    try:
        write_whole(path, lambda file: file.write_text(text, encoding="utf-8", newline="\n"))
    except (OSError, ValueError) as error:  # UnicodeError is a ValueError, as is a NUL in the path
        why = reason_of(error)
        problem = Problem("the model cannot be written", str(path), why, "choose a folder you can write to")
        raise ModelError(problem, title=f"model {model.name!r}") from None


def _read(path: Path) -> str:
    title = f"file {str(path)!r}"
    try:
        if path.is_dir():
            cure = "name the .toml file in it"
            raise ModelError(Problem("this is a folder, not a model file", str(path), cure=cure), title)
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
    except FileNotFoundError:
        cure = "check the path; `biela list` shows the mechanisms of the library"
        raise ModelError(Problem("there is no such file", str(path), cure=cure), title) from None
    except (OSError, ValueError) as error:
        why = reason_of(error)
        cure = "check the file's permissions and path"
        raise ModelError(Problem("the file cannot be read", str(path), why, cure), title) from None
    if len(content) > LARGEST:
        why = f"more than {LARGEST // 2**20} MB"
        cure = "is it a model? Long tables are better sampled more coarsely or given as an expression"
        raise ModelError(Problem("the file is too large for a model", str(path), why, cure), title)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        why = f"byte {error.start} is not UTF-8"
        cure = "save it as plain text in UTF-8; is it a model file at all?"
        raise ModelError(Problem("this is not a text file", str(path), why, cure), title) from None
