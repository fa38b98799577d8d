"""A failing case made as small as it goes: parts taken away and numbers made plain while it still fails alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from fuzz.case import Case

ITEMS = ("locks", "stops", "forces", "drivers", "coordinates", "joints", "bodies", "points", "ground")
DIGITS = (1, 2, 4)

Fails = Callable[[Case], bool]


def shrink(case: Case, fails: Fails, seconds: float = 60.0) -> Case:
    """The smallest case found in this time that fails in the same way."""
    until = time.monotonic() + seconds
    again = True
    while again:
        again = False
        for simpler in candidates(case):
            if time.monotonic() > until:
                return case
            if fails(simpler):
                case, again = simpler, True
                break
    return case


def candidates(case: Case) -> Iterator[Case]:
    """Cases with one thing less, the largest things first."""
    yield from (replace(case, model=data) for data in smaller_models(case.model))
    for key, value in case.more.items():
        yield from (replace(case, more={**case.more, key: less}) for less in smaller(value))


def smaller_models(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A body and all that speaks of it; an item; a starting value; then rounder numbers."""
    for table in reversed(ITEMS):
        for name in reversed(list(data.get(table, {}))):
            yield without(data, name)
    for part in ("velocity", "position"):
        given = data.get("initial", {}).get(part, {})
        for name in given:
            rest = {k: v for k, v in given.items() if k != name}
            yield {**data, "initial": {**data["initial"], part: rest}}
    for key in ("gravity", "initial", "parameters"):
        if data.get(key):
            yield {k: v for k, v in data.items() if k != key}
    for digits in DIGITS:
        for table in (*ITEMS, "gravity", "initial"):
            if rounded(data.get(table), digits) != data.get(table):
                yield {**data, table: rounded(data[table], digits)}
        for table in ITEMS:
            for name, item in data.get(table, {}).items():
                if rounded(item, digits) != item:
                    yield {**data, table: {**data[table], name: rounded(item, digits)}}


def without(data: dict[str, Any], name: str) -> dict[str, Any]:
    """The model without what is called so, what speaks of it, and points that belong to nothing then."""
    gone, out = {name}, data
    points = points_of(data)
    while True:
        out = {**out, **{t: {k: v for k, v in out[t].items() if k not in gone} for t in ITEMS if t in out}}
        lost = {k for t in ITEMS[:-2] for k, v in out.get(t, {}).items() if mentions(v, gone)}
        lost |= {p for p in points - points_of(out) - gone if p not in out.get("ground", {})}
        if not lost:
            break
        gone |= lost
    spoken = {k: v for k, v in out.items() if k not in ("points", "ground", "initial")}
    for table in ("points", "ground"):
        if table in out:
            out = {**out, table: {k: v for k, v in out[table].items() if mentions(spoken, {k})}}
    start = {part: {k: v for k, v in given.items() if not {k, k.split(".")[0]} & gone}
             for part, given in out.get("initial", {}).items()}  # fmt: skip
    return {**out, "initial": start} if start else out


def points_of(data: dict[str, Any]) -> set[str]:
    """Points that belong to bodies."""
    bodies = data.get("bodies", {}).values()
    return {p for b in bodies for p in (*b.get("points", ()), *([b["point"]] if "point" in b else ()))}


def mentions(value: Any, names: set[str]) -> bool:
    """Whether one of the names is said anywhere in it."""
    if isinstance(value, dict):
        return any(k in names or mentions(v, names) for k, v in value.items())
    if isinstance(value, list | tuple):
        return any(mentions(v, names) for v in value)
    return isinstance(value, str) and any(word in names for word in value.replace(".", " ").replace("@", " ").split())


def rounded(value: Any, digits: int) -> Any:
    """Numbers to so many significant digits."""
    if isinstance(value, dict):
        return {k: rounded(v, digits) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(v, digits) for v in value]
    return float(f"{value:.{digits}g}") if isinstance(value, float) else value


def smaller(value: Any) -> Iterator[Any]:
    """Texts with fewer lines, lists with fewer entries."""
    if isinstance(value, str) and "\n" in value:
        lines = value.splitlines(keepends=True)
        yield from ("".join(part) for part in smaller(lines))
    elif isinstance(value, list) and len(value) > 1:
        half = len(value) // 2
        yield from (value[:half], value[half:])
        if half > 1:
            yield from (value[:k] + value[k + 1 :] for k in range(len(value)))
