"""biela: whatever coordinates, formulations and integrators the installed one offers.

`methods` tries all of them on a short run and keeps those that no other beats in time and error at once.
"""

from __future__ import annotations

import time
from itertools import product

import numpy as np
from harness.case import Method
from harness.steps import graded, ladder

import biela
from biela.analysis.assembly.assemble import assemble
from biela.library import load
from biela.methods.registry import FORMULATIONS, INTEGRATORS
from biela.system.system import COORDINATES
from problems import n_four_bar

PROGRAM = "biela"
PATIENCE = 60.0
"""CPU seconds; a run of a large system that needs more is not made"""
SKIPPED = ("euler", "symplectic-euler", "rk2", "dop853", "radau")
"""of order 1 or 2 and beaten by the others, or loops that run in SciPy: references, not candidates"""


_systems: dict[tuple, object] = {}


def system_of(problem, coordinates: str | None):
    """The mechanism of the library, with this problem's parameters; assembled once."""
    key = problem.mechanism, str(problem.parameters), coordinates
    if key not in _systems:
        if len(_systems) > 4:
            _systems.clear()
        _systems[key] = _assemble(problem, coordinates)
    return _systems[key]


def _assemble(problem, coordinates: str | None):
    model = load(problem.mechanism)
    if problem.parameters:
        model = model.with_parameters(**problem.parameters)
    return assemble(model, coordinates)


class Run:
    """A library mechanism; `run` returns the time of the loop alone, as for a solver that is called in C."""

    def __init__(self, problem, method: Method, value: float, system=None):
        o = dict(method.options)
        coordinates = o.pop("coordinates", None)
        self.system = system or system_of(problem, coordinates)
        self.problem, self.steps = problem, 0
        self.options = o | ({"tolerance": value} if method.tolerance else {"step": value} if value else {})
        if self.system.n > 300 and not method.tolerance:  # two steps tell whether the rest is worth waiting for
            r = biela.simulate(self.system, 2 * value, samples=1, **self.options)
            need = r.trajectory.cpu / 2 * problem.duration / value
            if need > PATIENCE:
                raise RuntimeError(f"it would take {need:.0f} s")

    def reset(self) -> None:
        """Every run starts at the start."""

    def simulate(self, samples: int):
        r = biela.simulate(self.system, self.problem.duration, samples=samples, **self.options)
        if not r.ok:
            raise RuntimeError(r.explain().splitlines()[0])
        self.steps = r.trajectory.steps
        return r

    def run(self) -> float:
        return self.simulate(1).trajectory.cpu

    def record(self, samples: int) -> np.ndarray:
        return self.problem.motion_of_biela(self.simulate(samples))


def make(problem, method: Method, value: float) -> Run:
    """A case."""
    return Run(problem, method, value)


def every_method(quick: bool) -> list[Method]:
    """All pairs in all coordinates (quick: in the two that are fast)."""
    pairs = []
    for name, i in INTEGRATORS.items():
        if name in SKIPPED:
            continue
        for f in [None] if i.direct else FORMULATIONS:
            pairs.append((f, i))
    out = []
    for coordinates, (f, i) in product(("natural", "relative") if quick else COORDINATES, pairs):
        if i.coordinates and coordinates not in i.coordinates:
            continue
        options = {"coordinates": coordinates, "formulation": f, "integrator": i.name}
        names = [("", {})]
        if i.iterates and not i.direct and not quick:
            names.append((" tight", {"tolerance": 1e-9}))
        for suffix, more in names:
            name = " ".join(filter(None, (coordinates, f"{f}+{i.name}" if f else i.name))) + suffix
            out.append(Method(name, (), tolerance=i.adaptive, options=options | more))
    return out


def methods(problem, quick: bool = False) -> list[Method]:
    """Those on the front of time and error of a short run with two settings each.

    A large N-four-bar is scouted with a smaller one, over 1 s, and in the coordinates whose matrices are sparse.
    """
    wanted, large = problem, problem.name == "n_four_bar" and problem.parameters["N"] > 10
    if problem.name == "n_four_bar":
        problem = n_four_bar.problem(min(problem.parameters["N"], 20), min(problem.duration, 1.0))
    found: list[tuple[float, float, Method]] = []
    best = float("inf")
    systems: dict[str, object] = {}
    coarse = problem.coarse
    for m in every_method(quick):
        c = m.options["coordinates"]
        f = m.options["formulation"]
        if large and c not in ("natural", "mixed"):
            continue
        if problem.name == "n_four_bar" and f and not FORMULATIONS[f].passes_singular:
            continue  # its singular positions would stop them, or hold them up for minutes
        if c not in systems:
            try:
                systems[c] = system_of(problem, c)
            except Exception:  # coordinates that this mechanism cannot have
                systems[c] = None
        if systems[c] is None or (systems[c].is_open_tree and m.options["formulation"] not in (None, "augmented")):
            continue  # an open tree takes its recursion, whatever the formulation
        for value in (1e-4, 1e-9) if m.tolerance else (coarse, coarse / 8):
            try:
                case = Run(problem, m, value, systems[c])
                begun = time.process_time()
                r = case.simulate(1)
                seconds, whole = r.trajectory.cpu, time.process_time() - begun
                motion = problem.motion_of_biela(r)
            except (RuntimeError, ValueError, biela.errors.BielaError):
                break
            error = problem.errors(motion, problem.duration)["position"]
            best = min(best, seconds)
            if np.isfinite(error):
                found.append((seconds, max(error, 1e-12), m))
            if whole > (1.0 if quick else 4.0) or seconds > 20 * best:
                break
    kept: dict[str, Method] = {}
    for decade in range(0, 11):  # the cheapest that are as good as this
        good = sorted((seconds, m.name, m) for seconds, error, m in found if error <= 10.0**-decade)
        for seconds, name, m in good[: 1 if quick else 2]:
            if seconds < 1.5 * good[0][0]:
                kept.setdefault(name, m)
    problem = wanted
    if quick:
        steps, tolerances = ladder(problem.coarse, problem.coarse / 64), tuple(10.0**-k for k in range(4, 11, 2))
    else:
        steps, tolerances = graded(problem.coarse * 2, problem.coarse / 256), tuple(10.0**-k for k in range(3, 12))
        if problem.name == "n_four_bar" and problem.parameters["N"] >= 200:
            fine = ladder(problem.coarse / 2, problem.coarse / 16)
            steps = ladder(problem.coarse * 2, problem.coarse, 8)[2:] + fine
    if problem.name == "double_pendulum":  # the pair of the text, and the peers' method, whatever the front says
        for coordinates, integrator in (("natural", "trapezoidal"), ("relative", "rk4")):
            name = f"{coordinates} augmented+{integrator}"
            options = {"coordinates": coordinates, "formulation": "augmented", "integrator": integrator}
            kept.setdefault(name, Method(name, (), options=options))
    return [
        Method(m.name, tolerances if m.tolerance else steps, tolerance=m.tolerance, options=m.options)
        for m in kept.values()
    ]
