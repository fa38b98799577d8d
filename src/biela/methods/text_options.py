"""Options that make a run as text 000 makes it: its tolerances, its starter, its updates of the multipliers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import MethodError, Problem
from ..system.system import System
from .registry import INTEGRATORS, Formulation, Integrator

FINEST_TOLERANCE = 2e-15
"""ten times what a number of 16 digits can tell: with less, rounding steers the steps"""


def misused(f: Formulation, i: Integrator, variable: bool, options: dict[str, Any]) -> list[Problem]:
    """What is wrong with the options that make a run as text 000 makes it."""
    out = []
    tolerance, corrector_tolerance = options["tolerance"], options["corrector_tolerance"]
    position_tolerance, starter = options["position_tolerance"], options["starter"]
    multiplier_updates = options["multiplier_updates"]

    def refuse(option: str, value: object, reason: str, cure: str) -> None:
        out.append(Problem(f"{option} = {value} has no effect here", why=reason, cure=cure))

    if corrector_tolerance is not None and (variable or not i.iterates):
        iterating = [j.name for j in INTEGRATORS.values() if j.iterates]
        reason = "the steps are error-controlled" if variable else f"{i.name} has no corrector"
        refuse("corrector_tolerance", corrector_tolerance, reason, f"fixed steps of {', '.join(iterating)}")
    elif corrector_tolerance is not None and tolerance is not None:
        out.append(Problem("tolerance and corrector_tolerance set the same thing",
                           why="one is a fraction of the mechanism's size, the other in the units of the coordinates",
                           cure="leave one of them out"))  # fmt: skip
    if position_tolerance is not None and not f.chooses_coordinates:
        refuse("position_tolerance", position_tolerance, f"{f.name} solves no position problem at its evaluations",
               "formulation='projection'")  # fmt: skip
    if starter is not None and not i.starters:
        starting = [j.name for j in INTEGRATORS.values() if j.starters]
        why = "its first steps are of its own order" if i.multistep else "it starts by itself"
        refuse("starter", starter, f"{i.name} takes none: {why}", f"integrator = one of {', '.join(starting)}")
    elif starter is not None and starter not in i.starters:
        out.append(Problem(f"there is no starter {starter!r}", cure=f"one of: {', '.join(i.starters)}"))
    if multiplier_updates is not None and not f.iterates_multipliers:
        refuse("multiplier_updates", multiplier_updates, f"{f.name} does not iterate its multipliers",
               "formulation='augmented'")  # fmt: skip
    elif multiplier_updates is not None and (i.scipy or i.tangents or i.stages or i.direct or variable):
        out.append(Problem(f"multiplier_updates = {multiplier_updates} cannot be combined with {i.name}",
                           why="it needs accelerations that depend on the state alone, not on the multipliers before",
                           cure="integrator='trapezoidal' with fixed steps, as in 000 4.4.2"))  # fmt: skip
    elif multiplier_updates is not None and not 1 <= multiplier_updates <= 1000:
        out.append(Problem(f"multiplier_updates = {multiplier_updates} is not possible", cure="1, 2, 3, ..."))
    return out


def check_rounding(system: System, corrector: float | None, positions: float | None) -> None:
    """Refuse absolute tolerances that rounding never lets a run reach."""
    s = system.arrays
    far = max(float(np.abs(system.q0).max(initial=0.0)), system.size)
    steepest = float(np.abs(s.J[: len(s.jcol)]).max(initial=1.0)) if len(s.jcol) else 1.0
    problems = [
        Problem(f"{name} = {given:g} is below rounding", why=f"numbers of 16 digits move {what} by {least:.1g}",
                cure=f"{2 * least:.1g} or more; leave it out and it is as small as rounding allows")
        for name, given, what, least in (
            ("corrector_tolerance", corrector, "the coordinates", FINEST_TOLERANCE * far),
            ("position_tolerance", positions, "Phi", FINEST_TOLERANCE * far * steepest),
        )
        if given is not None and given < least
    ]  # fmt: skip
    if problems:
        raise MethodError(problems)
