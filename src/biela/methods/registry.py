"""Formulations and integrators by name: declared facts, and what goes with what. One line registers one.

Nothing is compiled or imported here: a method's module is loaded when it is used. Other packages offer theirs by entry
points, "biela.formulations" and "biela.integrators": each names a `Formulation` or an `Integrator`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Any

from ..errors import MethodError, Problem
from ..outside import take_from_outside


@dataclass(frozen=True)
class Formulation:
    """How accelerations come out of the equations."""

    name: str
    module: str
    title: str
    source: str
    settle: str = ".shared.settle_dependent"
    stabilised: bool = False
    """uses xi and omega"""
    penalised: bool = False
    """uses alpha"""
    passes_singular: bool = False
    chooses_coordinates: bool = False
    """keeps a choice of independent coordinates from step to step"""
    chooses_rows: bool = False
    """keeps a choice of independent rows through each step"""
    dense: bool = False
    """works on dense matrices"""
    iterates_multipliers: bool = False
    """uses multiplier_updates"""
    saddle: bool = False
    """solves for accelerations and multipliers together: a sparse matrix, or dense ones where these are better"""

    def functions(self) -> tuple[Any, Any]:
        """(evaluate, settle), compiled."""
        package, (where, _, function) = "biela.methods.formulations", self.settle.rpartition(".")
        settle = getattr(import_module(where, package), function)
        return import_module(self.module, package).evaluate, settle


@dataclass(frozen=True)
class Integrator:
    """How time goes on."""

    name: str
    module: str
    """where its step is: ".folder.file" under `methods/integrators`, or a module of another package"""
    title: str
    source: str
    order: int
    function: str = "step"
    adaptive: bool = False
    iterates: bool = False
    """implicit: a tolerance stops its iteration"""
    scipy: str = ""
    """name of SciPy's method, for the reference integrators"""
    direct: int = 0
    """solves the index-3 equations itself: how many positions are unknown in a step"""
    dissipates: bool = False
    """uses dissipation"""
    stages: int = 0
    """instants of a step whose velocities are unknown, of the implicit methods for y' = f(y)"""
    dense: bool = False
    """has a polynomial of its own for the states within a step"""
    tangents: bool = False
    """implicit, with exact derivatives of the accelerations by positions and velocities"""
    estimate: int = 0
    """power of the step that its estimate of the error goes with, where that is not its order"""
    equal_steps: bool = False
    """has no variable step, though it is a one-step method"""
    multistep: bool = False
    keeps: bool = False
    """keeps or loses energy exactly, at the ends of its steps: variable steps end at the samples"""
    damped: tuple[float, float] = (1.0, 1.0)
    """smallest and usual spectral radius at infinite frequency, where the user may choose it"""
    coordinates: tuple[str, ...] = ()
    """those it works in, where not in all"""
    keeps_momentum: bool = False
    """keeps the angular momentum of free motion whatever the step, as symplectic methods do (000 4.1: B-stable)"""
    starters: tuple[str, ...] = ()
    """one-step methods that may take its first steps, the usual one first"""

    @property
    def scheme(self) -> str:
        """The scheme it is a case of: those of one file."""
        return self.module.rpartition(".")[2]

    def step(self) -> Any:
        """The compiled step."""
        return getattr(import_module(self.module, "biela.methods.integrators"), self.function)


def _table(*items: Any) -> dict[str, Any]:
    return {item.name: item for item in items}


FORMULATIONS: dict[str, Formulation] = _table(
    Formulation("lagrange", ".lagrange", "Lagrange multipliers, index 1, not stabilised", "000 (87)",
                saddle=True, chooses_rows=True),
    Formulation("baumgarte", ".lagrange", "Lagrange multipliers, stabilised by Baumgarte", "000 (91)", stabilised=True,
                saddle=True, chooses_rows=True),
    Formulation(
        "penalty", ".penalty", "penalty method", "000 (108)", stabilised=True, penalised=True, passes_singular=True
    ),
    Formulation(
        "augmented", ".augmented", "augmented Lagrange, iterated multipliers", "000 (111)",
        stabilised=True, penalised=True, passes_singular=True, chooses_rows=True,
        iterates_multipliers=True,
    ),
    Formulation(
        "projection", ".projection", "R matrix, independent coordinates", "000 (99)",
        settle=".projection.settle", chooses_coordinates=True, dense=True,
    ),
)  # fmt: skip

