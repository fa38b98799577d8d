"""What a person sees: consoles, tables, colours. Rich is imported when something is shown."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import BielaError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

GOOD, DOUBTFUL, BAD = "green", "yellow", "red"
WIDE = 400  # columns, where no terminal says how many it has: a line for a program is never broken


def console(stderr: bool = False) -> Console:
    """A console that neither reads markup into names such as "x [m]" nor breaks lines meant for other programs."""
    from rich.console import Console

    terminal = (sys.stderr if stderr else sys.stdout).isatty()
    return Console(stderr=stderr, markup=False, highlight=False, emoji=False, width=None if terminal else WIDE)


def complain(error: BielaError) -> None:
    """An error on standard error: what in red, the rest as it is."""
    from rich.text import Text

    out = console(stderr=True)
    out.print(Text().append("error: ", style=f"bold {BAD}").append(error.report()), soft_wrap=True)


def table(*headers: str, rows: Iterable[Sequence[Any]], right: Sequence[int] = (), title: str = "") -> Table:
    """A plain table with a line under its header; the columns in `right` hold numbers."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    out = Table(box=box.SIMPLE_HEAD, title=title or None, title_justify="left", pad_edge=False, show_edge=False)
    for k, header in enumerate(headers):
        out.add_column(Text(header), justify="right" if k in right else "left", no_wrap=k in right, overflow="fold")
    for row in rows:
        out.add_row(*(x if isinstance(x, Text) else Text(str(x)) for x in row))
    return out


def grade(value: float, good: float, doubtful: float) -> str:
    """The colour of a number that should be small.

    >>> grade(1e-9, 1e-6, 1e-3), grade(float("nan"), 1e-6, 1e-3)
    ('green', 'red')
    """
    if value <= good:
        return GOOD
    return DOUBTFUL if value <= doubtful else BAD


def seconds(value: float) -> str:
    """A time in the unit that suits it.

    >>> seconds(0.00418), seconds(75)
    ('4.18 ms', '75 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.3g} s"
