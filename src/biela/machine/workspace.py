"""Workspaces: the arrays that kernels write into, a set for each thread, beside the constants that all threads share.

A `System` is constant while it runs: what a run changes (state, rows, matrices, stages, counters; `fields.STATE`) lies
in the workspace of the thread that runs it, and so does what a result looks up later. All arrays are made once, before
the time loop.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from .array_table import Arrays, as_arrays, pack
from .fields import STATE

SMALL_MATRIX = 100_000
"""entries of a matrix that is always there; larger ones are made for the methods that ask for them"""


def matrices(lists: dict[str, Any], dense: bool = False) -> dict[str, Any]:
    """A as its pattern asks, and the dense B, S and R, where they are small or asked for."""
    n, m = lists["n"], lists["m"]
    largest = max(n, m)
    sparse = lists.get("fill_ptr") is not None and len(lists["fill_ptr"]) > 0
    tree = "tree_calls" in lists
    whole = dense or largest * largest <= SMALL_MATRIX or (tree and m > 0)
    factor = n + len(lists["fill_row"]) if sparse else n * n
    return {
        "A": np.zeros(0 if tree and not m and factor > SMALL_MATRIX else factor),  # an open tree has its recursion
        "fill_w": np.zeros(n if sparse else 0),
        "B": np.zeros(m * n if dense or m * n <= SMALL_MATRIX else 0),
        "S": np.zeros(largest * largest if whole else 0),
        "R": np.zeros(n * n if whole else 0),
    }


def workspace(lists: dict[str, Any], tree: bool) -> dict[str, Any]:
    """Arrays of the right sizes; in natural coordinates x is q, and Phi_x is B, in one place of memory."""
    n, nq, m = lists["n"], lists["nq"], lists["m"]
    every = len(lists["jptr"]) - 1  # merged rows included
    size = nq + n + 1
    y, ydot = np.zeros(size), np.zeros(size)
    J, Q = np.zeros(len(lists["jcol"]) + 1), np.zeros(n)
    if tree:
        nx = len(lists["Q0"])
        variables = {
            "x": np.zeros(nx),
            "xd": np.zeros(nx),
            "xbias": np.zeros(nx),
            "Qx": np.zeros(nx),
            "Jx": np.zeros(len(lists["xcol"]) + 1),
        }
    else:
        variables = {"x": y[:n], "xd": y[n : 2 * n], "Qx": Q, "Jx": J}
    return {
        "y": y,
        "q": y[:nq],
        "v": y[nq : nq + n],
        "ydot": ydot,
        "a": ydot[nq : nq + n],
        "power": ydot[nq + n :],
        "lam": np.zeros(every),
        "weight": np.ones(every),
        "pair_weight": np.ones(len(lists["pair_row"])),
        "J": J,
        **variables,
        **{key: np.zeros(every) for key in ("Phi", "Phit", "Phid", "bias")},
        "Q": Q,
        **matrices(lists),
        "r": np.zeros(4 * n + 3 * m),
        "w": np.zeros(n + m + 4),
        "piv": np.zeros(2 * n + m),
        "left_out": np.zeros(len(lists["active"]) + 1),
        "free": np.zeros(n),
        "k": np.zeros((47, size)),
    }


class Workspace:
    """What one thread computes in: constants that are everybody's, state of its own, and the table of both."""

    def __init__(self, arrays: Arrays):
        self.arrays = arrays
        self.table = pack(arrays)
        """addresses of the arrays, for the kernels"""
        self.header = self.table.ctypes.data
        """what kernels are called with: the address of the table"""
        self.saddle: bool | None = None
        """whether it has the sparse matrix of accelerations and multipliers, once somebody has asked"""
        self.error: str | None = None
        """what a Python function of the user complained of, and how often and how long such functions were called"""
        self.calls, self.seconds = 0, 0.0
        self.asked: dict[int, list[tuple[float, float]]] = {}
        """of each such function: when it was asked in this run, and what it gave, up to a limit"""

    def begin_counting(self) -> None:
        """Calls of Python functions are those of the run that begins now."""
        self.error, self.calls, self.seconds, self.asked = None, 0, 0.0, {}

    def take(self, arrays: Arrays) -> None:
        """Other arrays, some of other sizes; the table keeps its address."""
        self.arrays = arrays
        self.table[:] = pack(arrays)


class _Own(threading.local):
    """The workspaces of one thread: that of its runs, and of functions of the user that these call, level by level."""

    def __init__(self) -> None:
        self.depth, self.levels = 0, dict[int, Workspace]()


DEEPEST = 4
"""such levels: a force that asks for the forces asks for itself, and so on without end"""


class Workspaces:
    """The workspaces of one system: one for each thread that uses it, made when it first does."""

    def __init__(self, lists: dict[str, Any], arrays: Arrays):
        made = workspace(lists | {"fill_ptr": arrays.fill_ptr, "fill_row": arrays.fill_row}, "tree_calls" in lists)
        first = as_arrays({**arrays._asdict(), **made})
        varying = "tree_calls" in lists  # else the mass matrix is constant
        others = STATE - set(made) - (set() if varying else {"M", "mval"})
        self._lists, self._first, self._others = lists, first, others
        self._begin = {name: x.copy() for name in others if (x := getattr(first, name)).any()}
        """what the state is at first, where it is not zero"""
        self._own = _Own()
        self._own.levels[0] = Workspace(first)
        self.codes: dict[Any, Any] = {}
        """machine code of this system alone, by the settings it was made for; or why there is none"""

    @property
    def here(self) -> Workspace:
        """That of this thread."""
        own = self._own
        found = own.levels.get(own.depth)
        if found is None:
            found = own.levels[own.depth] = self._another()
        return found

    def _another(self) -> Workspace:
        first = self._first
        pattern = {"fill_ptr": first.fill_ptr, "fill_row": first.fill_row}
        state = workspace(self._lists | pattern, "tree_calls" in self._lists)
        for name in self._others:
            begin = self._begin.get(name)
            state[name] = np.zeros_like(getattr(first, name)) if begin is None else begin.copy()
        return Workspace(as_arrays({**first._asdict(), **state}))

    def aside(self, function: Callable, *arguments: Any) -> Any:
        """Call a function of the user, as of a force or of progress: whatever it does with this system happens in
        another workspace, and the run that calls it does not feel it."""
        own = self._own
        if own.depth == DEEPEST:
            raise RecursionError("it asks for its own value")
        own.depth += 1
        try:
            return function(*arguments)
        finally:
            own.depth -= 1
