"""The symbolic phase, once per model: the order of elimination of M + B^T B, the pattern of its factor, and where each
mass and each product of the Jacobian goes in it. The numeric phase (`methods.linear.static`) is then two plain loops.

An order is as good as the number of its products, and as few columns wait for the one just before them. The order of
the coordinates as they are, reverse Cuthill-McKee, both from their two ends at once, and minimum degree are compared.
(SciPy has the two that bear names.)   [S.1]-[S.3]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernels.strains.strain import VECTORS
from ..machine.compiled import compiled
from ..machine.workspace import SMALL_MATRIX
from ..model.resolved import STRAINS

SMALL = 7
"""coordinates up to which a dense matrix, its loops unrolled, is as fast"""
WORTH = 0.6
"""products of the sparse factor, against those of the dense one, from which on it pays"""
WAIT = 25.0
"""products that could be made while a column waits for the one just before it (measured; half of it where one column
lies between them, and so on: a processor works ahead)"""


def filling_lists(lists: dict[str, Any], as_dense: bool = False) -> dict[str, Any]:
    """Where masses, products, second derivatives and stiffnesses go in A, and the pattern of its factor; without a
    pattern A is dense."""
    n = int(lists["n"])
    if "tree_calls" in lists and not lists["m"]:  # an open tree has its recursion: a matrix for the few who ask
        as_dense = True
        if n * n > SMALL_MATRIX:
            return {}
    at = _entries(lists)
    out: dict[str, Any] = {key: at.pop(key) for key in ("mass_from", "bend_row", "bend_val")}
    pattern = None if as_dense or n <= SMALL else _best_order(n, *np.concatenate(list(at.values()), axis=1))
    if pattern is not None:
        order, ptr, row = pattern
        count = np.diff(ptr)
        if (count * (count + 3)).sum() <= WORTH * n**3 / 3:
            place = np.empty(n, dtype=np.int64)
            place[order] = np.arange(n)
            out |= {key: _positions(n, ptr, row, place[i], place[j]) for key, (i, j) in at.items()}
            i, j = at["pair_pos"]
            out["pair_flip"] = place[i] < place[j]
            to = _targets(n, ptr, row, int((count * (count + 1) // 2).sum()))
            return out | {"fill_ptr": ptr, "fill_row": row, "fill_to": to, "fill_order": order}
    out["pair_flip"] = at["pair_pos"][0] < at["pair_pos"][1]
    return out | {key: np.maximum(i, j) * n + np.minimum(i, j) for key, (i, j) in at.items()}


def _entries(lists: dict[str, Any]) -> dict[str, Any]:
    """Row and column of everything that goes into A, and what mass and second derivatives it comes from."""

    def whole(key: str) -> np.ndarray:
        return np.asarray(lists.get(key, []), dtype=np.int64)

    row = np.repeat(np.arange(int(lists["n"])), np.diff(whole("mptr")))
    lower = np.flatnonzero(row >= whole("mcol"))
    jcol = whole("jcol")
    out = {
        "mass_from": lower,
        "mass_pos": np.array([row[lower], whole("mcol")[lower]]),
        "pair_pos": np.array([jcol[whole("pair_e")], jcol[whole("pair_f")]]),
    }
    bend = np.zeros(0, dtype=np.int64)
    if "tree_calls" not in lists:  # elsewhere the variables of the rows are not the coordinates
        entry = np.repeat(np.arange(len(lists["aptr"]) - 1), np.diff(whole("aptr")))
        bend = np.flatnonzero(jcol[entry] >= whole("acol"))
        owner = np.repeat(np.arange(len(lists["xptr"]) - 1), np.diff(whole("xptr")))
        out["bend_pos"] = np.array([jcol[entry[bend]], whole("acol")[bend]])
        out["bend_row"] = owner[entry[bend]]
        return out | {"bend_val": np.asarray(lists["aval"], dtype=float)[bend]} | _couplings(lists)
    return out | {"bend_row": bend, "bend_val": bend}


def _couplings(lists: dict[str, Any]) -> dict[str, np.ndarray]:
    """Pairs of coordinates that springs and other force elements couple."""
    ptr, col, pairs = lists["span_ptr"], lists["span_col"], []
    for kind, at in zip(lists["element_strain"], lists["element_at"], strict=True):
        vectors = VECTORS[STRAINS[kind]]
        on = [col[e] for e in range(ptr[at], ptr[at + vectors])] if vectors else [at]
        pairs += [(i, j) for k, i in enumerate(on) for j in on[: k + 1]]
    return {"element_pos": np.array(pairs, dtype=np.int64).reshape(-1, 2).T}


def _best_order(n: int, rows: np.ndarray, cols: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return least_products(n, rows, cols, orders(n, rows, cols))


def orders(n: int, rows: np.ndarray, cols: np.ndarray) -> list[np.ndarray]:
    """Orders of elimination to choose from: as it is, reverse Cuthill-McKee, both from two ends, minimum degree."""
    from scipy.sparse import coo_matrix, csc_matrix, identity
    from scipy.sparse.csgraph import reverse_cuthill_mckee
    from scipy.sparse.linalg import splu

    ones = np.ones(len(rows))
    graph = csc_matrix(coo_matrix((ones, (rows, cols)), shape=(n, n)))
    graph = csc_matrix(graph + graph.T)
    graph.data[:] = 1.0
    heavy = csc_matrix(graph + identity(n) * float(n))
    degree = splu(heavy, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}).perm_c
    cuthill = np.asarray(reverse_cuthill_mckee(graph, symmetric_mode=True), dtype=np.int64)
    plain = np.arange(n)
    return [plain, cuthill, np.argsort(degree), from_both_ends(plain), from_both_ends(cuthill)]


def from_both_ends(order: np.ndarray) -> np.ndarray:
    """First, last, second, last but one ...: a band has as few entries so, and its two halves do not wait for each
    other.

    >>> from_both_ends(np.array([5, 6, 7, 8, 9])).tolist()
    [5, 9, 6, 8, 7]
    """
    out = np.empty_like(order)
    out[0::2], out[1::2] = order[: (len(order) + 1) // 2], order[::-1][: len(order) // 2]
    return out


def least_products(
    n: int, rows: np.ndarray, cols: np.ndarray, choices: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The order with the fewest products and waits, and the pattern of its factor: columns and rows."""
    best = None
    for order in choices:
        place = np.empty(n, dtype=np.int64)
        place[order] = np.arange(n)
        a, b = place[rows], place[cols]
        key = np.unique(np.maximum(a, b) * n + np.minimum(a, b))
        row, col = key // n, key % n
        above = row > col
        row, col = row[above], col[above]
        start = np.searchsorted(row, np.arange(n + 1))
        count, waits = _count(n, start, col)
        work = float((count * (count + 3)).sum()) + WAIT * waits
        if best is None or work < best[0]:
            best = work, order, start, col, count
    assert best is not None
    _, order, start, col, count = best
    ptr = np.concatenate([[0], np.cumsum(count)])
    return order, ptr, _pattern(n, start, col, ptr)


