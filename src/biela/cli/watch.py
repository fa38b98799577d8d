"""Watching a run: a progress bar when it takes long, and a Ctrl-C that keeps what was computed."""

from __future__ import annotations

import os
import signal
import sys
import threading
from time import perf_counter
from typing import Any

PATIENCE = 1.0
"""seconds before a run is long enough to deserve a progress bar"""


class Watch:
    """Called between the chunks of a run.

    The first Ctrl-C during the run ends it after the present chunk, with all that was computed; a second one, or one
    before the run has begun (machine code may be being compiled), ends the program at once. Where a checkpoint is asked
    for (`keeps`), the first one waits for the run to begin, so that there is one to go on from. What needs no machine
    code (`compiles` is false) runs at once.
    """

    def __init__(self, title: str, quiet: bool = False, keeps: bool = False, compiles: bool = True):
        self.title, self.keeps, self.compiles = title, keeps, compiles
        self.shown = not quiet and sys.stderr.isatty()
        self.begun = perf_counter()
        self.running = not compiles
        self.stopping = False
        self.bar: Any = None
        self.before: Any = None

    def __enter__(self) -> Watch:
        if threading.current_thread() is threading.main_thread():
            self.before = signal.signal(signal.SIGINT, self._interrupt)
        if self.shown and self.compiles:
            self._say_if_compiling()
        return self

    def __exit__(self, *error: Any) -> None:
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)
        if self.bar is not None:
            self.bar.stop()

    def __call__(self, fraction: float, steps: int) -> None:
        if self.stopping and fraction < 1.0:
            raise KeyboardInterrupt
        if not self.running:
            self.running, self.begun = True, perf_counter()
        if self.shown and (self.bar is not None or perf_counter() - self.begun > PATIENCE):
            self._show(fraction, steps)

    def _interrupt(self, signal_number: int, frame: Any) -> None:
        if self.stopping or not (self.running or self.keeps):
            raise KeyboardInterrupt
        self.stopping = True
        if not self.running:
            os.write(2, b"it stops as soon as it has begun, for its checkpoint; Ctrl-C once more ends it at once\n")

    def _show(self, fraction: float, steps: int) -> None:
        if self.bar is None:
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

            from .output import console

            columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
            count = TextColumn("{task.fields[steps]} steps")
            self.bar = Progress(*columns, count, console=console(stderr=True), transient=True)
            self.task = self.bar.add_task(self.title, total=1.0, steps=0)
            self.bar.start()
        self.bar.update(self.task, completed=fraction, steps=f"{steps:,}")

    def _say_if_compiling(self) -> None:
        from .machine_code import COMPILING, is_compiled

        if not is_compiled():
            print(COMPILING, file=sys.stderr)
