"""What `run` and `plot` ask of a simulation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .reading import number
from .watch import Watch

if TYPE_CHECKING:
    from ..model.model import Model
    from ..results.result import Result


@dataclass(frozen=True)
class Request:
    """The options of a simulation, as they were written."""

    coordinates: str | None = None
    formulation: str | None = None
    integrator: str | None = None
    step: str | None = None
    duration: str | None = None
    tolerance: str | None = None
    samples: int = 1000
    alpha: str | None = None
    xi: str | None = None
    omega: str | None = None
    project_every: int | None = None
    rho: str | None = None
    dissipation: str | None = None
    adaptive: bool = False
    criterion: str | None = None
    corrector_tolerance: str | None = None
    position_tolerance: str | None = None
    starter: str | None = None
    multiplier_updates: int | None = None

    def arguments(self) -> dict[str, Any]:
        """Arguments of `biela.simulate`; nonsense is refused here, before any model is read.

        >>> Request(step="2 ms").arguments()["step"]
        0.002
        """
        return {
            "t_end": number("--duration", self.duration, "time"),
            "coordinates": self.coordinates,
            "formulation": self.formulation,
            "integrator": self.integrator,
            "step": number("--step", self.step, "time"),
            "tolerance": number("--tolerance", self.tolerance),
            "samples": self.samples,
            "alpha": number("--alpha", self.alpha),
            "xi": number("--xi", self.xi),
            "omega": number("--omega", self.omega, "angular velocity"),
            "project_every": self.project_every,
            "rho": number("--rho", self.rho),
            "dissipation": number("--dissipation", self.dissipation),
            "adaptive": self.adaptive,
            "criterion": self.criterion,
            "corrector_tolerance": number("--corrector-tolerance", self.corrector_tolerance),
            "position_tolerance": number("--position-tolerance", self.position_tolerance),
            "starter": self.starter,
            "multiplier_updates": self.multiplier_updates,
        }

    def simulate(self, model: Model, quiet: bool, checkpoint: Path | None = None) -> Result:
        """Run it, watched."""
        arguments = self.arguments()
        with Watch(model.name, quiet, keeps=checkpoint is not None) as watch:
            from ..analysis.simulate.simulate import simulate

            return simulate(model, progress=watch, checkpoint=checkpoint, **arguments)
