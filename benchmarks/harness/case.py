"""What a program offers for a problem: methods, each with a ladder of settings, and cases that run them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np


@dataclass(frozen=True)
class Method:
    """One way in which a program does the work."""

    name: str
    ladder: tuple[float, ...]
    """steps (or tolerances), from coarse to fine"""
    settings: str = ""
    """what was chosen for it, in words"""
    tolerance: bool = False
    """the ladder is of tolerances"""
    main: float | None = None
    """the rung at which its cost per step is shown"""
    options: dict = field(default_factory=dict)


class Case(Protocol):
    """One method with one setting, ready to run as often as wanted."""

    steps: int

    def reset(self) -> None:
        """Back to the start; not timed."""
        ...

    def run(self) -> float | None:
        """The motion from start to end; timed. May return its own CPU time where the call does more."""
        ...

    def record(self, samples: int) -> np.ndarray:
        """The same motion again with about so many samples, of which the last is the end; not timed."""
        ...
