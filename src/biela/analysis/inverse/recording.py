"""A motion that biela recorded: places, velocities and accelerations of all bodies, nothing differentiated.

Body by body the recording is handed to the coordinates in use, whatever those of the recording were.   [T.16]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...coordinates.tree.from_poses import BodyMotion, positions_from_poses, rates_from_poses, turn_particles
from ...errors import MethodError, Problem
from ...mechanics.measure import measure
from ...model.resolved import GROUND, ResolvedModel
from ...results.channels.by_name import missing
from ...results.motion import Motion
from ...system.flat_lists import watched
from ...system.system import System
from ..assembly.transfer import points_and_vectors
from ..quantities import turns_towards
from .efforts import States


@dataclass(frozen=True)
class Recording:
    """Channels of a motion by name, whatever holds them."""

    t: np.ndarray
    get: Callable[[str], np.ndarray | None]
    """the values of a channel, or None"""
    source: Motion | None = None


def recording(motion: Any) -> Recording:
    """Of a result, or of the xarray Dataset made of one."""
    if isinstance(motion, Motion):
        return Recording(np.asarray(motion.t), lambda n: np.asarray(motion[n]) if n in motion else None, motion)
    if "t" not in motion.coords:
        cure = "give a data set that biela wrote"
        raise MethodError(Problem("the recording has no times", where="motion", cure=cure))
    found = set(motion.data_vars)
    return Recording(np.asarray(motion["t"]), lambda n: np.asarray(motion[n]) if n in found else None)


def read_netcdf(path: Path) -> Recording:
    """A netCDF file that `to_netcdf` wrote: every variable is an HDF5 array of its name."""
    try:
        import h5py
    except ImportError:
        raise missing("h5py", "netCDF files") from None
    found: dict[str, np.ndarray] = {}
    try:
        with h5py.File(path, "r") as file:
            for name in file:
                item: Any = file[name]
                if isinstance(item, h5py.Dataset) and item.dtype.kind == "f":
                    found[str(name)] = np.asarray(item[...])
    except OSError as error:
        cure = "name a file that biela wrote"
        raise MethodError(Problem(f"cannot read {path}", why=str(error).splitlines()[0], cure=cure)) from None
    if "t" not in found:
        cure = "give a file that biela wrote"
        raise MethodError(Problem("the recording has no times", where=str(path), cure=cure))
    return Recording(found["t"], found.get)


def replay(r: Recording, system: System, t: np.ndarray) -> States:
    """The recording in the coordinates of a system, at every sample, with the whole turns counted in it."""
    bodies = _bodies(r, system.resolved)
    if system.is_tree:
        tree = system.equations.tree
        assert tree is not None
        turn_particles(tree, bodies)
        q = positions_from_poses(tree, bodies, system.nq)
        v, a = rates_from_poses(system, bodies, q, True)
    else:
        q, v, a = points_and_vectors(system, bodies, 3)
    _relative(r, system, q, v, a)
    turns = None
    if r.source is not None and watched(r.source.system.resolved) == watched(system.resolved):
        turns = r.source.turns
    return States(t, q, v, a, turns)


def _bodies(r: Recording, resolved: ResolvedModel) -> dict[str, BodyMotion]:
    """Centre and axes of every body, and of every point by itself, in three dimensions."""
    samples = len(r.t)
    zero, eye, still = np.zeros((samples, 3)), np.broadcast_to(np.eye(3), (samples, 3, 3)), np.zeros((samples, 3, 3))
    out = {GROUND: BodyMotion((zero, zero, zero), (eye, still, still))}
    lacking = []
    for name in (*resolved.bodies, *(p for p in resolved.start if not resolved.owners.get(p))):
        parts = [r.get(f"{name}.{part}") for part in ("position", "velocity", "acceleration")]
        body = resolved.bodies.get(name)
        turning = None if body is None or body.particle else _axes(r, name, resolved.dimension)
        if any(x is None or x.ndim != 2 or x.shape[1] != resolved.dimension for x in parts):
            lacking.append(name)
            continue
        if turning is None and body is not None and not body.particle:
            lacking.append(name)
            continue
        p = [np.pad(x, ((0, 0), (0, 3 - x.shape[1]))) for x in parts]  # type: ignore[arg-type,union-attr]
        if turning is None:
            out[name] = BodyMotion(tuple(p), (eye, still, still))  # type: ignore[arg-type]
            continue
        arm = _moved_centre(r, resolved, name)
        if arm.any():
            p = [x + R @ arm for x, R in zip(p, turning, strict=True)]
        out[name] = BodyMotion(tuple(p), turning)  # type: ignore[arg-type]
    if lacking:
        raise MethodError(
            Problem(
                f"the recording does not contain {', '.join(lacking[:5])}", where="motion",
                why=f"the model has {len(resolved.bodies)} bodies; {len(lacking)} of its parts are not recorded",
                cure="give a recording of the same mechanism, with all its channels (a result, or a .nc file)",
            )
        )  # fmt: skip
    return out


def _axes(r: Recording, name: str, dimension: int) -> tuple | None:
    """R, R' and R'' of a body."""
    if dimension == 2:
        angle, rate, second = (r.get(f"{name}.{part}") for part in ("angle", "rate", "angular_acceleration"))
        if angle is None or rate is None or second is None:
            return None
        w, e = (np.stack([0 * x, 0 * x, x], axis=1) for x in (rate, second))
        c, s, o = np.cos(angle), np.sin(angle), np.zeros_like(angle)
        R = np.stack([np.stack([c, -s, o], 1), np.stack([s, c, o], 1), np.stack([o, o, o + 1], 1)], axis=1)
    else:
        p, w, e = (r.get(f"{name}.{part}") for part in ("quaternion", "angular_velocity", "angular_acceleration"))
        if p is None or w is None or e is None:
            return None
        a, u = p[:, 0, None, None], p[:, 1:]
        square = (p * p).sum(axis=1)[:, None, None]
        R = ((2 * a * a - square) * np.eye(3) + 2 * u[:, :, None] * u[:, None, :] + 2 * a * _skew(u)) / square
    W = _skew(w)
    return R, W @ R, (_skew(e) + W @ W) @ R


