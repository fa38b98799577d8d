"""Dead points: positions where the input loses its hold on the mechanism, found exactly and named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq

from ...methods.positions.closing import close
from ...system.system import System
from ..assembly.assemble import put_together
from ..assembly.transfer import in_coordinates
from ..check.mobility import driver_rows, merged_rows, scaled_jacobian
from ..check.singularity import in_line
from ..quantities import value_of
from .path import SHORTEST, Curve, spin_rows

FIRST_STEP, LONGEST = 1e-3, 2e-2
"""towards a limit, in sizes of the mechanism or radians"""
EXACT = 1e-4
"""points this near to a line are on it: dead points are located exactly"""
State = tuple[np.ndarray, np.ndarray, np.ndarray]
"""q, v, v'"""


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
    """The end of the range: follow the mechanism itself (input released) until the input turns back."""
    driver = int(np.argmax(driver_rows(system)))
    curve = Curve(system, t0, np.arange(system.m) != driver, idle)

    def slope(x: np.ndarray, tangent: np.ndarray) -> float:
        """How fast the input moves along the curve, positive where it moves as it was driven."""
        return direction * float(system.at(x, None, t0).B[driver] @ tangent)

    direction = float(np.sign(-system.at(q, None, t0).Phi_t[driver])) or 1.0
    tangent = curve.tangent(q)
    tangent = -tangent if slope(q, tangent) < 0 else tangent
    h = FIRST_STEP
    for _ in range(2000):
        ahead = curve.ahead(q, tangent, h)
        if ahead is None and h < SHORTEST:
            break
        if ahead is None:
            h *= 0.5
        elif slope(*ahead) <= 0:
            q = _turning_point(curve, slope, q, tangent, h)
            break
        else:
            (q, tangent), h = ahead, min(1.3 * h, LONGEST)
    return dead_point(system, q, _time_of(system, q, t0, t1, driver), coordinate, "limit")


def _turning_point(curve: Curve, slope: Callable, q: np.ndarray, tangent: np.ndarray, h: float) -> np.ndarray:
    """On the curve between a position and the one a step h ahead of it, where the slope of the input vanishes."""

    def slope_at(x: float) -> float:
        ahead = curve.ahead(q, tangent, x)
        return -1.0 if ahead is None else slope(*ahead)

    ahead = curve.ahead(q, tangent, _root(slope_at, 0.0, h, 1e-15))
    return q if ahead is None else ahead[0]


def _root(f: Callable[[float], float], a: float, b: float, tolerance: float) -> float:
    """Where f changes its sign between a and b; b, if it does not."""
    found: Any = brentq(f, a, b, xtol=tolerance) if f(a) * f(b) <= 0 else b
    return float(found)


def crossing(
    system: System, state: State, t0: float, t1: float, coordinate: str, idle: tuple[str, ...] = ()
) -> DeadPoint:
    """Between two positions on either side of a dead point that the motion passes: where the determinant is zero."""
    q, v, a = state

    def at(t: float) -> np.ndarray:
        dt = t - t0
        return close(system, system.displaced(q, dt * v + 0.5 * dt * dt * a), t).q

    def signed(t: float) -> float:
        return orientation(system, at(t), t, idle)

    t = _root(signed, t0, t1, 1e-13 * max(1.0, abs(t1)))
    return dead_point(system, at(t), t, coordinate, "crossing")


def dead_point(system: System, q: np.ndarray, t: float, coordinate: str, kind: str) -> DeadPoint:
    """Name the dead point at q."""
    driver = system.row_names[int(np.argmax(driver_rows(system)))]
    driven = next(d.coordinate for d in system.resolved.drivers if d.name == driver)
    return DeadPoint(t, coordinate, value_of(system, driven, q), q, kind, *_dependent_parts(system, q, t))


def orientation(system: System, q: np.ndarray, t: float, idle: tuple[str, ...] = ()) -> float:
    """Determinant of the (scaled) Jacobian: changes sign at a dead point. Idle spins are held."""
    rows, _, _ = merged_rows(system, q, scaled_jacobian(system, q, t))
    square = np.vstack([rows, spin_rows(system, q, idle)])
    return float(np.linalg.det(square)) if square.shape[0] == square.shape[1] else 0.0


def _dependent_parts(system: System, q: np.ndarray, t: float) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The parts whose constraints become dependent, and those of their points that are in line."""
    if system.is_tree:  # its rows are those of the joints that close loops: the bodies' own rows tell more
        natural = put_together(system.resolved, "natural")
        natural.rank = natural.n - (system.n - system.rank)
        return _dependent_parts(natural, in_coordinates(natural, system, q, np.zeros(system.n))[0], t)
    rows, _, owned = merged_rows(system, q, scaled_jacobian(system, q, t))  # an angle's twins would blur the rest
    weight = np.abs(np.linalg.svd(rows)[0][:, system.rank - 1])
    drivers = {r.owner for r in system.equations.rows if r.role == "driver"}
    owners = [o for o, w in zip(owned, weight, strict=True) if w > 0.05 * weight.max() and o not in drivers]
    owners = tuple(dict.fromkeys(owners))
    bodies = [o for o in owners if o in system.resolved.bodies]
    # any pair of bodies may be the one that is stretched or folded
    for group in (bodies, *([b for b in bodies if b != skip] for skip in reversed(bodies))):
        line = in_line(system, q, group, EXACT)
        if line:
            return tuple(group), tuple(line)
    return owners, ()


def _time_of(system: System, q: np.ndarray, t0: float, t1: float, row: int) -> float:
    """When the driver would have reached q."""

    def gap(t: float) -> float:
        return float(system.at(q, None, t).Phi[row])

    return t0 if gap(t0) * gap(t1) > 0 else _root(gap, t0, t1, 1e-14 * max(1.0, abs(t1)))
