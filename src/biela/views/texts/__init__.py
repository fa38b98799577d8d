"""The figures of the texts, redrawn from runs made on the spot."""

from __future__ import annotations

from difflib import get_close_matches

from ...errors import BielaError, Problem
from . import drawings, drop_001, newton_003, oscillator_002, pendulum_000, pendulum_002, top_002  # register theirs
from .registry import PLATES, Plate
from .undrawn import UNDRAWN, Undrawn


def plates(name: str) -> list[Plate]:
    """The figure of this name, or all those of a text that are drawn.

    >>> [plate.name for plate in plates("004")]
    ['004-10.1', '004-10.2', '004-10.3', '004-10.4', '004-10.5']

    A part of a figure, as 12b is of 12, is drawn with the whole:

    >>> [plate.name for plate in plates("002-12b")]
    ['002-12']
    """
    every = every_figure()
    if name not in every and name[-1:].isalpha() and name[:-1] in every:
        name = name[:-1]
    if name in UNDRAWN:
        what, cure = f"figure {name} ({UNDRAWN[name].shows}) is not drawn", "`biela figure --list` shows what is drawn"
        raise BielaError(Problem(what, why=UNDRAWN[name].why, cure=cure))
    found = [p for p in every.values() if isinstance(p, Plate) and name in (p.name, p.name.split("-")[0])]
    if not found:
        close = get_close_matches(name, every, n=1)
        raise BielaError(
            Problem(f"there is no figure {name!r}", why=f"did you mean {close[0]!r}?" if close else "",
                    cure="`biela figure --list` shows them; a text's number alone means all of its figures")
        )  # fmt: skip
    return found


def every_figure() -> dict[str, Plate | Undrawn]:
    """All figures of the texts, drawn or not, in the order in which they stand there.

    >>> list(every_figure())[:3], len(every_figure()) > 60
    (['000-1', '000-2', '000-3'], True)
    """

    def order(name: str) -> tuple:
        text, _, rest = name.partition("-")
        last = rest.rsplit(".", 1)[-1]
        return text, (0, int(last)) if last.isdigit() else (1, 0)

    known = PLATES | UNDRAWN
    return {name: known[name] for name in sorted(known, key=order)}


__all__ = [
    "PLATES", "UNDRAWN", "Plate", "drawings", "drop_001", "every_figure", "newton_003", "oscillator_002",
    "pendulum_000", "pendulum_002", "plates", "top_002",
]  # fmt: skip