CONSTANT_MASS = ("natural", "mixed", "reference-point")

INTEGRATORS: dict[str, Integrator] = _table(
    Integrator("euler", ".explicit.euler", "explicit Euler", "004", 1),
    Integrator("symplectic-euler", ".explicit.symplectic_euler", "Euler of 001 and 004, new velocity first",
               "004 (19)-(20)", 1, keeps_momentum=True),
    Integrator("rk2", ".explicit.rk2", "explicit Runge-Kutta of order 2", "000 (120)", 2),
    Integrator("rk4", ".explicit.rk4", "classical Runge-Kutta", "Kutta (1901)", 4),
    Integrator("trapezoidal", ".implicit.trapezoidal", "trapezoidal rule, fixed point", "000 (118)-(119)", 2,
               iterates=True),
    Integrator("trapezoidal-newton", ".implicit.collocation", "trapezoidal rule, Newton-Raphson", "000 (116), 4.2", 2,
               function="trapezoidal", iterates=True, stages=1),
    Integrator("midpoint", ".implicit.collocation", "implicit mid-point rule", "000 4.1", 2, function="midpoint",
               iterates=True, stages=1, keeps_momentum=True),
    Integrator("gauss", ".implicit.collocation", "Gauss's method with two stages", "Hairer & Wanner", 4,
               function="gauss", iterates=True, stages=2, keeps_momentum=True),
    Integrator("ab4", ".explicit.adams", "Adams-Bashforth", "000 (121)", 4, function="ab4", multistep=True,
               starters=("rk4", "rk2")),
    Integrator("abm4", ".explicit.adams", "Adams-Bashforth-Moulton", "000 (121)-(122)", 4, function="abm4",
               iterates=True, multistep=True, starters=("rk4", "rk2")),
    Integrator("ab6", ".explicit.high_adams", "Adams-Bashforth of order 6", "Hairer, Norsett & Wanner", 6,
               function="ab6", multistep=True),
    Integrator("abm8", ".explicit.high_adams", "Adams-Bashforth-Moulton of order 8, corrected once",
               "Hairer, Norsett & Wanner", 8, function="abm8", multistep=True),
    Integrator("dopri5", ".explicit.dopri5", "Dormand-Prince 5(4)", "Dormand & Prince (1980)", 5, adaptive=True),
    Integrator("dopri8", ".explicit.dopri8", "Dormand-Prince 8(5,3)", "Hairer, Norsett & Wanner", 8, adaptive=True,
               dense=True),
    Integrator("radau5", ".implicit.radau5", "Radau IIA of order 5, implicit, with exact tangents", "Hairer & Wanner",
               5, adaptive=True, tangents=True, estimate=4),
    Integrator("conserving", ".index3.conserving", "energy-conserving Galerkin, index 3", "002 (16)", 2, direct=1,
               coordinates=CONSTANT_MASS, keeps=True, keeps_momentum=True),
    Integrator("conserving4", ".index3.composed", "energy-conserving, positions of order 4 by composition",
               "Suzuki (1990)", 4, direct=1, coordinates=CONSTANT_MASS, keeps=True, equal_steps=True,
               keeps_momentum=True),
    Integrator("decaying", ".index3.decaying", "energy-decaying Galerkin, index 3", "002 (29)", 2, direct=2,
               coordinates=("natural", "mixed"), dissipates=True, keeps=True),
    Integrator("decaying-002", ".index3.decaying_002",
               "the same as 002 prints it: the intermediate state on the constraints", "002 (29), (38)", 1, direct=2,
               coordinates=CONSTANT_MASS, dissipates=True, keeps=True),
    Integrator("newmark", ".index3.alpha", "Newmark's method, index 3", "Newmark (1959)", 2, direct=1,
               damped=(0.0, 1.0)),
    Integrator("hht", ".index3.alpha", "Hilber, Hughes and Taylor, index 3", "Hilber, Hughes & Taylor (1977)", 2,
               direct=1, damped=(0.5, 0.9)),
    Integrator("generalized-alpha", ".index3.alpha", "generalized-alpha, index 3", "Arnold & Bruls (2007)", 2, direct=1,
               damped=(0.0, 0.9)),
    Integrator("generalized-alpha-2", ".index3.stabilised", "generalized-alpha, stabilised index 2",
               "Arnold, Bruls & Cardona (2015)", 2, direct=2, damped=(0.0, 0.9)),
    Integrator("ali3", ".index3.alpha", "augmented Lagrange at index 3, trapezoidal, projected",
               "Bayo & Ledesma (1996)", 2, function="step_projected", direct=1),
    Integrator("dop853", ".scipy.scipy_ode", "order 8, error-controlled (SciPy)", "Hairer, Norsett & Wanner", 8,
               adaptive=True, scipy="DOP853"),
    Integrator("radau", ".scipy.scipy_ode", "Radau IIA of order 5, implicit (SciPy)", "Hairer & Wanner", 5,
               adaptive=True, scipy="Radau"),
    Integrator("bdf", ".scipy.scipy_ode", "backward differences of order 1 to 5 (SciPy)", "Shampine & Reichelt (1997)",
               5, adaptive=True, scipy="BDF", multistep=True),
    Integrator("lsoda", ".scipy.scipy_ode", "Adams to order 12 or backward differences, chosen automatically (SciPy)",
               "Petzold (1983)", 12, adaptive=True, scipy="LSODA", multistep=True),
)  # fmt: skip