@compiled()
def _count(n, start, col):
    """Entries below the diagonal in each column of the factor: rows walk up the elimination tree (Liu 1990). And how
    often a column waits for another: the next in the tree, all the less the farther they are apart."""
    parent, seen, count = np.full(n, -1), np.full(n, -1), np.zeros(n, dtype=np.int64)
    for i in range(n):
        seen[i] = i
        for e in range(start[i], start[i + 1]):
            k = col[e]
            while seen[k] != i:
                if parent[k] < 0:
                    parent[k] = i
                count[k] += 1
                seen[k] = i
                k = parent[k]
    waits = 0.0
    for k in range(n):
        if parent[k] > 0:
            waits += 1.0 / (parent[k] - k)
    return count, waits


@compiled()
def _pattern(n, start, col, ptr):
    """Their rows, in order."""
    parent, seen, row = np.full(n, -1), np.full(n, -1), np.zeros(ptr[n], dtype=np.int64)
    at = ptr[:n].copy()
    for i in range(n):
        seen[i] = i
        for e in range(start[i], start[i + 1]):
            k = col[e]
            while seen[k] != i:
                if parent[k] < 0:
                    parent[k] = i
                row[at[k]] = i
                at[k] += 1
                seen[k] = i
                k = parent[k]
    return row


@compiled()
def _positions(n, ptr, row, i, j):
    """Where entry (i, j) is kept: the diagonal first, then the columns one after another."""
    out = np.zeros(len(i), dtype=np.int64)
    for l in range(len(i)):
        a, b = max(i[l], j[l]), min(i[l], j[l])
        if a == b:
            out[l] = a
            continue
        low, high = ptr[b], ptr[b + 1]
        while row[low] != a:
            middle = (low + high) // 2
            if row[middle] <= a:
                low = middle
            else:
                high = middle
        out[l] = n + low
    return out


@compiled()
def _targets(n, ptr, row, size):
    """What each product of two entries of a column is subtracted from, in the order of elimination."""
    out = np.zeros(size, dtype=np.int64)
    where = np.zeros(n, dtype=np.int64)
    t = 0
    for j in range(n):
        for p in range(ptr[j], ptr[j + 1]):
            a = row[p]
            out[t] = a
            t += 1
            for e in range(ptr[a], ptr[a + 1]):
                where[row[e]] = n + e
            for r in range(p + 1, ptr[j + 1]):
                out[t] = where[row[r]]
                t += 1
    return out
