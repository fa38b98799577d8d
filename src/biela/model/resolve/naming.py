"""Names: which are taken, which are reserved, and which one the user probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from ..expression import RESERVED
from ..model import Model
from ..resolved import GROUND
from .problems import Problems

LAW_VARIABLES = ("t", "x", "v")
# y is kept free too: next to x in a formula it would be read as a position.
FORBIDDEN_PARAMETERS = frozenset({"y", *LAW_VARIABLES}) | RESERVED

_KINDS = {
    "bodies": "a body",
    "joints": "a joint",
    "coordinates": "a coordinate",
    "drivers": "a driver",
    "forces": "a force",
    "stops": "a stop",
    "locks": "a lock",
}


def listed(names: Iterable[str], most: int = 12) -> str:
    """Names in one line, cut where it gets long.

    >>> listed(["A", "B"]), listed([]), listed("ABCDE", most=3)
    ('A, B', '(none)', 'A, B, C, ... (5 in all)')
    """
    names = list(names)
    if not names:
        return "(none)"
    if len(names) <= most:
        return ", ".join(names)
    return ", ".join(names[:most]) + f", ... ({len(names)} in all)"


def did_you_mean(name: str, known: Iterable[str], kind: str, most: int = 12) -> str:
    """What to try instead of a name that does not exist.

    >>> did_you_mean("crnak", ["crank", "rod"], "bodies")
    "did you mean 'crank'? (bodies: crank, rod)"
    """
    known = list(known)
    lower = {k.casefold(): k for k in known}
    same = lower.get(name.casefold())
    close = [same] if same else difflib.get_close_matches(name, known, n=1)
    if close:
        return f"did you mean {close[0]!r}? ({kind}: {listed(known, most)})"
    return (
        f"use one of the {kind}: {listed(known, most)}" if known else f"the model has no {kind}: declare it"
    )


def check_names(model: Model, problems: Problems) -> None:
    """Report names that are reserved or taken twice: results are found by name."""
    for name in model.parameters:
        where = f"parameters.{name}"
        if name in FORBIDDEN_PARAMETERS:
            why = "t, x and v are the variables of laws (time, position, speed)" if name in "txv" else ""
            why = why or "the language of expressions uses it already"
            problems.add(f"a parameter cannot be called {name!r}", where, why, f"rename it, say {name}0")
        elif "-" in name:
            why = f"in an expression {name!r} would be a difference"
            problems.add(
                f"no expression can use the parameter {name!r}",
                where,
                why,
                f"call it {name.replace('-', '_')!r}",
            )
    taken: dict[str, str] = {}
    for name, kind, where in _declared(model):
        if name == GROUND:
            what = f"{kind} cannot be called {GROUND!r}"
            problems.add(what, where, "it is the name of the ground", "choose another name")
        elif name in taken:
            cure = "rename one of them: results are found by name"
            problems.add(f"the name {name!r} is taken twice", where, f"it is {taken[name]} and {kind}", cure)
        else:
            taken[name] = kind


def _declared(model: Model) -> Iterable[tuple[str, str, str]]:
    for name in model.ground:
        yield name, "a ground point", f"ground.{name}"
    for name in model.points:
        yield name, "a point", f"points.{name}"
    seen = {*model.ground, *model.points}
    for body, item in model.bodies.items():
        points = getattr(item, "points", None)
        for name in points if isinstance(points, dict) else ():
            if name not in seen:  # a point named in several bodies is one point: their pin
                seen.add(name)
                yield name, "a point", f"bodies.{body}.points.{name}"
    for table, kind in _KINDS.items():
        for name in getattr(model, table):
            yield name, kind, f"{table}.{name}"
