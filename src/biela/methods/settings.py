"""The settings of a run, checked against what each method can use: nothing is silently ignored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

import numpy as np

from ..errors import MethodError, Problem
from ..mechanics.measure import wound_at_start
from ..system.system import System
from .control.magnitudes import smallest_violation, text_alpha, typical_mass
from .integrators.index3.alpha_family import alphas
from .options import OPTIONS, check_names, impossible
from .positions.closing import slopes_of_rows
from .registry import INTEGRATORS, Formulation, Integrator, check_pair, formulation, integrator
from .text_options import FINEST_TOLERANCE, check_rounding, misused

FIXED_POINT_TOLERANCE = 1e-5
"""of the text (000 4.4.1), relative to the size of the mechanism"""
NEWTON_TOLERANCE = 1e-14
"""of Newton-Raphson, relative to the size: as far as it goes"""
ERROR_TOLERANCE = 1e-8
LOOSE = 1e-6
"""tolerance from which on a method of lower order does it with less work"""
LED = 300.0
"""how much larger errors of positions and velocities may be, relative to the size, in a step of a mechanism whose
drivers leave no freedom: the return to the constraints takes all of them away, and the work is controlled by itself"""
AS_ASKED = "as asked"
BY_AUGMENTED = "augmented Lagrange copes with redundant constraints and passes singular positions"
"""reasons of a choice"""
MACHINES = ("generic", "tape")
CRITERIA = {"error": 1, "energy": 2}
"""what steers a variable step, and its number in the time loop"""
KEPT_CHOICES, NUMBERS_OF_CHOICES = 500, 200_000
"""choices of independent coordinates whose instants are kept, and numbers that they may take all together"""
MANY = 80
"""coordinates from which on penalty factors grow with their number"""


@dataclass(frozen=True)
class Settings:
    """A complete, consistent choice of methods."""

    formulation: Formulation
    integrator: Integrator
    step: float | None
    tolerance: float | None
    alpha: float | None
    xi: float
    omega: float
    project_every: int
    rho: float
    """spectral radius at infinite frequency, for the methods that damp"""
    dissipation: float | None
    reason: str
    """why these were taken"""
    adaptive: bool = False
    """steps of variable length, whether the integrator's own or asked for"""
    criterion: str | None = None
    """what steers them: error (None where the integrator has an estimate of its own) or energy"""
    hands_over: bool = False
    """an explicit integrator that nobody asked for: `radau5` goes on where fast decays hold its steps back"""
    corrector_tolerance: float | None = None
    """what a corrector may still change, in the units of the coordinates: 000 (123)"""
    position_tolerance: float | None = None
    """what |Phi| may be, in its own units, where positions are solved at each evaluation: 000 4.4.3"""
    starter: str | None = None
    """the one-step method that takes the first steps of an Adams method"""
    multiplier_updates: int | None = None
    """how often each evaluation improves the multipliers: 000 4.4.2 has one; None: until they settle"""
    machine: str | None = None
    """whose machine code evaluates: generic, tape, or the latter in long runs (None)"""


