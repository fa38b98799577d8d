"""The coordinates of a tree for bodies whose places and motions are known: how one set of coordinates becomes another.

Bodies come as frames (centre of mass and axes, with rates and second rates); joint by joint the tree's coordinates,
velocities and accelerations follow.   [T.16]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...mechanics.measure import Posture
from ...model.resolved import GROUND, Direction, Place
from .connection import BALL, SLIDE, TURN
from .spanning import Limb, Tree


@dataclass
class BodyMotion:
    """Centre p and axes R of a body over the samples, and their derivatives (None where not known)."""

    p: tuple[Any, Any, Any]
    R: tuple[Any, Any, Any]


def body_motion(posture: Posture, key: str) -> BodyMotion:
    """A body (or bare point) of any posture, in three dimensions."""
    exploded, samples = posture.exploded, len(posture.x)
    resolved = exploded.resolved
    still = None if posture.xd is None else np.zeros((samples, 3, 3))
    eye = np.broadcast_to(np.eye(3), (samples, 3, 3))
    if key == GROUND:
        zero = np.zeros((samples, 3))
        return BodyMotion((zero, zero, zero), (eye, still, still))
    body = resolved.bodies.get(key)
    centre = posture.place(Place("", (0, 0), key)) if body is None else posture.vector(exploded.center(key))
    p = tuple(None if x is None else three_components(x) for x in centre)
    if body is None or body.particle:
        return BodyMotion(p, (eye, still, still))  # type: ignore[arg-type]
    count = resolved.dimension
    axes = [posture.vector(exploded.direction(Direction(key, tuple(int(i == k) for i in range(count)))))
            for k in range(count)]  # fmt: skip
    R = []
    for order in range(3):
        if axes[0][order] is None:
            R.append(None)
            continue
        matrix = np.stack([three_components(a[order]) for a in axes], axis=2)
        if count == 2:
            third = np.zeros((samples, 3, 1))
            third[:, 2, 0] = 1.0 if order == 0 else 0.0
            matrix = np.concatenate([matrix, third], axis=2)
        R.append(matrix)
    return BodyMotion(p, tuple(R))  # type: ignore[arg-type]


def three_components(x: Any) -> np.ndarray:
    """A vector or many; those of the plane with a third component of zero."""
    x = np.asarray(x, dtype=float)
    return x if x.shape[-1] == 3 else np.concatenate([x, np.zeros((*x.shape[:-1], 1))], axis=-1)


def positions_from_poses(tree: Tree, bodies: dict[str, BodyMotion], size: int) -> np.ndarray:
    """Coordinates of the tree (angles within half a turn), sample by sample: (samples, size)."""
    samples = len(bodies[GROUND].p[0])
    q = np.zeros((samples, size))
    for limb in tree.limbs:
        Rp, op = _node(tree, bodies, limb.parent)
        Rc, oc = _node(tree, bodies, limb.child)
        first = tree.freedoms[limb.first] if limb.steps else None
        offset = np.zeros(3) if first is None else first.offset
        for k in range(samples):
            turn = Rp[k].T @ Rc[k]
            away = Rp[k].T @ (oc[k] - op[k]) - offset
            _limb_positions(tree, limb, turn, away, q[k])
    return q


def _node(tree: Tree, bodies: dict[str, BodyMotion], key: str) -> tuple[np.ndarray, np.ndarray]:
    """Axes and origin of the freedom that a body sits on."""
    mount, motion = tree.mounts[key], bodies[key]
    if key == GROUND:
        return motion.R[0], motion.p[0]
    arm = mount.origin - np.array(tree.frames.center_of(key), dtype=float)
    return motion.R[0] @ mount.turn.T, motion.p[0] + motion.R[0] @ arm


def _limb_positions(tree: Tree, limb: Limb, turn: np.ndarray, away: np.ndarray, q: np.ndarray) -> None:
    """The coordinates of one limb from the turn and the displacement that it has made."""
    d = limb.first
    turns = [k for k, s in enumerate(limb.steps) if s.kind == TURN]
    freedoms = []
    for s in limb.steps:
        freedoms.append(tree.freedoms[d])
        d += s.freedom
    turned = False
    for k, (s, f) in enumerate(zip(limb.steps, freedoms, strict=True)):
        if s.kind == SLIDE:
            q[f.q] = f.axis @ (turn.T @ away if turned else away)
            continue
        turned = True
        if s.kind == BALL:
            q[f.q : f.q + 4] = quaternion(turn)
        elif len(turns) == 1:
            q[f.q] = _angle_about(f.axis, turn)
            if f.pitch:
                q[f.q] = f.axis @ away / f.pitch
        else:  # two turns: each axis as the other turn moves it
            a, b = (freedoms[i].axis for i in turns)
            q[f.q] = _angle_between(b, turn @ b, a) if k == turns[0] else -_angle_between(a, turn.T @ a, b)


def _angle_about(axis: np.ndarray, R: np.ndarray) -> float:
    skew = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return float(np.arctan2(axis @ skew, np.trace(R) - 1.0))


def _angle_between(u: np.ndarray, w: np.ndarray, axis: np.ndarray) -> float:
    """How far u must turn about the axis to come to w."""
    return float(np.arctan2(axis @ np.cross(u, w), u @ w - (axis @ u) * (axis @ w)))


def quaternion(R: np.ndarray) -> np.ndarray:
    """The unit quaternion of a rotation, by its largest component (Shepperd 1978), first component not negative."""
    trace = np.trace(R)
    k = int(np.argmax([trace, R[0, 0], R[1, 1], R[2, 2]]))
    skew = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    if k == 0:
        out = np.array([1 + trace, *skew])
    else:
        i = k - 1
        out = np.zeros(4)
        out[0] = skew[i]
        out[1:] = R[i] + R[:, i]
        out[k] = 1 + 2 * R[i, i] - trace
    out /= np.linalg.norm(out)
    return out if out[0] >= 0 else -out


def rates_from_poses(system: Any, bodies: dict[str, BodyMotion], q: np.ndarray, second: bool) -> tuple[np.ndarray, Any]:
    """Velocities (and accelerations) of the tree at known coordinates: the motion across each limb, by its own S."""
    from ...kernels.tree.calls import frames_and_accelerations

    tree, s = system.equations.tree, system.arrays
    samples = len(q)
    v, a = np.zeros((samples, system.n)), np.zeros((samples, system.n))
    twists = {key: _twists(m, second) for key, m in bodies.items()}
    for k in range(samples):
        s.q[:] = q[k]
        s.v[:] = 0.0
        s.a[:] = 0.0
        frames_and_accelerations(system.header)
        S = s.tree_S.reshape(-1, 6)
        inverses = {}
        for limb in tree.limbs:
            if limb.freedom:
                part = slice(limb.first, limb.first + limb.freedom)
                inverses[limb.first] = np.linalg.pinv(S[part].T)
                v[k, part] = inverses[limb.first] @ (twists[limb.child][0][k] - twists[limb.parent][0][k])
        if second:
            s.v[:] = v[k]
            frames_and_accelerations(system.header)
            c = s.tree_c.reshape(-1, 6)
            for limb in tree.limbs:
                if limb.freedom:
                    part = slice(limb.first, limb.first + limb.freedom)
                    gap = twists[limb.child][1][k] - twists[limb.parent][1][k] - c[part].sum(axis=0)
                    a[k, part] = inverses[limb.first] @ gap
    return v, (a if second else None)


def _twists(m: BodyMotion, second: bool) -> tuple[np.ndarray, Any]:
    """Motion of a body at the ground's origin, and its rate."""
    w = axial(m.R[1] @ np.swapaxes(m.R[0], 1, 2))
    V = np.concatenate([w, m.p[1] - np.cross(w, m.p[0])], axis=1)
    if not second:
        return V, None
    e = axial(m.R[2] @ np.swapaxes(m.R[0], 1, 2))
    return V, np.concatenate([e, m.p[2] - np.cross(e, m.p[0]) - np.cross(w, m.p[1])], axis=1)


