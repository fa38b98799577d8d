"""What a command tells: text and tables for people, JSON for other programs. Rich is imported when it is needed."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import typer

from ..errors import BielaError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

COLOURS = {"good": "green", "doubtful": "yellow", "bad": "red"}
STOPPED, REFUSED, FAULT, INTERRUPTED = 1, 2, 70, 130
"""exit codes: what there is has been written; the model or the request cannot work; a fault of biela itself; Ctrl-C"""
WIDE = 400  # columns, where no terminal says how many it has: a line for a program is never broken


def finish(
    text: str | Callable[[], None], data: Any = None, written: Iterable[Any] = (), as_json: bool = False,
    quiet: bool = False, code: int = 0,
) -> None:  # fmt: skip
    """The end of a command: what was found, as JSON or as text (or what prints it), the files, and the exit code."""
    if as_json:
        emit(data)
    elif not quiet:
        text() if callable(text) else print(text)
        for path in written:
            print(f"wrote {path}")
    if code:
        raise typer.Exit(code)


def exit_code(result: Any) -> int:
    """The exit code that says how a computation ended."""
    if result.ok:
        return 0
    status = getattr(result, "status", None)
    interrupted = result.interrupted if status is None else status.name == "interrupted"
    return INTERRUPTED if interrupted else STOPPED


def emit(data: Any) -> None:
    """JSON to standard output, and nothing else there."""
    print(json.dumps(plain(data), indent=2, allow_nan=False, ensure_ascii=False))


def plain(data: Any) -> Any:
    """Numbers, texts, lists and tables only; what is not finite becomes null.

    >>> plain({"error": float("nan"), "P": (1, 2.5)})
    {'error': None, 'P': [1, 2.5]}
    """
    if isinstance(data, dict):
        return {str(k): plain(v) for k, v in data.items()}
    if isinstance(data, (list, tuple)):
        return [plain(v) for v in data]
    if data is None or isinstance(data, (bool, str)):
        return data
    if hasattr(data, "tolist"):  # NumPy's arrays and numbers
        return plain(data.tolist())
    if isinstance(data, int):
        return int(data)
    if isinstance(data, float):
        return float(data) if math.isfinite(data) else None
    return str(data)


def console(stderr: bool = False) -> Console:
    """A console that neither reads markup into names such as "x [m]" nor breaks lines meant for other programs."""
    from rich.console import Console

    terminal = (sys.stderr if stderr else sys.stdout).isatty()
    return Console(stderr=stderr, markup=False, highlight=False, emoji=False, width=None if terminal else WIDE)


def complain(error: BielaError) -> None:
    """An error on standard error: what in red, the rest as it is."""
    from rich.text import Text

    message = Text().append("error: ", style=f"bold {COLOURS['bad']}").append(error.report())
    console(stderr=True).print(message, soft_wrap=True)


def status_line() -> Callable[[str], None]:
    """Says what is going on, in one line of the terminal that overwrites itself; an empty text clears it."""

    def tell(text: str) -> None:
        if sys.stderr.isatty():
            print(f"\r\033[K{text} ..." if text else "\r\033[K", end="", file=sys.stderr, flush=True)

    return tell


def table(*headers: str, rows: Iterable[Sequence[Any]], right: Sequence[int] = ()) -> Table:
    """A plain table with a line under its header; the columns in `right` hold numbers."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    out = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for k, header in enumerate(headers):
        out.add_column(Text(header), justify="right" if k in right else "left", no_wrap=k in right, overflow="fold")
    for row in rows:
        out.add_row(*(Text(str(x)) for x in row))
    return out


def list_rows(headers: Sequence[str], rows: Iterable[Sequence[str]], as_json: bool) -> None:
    """A list of things: a table, or for other programs an object for each row."""
    if as_json:
        emit([dict(zip(headers, row, strict=True)) for row in rows])
    else:
        console().print(table(*headers, rows=rows))


def seconds(value: float) -> str:
    """A time in the unit that suits it.

    >>> seconds(0.00418), seconds(75)
    ('4.18 ms', '75 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.3g} s"
