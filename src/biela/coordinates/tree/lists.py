"""A tree as flat lists, and the way from Phi_x to the Jacobian B of its velocities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .frames import SIZE
from .links import link_lists
from .spanning import Tree


@dataclass(frozen=True)
class Extra:
    """A relative coordinate among the variables x: x = scale q + offset, with q a coordinate of the tree or its own."""

    name: str
    q: int
    v: int
    scale: Any = 1
    offset: Any = 0


def tree_lists(tree: Tree, carried: list[str]) -> dict[str, Any]:
    """Freedoms, bodies, quaternions; `carried` coordinates come after the tree's own."""
    f, frames, fn = tree.freedoms, tree.frames, tree.frames.fn
    mounts = [tree.mounts[b] for b in frames.bodies]
    masses = [fn.array(frames.mass_of(b)) for b in frames.bodies]
    offsets = [m.turn @ (fn.array(frames.center_of(b)) - m.origin) for b, m in zip(frames.bodies, mounts, strict=True)]
    nd, nb, nq = len(f), len(frames.bodies), len(tree.q_names)
    balls = [d for d, x in enumerate(f) if x.kind == 2]
    quat = {f[d].q for d in balls}
    single = [d for d, x in enumerate(f) if x.kind < 2]
    extra = [(nq + k, nd + k) for k in range(len(carried))]
    mounted = {
        "body_at": [s.at for s in mounts],
        "body_turn": np.array([s.turn for s in mounts]).ravel(),
        "body_offset": np.array(offsets).ravel(),
        "body_mass": np.array(masses).ravel(),
    }
    return {
        **mounted,
        **({} if fn.symbolic else _machine_lists(tree, mounted, carried)),
        "n": nd + len(carried),
        "nq": nq + len(carried),
        "tree_parent": [x.parent for x in f],
        "tree_kind": [x.kind for x in f],
        "tree_q": [x.q for x in f],
        "tree_axis": np.array([x.axis for x in f]).ravel(),
        "tree_offset": np.array([x.offset for x in f]).ravel(),
        "tree_pitch": [x.pitch for x in f],
        "massed": [k for k, m in enumerate(masses) if any(x != 0 for x in m)],
        "quat_q": sorted(quat),
        "quat_v": balls,
        "plain_q": ([f[d].q for d in single] + [q for q, _ in extra]) if balls else [],
        "plain_v": (single + [v for _, v in extra]) if balls else [],
        **{f"tree_{key}": np.zeros(size * nd) for key, size in (("R", 9), ("p", 3), ("I", 10))},
        **{f"tree_{key}": np.zeros(6 * nd) for key in "SVca"},
        "tree_F": np.zeros(6 * nd + 12),
        "tree_energy": np.zeros(1),
        "body_I": np.zeros(10 * nb),
        **{f"body_{key}": np.zeros(6 * nb) for key in "VaW"},
    }


def _machine_lists(tree: Tree, mounted: dict[str, Any], carried: list[str]) -> dict[str, Any]:
    """What only machine code takes: its own functions, made where there is a tree, and the links of its recursions."""
    from ...kernels.tree.calls import tree_calls

    size = len(tree.q_names) + len(tree.freedoms) + 2 * len(carried)
    links = link_lists(tree, mounted, tree.frames.resolved.gravity)
    return links | {"tree_calls": tree_calls(), "link_at": np.full(size, np.nan)}


def mass_pattern(tree: Tree, n: int) -> dict[str, Any]:
    """Freedoms of one path have inertia in common."""
    shared = np.zeros((n, n), dtype=bool)
    for d, f in enumerate(tree.freedoms):
        if f.parent >= 0:
            shared[d] = shared[f.parent]
        shared[d, d] = True
    shared |= shared.T
    columns = np.concatenate([np.zeros(0, np.uint32), *(np.flatnonzero(row).astype(np.uint32) for row in shared)])
    return {
        "M": np.zeros(n * n),
        "mptr": np.concatenate([[0], np.cumsum(shared.sum(axis=1))]),
        "mcol": columns,
        "mval": np.zeros(len(columns)),
    }


def contraction_lists(tree: Tree, lists: dict[str, Any], extras: list[Extra], grounded: list[bool]) -> dict[str, Any]:
    """Pattern of B, and where each product goes.

    `grounded`: a row that also speaks of the ground. In the others, freedoms that move all their bodies alike do
    nothing and are left out.
    """
    keys = "jptr jcol seg_ptr seg_body seg_x seg_dof dof_of dof_entry plain_from plain_to plain_scale"
    out: dict[str, list] = {key: [] for key in keys.split()}
    out["jptr"].append(0)
    out["seg_ptr"].append(0)
    out["seg_dof"].append(0)
    bodies, limit = tree.frames.bodies, SIZE * len(tree.frames.bodies)
    xptr, xcol = lists["xptr"], lists["xcol"]
    paths = {b: tree.path(b) for b in bodies} if len(xptr) > 1 else {}
    for k in range(len(xptr) - 1):
        segments: list[tuple[int, int, int]] = []
        straight = []
        for e in range(xptr[k], xptr[k + 1]):
            if xcol[e] >= limit:
                straight.append((e, extras[xcol[e] - limit]))
            elif segments and segments[-1][0] == xcol[e] // SIZE:
                segments[-1] = (segments[-1][0], segments[-1][1], e + 1)
            else:
                segments.append((xcol[e] // SIZE, e, e + 1))
        moving = [set(paths[bodies[b]]) for b, _, _ in segments]
        idle: set[int] = set.intersection(*moving) if len(moving) > 1 and not grounded[k] else set()
        used = set().union(*moving) - idle | {x.v for _, x in straight}
        columns = sorted(used)
        entry = {d: len(out["jcol"]) + i for i, d in enumerate(columns)}
        out["jcol"] += columns
        out["jptr"].append(len(out["jcol"]))
        for b, start, end in segments:
            path = [d for d in paths[bodies[b]] if d not in idle]
            if not path:
                continue
            out["seg_body"].append(b)
            out["seg_x"] += [start, end]
            out["dof_of"] += path
            out["dof_entry"] += [entry[d] for d in path]
            out["seg_dof"].append(len(out["dof_of"]))
        out["seg_ptr"].append(len(out["seg_body"]))
        for e, x in straight:
            out["plain_from"].append(e)
            out["plain_to"].append(entry[x.v])
            out["plain_scale"].append(x.scale)
    out["extra_x"] = [limit + k for k in range(len(extras))]
    out["extra_q"] = [x.q for x in extras]
    out["extra_v"] = [x.v for x in extras]
    out["extra_scale"] = [x.scale for x in extras]
    out["extra_offset"] = [x.offset for x in extras]
    return out
