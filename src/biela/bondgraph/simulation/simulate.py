"""Simulation of bond graphs: the trapezoidal rule of 004 in closed form, and every integrator of biela by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from math import isfinite
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from ...errors import MethodError, Problem
from ...methods.linear.trapezoid import Trapezoid
from ...methods.registry import integrator as find_integrator
from ...methods.status import Status
from ...model.units import Dimension, Quantity, UnitError, compatible
from ..model.domains import quantity
from ..model.graph import BondGraph
from .matrices import Matrices, matrices
from .numeric import NoSolution, Numeric
from .result import BondResult, BondTrajectory
from .schedule import Schedule, schedule, within
from .steps import SCIPY, STEPS, Diverged, Memory

Progress = Callable[[float, int], None]
FINER, TIGHTEST, SECONDS = 30.0, 1e-13, 2.0
"""part of its tolerance with which a run is taken again, the least, and for how long"""
LOOK, HOPELESS = 20_000, 3_000_000
"""error-controlled steps after which the pace of a run is looked at, and how many more at that pace are too many"""
TO_AND_FRO = "does a law jump to and fro, as sign(f) of dry friction does at rest? Try tanh(f/small) in place of it"
STIFF = 3e4
"""decay rate times duration beyond which `auto` takes an implicit integrator"""


def simulate(
    graph: BondGraph | str | Path,
    t_end: Any = None,
    *,
    integrator: str | None = None,
    step: Any = None,
    tolerance: float | None = None,
    samples: int = 1000,
    progress: Progress | None = None,
) -> BondResult:
    """Run a bond graph for t_end seconds (by default the duration its file gives).

    Without an integrator the error is controlled (`dop853`, or `radau` where something decays fast). `trapezoidal` with
    a linear graph is the recursion of 004. Whatever happens, all that was computed comes back.

    >>> import biela.bondgraph as bg
    >>> r = bg.simulate("mass-spring-damper", 2.0)
    >>> r.ok, round(float(r["spring.q"][-1]), 6), r["spring.q"].unit
    (True, 0.245239, 'm')
    """
    if not isinstance(graph, BondGraph):
        from ..model.file import load

        graph = load(graph)
    eq = graph.equations
    duration = _time(graph.run.duration if t_end is None else t_end, "t_end", "give t_end, or run.duration in the file")
    if not 1 <= samples <= 10_000_000:
        raise MethodError(Problem(f"samples = {samples} is not possible", cure="from 1 to 10 million"))
    numeric = Numeric(eq)
    M = matrices(eq) if eq.linear else None
    name, reason = _choice(integrator, M, duration, eq.linear)
    method = find_integrator(name)
    if tolerance is not None and not (isfinite(tolerance) and tolerance > 0):
        raise MethodError(Problem(f"tolerance = {tolerance} is not possible", cure="give a positive number"))
    closed = name == "trapezoidal" and M is not None
    if tolerance is not None and (closed or not (method.adaptive or method.iterates)):
        why = "the matrix is solved directly" if closed else f"{name} takes fixed explicit steps"
        raise MethodError(Problem(f"tolerance = {tolerance:g} has no effect here", why=why, cure="leave it out"))
    x0 = initial_state(graph)
    h = None
    if not method.adaptive or step is not None:
        given = step if step is not None else (graph.run.step or duration / 2000)
        h = _time(given, "step", "give a step in seconds")
        if h > duration:
            raise MethodError(Problem(f"step = {h:g} s is longer than the run of {duration:g} s", cure="smaller"))
        if duration / h > 1e8:
            raise MethodError(Problem(f"step = {h:g} s means {duration / h:.1e} steps", cure="give a larger step"))
    begun = perf_counter()
    plan = schedule(graph, numeric, duration)
    if method.adaptive:
        run = _adaptive(numeric, plan, x0, duration, SCIPY[name], tolerance or 1e-10, h, samples, progress)
        run.tolerance = tolerance or 1e-10
    else:
        fixed = partial(_fixed, numeric, plan, M if closed else None, x0, duration, name, tolerance or 1e-12)
        assert h is not None
        run = fixed(h, samples, progress)
    run.doubts, run.closed = plan.doubts, closed
    run.wall, run.integrator, run.reason = perf_counter() - begun, name, reason
    result = BondResult(graph, numeric, run)
    result.notes += [f"note: {line}" for line in plan.notes]
    if not method.adaptive:
        result.finer = lambda: np.array(fixed(h / 2, len(run.t) - 1, None).x)  # type: ignore[operator]
    else:
        closer = max((tolerance or 1e-10) / FINER, TIGHTEST)
        again = partial(_adaptive, numeric, plan, x0.copy(), duration, SCIPY[name], closer, h, samples)
        result.finer = lambda: np.array(again(_patience()).x)
    return result


def _patience() -> Progress:
    """Ends a run that is only taken again to compare with it, after a while."""
    until = perf_counter() + SECONDS

    def out_of_time(fraction: float, steps: int) -> None:
        if perf_counter() > until:
            raise KeyboardInterrupt

    return out_of_time


def initial_state(graph: BondGraph) -> np.ndarray:
    """Momenta and displacements at the start; those of stores with derivative causality must fit the others."""
    eq, given = graph.equations, graph.network.initial
    x0 = np.array([given.get(name.split(".")[0], 0.0) for name in eq.states], dtype=float)
    told = [name for name in eq.dependent if name in given]
    if told:
        z = dict(zip(eq.dependent, Numeric(eq).dependent(0.0, x0), strict=True))
        wrong = [n for n in told if abs(z[n] - given[n]) > 1e-9 * max(abs(z[n]), abs(given[n]), 1e-300)]
        if wrong:
            raise MethodError(
                [
                    Problem(
                        f"the initial value of {n!r} contradicts the others", f"initial.{n}",
                        f"{given[n]:g} is given, and {z[n]:g} follows: it has derivative causality",
                        "leave it out, or give the others values that fit",
                    )
                    for n in wrong
                ]
            )  # fmt: skip
    return x0


def _time(value: Any, name: str, cure: str) -> float:
    if value is None:
        raise MethodError(Problem("for how long?", cure=cure))
    try:
        found = quantity(value) if isinstance(value, str) else Quantity(float(value), Dimension())
    except (UnitError, TypeError, ValueError) as error:
        raise MethodError(Problem(f"{name} = {value!r} cannot be understood", why=str(error), cure=cure)) from None
    if found is None or not compatible(found.dimension, "time"):
        raise MethodError(Problem(f"{name} = {value!r} is not a time", cure=cure))
    if not (isfinite(found.value) and 0 < found.value <= 1e9):
        what = f"{name} = {found.value:g} s is not possible"
        raise MethodError(Problem(what, cure="give a positive number of seconds"))
    return found.value


def _choice(name: str | None, M: Matrices | None, duration: float, linear: bool) -> tuple[str, str]:
    if name not in (None, "auto"):
        if name not in STEPS and name not in SCIPY:
            find_integrator(str(name))  # says which there are
            raise MethodError(
                Problem(f"{name!r} cannot be combined with bond graphs", cure=f"one of: {', '.join((*STEPS, *SCIPY))}")
            )
        return str(name), "as asked"
    if M is not None and M.A.size:
        decay = float(-np.linalg.eigvals(M.A).real.min())
        if decay * duration > STIFF:
            return "radau", f"radau because something decays at {decay:.3g} 1/s"
    return ("dop853", "dop853 because it controls its own error") if linear else (
        "dop853", "dop853 because it controls its own error; try radau where it is slow"
    )  # fmt: skip


@contextmanager
def _ending(run: BondTrajectory) -> Iterator[None]:
    """An integration that may be interrupted, or fail: what it has is kept, and why it ended is told."""
    try:
        yield
    except KeyboardInterrupt:
        run.status = Status.interrupted
    except (Diverged, np.linalg.LinAlgError):
        run.status = Status.iteration
    except NoSolution as error:
        run.status, run.message = Status.iteration, str(error)
    except (OverflowError, ZeroDivisionError, ValueError) as error:
        run.status, run.message = Status.not_finite, str(error)


def _fixed(
    numeric: Numeric, plan: Schedule, M: Matrices | None, x0: np.ndarray, duration: float, name: str,
    tolerance: float, h: float, samples: int, progress: Progress | None,
) -> BondTrajectory:  # fmt: skip
    """Steps of equal length, cut where a law switches; M: the matrices of a linear graph for the rule of 004."""
    total = max(1, int(np.ceil(duration / h - 1e-9)))
    h = duration / total
    stride = max(1, -(-total // samples))
    n, nb = len(x0), len(numeric.bonds)
    y = np.concatenate([x0, np.zeros(nb)])
    eq = numeric.eq
    momenta = np.array([*(state.endswith(".p") for state in eq.states), *([False] * nb)])
    memory = Memory(momenta, n, tolerance)
    advance, rules = STEPS[name], {}
    run = BondTrajectory(step=h)
    span = [0.0, duration]

    def counted(t: float, y: np.ndarray) -> np.ndarray:
        run.evaluations += 1
        return within(numeric.rhs_and_power, *span)(t, y[:n])

    def part(t: float, end: float, y: np.ndarray, dy: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """From t to end, between which no law switches."""
        length = h if end - t > (1 - 1e-9) * h else end - t
        if M is None:
            y = advance(counted, t, y, dy, length, memory)
            return y, counted(end, y)
        forcing = partial(_forcing, numeric, M)
        if length not in rules:
            rules[length] = Trapezoid(M.A, lambda t: within(forcing, *span)(t), length)
        x, dx = rules[length].step(end - length, y[:n], dy[:n])
        ef = M.C @ x + within(partial(_forcing, numeric, M, outputs=True), *span)(end)
        slope = np.concatenate([dx, ef[:nb] * ef[nb:]])
        return np.concatenate([x, y[n:] + 0.5 * length * (dy[n:] + slope[n:])]), slope

    cuts, row, t, done = [*plan.switches, np.inf], 0, 0.0, 0
    span[1] = min(cuts[0], duration)
    edges = np.array([0.0, *plan.switches, duration])
    for a, b, most in plan.segments:
        k = int(np.searchsorted(edges, a, side="right"))
        run.hidden += int(np.ceil((b - a) / h)) if most < min(h, edges[k] - edges[k - 1]) else 0
    with _ending(run):
        dy = counted(0.0, y)
        run.keep(0.0, y[:n], y[n:])
        while done < total:
            fresh = (done + 1) * h
            while cuts[row] < fresh + 1e-9 * h:  # a step ends where a law switches, and another begins beyond
                cut = cuts[row]
                if cut > t + 1e-9 * h:
                    y, dy = part(t, cut, y, dy)
                row += 1
                t, span[:] = max(t, cut), (cut, min(cuts[row], duration))
                memory.before = []
                dy = counted(t, y)
            if fresh > t + 1e-9 * h:
                y, dy = part(t, fresh, y, dy)
            if not np.isfinite(y).all():
                run.status = Status.not_finite
                break
            t, done = fresh, done + 1
            if done % stride == 0 or done == total:
                run.keep(t, y[:n], y[n:])
            if progress and done % 200 == 0:
                progress(done / total, done)
    run.steps, run.stopped_at, run.iterations = done, t, memory.iterations
    return run


def _forcing(numeric: Numeric, M: Matrices, t: float, *, outputs: bool = False) -> np.ndarray:
    u, du = numeric.inputs(t)
    D, D1 = (M.D, M.D1) if outputs else (M.B, M.B1)
    return D @ np.array(u, dtype=float) + (D1 @ np.array(du, dtype=float) if numeric.uses_rates else 0.0)


def _adaptive(
    numeric: Numeric, plan: Schedule, x0: np.ndarray, duration: float, kind: str, tolerance: float,
    longest: float | None, samples: int, progress: Progress | None,
) -> BondTrajectory:  # fmt: skip
    """Error-controlled steps by a solver of SciPy."""
    import scipy.integrate

    n, nb = len(x0), len(numeric.bonds)
    run = BondTrajectory(step=None)

    def g(t: float, y: np.ndarray) -> np.ndarray:
        run.evaluations += 1
        return numeric.rhs_and_power(t, y[:n])

    times = np.linspace(0.0, duration, samples + 1)
    run.keep(0.0, x0, np.zeros(nb))
    row, t, y, looked = 1, 0.0, np.concatenate([x0, np.zeros(nb)]), 0.0
    with _ending(run):
        scale = np.maximum(np.abs(x0), _typical(numeric, plan, x0, duration))
        atol = np.concatenate([tolerance * scale, np.full(nb, np.inf)])  # energies do not steer the step
        for start, end, most in plan.segments:  # a law switches between them, and the solver begins anew
            most = min(longest or np.inf, most, end - start)
            solver = getattr(scipy.integrate, kind)(
                within(g, start, end), start, y, end, rtol=max(tolerance, 3e-14), atol=atol, max_step=most
            )
            while solver.status == "running":
                message = solver.step()
                if solver.status == "failed" or not np.isfinite(solver.y).all():
                    run.status, run.message = Status.step_too_small, str(message or "")
                    break
                t = float(solver.t)
                dense = solver.dense_output() if row <= samples and times[row] <= t else None
                while dense is not None and row <= samples and times[row] <= t:
                    here = solver.y if times[row] == t else dense(times[row])
                    run.keep(float(times[row]), here[:n], here[n:])
                    row += 1
                run.steps += 1
                if progress:
                    progress(t / duration, run.steps)
                if run.steps % LOOK == 0:
                    pace_now, looked = (t - looked) / LOOK, t
                    if duration - t > HOPELESS * pace_now:
                        run.status = Status.step_too_small
                        run.message = f"the steps are {pace_now:.1e} s long by now; {TO_AND_FRO}"
                        break
            if run.status != Status.finished:
                break
            y = solver.y
        if run.status == Status.finished and row <= samples:  # the end, but for rounding
            run.keep(float(times[row]), y[:n], y[n:])
    run.stopped_at = t
    return run


def _typical(numeric: Numeric, plan: Schedule, x0: np.ndarray, duration: float) -> np.ndarray:
    """Sizes that the states may reach, for an absolute tolerance: how far their rates take them in a short while (or in
    the time for which they last), at the start or where laws are switched on later."""
    out, floor = np.zeros_like(x0), float(np.abs(x0).max(initial=0.0))
    when = [(0.0, duration)] if numeric.constant else [(float(t), duration) for t in np.linspace(0.0, duration, 401)]
    if not numeric.constant:
        when += [(0.5 * (a + b), b - a) for a, b, _ in plan.segments]
    for t, lasts in when:
        rate = np.abs(numeric.rhs(t, x0))
        out = np.maximum(out, rate * 0.01 * min(lasts, 1.0))
        floor = max(floor, float(rate.max(initial=0.0)) * min(lasts, 1.0))
    return np.maximum(out, 1e-6 * max(floor, 1e-9))
