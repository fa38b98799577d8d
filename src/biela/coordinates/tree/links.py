"""An open tree as a list of links: what the recursions of [T.17]-[T.22] run over, with all constants made beforehand.

A link is one slide, turn or screw, or all three freedoms of a ball. All bodies that sit on it are one lump: mass, first
moments and second moments about the link's origin. In space its axes are chosen so that it turns about the third of
them, and so that the lump's product of inertia in the other two vanishes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernels.tree.plane_links import PLANE_DATA, PLANE_ROOM
from ...kernels.tree.space_links import BALL, DIAGONAL, FULL, NOTHING, SCREW, SLIDE, SPACE_DATA, SPACE_ROOM, TURN
from .spanning import Tree

ACCELERATION_IN_PLANE, ACCELERATION_IN_SPACE = 6, 21


def link_lists(tree: Tree, bodies: dict[str, Any], gravity: tuple) -> dict[str, Any]:
    """Links and lumps of a tree, from the lists of its bodies (`tree_lists`)."""
    plane = tree.frames.dimension == 2
    firsts = [d for d, f in enumerate(tree.freedoms) if f.kind <= 2]
    slot_of = {-1: 0}  # the ground is slot 0
    for l, d in enumerate(firsts):
        for k in range(3 if tree.freedoms[d].kind == 2 else 1):
            slot_of[d + k] = l + 1
    lumps = _lumps(bodies, slot_of, len(firsts))
    links, data = [], []
    axes = [np.eye(3)]  # of each slot, in those of its freedom
    for l, d in enumerate(firsts):
        f, (m, h, J) = tree.freedoms[d], lumps[l + 1]
        parent = slot_of[f.parent]
        kind = (SLIDE, SCREW if f.pitch else TURN, BALL)[f.kind]
        K = np.eye(3) if plane or kind == BALL else axes[parent] if kind == SLIDE else _axes_about(f.axis, J)
        axes.append(K)
        J = K.T @ J @ K
        small = 1e-15 * np.abs(J).max(initial=0.0)
        J[np.abs(J) <= small] = 0.0
        if not (m or J.any()):
            lump = NOTHING
        else:
            lump = DIAGONAL if not (J[0, 1] or J[0, 2] or J[1, 2]) else FULL
        links.append([kind, lump, parent, f.q, d])
        if plane:
            way = f.axis[:2] if kind == SLIDE else (f.axis[2], 0.0)
            data.append([*f.offset[:2], *way, m, *h[:2], J[2, 2]])
        else:
            P = axes[parent].T @ K
            if kind == SLIDE:
                P = np.vstack([axes[parent].T @ f.axis, np.zeros((2, 3))])
            tensor = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
            data.append([*P.ravel(), *(axes[parent].T @ f.offset), f.pitch, m, *(K.T @ h), *tensor])
    slots = [slot_of[at] for at in bodies["body_at"]]
    mounts = []
    for b, slot in enumerate(slots):
        K = axes[slot].T
        offset, turn = bodies["body_offset"][3 * b : 3 * b + 3], bodies["body_turn"][9 * b : 9 * b + 9]
        mounts += [*(K @ offset), *(K @ turn.reshape(3, 3)).ravel()]
    room = np.zeros((len(links) + 1, PLANE_ROOM if plane else SPACE_ROOM))
    if plane:
        room[0, 1] = 1.0  # cosine of the ground's angle
    else:
        room[0, [0, 4, 8]] = 1.0
    return {
        "link": np.array(links, dtype=np.uint32).ravel(),
        "link_data": np.array(data, dtype=float).reshape(len(links), PLANE_DATA if plane else SPACE_DATA).ravel(),
        "link_room": room.ravel(),
        "link_place": np.zeros((4 if plane else 6) * len(room)),
        "link_gravity": [float(g) for g in gravity],
        "body_slot": slots,
        "body_seat": mounts,
    }


def _lumps(bodies: dict[str, Any], slot_of: dict[int, int], links: int) -> list[tuple]:
    """Mass, first moments and tensor about the link's origin of what sits on each slot, in the axes of its freedom."""
    m, h, J = np.zeros(links + 1), np.zeros((links + 1, 3)), np.zeros((links + 1, 3, 3))
    for b, at in enumerate(bodies["body_at"]):
        slot = slot_of[at]
        mass, xx, yy, zz, xy, xz, yz = bodies["body_mass"][7 * b : 7 * b + 7]
        c, A = bodies["body_offset"][3 * b : 3 * b + 3], bodies["body_turn"][9 * b : 9 * b + 9].reshape(3, 3)
        m[slot] += mass
        h[slot] += mass * c
        J[slot] += A @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ A.T
        J[slot] += mass * (c @ c * np.eye(3) - np.outer(c, c))
    return list(zip(m, h, J, strict=True))


def _axes_about(axis: np.ndarray, J: np.ndarray) -> np.ndarray:
    """Axes with the third along `axis`; the others are principal ones of the tensor as seen along it."""
    z = axis / np.linalg.norm(axis)
    x = np.eye(3)[np.argmin(np.abs(z))]
    x = x - z * (z @ x)
    x /= np.linalg.norm(x)
    y = np.cross(z, x)
    angle = 0.5 * np.arctan2(2.0 * (x @ J @ y), x @ J @ x - y @ J @ y)
    x, y = np.cos(angle) * x + np.sin(angle) * y, np.cos(angle) * y - np.sin(angle) * x
    return np.column_stack([x, y, z])
