"""Which line of a TOML text a value is written on, for messages: a sketch of a parser is enough for that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

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
