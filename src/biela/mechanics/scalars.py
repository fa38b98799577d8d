"""The scalars in use: floats, or SymPy expressions. Decisions are always taken on floats."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Functions:
    """The functions of the scalars in use, their arrays, and the floats behind them."""

    sqrt: Callable[[Any], Any]
    cos: Callable[[Any], Any]
    sin: Callable[[Any], Any]
    atan2: Callable[[Any, Any], Any]
    pi: Any = math.pi
    value: Callable[[Any], float] = float
    """the float behind a scalar, for decisions"""
    short: Callable[[Any], Any] = lambda x: x
    """the shorter of equal scalars"""
    kind: type = float
    """of arrays of these scalars"""

    def array(self, values: Any) -> np.ndarray:
        """An array of scalars."""
        return np.array(values, dtype=self.kind)

    def values(self, vector: Any) -> np.ndarray:
        """The floats behind a vector."""
        return np.array([self.value(x) for x in vector], dtype=float)

    @property
    def symbolic(self) -> bool:
        """Whether the scalars are expressions."""
        return self.kind is object


FLOATS = Functions(math.sqrt, math.cos, math.sin, math.atan2)
