"""TOML texts as plain data; what a parser would choke on, or work on for hours, is refused before."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from ..errors import ModelError, Problem

MOST_PARTS = 100
"""of a dotted key: reading one takes a time, and a memory, that grow with their square"""
# A part is a word, or a text in quotes. What has been read is not read again (++, *+), and no match begins within a
# word: the time does not grow with the square of anything.
_PART = r"""(?:[\w\-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![\w\-\\.])(?:{_PART}[ \t]*+\.[ \t]*+){{{MOST_PARTS},}}")


def parsed(text: str, title: str, cure: str) -> dict[str, Any]:
    """The data in a TOML text; `cure` says what entries look like.

    >>> parsed("a.b = 'x. y. z.'", "file", "")
    {'a': {'b': 'x. y. z.'}}
    >>> parsed("a." * 100 + "b = 1", "file", "")
    Traceback (most recent call last):
    biela.errors.ModelError: file
    this TOML cannot be read
      why:   a key of more than 100 parts
    """
    if _LONG_KEY.search(text):
        why = f"a key of more than {MOST_PARTS} parts"
        raise ModelError(Problem("this TOML cannot be read", why=why, cure=cure), title)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        cure = f"correct that line; {cure}"
        raise ModelError(Problem("this is not a TOML file", why=str(error), cure=cure), title) from None
    except (RecursionError, ValueError) as error:
        problem = Problem("this TOML cannot be read", why=str(error)[:200], cure="simplify it")
        raise ModelError(problem, title) from None
