"""How long a step may be: against the periods of the mechanism at its start, rules (114) and (115) of 000; and so that
no pulse of a Python function falls between two steps."""

from __future__ import annotations

from math import pi

import numpy as np

from ...kernels.calls_from_python import law_at
from ...methods.control.oscillation import Oscillation
from ...methods.control.stiffness import eigenvalues
from ...methods.evaluation import functions
from ...methods.settings import Settings, apply, choose
from ...system.system import System

LARGEST = 60
"""velocities up to which periods are computed before each run with fixed steps: milliseconds"""
FEW, ENOUGH = 10, 20
"""steps for a period, 000 (115)"""
GRID = 20_000
"""instants at which functions of time are evaluated; what is shorter than the duration over this is not seen"""
FEWEST = 50
"""steps in any run with a function of time"""


def shortest_period(system: System, largest: int = LARGEST) -> float | None:
    """The shortest period of small motions about the start, s; None if nothing oscillates, or nobody can say.

    >>> import biela
    >>> from biela.analysis.assembly.assemble import assemble
    >>> T = shortest_period(assemble(biela.load("mass-spring-damper")))
    >>> round(T, 2)  # k = 10000 N/m, c = 1500 N s/m, m = 250 kg: damped, 2 pi / 5.568
    1.13
    """
    if system.n > largest:
        return None
    settings = choose("augmented", "rk4")
    apply(settings, system)
    found = eigenvalues(system, functions(settings, system)[0], 0.0)
    fastest = float(np.abs(np.imag(found)).max(initial=0.0))
    # (the double root of the stabilised constraints comes out as a pair with a small imaginary part)
    return 2 * pi / fastest if fastest > 1e-2 * settings.omega else None


def step_rule_notes(settings: Settings, period: float | None) -> list[str]:
    """What there is to say of a fixed step that is too long for the shortest period."""
    h, i = settings.step, settings.integrator
    if period is None or h is None or settings.adaptive or i.scipy:
        return []
    o = Oscillation.of(i, settings.rho if i.damped[0] < 1.0 else None, settings.dissipation)
    if h <= period / max(FEW, o.factor or 0.0):
        return []
    start = f"note: the step {h:.4g} s is long for the shortest period at the start, T = {period:.4g} s: "
    if o.factor is not None and h > period / o.factor:
        return [
            f"{start}{i.name} is unstable beyond T/{o.factor:.3g} = {period / o.factor:.3g} s (000 (114)), and to "
            f"follow the motion takes T/{ENOUGH} to T/{FEW} (115)"
        ]
    errors = o.errors(period / h)
    what = ""
    if errors is not None:
        a, p = (100 * e for e in errors)
        what = f"; {i.name} changes its amplitude by {a:.2g} % in a period, and the period by {p:.2g} %"
    return [f"{start}000 (115) has T/{ENOUGH} to T/{FEW} to follow it, this is T/{period / h:.3g}{what}"]


def longest_step(system: System, duration: float) -> float | None:
    """None without laws that are Python functions, which say nothing of themselves (formulas and tables are known: the
    time loop ends its steps where they switch); else their scale, or duration/50, or less where a law needs it.

    A step is short enough if straight lines between the ends of such steps follow every law within a tenth of its
    range: the error control sees to the rest, once it has something to see.
    """
    every = [law for law in system.equations.laws if law.function is not None]
    if not every:
        return None
    known = min((law.scale_of_t for law in every if law.scale_of_t is not None), default=duration / FEWEST)
    laws = [k for k, law in enumerate(system.equations.laws)
            if law.function is not None and law.scale_of_t is None and law.scale_of_x is None]  # fmt: skip
    if not laws:
        return min(known, duration)
    t = np.linspace(0.0, duration, GRID + 1)
    header = system.header  # (looked up once: it is one of this thread)
    values = np.array([[law_at(header, k, x, 0.0, 0.0) for x in t.tolist()] for k in laws])
    values = np.where(np.isfinite(values), values, 0.0)
    spread = np.ptp(values, axis=1)
    values = values[spread > 0] / spread[spread > 0][:, None]
    steps = FEWEST
    while len(values) and steps < GRID:
        knots = np.linspace(0, GRID, steps + 1).round().astype(int)
        off = max(np.abs(np.interp(t, t[knots], row[knots]) - row).max() for row in values)
        if off < 0.1:
            break
        steps *= 2
    return min(known, duration / min(steps, GRID))
