"""The command line. Nothing heavy is imported until a command needs it, so that `biela --help` is quick."""

from __future__ import annotations

import contextlib
import os
import sys

from ..threads import one_thread

__all__ = ["main"]


def main() -> None:
    """The `biela` program."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a sign the terminal lacks is no failure
    one_thread(os.environ)
    try:
        from .app import app

        app(prog_name="biela")
    except KeyboardInterrupt:  # before any command has begun
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    finally:
        _let_go(sys.stdout)


def _let_go(stream: object) -> None:
    """A reader that went away (`biela list | head -1`) is not an error worth a message at the very end."""
    try:
        stream.flush()  # type: ignore[attr-defined]
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # type: ignore[attr-defined]
    except (AttributeError, ValueError, OSError):
        pass
