"""Dead points: positions where the input loses its hold on the mechanism, found exactly and named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...coordinates.tree.from_poses import axial, body_motion
from ...methods.positions.closing import close
from ...model.resolved import Place
from ...system.system import System
from ..assembly.transfer import in_coordinates
from ..check.mobility import merged_rows, scaled_jacobian
from ..check.singularity import in_line

LONGEST = 2e-2
"""of the steps towards a limit, beside the size of the mechanism"""


EXACT = 1e-4
"""points this near to a line are on it: dead points are located exactly"""


@dataclass(frozen=True)
class DeadPoint:
    """Where it is, and what is special there."""

    t: float
    coordinate: str
    value: float
    q: np.ndarray
    kind: str
    """"limit" (the input can go no further) or "crossing" (it goes on, but branches meet)"""
    parts: tuple[str, ...]
    line: tuple[str, ...]

    def __str__(self) -> str:
        where = f"{', '.join(self.line)} in line" if self.line else f"in {', '.join(self.parts)}"
        what = "limit position" if self.kind == "limit" else "dead point"
        return f"{what} at {self.coordinate} = {self.value:.9g} (t = {self.t:.6g} s): {where}"


def limit(
    system: System, q: np.ndarray, t0: float, t1: float, coordinate: str, idle: tuple[str, ...] = ()
) -> DeadPoint:
    """The end of the road: follow the mechanism itself (input released) until the input turns back."""
    keep = np.array([r.role != "driver" for r in system.equations.rows], dtype=bool)
    drivers = [k for k, r in enumerate(system.equations.rows) if r.role == "driver"]
    unit = system.unit

    def tangent(x: np.ndarray) -> np.ndarray:
        B = np.vstack([scaled_jacobian(system, x, t0)[keep], spin_rows(system, x, idle)])
        return np.linalg.svd(B)[2][-1] * unit

    def slope(x: np.ndarray, way: np.ndarray) -> float:
        return float(system.at(x, None, t0).B[drivers[0]] @ way)

    way = tangent(q)
    direction = np.sign(-system.at(q, None, t0).Phi_t[drivers[0]]) or 1.0
    if slope(q, way) * direction < 0:
        way = -way
    h, x = 1e-3, q
    inside, outside = q, None
    for _ in range(2000):
        trial = close(system, system.displaced(x, h * way), t0, keep=keep).q
        fresh = tangent(trial)
        if fresh @ (way / unit**2) < 0:
            fresh = -fresh
        if slope(trial, fresh) * direction <= 0:
            inside, outside = x, h * way
            break
        x, way = trial, fresh
        h = min(1.03 * h, LONGEST)
    if outside is not None:
        x = _bisect(system, inside, outside, slope, tangent, direction, keep, t0)
    at = _time_of(system, x, t0, t1, drivers[0])
    return dead_point(system, x, at, coordinate, "limit")


def _bisect(system, inside, ahead, slope, tangent, direction, keep, t) -> np.ndarray:
    """On the curve between a position and the one ahead of it, the point where the input's slope vanishes."""
    low, high = 0.0, 1.0
    x = inside
    for _ in range(60):
        middle = 0.5 * (low + high)
        x = close(system, system.displaced(inside, middle * ahead), t, keep=keep).q
        here = tangent(x)
        if here @ (ahead / system.unit**2) < 0:
            here = -here
        if slope(x, here) * direction > 0:
            low = middle
        else:
            high = middle
    return x


def crossing(
    system: System,
    q: np.ndarray,
    v: np.ndarray,
    a: np.ndarray,
    t0: float,
    t1: float,
    coordinate: str,
    idle: tuple[str, ...] = (),
) -> DeadPoint:
    """Between two positions on either side of a dead point that the motion passes: where the determinant is zero."""
    from scipy.optimize import brentq

    def at(t: float) -> np.ndarray:
        dt = t - t0
        return close(system, system.displaced(q, dt * v + 0.5 * dt * dt * a), t).q

    def signed(t: float) -> float:
        return orientation(system, at(t), t, idle)

    crosses = signed(t0) * signed(t1) < 0
    root: Any = brentq(signed, t0, t1, xtol=1e-13 * max(1.0, abs(t1))) if crosses else t1
    t = float(root)
    return dead_point(system, at(t), t, coordinate, "crossing")


