"""Where a run is: everything it needs to go on later, bit for bit, as if nobody had stopped it.

All that kernels remember (state, multipliers, stages, history, monitors, counters) lives in the workspace of the run. A
copy of it, with the place in the time loop and the samples so far, is the whole run. What follows from the model and
from the settings is no part of it: constants, addresses, patterns, sizes and parameters are made anew.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, thread_time
from typing import Any

import numpy as np

from ..errors import BielaError
from ..machine.fields import STATE
from ..machine.records import RECORDS
from ..system.system import System

FROM_SETTINGS = {name for name, record in RECORDS.items() if record.is_setting} | {"weight", "pair_weight"}
SCRATCH = {"prog_stack", "prog_low", "prog_high", "cells", "side", "piece"}
"""what a run writes before it begins, and what nothing outlives"""
EVERY = 60.0
"""seconds between the checkpoints that a long run writes"""


@dataclass
class Checkpoint:
    """A run between two steps."""

    arrays: dict[str, np.ndarray]
    loop: dict[str, float]
    """where the time loop is"""
    tables: tuple[np.ndarray, ...]
    """t, y, y', multipliers and turns of the samples; the later rows are still to come"""
    t_end: float
    alpha: float
    wall: float
    cpu: float
    """seconds that it took so far"""
    written: bool = False
    """whether it is in a file, too"""

    def restore(self, system: System) -> None:
        """Put a system, to which the settings have been applied, back to where the run was."""
        for name, kept in self.arrays.items():
            getattr(system.arrays, name)[...] = kept


def memory(system: System) -> dict[str, np.ndarray]:
    """The arrays that a run remembers things in; in natural coordinates the masses are constants."""
    s = system.arrays
    left_out = FROM_SETTINGS | SCRATCH | (set() if len(s.tree_calls) else {"M", "mval"})
    return {name: getattr(s, name) for name in s._fields if name in STATE and name not in left_out}


Save = Callable[[Checkpoint], object]


class Place:
    """Where a time loop is, so that an interruption finds it between two steps and never within one.

    A Ctrl-C of Python's own kind is held back until the present chunk is done; a second one is not, and then there is
    no checkpoint.
    """

    def __init__(self, system: System, t_end: float, alpha: float, resumed: Checkpoint | None, save: Save | None):
        self.system, self.t_end, self.alpha, self.save = system, t_end, alpha, save
        self.before = (resumed.wall, resumed.cpu) if resumed else (0.0, 0.0)
        self.begun, self.saved = (perf_counter(), cpu_seconds()), perf_counter()
        self.between = False
        self.stopping = False
        self.handler: Any = None

    def __enter__(self) -> Place:
        return self

    def hold(self) -> None:
        """From here on; a run that is over before anybody could stop it needs none of this."""
        if threading.current_thread() is threading.main_thread():
            now = signal.getsignal(signal.SIGINT)
            if now is signal.default_int_handler:
                self.handler = now
                signal.signal(signal.SIGINT, self._interrupt)

    def __exit__(self, *error: Any) -> None:
        if self.handler is not None:
            signal.signal(signal.SIGINT, self.handler)

    def _interrupt(self, number: int, frame: Any) -> None:
        if self.stopping:
            raise KeyboardInterrupt
        self.stopping = True

    @property
    def wall(self) -> float:
        return self.before[0] + perf_counter() - self.begun[0]

    @property
    def cpu(self) -> float:
        return self.before[1] + cpu_seconds() - self.begun[1]

    def after_chunk(self, tables: tuple[np.ndarray, ...], loop: dict[str, float], going: bool) -> None:
        """After each chunk, everything counted: write a checkpoint if one is due, and stop if somebody asked."""
        self.between = True
        if not going:
            return
        if self.save is not None and perf_counter() - self.saved > EVERY:
            try:
                self.save(self.take(tables, loop))
            except BielaError:  # a full disk: the run is worth more than its checkpoint
                pass
            self.saved = perf_counter()
        if self.stopping:
            raise KeyboardInterrupt

    def take(self, tables: tuple[np.ndarray, ...], loop: dict[str, float]) -> Checkpoint:
        """A copy of everything, now."""
        arrays = {name: x.copy() for name, x in memory(self.system).items()}
        return Checkpoint(arrays, dict(loop), tables, self.t_end, self.alpha, self.wall, self.cpu)


def cpu_seconds() -> float:
    """Seconds of computing by this thread: what other programs take is not in it."""
    return thread_time()
