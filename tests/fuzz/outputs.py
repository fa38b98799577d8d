"""What a run hands out besides positions: energies, accelerations and reactions at its samples.

Kinetic energy is held against the bodies' own (1/2 m v^2 + 1/2 w J w); every body cut free at the last sample against
Newton and Euler; and the forces on it, where they are unique, against those of a tight run in other coordinates.
"""

from __future__ import annotations

import numpy as np

from biela.analysis.check.movability import checked_mobility
from biela.results.reactions.free_body import FreeBody, free_bodies
from biela.results.result import Result
from fuzz.bounds import MARGIN
from fuzz.finding import Finding, Tally
from fuzz.forces import LEFT
from spatial.states import energy_of_bodies, size

SAME_ENERGY = 1e-9
DRIFT = 10.0
"""bodies of natural coordinates are a little out of shape where the constraints have drifted, by less than the error of
the motion: their energies differ by twice that, and some"""
STIFF = 1e4
"""how much larger, as a share, the error of a reaction may be than that of the motion: forces of springs and of
constraints change with positions by their stiffness, which here is at most this many (largest forces)/(size)"""
ROUNDED = 1e-13
"""of the size: what rounding leaves of the constraints, which stabilisation answers with omega^2 times as much; in
mechanisms that hardly move that is a share of the forces"""
TELLING = 1e-7
"""an error of the motion beyond which reactions say nothing more"""


class Outputs:
    """Those of the run that others are held against."""

    def __init__(self, truth: Result):
        self.unique = checked_mobility(truth.system).redundant == 0
        self.forces, self.largest = forces_on_bodies(bodies_of(truth))

    def compare(self, result: Result, off: float, tally: Tally) -> list[Finding]:
        """At the last sample of another run, whose motion is off by so much."""
        what = f"{result.system.coordinates}: {result.method}"
        q, v = result.q[-1], result.v[-1]
        kinetic, own = float(result["energy.kinetic"][-1]), energy_of_bodies(result.system, q, v)
        if abs(kinetic - own) > (SAME_ENERGY + DRIFT * off) * max(own, result.energy_scale):
            return [Finding("energy: kinetic", f"{what}: {kinetic!r} J, of the bodies {own!r} J")]
        bodies = bodies_of(result)
        tally.add("compared", len(bodies))
        # multipliers of the penalty method are springs that tremble, those of index 3 may ring, and stabilisation
        # answers the velocities of a step across the constraints: as far as they say
        formulation = result.settings.formulation
        told = formulation.name == "index-3" or formulation.stabilised or result.verdict.grade != "good"
        soft = MARGIN * result.verdict.error if told else 0.0
        for body in bodies:
            if not body.error < LEFT + soft:
                text = f"{what}, body {body.body}: {body.error:.3g} of the largest force is left over\n{body}"
                return [Finding("free body: not in balance at the end of a run", text)]
        if not (self.unique and off < TELLING):
            return []
        forces, _ = forces_on_bodies(bodies)
        if forces.keys() != self.forces.keys():
            return [Finding("free body: other items", f"{what}: {set(forces) ^ set(self.forces)}")]
        worst = max(forces, key=lambda k: size(forces[k] - self.forces[k]), default=None)
        system = result.system
        heaviest = max((b.mass for b in system.resolved.bodies.values()), default=0.0)
        drawn_back = ROUNDED * system.size * result.settings.omega**2 * heaviest
        most = (SAME_ENERGY + STIFF * off + soft) * self.largest + drawn_back
        if worst is not None and size(forces[worst] - self.forces[worst]) > most:
            text = f"{what}: {worst} is {forces[worst]}, not {self.forces[worst]}, of {self.largest:.3g} N at most"
            return [Finding("reactions: at the end of a run", text)]
        return []


def bodies_of(result: Result) -> list[FreeBody]:
    return free_bodies(result, list(result.system.resolved.bodies))


def forces_on_bodies(bodies: list[FreeBody]) -> tuple[dict[str, np.ndarray], float]:
    """Force, and moment over the size, of everything on every body; and the largest of all."""
    forces = {f"{b.body}/{a.name}/{k}": np.append(a.force, a.moment / b.size)
              for b in bodies for k, a in enumerate(b.acts)}  # fmt: skip
    return forces, max((b.largest for b in bodies), default=0.0)
