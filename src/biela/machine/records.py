"""Records: the numbers that steer and watch a run, by name.

Compiled code reads and writes `s.par.alpha`, `s.run.evaluations`, `s.margin.now`. Each field is declared once, here.
The type that Numba compiles, the class that Python sees, what a checkpoint holds and what machine code on disk depends
on all come from these tables.

All fields of a record are of one kind and lie one after the other, so that a record is also an array: `s.mon[:] = 0.0`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Fields(NamedTuple):
    """A record: its kind (f = float64, j = int64), whether the settings alone say what is in it, and its fields."""

    kind: str
    is_setting: bool
    meaning: str
    fields: dict[str, str]
    """name -> meaning"""


RECORDS: dict[str, Fields] = {
    "par": Fields("f", True, "parameters of the methods", {
        "alpha": "penalty factor of the constraints, 000 (89)",
        "xi": "damping ratio of the stabilised constraints",
        "omega": "natural frequency of the stabilised constraints, rad/s",
        "position_tolerance": "|Phi| at which a return to the constraints ends",
        "beta": "penalty factor of projections, and of the rows in a saddle-point matrix",
        "multiplier_tolerance": "relative change at which multipliers have settled",
        "length_scale": "size of the mechanism, m",
        "mass_scale": "typical mass: makes rows and inertia alike, kg",
        "dissipation": "dissipation of the decaying schemes of 002",
        "alpha_m": "generalised-alpha: weight of the old accelerations in the inertia",
        "alpha_f": "generalised-alpha: weight of the old forces",
        "newmark_beta": "Newmark: weight of the new acceleration in the positions",
        "newmark_gamma": "Newmark: weight of the new acceleration in the velocities",
        "increment_tolerance": "change of positions, relative to the size, at which a step of the alpha family ends",
        "row_stiffness": "penalty factor of the rows where index-3 schemes eliminate the multipliers [S.4]",
        "reusable_penalty": "penalty factor of the matrix that an evaluation leaves to a projection; 0: none to use",
        "asked_position_tolerance": "|Phi| that the user asked for where positions are solved; 0: as far as it goes",
    }),
    "opt": Fields("j", True, "options of a run", {
        "project_every": "return to the constraints after so many steps; 0: never",
        "max_multiplier_iterations": "iterations of the multipliers of one evaluation",
        "max_iterations": "iterations of a corrector",
        "rank": "independent constraint rows in a regular position",
        "step_criterion": "what steers variable steps: 0 the integrator's own estimate, 1 halved steps, 2 the energy",
        "steps_end_at_samples": "1 if samples are ends of steps",
        "index3": "1 if the integrator solves the index-3 equations itself",
        "has_polynomial": "1 if the integrator has a polynomial of its own over the last step",
        "rows_per_step": "1 if independent rows are chosen for whole steps",
        "multiplier_updates": "how often an evaluation improves the multipliers; 0: until they settle",
        "starter_order": "order of the Runge-Kutta steps that begin an Adams method",
        "max_choices": "choices of independent coordinates that are kept",
        "mass_varies": "1 if the mass matrix depends on the coordinates",
    }),
    "run": Fields("j", False, "what a run counts and remembers", {
        "settle_calls": "returns to the constraints that were asked for, taken or not",
        "evaluations": "evaluations of the accelerations",
        "iterations": "iterations of multipliers and correctors",
        "rechoices": "choices of independent coordinates after the first",
        "history": "steps since a multistep method, or the alpha family, began anew",
        "multipliers_wanted": "1 if this step ends at a sample: its multipliers are kept",
        "near_singular": "1 if the determinant has fallen: the constraints are about to lose rank",
        "projection": "how to project: 1 with the matrix of the last evaluation, 0 as usual, -1 to the last digit",
    }),
    "ctl": Fields("f", False, "control of steps and iterations", {
        "corrector_tolerance": "what a corrector may still change, in units of the coordinates",
        "error": "error of the last trial step, in tolerances",
        "relative_tolerance": "relative tolerance of variable steps; 0: steps are fixed",
        "absolute_tolerance": "absolute tolerance of variable steps",
        "previous_error": "error of the step before, in tolerances",
        "largest_energy": "greatest kinetic energy and work so far: errors of energies are measured by it",
        "acceleration_step": "step of which the variable a of the alpha family is",
        "order": "order of the error estimate",
        "duration": "length of the run, s",
        "starting_energy": "what the accelerations at the start would do over the size of the mechanism",
        "negligible_energy": "an energy whose digits do not matter: work is not measured by less",
        "sample_spacing": "time from the sample before, s",
    }),
    "mon": Fields("f", False, "monitors", {
        "initial_energy": "kinetic and potential energy at the start",
        "energy_error": "greatest energy error",
        "violation": "greatest |Phi|",
        "rate_violation": "greatest |Phi'|",
        "kinetic_energy": "kinetic energy of the last accepted state",
        "potential_energy": "potential energy of the last accepted state",
        "singular_time": "when the run met a singular position; 0: it did not",
        "rejected": "steps that were tried and not taken",
        "steps": "steps that were taken, where they are variable",
        "divided_steps": "steps that did not converge and were taken in parts",
        "most_parts": "most parts of one of them",
        "worst_equation": "of a corrector that failed: the equation that is off most",
        "worst_residual": "by how much",
        "rounding_steps": "steps whose error is no more than rounding",
        "low_order_steps": "steps of an order below eight",
        "missed_speed": "velocity that the equations at samples give and the steps over them did not see",
        "missed_work": "the same of the work",
        "most_missed_speed": "the most of that velocity at one sample",
        "most_missed_time": "time of that sample",
        "coarse_steps": "steps too long for a law that switches or is short",
        "sticking_switch": "last switch that was left to both sides at once, as dry friction at rest; 0: none",
        "sticking_time": "when",
    }),
    "margin": Fields("f", False, "distance from singular positions", {
        "now": "rank margin: smallest pivot of the constraint rows over the largest; -1: not known",
        "at_choice": "rank margin when the independent rows were chosen; -1: not known yet",
        "previous": "rank margin of the step before",
        "regular": "greatest rank margin so far",
        "singularity": "-1/2 log det(M + alpha Phi_q^T Phi_q): rises towards a singular position",
        "singularity_known": "1 once it has been evaluated",
        "least_singularity": "least of it so far",
        "greatest_singularity": "greatest of it so far",
        "singularity_one_back": "the same at the last accepted step",
        "singularity_two_back": "and at the one before",
        "volume": "log |det| of the dependent columns of Phi_q, for the present choice of coordinates",
        "low_order_steps_ahead": "how many of the coming steps a method with long steps leaves to one of order five",
        "previous_step": "length of the last accepted step",
        "time_to_singular": "time to the singular position ahead; 1e300: none is known",
        "time_since_singular": "time since the last one; 1e300: there was none",
        "intended_step": "step that would have been taken but for the singular position ahead; 0: none",
        "trial_step": "length of the trial step before this one",
        "trial_error": "its error, in tolerances",
        "trial_crossed": "1 if it led across the singular position",
        "crossing_step": "length of the first trial step across; 0: none",
        "crossing_error": "least error of such trial steps",
        "multipliers_slow": "1 if the multipliers of the last evaluation settled slowly",
        "turning_rate": "fastest rate of turning of a body at the end of the last step, rad/s",
        "usual_difference": "by how much accelerations usually differ from the extrapolated ones",
        "extrapolated": "1 if those of the last step were taken as extrapolated",
        "growth_at_choice": "how many times a row in use entered the rows left out, when they were chosen",
    }),
    "switching": Fields("f", False, "where laws switch within steps", {
        "intended_step": "the step before it was cut at a switch; 0: none",
        "changes": "changes of side without getting on",
        "changes_since": "since when",
        "last_switch": "the last switch that was left at once",
        "duration": "length of the run, s",
        "rate_noise": "what is rounding of a rate",
        "repetitions": "how often the present step has been taken again",
        "chatter": "changes of side within a short while",
        "chatter_since": "since when",
        "resting_steps": "tiny steps in which a switch has been neither left nor got clear of",
    }),
}  # fmt: skip


class Record(np.ndarray):
    """The numbers of a record: an array whose places have names, too. (A name that it does not have is an error.)"""

    __slots__ = ()


def _field(place: int, meaning: str) -> property:
    def get(self: Record) -> Any:
        return self[place]

    def put(self: Record, value: float) -> None:
        self[place] = value

    return property(get, put, doc=meaning)


def _class(name: str, record: Fields) -> type[Record]:
    fields = {field: _field(k, meaning) for k, (field, meaning) in enumerate(record.fields.items())}
    return type(name, (Record,), {"__slots__": (), "__doc__": record.meaning, **fields})


CLASSES = {name: _class(name, record) for name, record in RECORDS.items()}
"""the class of each record, for Python"""


def new_record(name: str) -> Record:
    """A record of zeros.

    >>> run = new_record("run")
    >>> run.evaluations += 1
    >>> int(run.evaluations), int(run.sum())
    (1, 1)
    """
    kind = np.float64 if RECORDS[name].kind == "f" else np.int64
    return np.zeros(len(RECORDS[name].fields), kind).view(CLASSES[name])
