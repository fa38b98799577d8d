"""The start in every set of coordinates: the same places, velocities, energies, and accelerations by every formulation.

Accelerations are held against the whole system of equations, solved by NumPy's least squares; `penalty` is off by what
its factor leaves (000 3.3), which is told by a factor ten times larger.
"""

from __future__ import annotations

import numpy as np

from biela.methods.evaluation import functions
from biela.methods.loops import loop_calls
from biela.methods.registry import FORMULATIONS
from biela.methods.settings import apply, choose
from biela.methods.status import Status
from biela.system.system import System
from fuzz.bounds import Yardstick
from fuzz.finding import Finding, Tally
from spatial.states import body_energy, by_least_squares_with_rounding, size

EXACT = 1e-8
"""of the largest: accelerations of formulations, which solve equations whose condition may be 1e6"""
SAME = 1e-9
UNLIKE = 100.0
"""lengths of rows, one over another, that one penalty factor serves: errors go with their square, from 1e-7 on"""


def compare_starts(
    systems: dict[str, System], yard: Yardstick, tally: Tally, omega: float | None = None
) -> list[Finding]:
    """Places, velocities, energies and accelerations. `omega`: of stabilised formulations, where not biela's own."""
    out: list[Finding] = []
    first = next(iter(systems.values()))
    here = yard.sheet(first).look(first.q0, first.v0)
    state = first.at(first.q0, first.v0)
    energy = max(abs(state.kinetic), abs(state.potential), 1e-300)
    motion, _, rounding = by_least_squares_with_rounding(first)
    truth = yard.sheet(first).look(first.q0, first.v0, motion).xdd / yard.unit
    big = max(size(truth), yard.speed**2)
    if abs(state.kinetic - body_energy(first)) > EXACT * energy:
        out.append(Finding("start: kinetic energy", f"{state.kinetic!r} J, of the bodies {body_energy(first)!r} J"))
    for name, system in systems.items():
        there = yard.sheet(system).look(system.q0, system.v0)
        at = system.at(system.q0, system.v0)
        for what, off, most in (
            ("place", size((there.x - here.x) / yard.unit), SAME),
            ("velocity", size((there.xd - here.xd) / yard.unit), SAME * yard.speed),
            ("kinetic energy", abs(at.kinetic - state.kinetic), EXACT * energy),
            ("potential energy", abs(at.potential - state.potential), EXACT * energy),
            ("power", abs(at.power - state.power), EXACT * max(abs(state.power), energy * yard.speed)),
        ):
            if not off <= most:
                out.append(Finding(f"start: {what} in {name}", f"{what} in {name} coordinates is off by {off:.3g}"))
        if not out:
            out += _formulations(name, system, truth, big, rounding, yard, tally, omega)
    return out


def _formulations(
    name: str, system: System, truth: np.ndarray, big: float, rounding: float, yard: Yardstick, tally: Tally,
    omega: float | None,
) -> list[Finding]:
    out = []
    for formulation in FORMULATIONS:
        own = {"omega": omega} if omega is not None and FORMULATIONS[formulation].stabilised else {}
        a, status = accelerations(system, formulation, **own)
        if status != Status.finished:
            # masses unlike enough leave no digits beside a penalty factor: biela says so (Status.no_inertia)
            if status != Status.singular and not FORMULATIONS[formulation].penalised:
                text = f"{formulation} in {name} coordinates: {status.sentence}, at a regular start"
                out.append(Finding(f"accelerations: {formulation} stops", text))
            continue
        tally.add("compared")
        sheet = yard.sheet(system)
        off = size(sheet.look(system.q0, system.v0, a).xdd / yard.unit - truth)
        most = (EXACT + rounding) * big  # masses and lengths over decades leave fewer digits
        if formulation == "penalty":
            alpha = float(system.arrays.par.alpha)
            firmer, _ = accelerations(system, formulation, alpha=10 * alpha, **own)
            there, here = (sheet.look(system.q0, system.v0, x).xdd for x in (firmer, a))
            moved = size((there - here) / yard.unit)
            most = max(2 * moved, 1e-4 * big) if one_factor_fits(system) else np.inf
        if not off <= most:
            text = f"{formulation} in {name} coordinates: accelerations off by {off:.3g} of {big:.3g}"
            out.append(Finding(f"accelerations: {formulation} in {name}", text))
    return out


def one_factor_fits(system: System) -> bool:
    """Whether one penalty factor for all rows, as in the text (000 3.3), can serve: rows of lengths squared beside rows
    of directions are as unlike as the mechanism is large, and what is firm for one is nothing for the other. A run
    says so itself: its verdict is held to its word all the same."""
    at = system.at(system.q0, system.v0)
    length = np.linalg.norm(at.B, axis=1)
    length = length[length > 1e-9 * length.max(initial=0.0)]
    return not len(length) or float(length.max() / length.min()) < UNLIKE


def accelerations(system: System, formulation: str, **options: float) -> tuple[np.ndarray, Status]:
    """v' at the start, and how the evaluation ended."""
    chosen = choose(formulation, "rk4", **options)
    apply(chosen, system)
    f, settle = functions(chosen, system)
    status = Status(loop_calls.begin(system.header, f, settle, 0.0))
    return system.arrays.a.copy(), status
