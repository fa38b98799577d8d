"""Steps against periods: rules (114) and (115) of 000, with the periods of the mechanism linearised at its start."""

from __future__ import annotations

from math import pi

import numpy as np

from ...methods.control.oscillation import Oscillation
from ...methods.control.stiffness import eigenvalues
from ...methods.run import functions
from ...methods.settings import Settings, apply, choose
from ...system.system import System

LARGEST = 60
"""velocities up to which periods are looked for before each run with fixed steps: milliseconds"""
FEW, ENOUGH = 10, 20
"""steps for a period, 000 (115)"""


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
