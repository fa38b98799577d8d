"""Bodies whose third vector is a cross product, as flat lists; and their cross products at many states."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernels.crossed import OPERANDS, crossed_calls


def crossed_lists(natural: Any, masses: dict, lists: dict[str, Any], carried: int) -> dict[str, Any]:
    """Masses of the variables x, the velocities that each moves with, and the way from Phi_x to Phi_q."""
    points, variables, n = len(natural.q_names), natural.variables, lists["n"]
    crosses = natural.layout.crosses
    operands = [natural.operands(e) for e in crosses]
    shares: list[list[tuple[int, int]]] = [[(i, -1)] for i in range(points)]  # (velocity, derivative)
    for l, own in enumerate(operands):
        for c in range(3):
            used = [(own[OPERANDS[c][k]], 24 * l + 8 * c + k) for k in range(8)]
            shares.append([(int(where), w) for (moving, where), w in used if moving])
    shares += [[(points + k, -1)] for k in range(carried)]
    entries: dict[tuple[int, int], Any] = {}
    for matrix in masses.values():
        for (a, b), value in matrix.items():
            (moving_a, i), (moving_b, j) = natural.target(natural.copies[a]), natural.target(natural.copies[b])
            if moving_a and moving_b:
                entries[i, j] = entries.get((i, j), 0) + value
    pattern = {(a, b) for i, j in entries for a, _ in shares[i] for b, _ in shares[j]}
    ordered = sorted(pattern)
    counts = np.bincount([i for i, _ in ordered], minlength=n) if ordered else np.zeros(n, dtype=int)
    out: dict[str, Any] = {
        "M": np.zeros(n * n),
        "mptr": np.concatenate([[0], np.cumsum(counts)]),
        "mcol": [j for _, j in ordered],
        "mval": np.zeros(len(ordered)),
        "mass_i": [i for i, _ in entries],
        "mass_j": [j for _, j in entries],
        "mass_x": list(entries.values()),
        "share_ptr": np.concatenate([[0], np.cumsum([len(x) for x in shares])]),
        "share_v": [v for x in shares for v, _ in x],
        "share_by": [w for x in shares for _, w in x],
        "cross_x": [points + 3 * l for l in range(len(crosses))],
        "cross_at": [int(where) if moving else -1 for own in operands for moving, where in own],
        "cross_value": [0 if moving else where for own in operands for moving, where in own],
        "cross_W": np.zeros(24 * len(crosses)),
        **({} if natural.fn.symbolic else {"tree_calls": crossed_calls()}),
        "tree_energy": np.zeros(1),
        "extra_x": [*range(points), *range(variables, variables + carried)],
        "extra_q": list(range(points + carried)),
        "extra_v": list(range(points + carried)),
    }
    return out | _contraction(lists, shares)


def _contraction(lists: dict[str, Any], shares: list[list[tuple[int, int]]]) -> dict[str, list]:
    keys = "jptr jcol plain_from plain_to cross_from cross_to cross_by"
    out: dict[str, list] = {key: [] for key in keys.split()}
    out["jptr"].append(0)
    xptr, xcol = lists["xptr"], lists["xcol"]
    for k in range(len(xptr) - 1):
        span = range(xptr[k], xptr[k + 1])
        columns = sorted({v for e in span for v, _ in shares[xcol[e]]})
        entry = {v: len(out["jcol"]) + i for i, v in enumerate(columns)}
        out["jcol"] += columns
        out["jptr"].append(len(out["jcol"]))
        for e in span:
            for v, w in shares[xcol[e]]:
                if w < 0:
                    out["plain_from"].append(e)
                    out["plain_to"].append(entry[v])
                else:
                    out["cross_from"].append(e)
                    out["cross_to"].append(entry[v])
                    out["cross_by"].append(w)
    return out


def natural_variables(natural: Any, q: np.ndarray, v: Any = None, a: Any = None) -> list[np.ndarray]:
    """x (and x', x'' as far as given) of natural coordinates at many states: q itself, and the cross products."""
    given = [y for y in (q, v, a) if y is not None]
    crosses = natural.layout.crosses
    if not crosses:
        return given
    points = len(natural.q_names)
    out = [np.zeros((len(q), natural.variables)) for _ in given]
    for x, y in zip(out, given, strict=True):
        x[:, :points] = y[:, :points]
    for l, cross in enumerate(crosses):
        parts = []
        for order, y in enumerate(given):
            values = [
                y[:, where] if moving else np.full(len(q), float(where) if order == 0 else 0.0)
                for moving, where in natural.operands(cross)
            ]
            columns = np.stack(values, axis=1)
            parts.append((columns[:, 3:6] - columns[:, :3], columns[:, 6:9] - columns[:, 9:]))
        at = slice(points + 3 * l, points + 3 * l + 3)
        e, u = parts[0]
        out[0][:, at] = np.cross(e, u)
        if len(parts) > 1:
            ed, ud = parts[1]
            out[1][:, at] = np.cross(ed, u) + np.cross(e, ud)
        if len(parts) > 2:
            edd, udd = parts[2]
            out[2][:, at] = np.cross(edd, u) + 2 * np.cross(ed, ud) + np.cross(e, udd)
    return out
