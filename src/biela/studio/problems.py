"""Problems for a page: with the line of the text they are on, so that it can be marked."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from ..errors import BielaError
from ..model.toml import line_of

_SAID = re.compile(r" ?\(line (\d+)\)$")
_TOML = re.compile(r"\(at line (\d+), column (\d+)\)")
_NAME = re.compile(r"[\w-]+(?:\.[\w-]+|\[\d+\])*")
_WORDS = (
    (re.compile(r"give t_end \(seconds\), or run\.duration in the model file"),
     "fill in Duration in the panel Method, or write duration = 10 under [run]"),
    (re.compile(r"\bt_end\b"), "duration"),
    (re.compile(r"\b(coordinates|formulation|integrator|step)='([\w-]+)'"), r"\1 \2"),
    (re.compile(r"start from one in the library: `biela list` shows them"), "open one of the library (Ctrl+O)"),
)  # fmt: skip
_TABLES = ("bodies", "joints", "coordinates", "drivers", "forces", "points", "ground", "parameters")


def told_problems(error: BielaError, text: str = "") -> list[dict[str, Any]]:
    """One table per problem: what, where, why, cure, and the line if it has one.

    >>> from biela.model.file import load_text
    >>> text = '[ground]\\nO = [0, 0]\\n\\n[bodies.crank]\\nmas = 1\\n'
    >>> try:
    ...     load_text(text)
    ... except BielaError as error:
    ...     print([(p["what"], p["line"]) for p in told_problems(error, text)])
    [("unknown key 'mas'", 5)]
    """
    out = []
    for p in error.problems:
        told: dict[str, Any] = {k: v for k, v in vars(p).items() if v}
        told |= {k: in_the_pages_words(told[k]) for k in ("what", "why", "cure") if k in told}
        if p.why.startswith("did you mean"):
            told["cure"] = f"{told.pop('why')} {told.get('cure', '')}".strip()
        said = _SAID.search(p.where)
        toml = _TOML.search(p.why) if p.what.startswith("this is not a TOML") else None
        if said:
            told["line"], told["where"] = int(said[1]), _SAID.sub("", p.where)
        elif toml:
            told["line"], told["column"] = int(toml[1]), int(toml[2])
        elif p.what.startswith("this is not a TOML") and "end of document" in p.why:
            told["line"] = max(1, len(text.splitlines()))
        elif text and p.where:
            line = find_line(p.where, text)
            if line:
                told["line"] = line
        out.append(told)
    return out


def in_the_pages_words(text: str) -> str:
    """A sentence in the words of the page: what is an argument in Python is a field in the panel Method.

    >>> in_the_pages_words("t_end = 'x' is not a time"), in_the_pages_words("integrator='rk4', or loosen the tolerance")
    ("duration = 'x' is not a time", 'integrator rk4, or loosen the tolerance')
    """
    for old, new in _WORDS:
        text = old.sub(new, text)
    return text


def find_line(where: str, text: str) -> int | None:
    """The line of the first thing of the model that `where` names.

    >>> find_line("crank", '[ground]\\nO = [0, 0]\\n[bodies.crank]\\nmass = 1')
    3
    """
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return None
    for name in _NAME.findall(where):
        path = [int(part) - 1 if part.isdigit() else part for part in re.findall(r"[\w-]+", name)]
        if path[0] in data:
            line = line_of(text, path)
            if line:
                return line
        for table in _TABLES:
            if isinstance(data.get(table), dict) and path[0] in data[table]:
                return line_of(text, [table, *path])
    return None