def choose(
    formulation_name: str | None = None,
    integrator_name: str | None = None,
    step: float | None = None,
    *,
    stiff: bool = False,
    eventful: bool = False,
    redundant: bool = False,
    **more: Any,
) -> Settings:
    """Complete the user's choice by the recommendations of docs/choose.md, and refuse what makes no sense.
    `more`: other options of `RunOptions`, with numbers in SI units."""
    check_names(more)
    options: Any = {**dict.fromkeys(OPTIONS), **more, "step": step}
    tolerance, alpha, xi, omega = (options[name] for name in ("tolerance", "alpha", "xi", "omega"))
    project_every, rho, dissipation = options["project_every"], options["rho"], options["dissipation"]
    adaptive, criterion = bool(options["adaptive"]), options["criterion"]
    auto_f = formulation_name in (None, "auto")
    auto_i = integrator_name in (None, "auto")
    f = formulation("augmented" if auto_f else str(formulation_name))
    # long steps of high order are for small errors, and could step over the touch of a stop
    loose = tolerance is not None and tolerance >= LOOSE
    short = eventful or (redundant and not f.chooses_rows) or criterion is not None or loose
    # (the tangents of an implicit step are those of one choice of coordinates)
    rough = stiff and f.chooses_coordinates
    own = "gauss" if rough else "radau5" if stiff else "dopri5" if short else "dopri8"
    i = integrator(own if auto_i else str(integrator_name))
    adaptive = adaptive or (auto_i and rough)
    check_pair(f, i)
    if i.direct and not auto_f:
        raise MethodError(
            Problem(
                f"{i.name} takes no formulation",
                where=f.name,
                why="it solves the index-3 equations itself: positions and multipliers are the unknowns of a step",
                cure="leave the formulation out, or take another integrator",
            )
        )
    if i.direct:
        f = replace(f, name="index-3", title="the constraints are part of the integrator", stabilised=False,
                    penalised=False, chooses_rows=False)  # fmt: skip
    why = []
    if auto_f and not i.direct:
        why.append(BY_AUGMENTED)
    if auto_i:
        why.append(f"{i.name} because {'the forces are stiff' if stiff else 'it controls its own error'}")
    if adaptive and i.scheme == "alpha" and i.function == "step":
        # at index 3 velocities across the constraints alternate, and grow where the step changes
        i = replace(i, module=".index3.stabilised", direct=2)
        why.append("stabilised index 2, as the step varies")
    problems = []

    def refuse(option: str, value: object, reason: str, cure: str) -> None:
        problems.append(Problem(f"{option} = {value} has no effect here", why=reason, cure=cure))

    problems += impossible(options)
    if tolerance is not None and isfinite(tolerance) and tolerance >= 1:
        reason = "it is a fraction of the motion, and 1 is all of it"
        problems.append(Problem(f"tolerance = {tolerance:g} is not possible", why=reason, cure="a number such as 1e-6"))
    variable = i.adaptive or adaptive
    if (variable or i.iterates) and tolerance is not None and 0.0 < tolerance < FINEST_TOLERANCE:
        steers = "rounding errors would control the steps, and the run would not end"
        reason = f"numbers have 16 digits: {steers if variable else 'rounding moves the corrector by more'}"
        problems.append(Problem(f"tolerance = {tolerance:g} is not possible", why=reason, cure="1e-14 or more"))
    if adaptive and i.multistep and not i.adaptive:
        why_not, cure = "a multistep method: its formulas are those of equal steps", "integrator='lsoda' or 'bdf'"
        problems.append(Problem(f"{i.name} has no variable step", why=why_not, cure=f"{cure}, or a method of one step"))
    if adaptive and i.equal_steps:
        problems.append(Problem(f"{i.name} has no variable step", why="the order of its velocities is not that of its "
                                "positions, so that halves do not tell the error", cure="integrator='conserving'"))
    if tolerance is not None and not variable and not i.iterates:
        steps = "fixed steps" if i.direct else "fixed explicit steps"
        refuse("tolerance", tolerance, f"{i.name} takes {steps}", "give step=, or adaptive=True")
    problems += misused(f, i, variable, options)
    machine = options["machine"]
    if machine not in (None, *MACHINES):
        problems.append(Problem(f"there is no machine {machine!r}", cure=f"one of: {', '.join(MACHINES)}"))
    elif machine == "tape" and (i.direct or i.scipy):
        reason = "solves the index-3 equations itself" if i.direct else "is SciPy's, which calls Python"
        refuse("machine", machine, f"{i.name} {reason}", "integrator='dopri8'")
    if criterion is not None and criterion not in CRITERIA:
        problems.append(Problem(f"there is no criterion {criterion!r}", cure=f"one of: {', '.join(CRITERIA)}"))
    elif criterion is not None and (i.dense or i.tangents):
        refuse("criterion", criterion, f"{i.name} has an estimate of its own", "integrator='dopri5'")
    elif criterion is not None and (not variable or i.scipy):
        reason = "SciPy controls its steps" if i.scipy else f"the steps of {i.name} are fixed"
        refuse("criterion", criterion, reason, "integrator='dopri5', or adaptive=True")
    elif criterion == "energy" and i.keeps:
        always = "loses some where a step differs from the one before" if i.dissipates else "keeps it whatever the step"
        refuse("criterion", criterion, f"{i.name} {always}", "criterion='error'")
    if alpha is not None and not f.penalised:
        refuse("alpha", alpha, f"{f.name} has no penalty factor", "formulation='penalty' or 'augmented'")
    for name, value in (("xi", xi), ("omega", omega)):
        if value is not None and not f.stabilised:
            refuse(name, value, f"{f.name} is not stabilised", "formulation='baumgarte', 'penalty' or 'augmented'")
    if project_every is not None and i.direct and i.scheme != "alpha":
        refuse("project_every", project_every, f"{i.name} ends each step on the constraints", "leave it out")
    if project_every is not None and f.chooses_coordinates:
        refuse("project_every", project_every, f"{f.name} solves the constraints at each evaluation", "leave it out")
    if project_every is not None and i.scipy:
        refuse("project_every", project_every, "SciPy's steps continue from where they are", "integrator='dopri8'")
    if project_every is not None and project_every < 0:
        problems.append(Problem(f"project_every = {project_every} is not possible", cure="0 (never), 1, 2, ..."))
    least, usual = i.damped
    if rho is not None and least == 1.0:
        damping = [j.name for j in INTEGRATORS.values() if j.damped[0] < 1.0]
        refuse("rho", rho, f"{i.name} has no adjustable damping", f"integrator = one of {', '.join(damping)}")
    elif rho is not None and not least <= rho <= 1.0:
        problems.append(Problem(f"rho = {rho} is not possible", why="it is the spectral radius at infinite frequency",
                                cure=f"for {i.name} a number from {least:g} (most damping) to 1 (none)"))  # fmt: skip
    if dissipation is not None and not i.dissipates:
        refuse("dissipation", dissipation, f"{i.name} has no adjustable dissipation", "integrator='decaying'")
    elif dissipation is not None and not 0.0 < dissipation <= 1.0:
        problems.append(Problem(f"dissipation = {dissipation} is not possible",
                                cure="a number above 0, up to 1 (full); integrator='conserving' has none"))  # fmt: skip
    if problems:
        raise MethodError(problems)
    every = project_every
    if every is None:
        # by default the error-controlled integrators end each step on the constraints; fixed-step ones are as in 000
        every = 1 if variable and not i.scipy and not i.direct and not f.chooses_coordinates else 0
    # what each step ends on needs no pull towards it: at the stages of a step that would only disturb
    drawn_back = variable and every == 1 and f.name == "augmented"
    return Settings(
        f,
        i,
        step,
        tolerance,
        alpha,
        (1.0 if xi is None else xi) if f.stabilised else 0.0,
        (omega if omega is not None else 0.0 if drawn_back else 10.0) if f.stabilised else 0.0,
        every,
        usual if rho is None else rho,
        dissipation,
        "; ".join(why) if why else AS_ASKED,
        variable,
        criterion or ("error" if variable and not i.adaptive else None),
        auto_i and not stiff and criterion is None and not f.chooses_coordinates,
        options["corrector_tolerance"],
        options["position_tolerance"],
        options["starter"],
        options["multiplier_updates"],
        options["machine"],
    )


