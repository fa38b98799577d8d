"""Laws as flat lists: programs, tables, and the one callback through which Python functions are called."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

from ..kernels.laws.hidden import CELLS
from ..kernels.laws.path import STRAIN
from ..kernels.laws.program import VARIABLES, Programs
from ..kernels.laws.slopes import BY_DIFFERENCES
from ..kernels.laws.table import Tables
from ..machine.workspace import Workspaces
from ..model.expression import Node, differentiate, is_gentle
from ..model.expression import names as names_in
from ..model.resolved import ResolvedLaw

_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64, ctypes.c_double, ctypes.c_double, ctypes.c_double)


MOST_KEPT = 1_000_000
"""answers of Python functions that a run keeps; one that asks more often has seen enough"""


class UserFunctions:
    """The Python functions of a model behind one C callback.

    An exception cannot cross compiled code: it is kept in the workspace of the run, the call gives nan, and the run
    stops there. What such a function does with the system itself happens aside.
    """

    def __init__(self) -> None:
        self.functions: list[Callable[[float, float, float], float]] = []
        self.names: list[str] = []
        self.workspaces: Workspaces | None = None
        me = weakref.ref(self)  # a callback that held this would keep it, and its system, alive
        self._callback = _CALLBACK(lambda *arguments: me()._call(*arguments))  # type: ignore[union-attr]

    def address(self) -> int:
        """The address of the callback."""
        return ctypes.cast(self._callback, ctypes.c_void_p).value or 0

    def add(self, function: Callable[[float, float, float], float], name: str) -> int:
        """Number of the function in the callback."""
        self.functions.append(function)
        self.names.append(name)
        return len(self.functions) - 1

    def _call(self, index: int, t: float, x: float, v: float) -> float:
        workspaces = self.workspaces
        assert workspaces is not None
        here, begun = workspaces.here, perf_counter()
        try:
            value = float(workspaces.aside(self.functions[index], t, x, v))
            if here.calls < MOST_KEPT:
                here.asked.setdefault(index, []).append((t, value))
            return value
        except Exception as error:
            if here.error is None:
                here.error = f"{self.names[index]} at t = {t:.6g}: {type(error).__name__}: {error}"
            return float("nan")
        finally:
            here.calls += 1
            here.seconds += perf_counter() - begun


class Switches:
    """The switches of all laws; each difference of a law is one, however often it stands there, in its derivatives,
    too.

    >>> from biela.model.expression import parse
    >>> programs = Programs()
    >>> switches = Switches(programs)
    >>> of = switches.of_law(7)
    >>> of(parse("x - 50")), of(parse("t - 1")), of(parse("x - 50")), of(parse("2 - 1")), switches.laws
    (1, 2, 1, 0, [0, 7, 7])
    """

    def __init__(self, programs: Programs) -> None:
        self._programs = programs
        self._known: dict[tuple[int, Node], int] = {}
        self.laws, self.programs = [0], [-1]
        """of each switch; the first is none"""

    def of_law(self, law: int) -> Callable[[Node], int]:
        """What gives the number of a difference of a law; 0 if it is a constant."""

        def number(difference: Node) -> int:
            if not names_in(difference) & set(VARIABLES):
                return 0
            key = law, difference
            if key not in self._known:
                self._known[key] = self._add(law, self._programs.add(difference, number))
            return self._known[key]

        return number

    def add_table(self, law: int, table: int) -> None:
        """The pieces of a table."""
        self._add(law, -1 - table)

    def _add(self, law: int, program: int) -> int:
        self.laws.append(law)
        self.programs.append(program)
        return len(self.laws) - 1


def law_lists(
    laws: Sequence[ResolvedLaw], motions: set[int], kinds: dict[int, str], users: UserFunctions, names: Sequence[str],
    size: int,
) -> dict[str, Any]:  # fmt: skip
    """Flat lists of all laws. `motions`: drivers, which need two derivatives; `kinds` of the forces by the others:
    loads go by time, lines by the distance of two points; `size` of a state."""
    programs, tables = Programs(), Tables()
    switches, scanned, scaled = Switches(programs), list[tuple[int, int]](), list[tuple[int, float]]()
    keys = "c0 k x0 c prog dprog ddprog xprog vprog pot strain sk table of_x user"
    out: dict[str, list] = {f"law_{key}": [] for key in keys.split()}
    for i, law in enumerate(laws):
        of_x = kinds.get(i, "load") != "load"
        p = dp = ddp = xp = vp = V = e = k = u = -1
        stiff = 0.0
        if law.expression is not None:
            switch = switches.of_law(i)
            p = programs.add(law.expression, switch)
            if i in motions:
                rate = differentiate(law.expression, "t")
                dp, ddp = programs.add(rate, switch), programs.add(differentiate(rate, "t"), switch)
            else:
                xp, vp = (_slope(programs, law.expression, name, switch) for name in ("x", "v"))
            if law.potential is not None:
                V = programs.add(law.potential, switch)
            if law.strain is not None:
                stiff, e = float(law.strain[0]), programs.add(law.strain[1], switch)
            if not is_gentle(law.expression):
                scanned.append((i, ddp if i in motions else p))
        if law.table is not None:
            k = tables.add(*law.table)
            switches.add_table(i, k)
        if law.function is not None and law.scale_of_x is not None:
            scaled.append((i, law.scale_of_x))
        if law.function is not None:
            u = users.add(_motion(law.function) if i in motions else law.function, names[i])
        row = (law.constant, law.stiffness, law.free, law.damping, p, dp, ddp, xp, vp, V, e, stiff, k, int(of_x), u)
        for key, value in zip(keys.split(), row, strict=True):
            out[f"law_{key}"].append(value)
    if max(out["law_pot"], default=-1) < 0:
        out["law_pot"] = []
    if max(out["law_strain"], default=-1) < 0:
        out["law_strain"], out["law_sk"] = [], []
    ptr, ops, constants, deep = programs.arrays()
    tab_ptr, breaks, coefficients = tables.arrays()
    return {
        **out,
        "prog_ptr": ptr,
        "prog_ops": ops,
        "prog_const": constants,
        "prog_stack": [0.0] * (deep + 4),
        "tab_ptr": tab_ptr,
        "tab_breaks": breaks,
        "tab_coef": coefficients,
        "user_address": [users.address()],
        "switch_law": switches.laws,
        "switch_prog": switches.programs,
        **{key: [0.0] * (2 * len(switches.laws)) for key in ("side", "side_kept")},
        **{key: [-1] * len(tables) for key in ("piece", "piece_kept")},
        "greatest": [0.0] * len(switches.laws),
        "strain": [0.0] * (STRAIN * len(laws) + size),
        "law_line": [int(kinds.get(i) == "distance") for i in range(len(laws))],
        "scan_law": [law for law, _ in scanned],
        "scan_prog": [program for _, program in scanned],
        "scan_most": [0.0] * len(scanned),
        "scale_law": [law for law, _ in scaled],
        "scale_of_x": [scale for _, scale in scaled],
        **{key: [0.0] * (deep + 4) for key in ("prog_low", "prog_high")},
        "cells": [0.0] * CELLS,
    }


def _slope(programs: Programs, law: Node, name: str, switch: Callable[[Node], int]) -> int:
    """The program of the derivative of a force by its place or its rate."""
    if name not in names_in(law):
        return -1
    try:
        return programs.add(differentiate(law, name), switch)
    except ValueError:  # longer than a program may be
        return BY_DIFFERENCES


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
