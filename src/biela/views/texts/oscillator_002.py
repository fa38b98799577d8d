"""Figure 3 of text 002: the oscillator V = 1/2 (x^2)^2, let go from x = 1, by both schemes with h = 0.01."""

from __future__ import annotations

import numpy as np

from ... import library
from ...analysis.simulate.simulate import simulate
from ...model.model import Model
from .panels import panels
from .registry import Drawn, Plate, figure

PERIOD = 5.24411510858424
"""of x'' = -2 x^3 from x = 1 at rest: the lemniscate constant times two"""


def oscillator() -> Model:
    """002 6.1: m = k = 1, the strain x^2; the force is -2 x^3."""
    return library.load("oscillator-002")


@figure("002-3", "oscillator, both schemes: motion and energies")
def responses(plate: Plate) -> Drawn:
    """Motion and energies of both schemes."""
    parts, notes = [], []
    for scheme in ("conserving", "decaying"):
        r = simulate(oscillator(), 100 * PERIOD, integrator=scheme, step=0.01, samples=60_000)
        t, x, v = np.asarray(r.t), np.asarray(r["P.x"]), np.asarray(r["P.velocity"])[:, 0]
        E = np.asarray(r["energy.total"])
        first = t <= 4 * PERIOD
        parts.append((f"{scheme}: motion, the first four periods", "m, m/s",
                      [("x", t[first], x[first]), ("x'", t[first], v[first])]))  # fmt: skip
        parts.append((f"{scheme}: total energy over 100 periods", "E/E0 − 1", [("E", t, E / E[0] - 1)]))
        off = np.abs(E / E[0] - 1)
        notes.append(f"{scheme}: after 100 periods, {t[-1]:.1f} s, the energy is off by {100 * off[-1]:.4f} %; largest "
                     f"|E/E0 - 1| {off.max():.1e}")  # fmt: skip
    notes.append("the text has 0.01 % for the decaying scheme, its strain x^2 as here; the same potential as a law "
                 "of x itself, whose force jumps in place of the stress, loses 0.0133 %")  # fmt: skip
    return panels(f"{plate.number}: oscillator", "h = 0.01 s", (2, 2), parts), notes
