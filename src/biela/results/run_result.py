"""What results of runs have in common, of mechanisms and of bond graphs: how they ended, the verdict, a few lines."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ..methods.status import Status
from .channels.by_name import ChannelsByName
from .quality.verdict import GOOD, Verdict


class RunResult(ChannelsByName):
    """A result that judges itself."""

    trajectory: Any
    """what the integration left: its status, when it stopped, its steps, evaluations and time"""
    notes: list[str]
    message: str

    @property
    def status(self) -> Status:
        """How the run ended."""
        return self.trajectory.status

    @property
    def finished(self) -> bool:
        """True if the run reached its end."""
        return self.status == Status.finished

    @property
    def cure(self) -> str:
        """What to try after a run that stopped."""
        return self.status.cure

    @cached_property
    def verdict(self) -> Verdict:
        """Good, doubtful or bad, with the reason, the cure, and the error that it stands for."""
        raise NotImplementedError

    @property
    def energy_error(self) -> float:
        """The largest error of the energy balance, J."""
        return self.trajectory.energy_error

    @property
    def energy_scale(self) -> float:
        """What an energy error is to be compared with, J."""
        raise NotImplementedError

    def _violation(self) -> str:
        """What else there is to say of the quality."""
        return ""

    def quality(self) -> str:
        """One line: end, verdict, energy error, constraint violation, effort."""
        tr, error, scale = self.trajectory, self.energy_error, self.energy_scale
        relative = f" ({error / scale:.1e} of {scale:.3g} J)" if scale > 0 else ""
        end = "finished" if self.finished else f"stopped at t = {tr.stopped_at:.6g} s: {self.status.sentence}"
        end += f", {self.verdict.grade}" + (f" ({self.verdict.reason})" if self.verdict.grade != GOOD else "")
        effort = f"{tr.steps} steps, {tr.evaluations} evaluations, {tr.wall:.3g} s"
        return f"{end}; energy error {error:.2e} J{relative}; {self._violation()}{effort}"

    def explain(self) -> str:
        """What happened and what to try, in a few lines."""
        lines = [self.quality(), "method: " + self.method]
        if self.message:
            lines.append(self.message)
        cure = self.cure if not self.finished and self.cure else self.verdict.cure
        if cure:
            lines.append("try: " + cure)
        return "\n".join(lines + self.notes)

    def __repr__(self) -> str:
        end = f"{len(self.t)} samples to t = {self.t[-1]:g} s"
        return f"{type(self).__name__}({self.system.name!r}, {end}: {self.quality()})"

    def facts(self) -> dict[str, Any]:
        """Numbers about the computation, for files."""
        tr = self.trajectory
        return {
            "status": self.status.name,
            "steps": tr.steps,
            "evaluations": tr.evaluations,
            "energy_error_max": self.energy_error,
            "verdict": str(self.verdict),
        }
