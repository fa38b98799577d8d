"""The symbolic phase of accelerations and multipliers together, once per model and only where it is asked for.

Each row is eliminated right after the last of its coordinates: its pivot is then what is left of the row's compliance
by the rows before it, never zero but where they imply it, whatever the position. The coordinates themselves come in the
order that leaves the fewest products in all.   [S.6], [S.7]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .symbolic_factor import _positions, _targets, least_products, orders

FEW = 10
"""coordinates and active rows up to which dense matrices are faster"""
WORTH = 0.8
"""products of the sparse factor, against those of the dense ones, from which on it pays"""


def saddle_lists(lists: dict[str, Any]) -> dict[str, Any]:
    """The pattern of the factor, where masses, products and rows go in it, and room; nothing where dense is better."""
    active = np.asarray(lists["active"], dtype=np.int64)
    n, count = int(lists["n"]), len(active)
    size = n + count
    if size <= FEW:
        return {}
    at = _entries(lists, n, active)
    coordinates = np.concatenate([at["kkt_mass"], at["kkt_pair"]], axis=1)
    every = np.concatenate([coordinates, at["kkt_jac"]], axis=1)
    owner, column = at["kkt_jac"]
    choices = [_with_rows(order, count, owner - n, column) for order in orders(n, coordinates[0], coordinates[1])]
    order, ptr, row = least_products(size, every[0], every[1], choices)
    entries = np.diff(ptr)
    if (entries * (entries + 3)).sum() / 2 > WORTH * (n**3 / 6 + count * n**2 + count**3 / 6):
        return {}
    place = np.empty(size, dtype=np.int64)
    place[order] = np.arange(size)
    return {
        "kkt_ptr": ptr,
        "kkt_row": row,
        "kkt_to": _targets(size, ptr, row, int((entries * (entries + 1) // 2).sum())),
        "kkt_order": order,
        **{key: _positions(size, ptr, row, place[i], place[j]) for key, (i, j) in at.items()},
        "kkt_A": np.zeros(size + len(row)),
        "kkt_ref": np.zeros(size),
        "kkt_w": np.zeros(size),
    }


def _entries(lists: dict[str, Any], n: int, active: np.ndarray) -> dict[str, np.ndarray]:
    """Row and column of everything that goes into the matrix; row n + p is the active row p."""
    mptr, mcol, jptr, jcol, pair_e, pair_f = (
        np.asarray(lists[key], dtype=np.int64) for key in ("mptr", "mcol", "jptr", "jcol", "pair_e", "pair_f")
    )
    row = np.repeat(np.arange(n), np.diff(mptr))
    lower = np.flatnonzero(row >= mcol)  # as `filling` has mass_from
    length = jptr[active + 1] - jptr[active]
    first = np.repeat(jptr[active] - np.concatenate([[0], np.cumsum(length)[:-1]])[: len(active)], length)
    entry = first + np.arange(int(length.sum()))
    return {
        "kkt_mass": np.array([row[lower], mcol[lower]]),
        "kkt_pair": np.array([jcol[pair_e], jcol[pair_f]]),
        "kkt_jac": np.array([n + np.repeat(np.arange(len(active)), length), jcol[entry]]),
    }


def _with_rows(order: np.ndarray, count: int, owner: np.ndarray, column: np.ndarray) -> np.ndarray:
    """An order of the coordinates, with each row right after the last of its own."""
    n = len(order)
    place = np.empty(n, dtype=np.int64)
    place[order] = np.arange(n)
    last = np.zeros(count, dtype=np.int64)
    np.maximum.at(last, owner, place[column])
    return np.argsort(np.concatenate([2 * place, 2 * last + 1]), kind="stable")