def apply(settings: Settings, system: System) -> float:
    """Write the settings into the system's arrays; returns the alpha in use."""
    lay_matrices(settings, system)
    s = system.arrays
    s.left_out[:] = 0
    system.evaluate(system.q0)
    mass = typical_mass(system)
    rows = np.add.reduceat(np.append(s.J**2, 0.0), s.jptr[:-1]) if len(s.jptr) > 1 else np.zeros(0)
    # where the text has one alpha for all rows, so has biela; elsewhere rows are weighed alike, whatever their units
    plain = settings.formulation.name == "penalty" or settings.alpha is not None
    # (a row that vanishes but for rounding, as one that the tree fulfils by itself, must not be blown up)
    own = slopes_of_rows(system)
    speaking = rows > 1e-20 * np.square(own[: len(rows)])
    s.weight[:] = 1.0 if plain else 1.0 / np.where(speaking, rows, 1.0)
    s.pair_weight[:] = s.weight[s.pair_row]
    s.wound[:] = wound_at_start(system)
    s.y[-1] = 0.0
    s.q[:], s.v[:] = system.q0, system.v0
    beta = mass / float(rows[speaking].mean()) if plain and speaking.any() else mass
    alpha = settings.alpha
    # a row of many loops is as soft as all of them together: its softest motion as 1/n^2
    many = max(1.0, s.n / MANY) ** 2
    if alpha is None:
        alpha = text_alpha(beta) if settings.formulation.name == "penalty" else 1e4 * beta * min(many, 1e4)
    s.par.alpha, s.par.xi, s.par.omega = alpha, settings.xi, settings.omega
    s.par.position_tolerance = max(smallest_violation(system, rows[speaking]), system.slack * system.size)
    s.par.beta = beta * (1e4 * min(many, 1e4) if settings.formulation.passes_singular else 1.0)
    # the matrix that an evaluation leaves behind serves a projection next to it, unless rows change with t or by sines
    reusable = settings.formulation.penalised and not len(s.tree_calls) + len(s.trig_row) + len(s.drv_row)
    reusable = reusable and not _is_redundant(system)  # (some of its rows may be left out)
    s.par.reusable_penalty = alpha if reusable else 0.0
    s.par.row_stiffness = 1e7 * mass * max(1.0, s.n / (25 * MANY)) ** 2  # [S.4]
    s.par.multiplier_tolerance = 1e-11
    s.par.length_scale, s.par.mass_scale = system.size, mass
    check_rounding(system, settings.corrector_tolerance, settings.position_tolerance)
    s.par.asked_position_tolerance = settings.position_tolerance or 0.0
    choices = 0
    if settings.formulation.chooses_coordinates and not system.is_open_tree:
        choices = min(KEPT_CHOICES, max(1, NUMBERS_OF_CHOICES // (s.n + 1)))
    make_workspace(system, settings.integrator, choices)
    s = system.arrays
    if settings.integrator.direct:
        s.par.dissipation = 1.0 if settings.dissipation is None else settings.dissipation
        weights = alphas(settings.integrator.name, settings.rho)
        s.par.alpha_m, s.par.alpha_f, s.par.newmark_beta, s.par.newmark_gamma = weights
        whole = len(s.load_acol) + len(s.wound) + len(s.merge_row) + len(s.trig_row) == 0
        damped = settings.rho < 1.0 or settings.integrator.function == "step_projected"  # else errors add up
        s.par.increment_tolerance = 1e-8 if whole and damped else 1e-13
    s.opt[:], s.run[:] = 0, 0
    s.opt.mass_varies = len(s.tree_calls) > 0 and system.coordinates != "reference-point"
    every = 1 if settings.formulation.chooses_coordinates else settings.project_every
    s.opt.project_every, s.opt.max_multiplier_iterations, s.opt.max_iterations = every, 40, 60
    s.opt.rank, s.opt.rows_per_step = system.rank, _chooses_rows_per_step(settings, system)
    s.run.multipliers_wanted = 1
    s.opt.max_choices, s.opt.multiplier_updates = choices, settings.multiplier_updates or 0
    s.opt.starter_order = 2 if settings.starter == "rk2" else 4
    s.mon[:] = 0.0
    s.ctl[:] = 0.0
    s.lam[:] = 0.0
    s.margin[:] = 0.0
    s.margin.now = s.margin.previous = -1.0  # not known yet
    s.margin.time_to_singular = s.margin.time_since_singular = 1e300
    i, given = settings.integrator, settings.tolerance
    s.opt.index3, s.opt.steps_end_at_samples, s.opt.has_polynomial = int(i.direct > 0), int(i.keeps), int(i.dense)
    if settings.adaptive:
        tolerance = ERROR_TOLERANCE if given is None else given
        s.ctl.relative_tolerance, s.ctl.absolute_tolerance = tolerance, tolerance * min(system.size, 1.0)
        s.opt.step_criterion = CRITERIA[settings.criterion] if settings.criterion else 0
        if system.n == system.rank and settings.project_every == 1 and not settings.criterion:
            s.ctl.absolute_tolerance *= LED
        s.ctl.order = i.estimate or i.order
    exact = NEWTON_TOLERANCE if i.stages else FIXED_POINT_TOLERANCE if not settings.adaptive else 10 * NEWTON_TOLERANCE
    s.ctl.corrector_tolerance = (exact if given is None or settings.adaptive else given) * system.size
    if settings.corrector_tolerance is not None:
        s.ctl.corrector_tolerance = settings.corrector_tolerance
    return float(alpha)


def make_workspace(system: System, i: Integrator, choices: int = 0) -> None:
    """What the integrator computes in, where a step is kept so that it can be taken back, and so many choices of
    independent coordinates."""
    from .integrators.implicit.radau_newton import radau_workspace_length
    from .integrators.implicit.stages import stage_workspace_length
    from .integrators.index3.workspace import workspace_length
    from .loops.step_memory import step_memory_length

    s = system.arrays
    size = step_memory_length(len(s.y), len(s.lam), s.n) + choices * (s.n + 1)
    if alpha_eliminates(i, system) or conserving_eliminates(i, system):
        size += workspace_length(s, 1, 0)
    elif i.direct:
        size += workspace_length(s, 1 if i.scheme == "stabilised" else i.direct, i.direct)
    elif i.tangents:
        size += radau_workspace_length(s)
    elif i.stages:
        size += stage_workspace_length(s, i.stages)
    system.resize_workspace(size)
    system.arrays.direct[:] = 0.0


def conserving_eliminates(i: Integrator, system: System) -> bool:
    """Whether the conserving schemes take the matrix of the coordinates alone."""
    s = system.arrays
    return i.scheme in ("conserving", "composed") and not len(s.tree_calls) and not len(s.trig_row)


def alpha_eliminates(i: Integrator, system: System) -> bool:
    """Whether the alpha family takes the matrix of the coordinates alone."""
    return i.scheme == "alpha" and not len(system.arrays.tree_calls)


def lay_matrices(settings: Settings, system: System) -> None:
    """Sparse or dense, as the formulation needs them, if they are not too large."""
    check_size(settings, system)
    if not system.is_open_tree:
        system.lay_dense(_needs_dense(settings.formulation, system))


def _needs_dense(f: Formulation, system: System) -> bool:
    if f.dense or f.saddle or not (f.chooses_rows and _is_redundant(system)):
        return f.dense or (f.saddle and not system.lay_saddle())
    return not system.lay_saddle() and system.n + system.m <= LARGEST  # rows can be told apart in either


def _is_redundant(system: System) -> bool:
    return 0 <= system.rank < len(system.arrays.active)


def _chooses_rows_per_step(settings: Settings, system: System) -> bool:
    """Whether independent rows are chosen for whole steps (SciPy's integrators do not say where one begins)."""
    f, i = settings.formulation, settings.integrator
    able = f.chooses_rows and not i.scipy and not i.direct and not system.is_open_tree and _is_redundant(system)
    return able and (bool(system.workspace.saddle) or system.n + system.m <= LARGEST)


LARGEST = 4000
"""coordinates and rows that dense matrices are made for"""


def check_size(settings: Settings, system: System) -> None:
    """Refuse dense matrices of a size that no machine holds."""
    f, i = settings.formulation, settings.integrator
    size = (3 if i.tangents else 1) * system.n + system.m
    whole = _needs_dense(f, system)
    eliminates = alpha_eliminates(i, system) or conserving_eliminates(i, system)
    dense = whole or i.stages > 0 or i.tangents or (i.direct > 0 and not eliminates)
    if dense and size > LARGEST:
        name = f.name if whole else i.name
        raise MethodError(
            Problem(
                f"{name} works with dense matrices, and this mechanism is too large for them",
                why=f"{system.n} coordinates and {system.m} constraint rows; up to {LARGEST} together",
                cure="formulation='augmented' with any integrator, or integrator='ali3', in natural coordinates",
            )
        )
