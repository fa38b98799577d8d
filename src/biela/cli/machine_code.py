"""The machine code that Numba keeps on disk: is it there, and making all of it now."""

from __future__ import annotations

from collections.abc import Callable

TIME = "seconds-of-compilation"
MAIN = ("march", "dopri5", "augmented")
"""modules of the default run: if their code is there, a first result takes a second"""


def is_compiled() -> bool:
    """True if a default run finds its machine code ready."""
    from ..system.compiled import cache_folder

    kept = {file.name.split(".")[0] for file in cache_folder().rglob("*.nbi")}
    return all(name in kept for name in MAIN)


def remember_compilation(seconds: float) -> None:
    """Keep beside the code how long it took to make: the longest time seen, for code that is there is quick."""
    from ..system.compiled import cache_folder

    if seconds > (remembered_compilation() or 0.0):
        (cache_folder() / TIME).write_text(f"{seconds:.3f}\n")


def remembered_compilation() -> float | None:
    """How long it took, if that was ever measured here."""
    from ..system.compiled import cache_folder

    file = cache_folder() / TIME
    try:
        return float(file.read_text())
    except (OSError, ValueError):
        return None


def compile_everything(tell: Callable[[str], None]) -> None:
    """Run every formulation, every integrator and every set of coordinates once, briefly: they compile as a sum, not
    as a product."""
    from ..analysis.assembly import assemble
    from ..analysis.simulate import simulate
    from ..methods.registry import FORMULATIONS, INTEGRATORS
    from ..system.system import COORDINATES

    system = assemble("double-pendulum-spring")
    for name in FORMULATIONS:
        tell(name)
        simulate(system, 0.02, formulation=name, integrator="rk4", step=0.01)
    for name, integrator in INTEGRATORS.items():
        tell(name)
        step = None if integrator.adaptive else 1e-3
        simulate(system, 0.01, formulation=None if integrator.direct else "augmented", integrator=name, step=step)
    for name in COORDINATES:
        for mechanism in ("double-pendulum-spring", "cardan"):  # in the plane and in space
            tell(f"{name} coordinates of {mechanism}")
            simulate(mechanism, 0.002, coordinates=name, integrator="rk4", step=1e-3)
    tell("results")
    for mechanism in ("mass-spring-damper", "heavy-top"):
        result = simulate(mechanism, 0.01, samples=2)
        for channel in result.channels():
            result[channel]