def _skew(w: np.ndarray) -> np.ndarray:
    o = np.zeros(len(w))
    x, y, z = w.T
    return np.stack([np.stack([o, -z, y], 1), np.stack([z, o, -x], 1), np.stack([-y, x, o], 1)], axis=1)


def _moved_centre(r: Recording, resolved: ResolvedModel, name: str) -> np.ndarray:
    """From the centre of mass that a body had when it was recorded to the one it has now, in its own axes."""
    before = r.source.system.resolved.bodies.get(name) if r.source is not None else None
    if before is None:
        return np.zeros(3)
    arm = np.array(resolved.bodies[name].center, dtype=float) - np.array(before.center, dtype=float)
    return np.pad(arm, (0, 3 - len(arm)))


def _relative(r: Recording, system: System, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> None:
    """Relative coordinates among the variables, with the whole turns that the recording counted."""
    low, s = system.equations, system.arrays
    for k, name in enumerate(low.variables):
        c = low.resolved.coordinates[name]
        parts = [r.get(f"{name}{part}") for part in ("", ".rate", ".acceleration")]
        known = all(x is not None for x in parts)
        if not known and name in low.carried:
            # measured on the bodies: the other variables are in place already
            parts = list(measure(system.posture(q, v, a), c))
        if low.tree is not None:
            i, j, scale, offset = int(s.extra_q[k]), int(s.extra_v[k]), s.extra_scale[k], s.extra_offset[k]
        else:
            i, j, scale, offset = low.q_names.index(name), low.v_names.index(name), 1.0, 0.0
        if name in low.carried:
            q[:, i], v[:, j], a[:, j] = (parts[0] - offset) / scale, parts[1] / scale, parts[2] / scale  # type: ignore
        elif c.type == "angle":
            value = (parts[0] - offset) / scale if known else np.unwrap(q[:, i])  # type: ignore[operator]
            q[:, i] += turns_towards(q[:, i], value)
