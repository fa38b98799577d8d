"""TOML texts: as plain data, and which line a value is written on, for messages.

What a parser would choke on, or work on for hours, is refused before.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import lru_cache
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


# ------------------------------------------------------------- lines of values: a sketch of a parser is enough for that
_HEADER = re.compile(r"\s*\[(?P<keys>[^\[\]]+|\[[^\[\]]+\])\]\s*(?:#.*)?$")
_ENTRY = re.compile(
    r"""\s*(?P<keys>(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*="""
)
_KEY = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*(?:\.|$)""")
_STRING = re.compile(r""""(?:[^"\\]|\\.)*"|'[^']*'|#.*""")


def line_of(text: str, path: Sequence[str | int]) -> int | None:
    """The line (from 1) of the value at a path, or of the nearest thing around it.

    >>> text = '[bodies.crank]\\nmass = -1\\npoints = ["O", "A"]\\n'
    >>> line_of(text, ["bodies", "crank", "mass"]), line_of(text, ["bodies", "crank", "points", 0])
    (2, 3)
    >>> line_of(text, ["joints"]) is None
    True
    """
    wanted = [str(part) for part in path]
    best, line = 0, None
    for number, keys in _all_entries(text):
        # A header [a.b.c] is also the nearest thing around a.b: it counts for what the two have in common.
        common = 0
        while common < min(len(keys), len(wanted)) and keys[common] == wanted[common]:
            common += 1
        inside = common == len(keys) or common == len(wanted)
        if inside and common > best:
            best, line = common, number
    return line


@lru_cache(maxsize=1)
def _all_entries(text: str) -> tuple[tuple[int, list[str]], ...]:
    """All of them, read once for all the mistakes of a text."""
    return tuple(_entries(text))


def _entries(text: str) -> Iterator[tuple[int, list[str]]]:
    """Line and full path of every table header and every key outside of brackets."""
    table: list[str] = []
    blocks: dict[str, int] = {}  # list of tables -> its elements so far
    depth, in_text = 0, None
    for number, raw in enumerate(text.splitlines(), 1):
        if in_text:
            in_text = None if in_text in raw else in_text
            continue
        if depth == 0:
            header, entry = _HEADER.match(raw), _ENTRY.match(raw)
            if header:
                keys = _split(header["keys"].strip("[]"))
                if header["keys"].startswith("["):
                    blocks[keys[0]] = blocks.get(keys[0], -1) + 1
                table = [keys[0], str(blocks[keys[0]]), *keys[1:]] if keys[:1] and keys[0] in blocks else keys
                yield number, table
                continue
            if entry:
                yield number, table + _split(entry["keys"])
                yield from (
                    (number, table + _split(entry["keys"]) + [k]) for k in _inline(raw[entry.end() :])
                )
        for quotes in ('"""', "'''"):
            if raw.count(quotes) % 2:
                in_text = quotes
        bare = _STRING.sub("", raw)
        depth = max(0, depth + sum(map(bare.count, "[{")) - sum(map(bare.count, "]}")))


def _inline(value: str) -> list[str]:
    """The keys of an inline table."""
    return re.findall(r"[{,]\s*([A-Za-z0-9_-]+)\s*=", value) if value.lstrip().startswith("{") else []


def _split(keys: str) -> list[str]:
    return [a or b or c for a, b, c in _KEY.findall(keys)]
