"""The machine code that Numba keeps on disk: is it there, and making all of it now."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

COMPILING = "compiling biela's machine code: about half a minute, once ..."
TIME = "seconds-of-compilation"
MAIN = ("variable_steps", "dopri8", "augmented")
"""modules of the default run: if their code is there, a first result takes a second"""


def is_compiled() -> bool:
    """True if a default run finds its machine code ready."""
    from ..machine.compiled import cache_folder

    kept = [file.name for file in cache_folder().glob("*.nbi")]
    return all(any(f".{name}." in file for file in kept) for name in MAIN)


def remember_compilation(seconds: float) -> None:
    """Keep beside the code how long it took to make: the longest time seen, for code that is there is quick."""
    from ..machine.compiled import cache_folder

    if seconds > (remembered_compilation() or 0.0):
        with suppress(OSError):  # as where the disk is full
            (cache_folder() / TIME).write_text(f"{seconds:.3f}\n")


def remembered_compilation() -> float | None:
    """How long it took, if that was ever measured here."""
    from ..machine.compiled import cache_folder

    file = cache_folder() / TIME
    try:
        return float(file.read_text())
    except (OSError, ValueError):
        return None


def compile_everything(tell: Callable[[str], None], processes: int | None = None) -> None:
    """Run every formulation, every integrator and every set of coordinates once, briefly: they compile as a sum, not
    as a product. What all of them need is compiled first, the rest by as many processes as there are processors."""
    from ..machine.compiled import cache_folder
    from ..machine.kept_code import forget_old

    forget_old(cache_folder())
    first, *others = _runs()
    tell(first[0])
    _run(first)
    count = processes or min(8, _processors())
    if count == 1:
        for run in others:
            tell(run[0])
            _run(run)
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    tasks = [[run] for run in others] if count > 3 else _by_shared_code(others)
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(_run_all, runs): ", ".join(run[0] for run in runs) for runs in tasks}
        for k, done in enumerate(as_completed(waiting), 1):
            done.result()
            tell(f"{k} of {len(waiting)}: {waiting[done]}")


Run = tuple[str, str, dict[str, Any]]
"""what is compiled, the mechanism, and how it is run"""


def _runs() -> list[Run]:
    from ..methods.registry import FORMULATIONS, INTEGRATORS
    from ..system.system import COORDINATES

    spring = "double-pendulum-spring"
    out: list[Run] = [("the time loop", "mass-spring-damper", {"t_end": 0.01})]
    for name in COORDINATES:
        for mechanism in (spring, "cardan"):  # in the plane and in space
            options = {"t_end": 0.002, "coordinates": name, "integrator": "rk4", "step": 1e-3}
            out.append((f"{name} coordinates of {mechanism}", mechanism, options))
    for name, i in INTEGRATORS.items():
        step = None if i.adaptive else 1e-3
        formulation = None if i.direct else "augmented"
        out.append((name, spring, {"t_end": 0.01, "formulation": formulation, "integrator": name, "step": step}))
    for name in FORMULATIONS:
        out.append((name, spring, {"t_end": 0.02, "formulation": name, "integrator": "rk4", "step": 0.01}))
    return [*out, ("an open tree", "heavy-top", {"t_end": 0.01})]


def _by_shared_code(runs: list[Run]) -> list[list[Run]]:
    """The integrators of one folder together, those of index 3, the longest, first: two processes at them would compile
    twice what they share, which is worth it only where there are many."""
    from ..methods.registry import INTEGRATORS

    tasks: dict[str, list[Run]] = {}
    for run in runs:
        found = INTEGRATORS.get(run[0])
        tasks.setdefault(found.module.rpartition(".")[0] if found else "", []).append(run)
    return [*reversed(tasks.values())]


def _run_all(runs: list[Run]) -> None:
    for run in runs:
        _run(run)


def _run(run: Run) -> None:
    from ..analysis.simulate.simulate import simulate

    _, mechanism, options = run
    result = simulate(mechanism, samples=2, **options)
    if len(options) == 1:  # a plain run: what its results need, too
        for channel in result.channels():
            result[channel]


def _processors() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
