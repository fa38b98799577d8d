"""Steps against periods: rules (114) and (115) of 000, with the periods of the mechanism linearised at its start."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi

import numpy as np

from ...methods.control.oscillation import Oscillation
from ...methods.control.stiffness import eigenvalues
from ...methods.registry import Integrator, integrator
from ...methods.run import functions
from ...methods.settings import Settings, apply, choose
from ...system.system import System
from ..compare.methods import MethodSpec

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


def stability_table(ways: Sequence[MethodSpec], steps: Sequence[float], period: float | None) -> str:
    """Stability and errors of the integrators of a comparison: for periods of 20 and 10 steps, and for the mechanism's
    shortest period with each of its steps."""
    named: dict[str, tuple[Integrator, Oscillation]] = {}
    for w in ways:
        i, knobs = integrator(w.integrator), dict(w.knobs)
        said = {k: float(v) for k, v in knobs.items() if k in ("rho", "dissipation")}
        label = w.integrator + (f"[{','.join(f'{k}={v:g}' for k, v in said.items())}]" if said else "")
        named[label] = i, Oscillation.of(i, said.get("rho"), said.get("dissipation"))
    width = max(10, *(len(name) for name in named))
    columns = [(f"T = {n} h", float(n)) for n in (ENOUGH, FEW)]
    if period is not None:
        columns += [(f"h = {h:g} s", period / h) for h in steps]
    head = f"{'integrator':<{width}}{'stability':>22}" + "".join(f"{name:>24}" for name, _ in columns)
    title = "what a period of an oscillation changes of its amplitude and of its own length, in per cent (000 4.1)"
    lines = [title, "", head, "-" * len(head)]
    for name, (i, o) in named.items():
        cells = ""
        for _, count in columns:
            found = None if i.adaptive else o.errors(count) if count > 2 else None
            cells += f"{'-':>24}" if found is None else f"{100 * found[0]:>+13.2g}{100 * found[1]:>+11.2g}"
        lines.append(f"{name:<{width}}{o.words:>22}{cells}")
    if period is not None:
        least, most = period / ENOUGH, period / FEW
        rule = f"to follow it 000 (115) takes steps of {least:.3g} to {most:.3g} s"
        lines += ["", f"shortest period at the start: T = {period:.5g} s; {rule}"]
    return "\n".join(line.rstrip() for line in lines)
