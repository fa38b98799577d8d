"""The options of a run, each declared once.

Keywords of `simulate`, flags of the command line with their help, fields of the studio, what a method of a comparison
may be given (`hht[rho=0.8]`), the lists of what each method uses and the checks of numbers all come from `RunOptions`.
What an option does stands where it is used; where it makes no sense, `settings.choose` says why.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from math import isfinite
from typing import Annotated, Any, TypedDict, TypeVar, get_type_hints

from ..errors import MethodError, Problem
from .registry import Formulation, Integrator

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Option:
    """What is known of an option besides its name."""

    help: str
    kind: str = "number"
    """a quantity as in model files (number, time, angular velocity), or: count, word, flag"""
    metavar: str = "NUMBER"
    """what the command line shows for its value"""
    positive: bool = False
    not_negative: bool = False
    formulations: Callable[[Formulation], bool] = lambda f: False
    """which formulations use it"""
    integrators: Callable[[Integrator], bool] = lambda i: False
    """which integrators use it"""
    accuracy: bool = False
    """how exact and by which steps, not which method: a comparison sets it for all its methods"""

    @property
    def is_quantity(self) -> bool:
        """Whether its value is a number that may have a unit."""
        return self.kind not in ("count", "word", "flag")


class RunOptions(TypedDict, total=False):
    """Options of a run, beside model, duration, coordinates, formulation and integrator."""

    step: Annotated[
        float | str | None,
        Option('Time step, such as 1e-3 or "10 ms".', "time", "TIME", positive=True, accuracy=True,
               integrators=lambda i: not i.adaptive),
    ]  # fmt: skip
    tolerance: Annotated[
        float | str | None,
        Option("Of the error control, or of the corrector.", positive=True, accuracy=True,
               integrators=lambda i: i.adaptive or i.iterates),
    ]  # fmt: skip
    alpha: Annotated[float | str | None, Option("Penalty factor.", positive=True, formulations=lambda f: f.penalised)]
    xi: Annotated[
        float | str | None,
        Option("Damping ratio of the constraints.", not_negative=True, formulations=lambda f: f.stabilised),
    ]
    omega: Annotated[
        float | str | None,
        Option("Natural frequency of the constraints, rad/s.", "angular velocity", "RATE", not_negative=True,
               formulations=lambda f: f.stabilised),
    ]  # fmt: skip
    project_every: Annotated[int | None, Option("Back onto the constraints every K steps; 0: never.", "count", "K")]
    rho: Annotated[
        float | str | None,
        Option("Spectral radius at infinite frequency, 1 = no damping.", integrators=lambda i: i.damped[0] < 1.0),
    ]
    dissipation: Annotated[
        float | str | None, Option("Of `decaying`: above 0, up to 1.", integrators=lambda i: i.dissipates)
    ]
    adaptive: Annotated[
        bool,
        Option("Variable steps for any one-step integrator; --tolerance is the accuracy of the run, --step the longest "
               "step.", "flag", accuracy=True),
    ]  # fmt: skip
    criterion: Annotated[
        str | None, Option("What controls variable steps: error, energy.", "word", "NAME", accuracy=True)
    ]
    corrector_tolerance: Annotated[
        float | str | None,
        Option("What a corrector may still change, in the units of the coordinates.", positive=True,
               integrators=lambda i: i.iterates and not i.adaptive),
    ]  # fmt: skip
    position_tolerance: Annotated[
        float | str | None,
        Option("Of `projection`: what |Phi| may be.", positive=True, formulations=lambda f: f.chooses_coordinates),
    ]
    starter: Annotated[
        str | None,
        Option("First steps of ab4 and abm4: rk4, rk2.", "word", "NAME", integrators=lambda i: bool(i.starters)),
    ]
    multiplier_updates: Annotated[
        int | None,
        Option("Of `augmented`: updates of the multipliers per evaluation; by default until they settle.",
               "count", "K", formulations=lambda f: f.iterates_multipliers),
    ]  # fmt: skip
    machine: Annotated[
        str | None,
        Option("Machine code: generic, that of all mechanisms, or tape, this one's own; by default what pays.", "word",
               "NAME"),
    ]  # fmt: skip


OPTIONS: dict[str, Option] = {
    name: hint.__metadata__[0] for name, hint in get_type_hints(RunOptions, include_extras=True).items()
}


def spelled_out(function: F) -> F:
    """A function of `**options: Unpack[RunOptions]`, whose signature shows each of them by name."""
    signature, hints = inspect.signature(function), get_type_hints(RunOptions)
    plain = [p for p in signature.parameters.values() if p.kind != p.VAR_KEYWORD]
    for name, o in OPTIONS.items():
        default = False if o.kind == "flag" else None
        plain.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hints[name]))
    function.__signature__ = signature.replace(parameters=plain)  # type: ignore[attr-defined]
    return function


def uses(method: Formulation | Integrator) -> list[str]:
    """The options that a formulation or an integrator uses.

    >>> from .registry import FORMULATIONS, INTEGRATORS
    >>> uses(FORMULATIONS["augmented"]), uses(INTEGRATORS["hht"])
    (['alpha', 'xi', 'omega', 'multiplier_updates'], ['step', 'rho'])
    """
    if isinstance(method, Formulation):
        return [name for name, o in OPTIONS.items() if o.formulations(method)]
    return [name for name, o in OPTIONS.items() if o.integrators(method)]


def check_names(names: Any) -> None:
    """Refuse options that there are not.

    >>> check_names(["stepp"])
    Traceback (most recent call last):
    biela.errors.MethodError: there is no option 'stepp'
      why:   did you mean 'step'?
      ...
    """
    problems = []
    for name in names:
        if name not in OPTIONS:
            close = get_close_matches(str(name), OPTIONS, n=1)
            why = f"did you mean {close[0]!r}?" if close else ""
            problems.append(Problem(f"there is no option {name!r}", why=why, cure=f"one of: {', '.join(OPTIONS)}"))
    if problems:
        raise MethodError(problems)


def impossible(options: RunOptions) -> list[Problem]:
    """Numbers that no run can have: infinite, negative, nothing."""
    problems = []
    for name, value in options.items():
        o = OPTIONS[name]
        if value is None or not (o.positive or o.not_negative):
            continue
        number = float(value)  # type: ignore[arg-type]
        if not (isfinite(number) and (number > 0 if o.positive else number >= 0)):
            kind = "a positive number" if o.positive else "a number that is not negative"
            problems.append(Problem(f"{name} = {value} is not possible", cure=f"give {kind}"))
    return problems