def dead_point(system: System, q: np.ndarray, t: float, coordinate: str, kind: str) -> DeadPoint:
    """Name the dead point at q."""
    driver = next(r.name for r in system.equations.rows if r.role == "driver")
    d = next(d for d in system.resolved.drivers if d.name == driver)
    moved = system.value(d.coordinate, q)[0] if d.place is None else system.posture(q).place(d.place)[0][:, d.axis]
    value = float(moved[0])
    parts, line = _dead(system, q, t)
    return DeadPoint(t, coordinate, value, q, kind, parts, line)


def orientation(system: System, q: np.ndarray, t: float, idle: tuple[str, ...] = ()) -> float:
    """Determinant of the (scaled) Jacobian: changes sign at a dead point. Idle spins are held."""
    rows, _, _ = merged_rows(system, q, scaled_jacobian(system, q, t))
    square = np.vstack([rows, spin_rows(system, q, idle)])
    return float(np.linalg.det(square)) if square.shape[0] == square.shape[1] else 0.0


def spin_rows(system: System, q: np.ndarray, idle: tuple[str, ...]) -> np.ndarray:
    """For each body that spins idly the change of q when it alone does, of length one: what no row feels."""
    if not idle:
        return np.zeros((0, system.n))
    spins = np.linalg.svd(scaled_jacobian(system, q))[2][-len(idle) :]
    here = system.posture(np.repeat(q[None, :], len(idle), axis=0), spins * system.unit)
    rates = np.zeros((len(idle), len(idle)))
    for k, name in enumerate(idle):
        body = system.resolved.bodies[name]
        places = [here.place(Place(name, local, point))[0][0] for point, local in body.points.items()]
        places.append(here.vector(system.equations.exploded.center(name))[0][0])
        axis = max((p - places[0] for p in places), key=lambda d: float(d @ d))
        R, Rd, _ = body_motion(here, name).R
        w = axial(Rd @ np.swapaxes(R, 1, 2))
        rates[:, k] = w @ axis
    alone = np.linalg.lstsq(rates, spins, rcond=None)[0]
    length = np.linalg.norm(alone, axis=1)
    return alone / np.where(length > 0.0, length, 1.0)[:, None]


def _dead(system: System, q: np.ndarray, t: float) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The parts whose constraints become dependent, and those of their points that are in line."""
    if system.is_tree:  # its rows are those of the joints that close loops: the bodies' own rows tell more
        from ..assembly.assemble import put_together

        natural = put_together(system.resolved, "natural")
        natural.rank = natural.n - (system.n - system.rank)
        return _dead(natural, in_coordinates(natural, system, q, np.zeros(system.n))[0], t)
    rows, _, owned = merged_rows(system, q, scaled_jacobian(system, q, t))  # an angle's twins would blur the rest
    weight = np.abs(np.linalg.svd(rows)[0][:, system.rank - 1])
    drivers = {r.owner for r in system.equations.rows if r.role == "driver"}
    loud = [o for o, w in zip(owned, weight, strict=True) if w > 0.05 * weight.max() and o not in drivers]
    owners = tuple(dict.fromkeys(loud))
    bodies = [o for o in owners if o in system.resolved.bodies]
    # any pair of bodies may be the one that is stretched or folded
    for group in (bodies, *([b for b in bodies if b != skip] for skip in reversed(bodies))):
        line = in_line(system, q, group, EXACT)
        if line:
            return tuple(group), tuple(line)
    return owners, ()


def _time_of(system: System, q: np.ndarray, t0: float, t1: float, row: int) -> float:
    """When the driver would have reached q."""
    from scipy.optimize import brentq

    def gap(t: float) -> float:
        return float(system.at(q, None, t).Phi[row])

    if gap(t0) * gap(t1) > 0:
        return t0
    root: Any = brentq(gap, t0, t1, xtol=1e-14 * max(1.0, abs(t1)))
    return float(root)
