"""The least number of equations: as many as there are freedoms (001 15.6, 000 (99)), at any state, in numbers.

v = S z' + b,   v' = S z'' + c,   S^T M S z'' = S^T (Q - M c)   [E.1]-[E.4]
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ...errors import AssemblyError, MethodError, Problem
from ...model.model import Model
from ...results.motion import Motion
from ...system.system import System
from ..check.singularity import describe_singularity
from ..instant import Instant, instant_of
from .chart import Chart, local_chart, null_space

SINGULAR = 1e-7
"""smallest singular value of the constraints below which a position is singular"""


@dataclass
class Reduced:
    """Minimal equations in a chart, at one state: M z'' = Q."""

    S: np.ndarray
    b: np.ndarray
    c: np.ndarray
    M: np.ndarray
    Q: np.ndarray
    v: np.ndarray

    def acceleration(self) -> np.ndarray:
        """z''."""
        return np.linalg.solve(self.M, self.Q)


def reduce(chart: Chart, q: np.ndarray, rate: np.ndarray) -> Reduced:
    """The equations at q with the independent velocities z' = rate.   001 (39)-(46); b and c for moving constraints"""
    system, off = chart.system, chart.offsets
    at = system.at(q, None, chart.t)
    split = chart.split(q, at.B)
    S = split.S()
    b = split.solve(-at.Phi_t + (off.w1 if len(off.w1) else 0.0), np.zeros(chart.freedom))
    v = S @ rate + b
    at = system.at(q, v, chart.t)
    c = split.solve(at.gamma + (off.w2 if len(off.w2) else 0.0), -chart.bias(q, v))
    return Reduced(S, b, c, S.T @ at.M @ S, S.T @ (at.Q - at.M @ c), v)


@dataclass
class Minimal:
    """The least number of equations of a mechanism at one state: M z'' = Q, in independent velocities z'.

    `S` and `b` give all the velocities, v = S z' + b, `c` their accelerations, v' = S z'' + c; `names` says what z is.
    """

    system: System = field(repr=False)
    names: tuple[str, ...]
    S: np.ndarray
    b: np.ndarray
    c: np.ndarray
    M: np.ndarray
    Q: np.ndarray
    rate: np.ndarray
    """z' at this state"""
    q: np.ndarray
    v: np.ndarray
    t: float
    notes: list[str] = field(default_factory=list)

    @property
    def acceleration(self) -> np.ndarray:
        """z''."""
        try:
            L = np.linalg.cholesky(self.M)
        except np.linalg.LinAlgError:
            L = None
        if L is None or np.diag(L).min(initial=1.0) < 1e-7 * np.diag(L).max(initial=0.0):
            raise MethodError(
                Problem(
                    "something can move without inertia",
                    where=", ".join(self.names),
                    why="the mass matrix of the independent coordinates is singular",
                    cure="give the bodies a mass (and inertia); `biela check` names them",
                )
            )
        return np.linalg.solve(self.M, self.Q)

    @property
    def accelerations(self) -> np.ndarray:
        """v' of all the system's velocities."""
        return self.S @ self.acceleration + self.c

    def __str__(self) -> str:
        with np.printoptions(precision=6, suppress=True):
            return f"z = ({', '.join(self.names)})\nM = {self.M}\nQ = {self.Q}"


def minimal(
    model: Model | System | Motion | str | Path,
    independent: list[str] | None = None,
    coordinates: str | None = None,
    at: str | float = "start",
) -> Minimal:
    """As many equations as freedoms, in numbers, at a state: S^T M S z'' = S^T (Q - M c).

    `independent` names the coordinates z: those of joints or of the model, "crank.angle", "P.x", or variables of the
    system; without them biela chooses well-conditioned ones. `at` is "start" or "equilibrium"; of a motion (a result)
    also "end" or a time.

    >>> import biela
    >>> bar = biela.Model(gravity=(0, -10)).add_ground("A", 0, 0).add_point("B", 2, 0)
    >>> m = biela.minimal(bar.add_bar("bar", "A", "B", mass=3.0), ["bar.angle"])  # 001, example 1
    >>> m.M.round(9).tolist(), m.Q.round(9).tolist(), m.acceleration.round(9).tolist()
    ([[4.0]], [-30.0], [-7.5])
    """
    independent = [independent] if isinstance(independent, str) else independent
    here = instant_of(model, coordinates, at)
    system = here.system
    must_move(here)
    must_be_regular(here)
    chart = local_chart(system, here.q, here.t, independent)
    W = chart.rows(here.q)
    rate = W @ here.v
    r = reduce(chart, here.q, rate)
    return Minimal(system, chart.names, r.S, r.b, r.c, r.M, r.Q, rate, here.q, r.v, here.t, here.notes)


def must_move(here: Instant) -> None:
    """Refuse a structure."""
    system = here.system
    if system.n - system.rank == 0:
        drivers = [d.name for d in system.resolved.drivers]
        raise AssemblyError(
            Problem(
                "nothing can move" + (": the drivers determine everything" if drivers else ": it is a structure"),
                where=", ".join(drivers) or system.name,
                why=f"{system.n} coordinates, {system.rank} independent constraints",
                cure="remove a driver: what it drives is then free" if drivers else "remove a joint or a bar",
            ),
            title=f"model {system.name!r}",
        )


def must_be_regular(here: Instant) -> None:
    """Refuse a position where the constraints lose rank: independent coordinates do not tell the motion there."""
    if null_space(here.system, here.system.at(here.q, None, here.t).B)[1] < SINGULAR:
        raise MethodError(
            Problem(
                "the position is singular",
                where=here.system.name,
                why=describe_singularity(here.system, here.q, here.t or None),
                cure="choose another position, or change the dimensions a little",
            )
        )
