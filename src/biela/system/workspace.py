"""The arrays that compiled code writes into: state, rows, matrices, stages. All are made once, before the time loop."""

from __future__ import annotations

from typing import Any

import numpy as np


def workspace(lists: dict[str, Any], tree: bool) -> dict[str, Any]:
    """Arrays of the right sizes; in natural coordinates x is q, and Phi_x is B, in one place of memory."""
    n, nq, m = lists["n"], lists["nq"], lists["m"]
    every = len(lists["jptr"]) - 1  # merged rows included
    size = nq + n + 1
    y, ydot = np.zeros(size), np.zeros(size)
    largest = max(n, m)
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
        "A": np.zeros(n * n),
        "B": np.zeros(m * n),
        "S": np.zeros(largest * largest),
        "R": np.zeros(n * n),
        "r": np.zeros(2 * (n + m)),
        "w": np.zeros(n + m + 4),
        "piv": np.zeros(2 * n + m),
        "free": np.zeros(n),
        "margin": np.zeros(8),
        "k": np.zeros(16 * size),
        "ctl": np.zeros(16),
        "mon": np.zeros(16),
        "par": np.zeros(16),
        "opt": np.zeros(16),
    }
