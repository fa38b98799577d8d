"""Errors told in words instead of tracebacks.

Exit codes: 0 done; 1 the run stopped early, or lost more than 1 % of the energy (what there is has been written);
2 refused: the model or the request cannot work; 130 interrupted; 70 a fault of biela itself.
"""

from __future__ import annotations

import functools
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any, TypeVar

import typer

from ..errors import BielaError
from .output import FAULT, INTERRUPTED, REFUSED, complain, emit

F = TypeVar("F", bound=Callable[..., Any])


def guarded(command: F) -> F:
    """A command that ends with a message and an exit code, whatever happens in it."""

    @functools.wraps(command)
    def inner(*args: Any, **options: Any) -> None:
        as_json = bool(options.get("as_json"))
        try:
            command(*args, **options)
        except (typer.Exit, BrokenPipeError):  # a reader that went away: typer ends quietly
            raise
        except BielaError as error:
            _refuse(error, as_json)
        except MemoryError:
            _refuse(BielaError("this needs more memory than there is"), as_json)
        except (KeyboardInterrupt, Exception) as error:
            if not _was_interrupted(error):
                _fault(error)
            print("interrupted", file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None
        finally:
            _tell_of_machine_code()

    return inner  # type: ignore[return-value]


def _was_interrupted(error: BaseException | None) -> bool:
    """Whether Ctrl-C is behind an error: libraries that are interrupted while they load complain of something else."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, KeyboardInterrupt):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def _tell_of_machine_code() -> None:
    """Notes on machine code that was damaged or cannot be kept, if no result has told them."""
    kept_code = sys.modules.get("biela.machine.kept_code")  # not loaded: there are none
    for note in kept_code.notes() if kept_code is not None else ():
        print(note, file=sys.stderr)


def _refuse(error: BielaError, as_json: bool) -> None:
    if as_json:
        problems = [{k: v for k, v in vars(p).items() if v} for p in error.problems]
        emit({"status": "refused", "message": error.report(), "problems": problems})
    complain(error)
    raise typer.Exit(REFUSED) from None


def _fault(error: BaseException) -> None:
    """Never the user's fault, so never the user's traceback, unless asked for."""
    if os.environ.get("BIELA_TRACEBACK"):
        traceback.print_exc()
    else:
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{os.path.basename(last.filename)}, line {last.lineno}"
        print(f"error: a fault of biela itself: {type(error).__name__}: {error} ({place})", file=sys.stderr)
        print("  try:   BIELA_TRACEBACK=1 biela ... shows where; please report it", file=sys.stderr)
    raise typer.Exit(FAULT) from None