def _taker(table: dict[str, Any], kind: type) -> Callable[[Any, str], None]:
    def take(method: Any, source: str) -> None:
        if not isinstance(method, kind):
            raise TypeError(f"{source} is not of the class {kind.__name__}")
        if method.name in table:
            raise ValueError(f"there is a method {method.name!r} already")
        table[method.name] = method

    return take


_failed = take_from_outside("biela.formulations", _taker(FORMULATIONS, Formulation))
_failed |= take_from_outside("biela.integrators", _taker(INTEGRATORS, Integrator))
"""methods of other packages that could not be taken, and why"""


def formulation(name: str) -> Formulation:
    """A formulation by name, or an error that lists them."""
    return _find(name, FORMULATIONS, "formulation")


def integrator(name: str) -> Integrator:
    """An integrator by name, or an error that lists them."""
    return _find(name, INTEGRATORS, "integrator")


def relatives(i: Integrator, coordinates: str) -> list[str]:
    """Integrators that do with energy what this one does, and work in these coordinates.

    >>> relatives(integrator("decaying"), "reference-point"), relatives(integrator("decaying"), "relative")
    (['decaying-002'], [])
    """

    def kind(j: Integrator) -> tuple[bool, bool]:
        return j.keeps, j.dissipates

    return [j.name for j in INTEGRATORS.values()
            if j is not i and kind(j) == kind(i) and (not j.coordinates or coordinates in j.coordinates)]  # fmt: skip


def _find(name: str, table: dict[str, Any], kind: str) -> Any:
    if name in table:
        return table[name]
    close = get_close_matches(str(name), table, n=1)
    raise MethodError(
        Problem(
            f"there is no {kind} {name!r}",
            why=_failed.get(str(name)) or (f"did you mean {close[0]!r}?" if close else ""),
            cure=f"one of: {', '.join(table)}",
        )
    )


def check_pair(f: Formulation, i: Integrator) -> None:
    """Refuse a pair that cannot work, naming those that do.

    >>> check_pair(formulation("projection"), integrator("radau"))
    Traceback (most recent call last):
    biela.errors.MethodError: projection cannot be combined with radau
      why:   radau needs accelerations that depend on the state alone; projection chooses other independent ...
    """
    if (i.scipy or i.tangents) and f.chooses_coordinates:
        with_i = [g.name for g in FORMULATIONS.values() if not g.chooses_coordinates]
        with_f = [j.name for j in INTEGRATORS.values() if not (j.scipy or j.direct or j.tangents)]
        raise MethodError(
            Problem(
                f"{f.name} cannot be combined with {i.name}",
                why=f"{i.name} needs accelerations that depend on the state alone; {f.name} chooses other independent "
                "coordinates between steps",
                cure=f"{i.name} with: {', '.join(with_i)}; or {f.name} with: {', '.join(with_f)}",
            )
        )