def axial(W: np.ndarray) -> np.ndarray:
    """The vector of the skew part of each matrix."""
    return 0.5 * np.stack(
        [W[..., 2, 1] - W[..., 1, 2], W[..., 0, 2] - W[..., 2, 0], W[..., 1, 0] - W[..., 0, 1]], axis=-1
    )


def turn_particles(tree: Tree, bodies: dict[str, BodyMotion]) -> None:
    """A point mass has no axes of its own: on a body that turns it takes those of the body, as the tree does."""
    for limb in tree.limbs:
        if tree.frames.is_particle(limb.child):
            bodies[limb.child] = BodyMotion(bodies[limb.child].p, bodies[limb.parent].R)


def from_posture(system: Any, posture: Posture) -> tuple[np.ndarray, Any, Any]:
    """q, v, a of a tree's coordinates at every sample of a posture; carried coordinates are left at zero."""
    tree = system.equations.tree
    bodies = {key: body_motion(posture, key) for key in (GROUND, *tree.frames.bodies)}
    turn_particles(tree, bodies)
    q = positions_from_poses(tree, bodies, system.nq)
    if posture.xd is None:
        return q, None, None
    return (q, *rates_from_poses(system, bodies, q, posture.xdd is not None))


def keep_turns(system: Any, q: np.ndarray, values: Callable[[str], np.ndarray]) -> None:
    """Whole turns of the tree's angles that are relative coordinates of the user, too, at every sample (in place).

    Of two names for one angle, measured from different lines, each may begin within half a turn of zero: the constant
    between them takes what is left over.
    """
    s, low = system.arrays, system.equations
    counted: set[int] = set()
    for k, name in enumerate(low.variables):
        i = int(s.extra_q[k])
        if name in low.carried or low.resolved.coordinates[name].type != "angle" or not len(q):
            continue
        value = np.asarray(values(name))
        if i not in counted:
            counted.add(i)
            exact = (value - s.extra_offset[k]) / s.extra_scale[k]
            q[:, i] += 2 * np.pi * np.round((exact - q[:, i]) / (2 * np.pi))
        else:
            off = value[0] - (s.extra_scale[k] * q[0, i] + s.extra_offset[k])
            s.extra_offset[k] += 2 * np.pi * np.round(off / (2 * np.pi))
