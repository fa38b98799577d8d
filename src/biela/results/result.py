"""The result of a simulation: a motion, with a judgement of its own quality."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..cached import forget
from ..errors import MethodError
from ..methods.run import Trajectory
from ..methods.settings import AS_ASKED, BY_AUGMENTED, Settings
from ..methods.status import Status
from ..system.system import System
from ..viewing import views
from .channels.channel import Catalogue, Channel
from .channels.jumps import JUMPS, jump_channels, missing
from .events import Events
from .motion import Motion
from .quality.finer import finer_difference
from .quality.growth import Again
from .quality.verdict import Verdict, lost_energy, verdict
from .run_result import RunResult

TOO_MANY = 3e9
"""steps that no run comes to the end of: days of computing, of the smallest mechanism"""


class Result(RunResult, Motion):
    """What happened: channels by name, energies, violations, multipliers, reactions, and how good it is.

    >>> import biela
    >>> r = biela.simulate("simple-pendulum", 1.0)
    >>> r.ok, r["P.x"].unit
    (True, 'm')
    >>> bool(abs(r["energy.total"] - r["energy.total"][0]).max() < 1e-6)
    True
    """

    events: Events = Events()
    """impacts, rest, release, locks: of a mechanism with stops or locks"""
    ended_law: str = ""
    """of a run that stopped: the law that has no value there, if that is why"""
    asked: dict[int, list[tuple[float, float]]] = {}
    """of each Python function: when the steps asked it, and what it gave"""
    again: Again | None = None
    """the same run with other settings, for the verdict"""

    def __init__(self, system: System, settings: Settings, trajectory: Trajectory, duration: float):
        n, nq, y, ydot = system.n, system.nq, trajectory.y, trajectory.ydot
        q, v, a, work = y[:, :nq], y[:, nq : nq + n], ydot[:, nq : nq + n], y[:, nq + n]
        super().__init__(system, trajectory.t, q, v, a, trajectory.lam, work, trajectory.turns)
        self.settings = settings
        self.trajectory = trajectory
        self.duration = duration

    @cached_property
    def ok(self) -> bool:
        """True if the run reached its end without losing more than 1 % of the energy exchanged. That is the least; how
        good it is says `verdict`."""
        return self.finished and not lost_energy(self)

    @cached_property
    def verdict(self) -> Verdict:
        """Good, doubtful or bad, with the reason, the cure, and the error that it stands for."""
        return verdict(self)

    @cached_property
    def finer_difference(self) -> float | None:
        """Of a run with fixed steps: the error of the steps as a share of the motion, from parts of it taken again with
        finer ones; None where it cannot be told."""
        return finer_difference(self)

    def judge_anew(self) -> None:
        """Forget what was concluded from another trajectory, after it was replaced."""
        forget(self, "ok", "verdict", "finer_difference")

    @property
    def method(self) -> str:
        """Coordinates, formulation and integrator that ran, and why."""
        step = f"h = {self.trajectory.step:g} s" if self.trajectory.step else "error-controlled"
        return f"{self.system.coordinates} coordinates, {self.ran}, {step} ({self.reason})"

    @property
    def ran(self) -> str:
        """Formulation and integrator that ran: they may differ from those asked for, where these hand over to others.

        >>> import biela
        >>> biela.simulate("double-pendulum", 0.1, coordinates="relative", formulation="lagrange").ran
        'recursion in place of lagrange + dopri8'
        """
        s, tr = self.settings, self.trajectory
        f, i = s.formulation.name, s.integrator.name
        if self.system.is_open_tree and not s.integrator.direct:
            f = f"recursion in place of {f}"
        if tr.handed_over is not None:
            i += f" until t = {tr.handed_over:.6g} s, then radau5, as something decays fast"
        elif i == "dopri8" and tr.seen.lower >= tr.steps > 0:
            i = "dopri5 in place of dopri8"
        elif i == "dopri8" and tr.seen.lower:
            i = f"dopri8 with {tr.seen.lower} of {tr.steps} steps by dopri5"
        return f"{f} + {i}"

    @property
    def reason(self) -> str:
        """Why this method ran: it was asked for, it was chosen, or it took the place of another.

        >>> import biela
        >>> biela.simulate("double-pendulum", 0.1, coordinates="relative", integrator="rk4").reason
        'the recursion because an open tree has no constraints'
        """
        s, tr = self.settings, self.trajectory
        why = [] if s.reason == AS_ASKED else [s.reason]
        if self.system.is_open_tree and not s.integrator.direct:
            why = [part for part in s.reason.split("; ") if part not in (AS_ASKED, BY_AUGMENTED)]
            why.append("the recursion because an open tree has no constraints")
        if s.integrator.name == "dopri8" and tr.seen.lower:
            why.append("dopri5 where rows are redundant, a singular position is near or something decays fast")
        return "; ".join(why) or AS_ASKED

    def __getitem__(self, name: str) -> Channel:
        if name in JUMPS and name not in self._catalogue and (problem := missing(self)) is not None:
            raise MethodError(problem)
        return super().__getitem__(name)

    @cached_property
    def _catalogue(self) -> Catalogue:
        out = Catalogue(super()._catalogue)
        jump_channels(self, out)
        return out

    @property
    def independent(self) -> list[tuple[float, tuple[str, ...]]]:
        """Of a run by `projection`: when independent coordinates were chosen, and their names.   000 3.2

        >>> import biela
        >>> natural = {"coordinates": "natural", "formulation": "projection", "integrator": "rk4"}
        >>> r = biela.simulate("double-pendulum", 1.0, **natural)
        >>> r.independent[0], r.independent[1][1], len(r.independent) == 1 + r.trajectory.rechoices
        ((0.0, ('P1.y', 'P2.y')), ('P1.x', 'P2.y'), True)
        """
        names = self.system.v_names
        return [(t, tuple(names[j] for j in chosen)) for t, chosen in self.trajectory.choices]

    @property
    def energy_scale(self) -> float:
        """The largest energy that was exchanged; what an energy error is to be compared with."""
        e = np.concatenate([self["energy.kinetic"], [np.ptp(self["energy.potential"])], np.abs(self.work)])
        return float(e.max(initial=0.0))

    def _violation(self) -> str:
        return f"|Phi| {self.trajectory.violation:.1e}, |Phi'| {self.trajectory.rate_violation:.1e}; "

    @property
    def too_long(self) -> str:
        """Of a run that was given up because its end is too many steps away: how many; else nothing."""
        tr = self.trajectory
        if self.status != Status.step_too_small or not tr.stopped_at:
            return ""
        steps = tr.steps * self.duration / tr.stopped_at
        return f"{self.duration:g} s would take about {steps:.0e} steps at this pace" if steps > TOO_MANY else ""

    @property
    def cure(self) -> str:
        """What to try after a run that stopped."""
        if self.ended_law:
            return "correct the law, or ask for a shorter duration"
        if self.too_long:
            return "ask for a shorter duration"
        if self.status == Status.singular and self.settings.integrator.scipy:
            return "integrator='dopri5' (or one with fixed steps) with formulation='augmented' or 'penalty' passes it"
        return self.status.cure

    def report(self, path: str | Path | None = None) -> str:
        """Mechanism, equations, mobility, kinematics, dynamics, reactions and quality as one HTML page; gives its text,
        and writes it if a path is given."""
        return views().report(self, path)

    def facts(self) -> dict[str, Any]:
        """Numbers about the computation, for files."""
        return {**super().facts(), "constraint_violation_max": self.trajectory.violation}
