"""Newton-Raphson watched: from a guess to a position, iterate by iterate (003, sections 2 and 3).

    Phi_q(q_k) dq = -Phi(q_k),    q_k+1 = q_k + dq        (003 (3), (5), with the sign corrected)

Near a regular solution the error is squared at every iteration; at a singular position it is only halved, and from a
bad guess whole steps may run away. What is watched is the closing iteration itself (`methods.positions.closing`):
with its line search, as biela assembles, or with whole steps, as the text has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import MethodError, Problem, so_many
from ...methods.positions.closing import close
from ...model.model import Model
from ...model.resolve import resolve
from ...model.resolve.expansion import without_repeats
from ...model.resolve.naming import did_you_mean
from ...model.resolved import ResolvedModel
from ...system.system import System, build, hold_relations
from ...viewing import views
from ..kinematics.inputs import driven, is_angle
from ..numbers import number
from .assemble import as_model, assemble, refuse_unknown_coordinates
from .initial import count_driven_turns
from .space import hold_initial_values
from .transfer import largest_change, on_tree

FEW, MANY = 1e-12, 1.0
"""residues between which a rate of convergence can be read: below is rounding, above is not yet near"""
LATELY, KEPT = 3, 0.5
"""it still gets nearer if each of the last so many steps took off so much of what its part of Newton's step promises:
a whole step takes off 3/4 at a double root and more than 0.6 at any other, beside a least |Phi| next to nothing"""


@dataclass(frozen=True)
class Iterate:
    """One iterate: the coordinates, what is left of the equations there, and how it was reached."""

    q: np.ndarray
    Phi: float
    """the largest |Phi|, as the rows are"""
    left: float
    """the largest of the equations with rows of length one: a distance in sizes of the mechanism"""
    step: float
    """the part of Newton's step that was taken: less than 1 where the line search shortened it, or where it was cut to
    the size of the mechanism (one radian of an angle); 0 of a start"""
    change: float
    """the largest change of a coordinate, lengths in sizes of the mechanism"""


@dataclass
class NewtonTrace:
    """What Newton-Raphson did; see `biela.newton`."""

    system: System
    t: float
    damped: bool
    iterates: list[Iterate] = field(default_factory=list)
    converged: bool = False
    limit: int = 50
    """how many steps it was given"""

    @property
    def iterations(self) -> int:
        """How many steps were taken."""
        return len(self.iterates) - 1

    @property
    def Phi(self) -> np.ndarray:
        """The largest |Phi| at every iterate."""
        return np.array([i.Phi for i in self.iterates])

    @property
    def q(self) -> np.ndarray:
        """All iterates: (iterates, coordinates)."""
        return np.array([i.q for i in self.iterates])

    @property
    def orders(self) -> list[float]:
        """At each iterate the order p of |f_k+1| ~ |f_k|^p, from three residues; nan where they do not tell it."""
        left = [i.left for i in self.iterates]
        out = [float("nan")] * min(2, len(left))
        for a, b, c in zip(left, left[1:], left[2:]):
            known = MANY > a > b > c > FEW
            out.append(log(c / b) / log(b / a) if known else float("nan"))
        return out

    @property
    def order(self) -> float:
        """The rate of convergence: 2 is quadratic, 1 linear; nan if the iterates do not tell it."""
        known = [p for p in self.orders if p == p]
        return known[-1] if known else float("nan")

    @property
    def nearing(self) -> bool:
        """Whether it ended only because it was given no more iterations: the last steps did what they promised."""
        if self.converged or self.iterations < self.limit:
            return False
        often = LATELY if self.damped else max(LATELY, self.limit // 2)  # whole steps that wander fall now and then
        last = self.iterates[-often - 1 :]
        return all(b.step > 0 and b.left <= (1 - KEPT * b.step) * a.left for a, b in pairwise(last))

    @property
    def verdict(self) -> str:
        """How it ended, in words."""
        ends = self.iterates[-1]
        if self.converged:
            text = f"converges in {so_many(self.iterations, 'iteration')}, |Phi| = {ends.Phi:.1e}"
            p, short = self.order, sum(0 < i.step < 1 for i in self.iterates)
            if p == p:
                slow = "linear: the position is singular, or nearly so"
                text += f"; order {p:.2f}, {'quadratic' if p > 1.6 else slow if p < 1.3 else 'faster than linear'}"
            return text + (f"; {so_many(short, 'step')} shortened" if short else "")
        if not np.isfinite(ends.left) or ends.left > 10.0 * max(self.iterates[0].left, 1e-300):
            return f"diverges: |Phi| has grown from {self.iterates[0].Phi:.3g} to {ends.Phi:.3g}"
        if self.nearing:
            short = f"still converging, |Phi| = {ends.Phi:.3g}; "
            return short + ("1 iteration was" if self.limit == 1 else f"{self.limit} iterations were") + " not enough"
        if self.damped:
            return f"does not get below |Phi| = {ends.Phi:.3g} in {so_many(self.iterations, 'iteration')}"
        return f"wanders: after {so_many(self.iterations, 'iteration')} |Phi| is still {ends.Phi:.3g}"

    def report(self) -> str:
        """A table of the iterates, and how it ended."""
        lines = [f"{'k':>3}  {'|Phi|':>10}  {'residue':>10}  {'step':>8}  {'change':>10}  order"]
        for k, (i, p) in enumerate(zip(self.iterates, self.orders, strict=True)):
            step = f"{i.step:8.3g}" if i.step else " (start)"
            order = f"{p:5.2f}" if p == p else ""
            lines.append(f"{k:3d}  {i.Phi:10.3e}  {i.left:10.3e}  {step}  {i.change:10.3e}  {order}".rstrip())
        return "\n".join([*lines, self.verdict])

    def plot(self, path: str | Path | None = None) -> Any:
        """The picture: |Phi| over the iterations, and the mechanism at each; gives a matplotlib figure."""
        return views().iterations(self, path)

    def __repr__(self) -> str:
        return f"NewtonTrace({self.system.name!r}: {self.verdict})"


def newton(
    model: Model | str | Path,
    coordinate: str | None = None,
    start: float | str | None = None,
    stop: float | str | None = None,
    guess: Mapping[str, float | str] | None = None,
    coordinates: str | None = None,
    damped: bool = True,
    iterations: int = 50,
) -> NewtonTrace:
    """Watch Newton-Raphson find a position: iterates, |Phi|, rate of convergence, or how it goes astray.

    Without a coordinate it is the assembly, from the model as it is drawn, with the drivers and initial values at
    t = 0. With one it is a finite displacement: from the position with `coordinate` at `start` (by default where it is)
    to that at `stop`, in one go. `guess` starts some coordinates elsewhere; not `damped`: whole steps always.

    >>> import biela
    >>> trace = biela.newton("four-bar", "crank_angle", stop="20 deg")
    >>> trace.converged, trace.order > 1.8
    (True, True)
    >>> biela.newton("four-bar", "crank_angle", stop="20 deg", guess={"B.y": -50}, damped=False).converged
    True
    """
    if not 1 <= iterations <= 10_000:
        raise MethodError(Problem(f"iterations = {iterations} is not possible", cure="from 1 to 10 000"))
    model = without_repeats(as_model(model))
    refuse_unknown_coordinates(coordinates)
    wanted = "natural" if coordinates in (None, "auto") else str(coordinates)
    if coordinate is None:
        if start is not None or stop is not None:
            raise MethodError(Problem("start and stop belong to a coordinate", cure="name the coordinate to move"))
        system, q, t = *_as_drawn(resolve(model), wanted), 0.0
    else:
        kind = "angle" if is_angle(model, coordinate) else "length"
        begin, end = (None if x is None else number(x, n, kind) for x, n in ((start, "start"), (stop, "stop")))
        if end is None:
            raise MethodError(Problem(f"how far should {coordinate!r} move?", cure="give stop="))
        moved, t = driven(model, coordinate, begin, end, 1.0)
        system = assemble(moved, wanted)
        q = system.q0
    if system.is_large:
        what = "the mechanism is too large to be watched"
        raise MethodError(Problem(what, why=f"{system.n} coordinates", cure="watch a part of it"))
    return traced(system, _with_guess(system, q, guess or {}), t, damped, iterations)


def traced(system: System, q: np.ndarray, t: float, damped: bool = True, iterations: int = 50) -> NewtonTrace:
    """The closing iteration of a system at time t from q."""
    trace = NewtonTrace(system, t, damped, limit=iterations)

    def watch(here: np.ndarray, f: np.ndarray, step: float) -> None:
        Phi = float(np.abs(system.at(here, None, t).Phi).max(initial=0.0))
        before = trace.iterates[-1].q if trace.iterates else here
        left, change = float(np.abs(f).max(initial=0.0)), largest_change(system, here, before)
        trace.iterates.append(Iterate(here.copy(), Phi, left, step, change))

    with np.errstate(all="ignore"):
        closed = close(system, q, t, max_iterations=iterations, damped=damped, watch=watch)
    trace.converged = closed.converged and trace.iterates[-1].left < 1e-10
    return trace


def _as_drawn(resolved: ResolvedModel, wanted: str) -> tuple[System, np.ndarray]:
    """The equations of assembly, with the initial values as drivers that stand still, and the coordinates as drawn."""
    resolved = hold_initial_values(replace(resolved, velocity={}))
    names = [d.coordinate for d in resolved.drivers if d.place is None]
    carry = list(dict.fromkeys([*resolved.carried(wanted == "mixed"), *names]))
    system = build(resolved, wanted, carry)
    if not system.n:
        raise MethodError(Problem("nothing in this model can move", where=resolved.name, cure="add moving bodies"))
    q = system.q0.copy()
    if system.is_tree:
        drawn = build(resolved, "natural", carry)
        q = on_tree(system, drawn, drawn.q0, np.zeros(drawn.n))[0]
    count_driven_turns(system, q)
    hold_relations(system, q)
    return system, q


def _with_guess(system: System, q: np.ndarray, guess: Mapping[str, float | str]) -> np.ndarray:
    q = q.copy()
    angles = {name for name, turns in zip(system.v_names, system.equations.angular, strict=True) if turns}
    for name, value in guess.items():
        if name not in system.q_names:
            cure = did_you_mean(name, system.q_names, "coordinates")
            why = f"in {system.coordinates} coordinates"
            raise MethodError(Problem(f"there is no coordinate {name!r} to guess", why=why, cure=cure))
        kind = "angle" if name in angles else "number" if name not in system.v_names else "length"
        q[system.q_names.index(name)] = number(value, f"guess of {name}", kind)
    return q
