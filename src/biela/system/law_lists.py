"""Laws as flat lists: programs, tables, and the one callback through which Python functions are called."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

from ..model.expression import differentiate
from ..model.meaning import LawMeaning
from .program import Programs
from .table import Tables

_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64, ctypes.c_double, ctypes.c_double, ctypes.c_double)


class UserFunctions:
    """The Python functions of a model behind one C callback.

    An exception cannot cross compiled code: it is kept here, the call gives nan, and the run stops there.
    """

    def __init__(self) -> None:
        self.functions: list[Callable[[float, float, float], float]] = []
        self.names: list[str] = []
        self.error: str | None = None
        self.seconds = 0.0
        self.calls = 0
        self._callback = _CALLBACK(self._call)

    def address(self) -> int:
        """The address of the callback."""
        return ctypes.cast(self._callback, ctypes.c_void_p).value or 0

    def add(self, function: Callable[[float, float, float], float], name: str) -> int:
        """Number of the function in the callback."""
        self.functions.append(function)
        self.names.append(name)
        return len(self.functions) - 1

    def _call(self, index: int, t: float, x: float, v: float) -> float:
        begun = perf_counter()
        try:
            return float(self.functions[index](t, x, v))
        except Exception as error:
            if self.error is None:
                self.error = f"{self.names[index]} at t = {t:.6g}: {type(error).__name__}: {error}"
            return float("nan")
        finally:
            self.calls += 1
            self.seconds += perf_counter() - begun


def law_lists(
    laws: Sequence[LawMeaning], motions: set[int], of_length: set[int], users: UserFunctions, names: Sequence[str]
) -> dict[str, Any]:
    """Flat lists of all laws. `motions`: drivers, which need two derivatives; `of_length`: tables are of x."""
    programs, tables = Programs(), Tables()
    keys = "c0 k x0 c prog dprog ddprog table of_x user"
    out: dict[str, list] = {f"law_{key}": [] for key in keys.split()}
    for i, law in enumerate(laws):
        p = dp = ddp = k = u = -1
        if law.expression is not None:
            p = programs.add(law.expression)
            if i in motions:
                rate = differentiate(law.expression, "t")
                dp, ddp = programs.add(rate), programs.add(differentiate(rate, "t"))
        if law.table is not None:
            k = tables.add(*law.table)
        if law.function is not None:
            u = users.add(_motion(law.function) if i in motions else law.function, names[i])
        row = (law.constant, law.stiffness, law.free, law.damping, p, dp, ddp, k, int(i in of_length), u)
        for key, value in zip(keys.split(), row, strict=True):
            out[f"law_{key}"].append(value)
    ptr, ops, constants, size = programs.arrays()
    tab_ptr, breaks, coefficients = tables.arrays()
    return {
        **out,
        "prog_ptr": ptr,
        "prog_ops": ops,
        "prog_const": constants,
        "prog_stack": [0.0] * (size + 4),
        "tab_ptr": tab_ptr,
        "tab_breaks": breaks,
        "tab_coef": coefficients,
        "user_address": [users.address()],
    }


def _motion(function: Callable) -> Callable[[float, float, float], float]:
    """f, f', f'' of a user's function of time for x = 0, 1, 2.

    A spline object offers `derivative(k)`; for a plain function, differences of order four are taken.
    """
    exact: Any = getattr(function, "derivative", None)
    if callable(exact):
        first: Any = exact(1)
        second: Any = exact(2)
        return lambda t, order, _: (function, first, second)[int(order)](t)

    def value(t: float, order: float, _: float) -> float:
        if order == 0.0:
            return function(t)
        h = 2e-3
        a, b, c, d = function(t - 2 * h), function(t - h), function(t + h), function(t + 2 * h)
        if order == 1.0:
            return (a - 8 * b + 8 * c - d) / (12 * h)
        return (-a + 16 * b - 30 * function(t) + 16 * c - d) / (12 * h * h)

    return value
