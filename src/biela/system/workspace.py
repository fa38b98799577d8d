"""The arrays that kernels write into: state, rows, matrices, stages. All are made once, before the time loop."""

from __future__ import annotations

from typing import Any

import numpy as np

ROOM = 100_000
"""entries of a matrix that is always there; larger ones are made for the methods that ask for them"""


def matrices(lists: dict[str, Any], dense: bool = False) -> dict[str, Any]:
    """A as its pattern asks, and the dense B, S and R, where they are small or asked for."""
    n, m = lists["n"], lists["m"]
    largest = max(n, m)
    sparse = lists.get("fill_ptr") is not None and len(lists["fill_ptr"]) > 0
    tree = "tree_calls" in lists
    whole = dense or largest * largest <= ROOM or (tree and m > 0)
    factor = n + len(lists["fill_row"]) if sparse else n * n
    return {
        "A": np.zeros(0 if tree and not m and factor > ROOM else factor),  # an open tree has its recursion
        "fill_w": np.zeros(n if sparse else 0),
        "B": np.zeros(m * n if dense or m * n <= ROOM else 0),
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
        "free": np.zeros(n),
        "margin": np.zeros(22),
        "k": np.zeros(47 * size),
        "ctl": np.zeros(16),
        "mon": np.zeros(16),
        "par": np.zeros(17),
        "opt": np.zeros(16),
    }
