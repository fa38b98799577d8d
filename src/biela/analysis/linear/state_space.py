"""The motion near a state, to first order: z'' = F(z, z') differentiated along the closed mechanism.   [E.8]

F is the acceleration of the minimal equations, so that what the changing directions of the reactions do (the
geometric stiffness) is in it, with redundant constraints too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import MethodError, Problem
from ..differences import derivative, kink
from ..instant import Instant
from ..minimal.chart import Chart, local_chart
from ..minimal.reduced import Reduced, must_be_regular, must_move, reduce

POSITION_STEP, RATE_STEP = 2e-2, 1e-1
"""of the first differences, in units of the mechanism (and seconds)"""
KINK, KINK_STEP = 1e-5, 1e-2
"""share of the largest derivative from which on a bend is a kink; part of those steps in which it is looked for"""


@dataclass
class StateSpace:
    """z'' = F(z, z') around a state: F itself, its derivatives and their errors."""

    here: Instant
    chart: Chart
    base: Reduced
    rate: np.ndarray
    F: np.ndarray
    K: np.ndarray
    """-M dF/dz: the stiffness, about an equilibrium"""
    C: np.ndarray
    """-M dF/dz': damping, and gyroscopic terms"""
    error: float
    """of the derivatives, relative to the largest"""
    kink: float = 0.0
    """by how much they differ to either side of their mean, relative to the largest: a law bends right here"""

    @property
    def freedom(self) -> int:
        return self.chart.freedom

    @property
    def A(self) -> np.ndarray:
        """The state matrix of (z, z')."""
        f = self.freedom
        lower = -np.linalg.solve(self.base.M, np.hstack([self.K, self.C]))
        return np.block([[np.zeros((f, f)), np.eye(f)], [lower]])

    @property
    def at_rest(self) -> bool:
        """No velocity, no acceleration: an equilibrium."""
        unit = self.here.system.unit
        scale = 1e-6 * max(1.0, float(np.abs(self.A).max(initial=0.0)))
        return not np.abs(self.base.v / unit).max(initial=0.0) > 1e-9 and not (
            np.abs(self.base.S @ self.F / unit).max(initial=0.0) > scale
        )


def imbalance(chart: Chart, q: np.ndarray | None, rate: np.ndarray, F: np.ndarray) -> np.ndarray | None:
    """Q - M F of the minimal equations, F held: its derivatives are M times those of z''. None where it cannot be."""
    if q is None:
        return None
    r = reduce(chart, q, rate)
    return r.Q - r.M @ F


def state_space(here: Instant, independent: list[str] | None = None) -> StateSpace:
    """Differentiate the minimal equations at a state."""
    must_move(here)
    must_be_regular(here)
    system = here.system
    chart = local_chart(system, here.q, here.t, independent)
    rate = chart.rows(here.q) @ here.v
    base = reduce(chart, here.q, rate)
    must_have_inertia(base, chart)
    F = base.acceleration()
    units = steps(chart, base)
    f = chart.freedom
    K, C = np.zeros((f, f)), np.zeros((f, f))
    lost, bent, top = 0.0, 0.0, 1e-300
    large = float(np.abs(base.Q).max(initial=0.0) + np.abs(base.M @ F).max(initial=0.0))
    for k in range(f):
        e = np.eye(f)[k]
        try:
            for out, step, function in (
                (K, POSITION_STEP, lambda s, e=e: imbalance(chart, chart.position(s * e), rate, F)),
                (C, RATE_STEP, lambda s, e=e: imbalance(chart, here.q, rate + s * e, F)),
            ):
                value, error = derivative(function, step * units[k])
                out[:, k] = -value
                lost = max(lost, float(np.abs(error * units * units[k]).max(initial=0.0)))
                bends = kink(function, KINK_STEP * step * units[k], large)
                bent = max(bent, float(np.abs(bends * units * units[k]).max(initial=0.0)))
                top = max(top, float(np.abs(value * units * units[k]).max(initial=0.0)))
        except ArithmeticError:
            raise MethodError(
                Problem(
                    "the mechanism cannot move to both sides of this position",
                    where=chart.names[k],
                    why="it is at the end of its range",
                    cure="choose another position",
                )
            ) from None
    return StateSpace(here, chart, base, rate, F, K, C, lost / top, bent / top)


def steps(chart: Chart, base: Reduced) -> np.ndarray:
    """What counts as one in each independent coordinate: moves nothing by more than the size of the mechanism."""
    moved = np.abs(base.S / chart.system.unit[:, None]).max(axis=0, initial=0.0)
    return 1.0 / np.maximum(moved, 1e-300)


def must_have_inertia(base: Reduced, chart: Chart) -> None:
    """Refuse freedoms without mass."""
    d = np.sqrt(np.maximum(np.diag(base.M), 1e-300))
    values = np.linalg.eigvalsh(base.M / d[:, None] / d) if len(d) else np.ones(1)
    if (np.diag(base.M) <= 1e-14 * np.diag(base.M).max(initial=0.0)).any() or values[0] < 1e-12:
        w = np.linalg.eigh(base.M)[1][:, 0] if len(d) else np.ones(1)
        from .moving_parts import describe_motion

        what = describe_motion(chart.system, chart.q0, base.S @ w)
        raise MethodError(
            Problem(
                "something can move without inertia",
                where=chart.system.name,
                why=f"{what}, and no mass moves with it: it has no frequency",
                cure="give it a mass (and inertia), or hold it with a joint",
            )
        )
