"""The result of a run with events: one motion over all its pieces, and what happened between them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import MethodError, Problem
from ..methods.run import Trajectory
from ..methods.settings import Settings
from ..system.system import System
from .channels.channel import Catalogue
from .events import Events
from .motion import Motion
from .reactions.free_bodies import FreeBodies
from .reactions.reaction import reaction_channels
from .result import Result


class EventResult(Result):
    """A result with `events`, and with `pieces`: motions between the events, each with the rows that held there.

    At an event there are two samples: one at the instant itself, with the velocities before, and one at the next
    floating-point number after it, with the velocities after. Times still increase.

    >>> import biela
    >>> r = biela.simulate("bouncing-ball", 1.0)
    >>> [(e.kind, e.name, round(e.t, 9)) for e in r.events]
    [('impact', 'floor', 0.451523641)]
    """

    def __init__(self, system: System, settings: Settings, trajectory: Trajectory, duration: float, events: Events,
                 forces: dict[str, tuple[np.ndarray, str]], spans: list[tuple[int, int, dict[str, float]]],
                 make: Callable[[dict[str, float]], System]):  # fmt: skip
        super().__init__(system, settings, trajectory, duration)
        self.events = events
        self._forces, self._spans, self._make = forces, spans, make

    @cached_property
    def pieces(self) -> list[Motion]:
        """The motion between the events, in order; reactions and free bodies are asked for there."""
        out = []
        for first, last, closed in self._spans:
            system = self._make(closed) if closed else self.system
            part = slice(first, last)
            lam = np.zeros((last - first, system.m))
            rows = system.equations.rows
            own = [k for k, r in enumerate(rows) if not (r.role == "joint" and r.owner in closed)]
            lam[:, own] = self.lam[part]
            for k, r in enumerate(rows):
                if r.role == "joint" and r.owner in closed:
                    lam[:, k] = -self._forces[r.owner][0][part]
            turns = None if self.turns is None else self.turns[part]
            out.append(Motion(system, np.asarray(self.t)[part], self.q[part], self.v[part], self.a[part], lam,
                              self.work[part], turns))  # fmt: skip
        return out

    @property
    def closed(self) -> bool:
        """Whether any stop or lock was closed for a while."""
        return any(closed for _, _, closed in self._spans)

    @cached_property
    def _catalogue(self) -> Catalogue:
        out = Catalogue(super()._catalogue)
        reactions = Catalogue()
        reaction_channels(self, reactions)
        if self.closed:  # joints carry what stops and locks hand on to them: asked for piece by piece
            for name in reactions.keys() & out.keys():
                out[name] = (lambda name=name: self._joined(name), out[name][1])
        for name, (values, unit) in self._forces.items():
            out[f"{name}.force"] = (lambda values=values: values, unit)
        out["energy.lost"] = (self._lost, "J")
        return out

    def _joined(self, name: str) -> np.ndarray:
        """A channel of all pieces, one after another."""
        return np.concatenate([np.asarray(piece[name]) for piece in self.pieces])

    def _lost(self) -> np.ndarray:
        """Kinetic energy lost in the events up to each sample."""
        times = np.array(self.events.times)
        total = np.concatenate([[0.0], np.cumsum([e.loss for e in self.events])])
        at = np.searchsorted(times, np.asarray(self.t), side="left")
        at[np.asarray(self.t) == 0.0] = int((times == 0.0).sum())
        return total[at]

    def free_body(self, body: str, t: float | None = None, about: str | None = None) -> Any:
        """One body by itself at a time, with what stops and locks hand on to it."""
        if not self.closed:
            return super().free_body(body, t, about)
        at = len(self.t) - 1 if t is None else int(np.abs(np.asarray(self.t) - t).argmin())
        k = next(k for k, (first, last, _) in enumerate(self._spans) if first <= at < last)
        return self.pieces[k].free_body(body, float(self.t[at]), about)

    @cached_property
    def free_bodies(self) -> FreeBodies:
        """Refused where stops or locks were closed: their forces are not in it."""
        self._refuse("this")
        return super().free_bodies

    def reaction(self, name: str) -> Any:
        """What a joint does to a body; where stops or locks were closed, ask one of the `pieces`."""
        self._refuse(f'reaction("{name}")')
        return super().reaction(name)

    def _refuse(self, what: str) -> None:
        if self.closed:
            raise MethodError(
                Problem(
                    f"{what} is not available for the whole of a run in which stops or locks were closed",
                    where=self.system.name,
                    why="what holds differs from piece to piece",
                    cure=f"result.pieces[k].{what}, k = 0 ... {len(self._spans) - 1}",
                )
            )

    def facts(self) -> dict[str, Any]:
        """Numbers about the computation, and the events, for files."""
        import json

        return {**super().facts(), "events": json.dumps([e.data() for e in self.events])}

    def explain(self) -> str:
        """What happened and what to try, with the events."""
        return super().explain() + ("\n" + self.events.text() if self.events else "\nno events")
