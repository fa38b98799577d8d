"""Figures 15-19 and 21-26 of text 000: the double pendulum by four methods, step 1 ms, ten seconds."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from ...analysis.simulate.simulate import simulate
from ...results.result import Result
from .panels import panels
from .registry import Drawn, Plate, figure

TOLERANCE = 1e-5
"""of correctors (m) and of the position problem (m^2), 000 4.4.1-4.4.4"""
METHODS: dict[str, dict[str, Any]] = {
    "penalty": {"formulation": "penalty", "integrator": "trapezoidal", "corrector_tolerance": TOLERANCE},
    "augmented": {"formulation": "augmented", "integrator": "trapezoidal", "corrector_tolerance": TOLERANCE,
                  "multiplier_updates": 1},
    "rk2": {"formulation": "projection", "integrator": "rk2", "coordinates": "mixed", "position_tolerance": TOLERANCE},
    "abm4": {"formulation": "projection", "integrator": "abm4", "coordinates": "mixed", "starter": "rk2",
             "position_tolerance": TOLERANCE, "corrector_tolerance": TOLERANCE},
}  # fmt: skip
"""as the text takes them, with its tolerances, its starter and one update of the multipliers per iteration"""
PRINTED = {"penalty": 2e-3, "augmented": 2e-3, "rk2": 4e-4, "abm4": 3.5e-6}
"""energy errors of the text's table 1, J"""


@cache
def _run(method: str) -> Result:
    return simulate("double-pendulum", 10, step=1e-3, samples=10_000, **METHODS[method])


def _one(plate: Plate, method: str, ylabel: str, curves: list) -> Figure:
    return panels(plate.title, _run(method).method, (1, 1), [("", ylabel, curves)], size=(8.0, 3.6))


@figure("000-24", "double pendulum, R matrix + abm4: height of the end", "abm4")
@figure("000-21", "double pendulum, R matrix + rk2: height of the end", "rk2")
@figure("000-15", "double pendulum, penalty + trapezoidal: height of the end", "penalty")
def height(plate: Plate, method: str) -> Drawn:
    """The vertical coordinate of the end."""
    r = _run(method)
    y = np.asarray(r["P2.y"])
    return _one(plate, method, "y of point 2 [m]", [("y", r.t, y)]), [f"between {y.min():.4f} and {y.max():.4f} m"]


@figure("000-25", "double pendulum, R matrix + abm4: energy", "abm4")
@figure("000-22", "double pendulum, R matrix + rk2: energy", "rk2")
@figure("000-16", "double pendulum, penalty + trapezoidal: energy", "penalty")
def energy(plate: Plate, method: str) -> Drawn:
    """The energy, which should be nought."""
    r = _run(method)
    off = np.asarray(r["energy.error"])
    text = f"largest energy error {np.abs(off).max():.1e} J; the text has {PRINTED[method]:.1e} J with its own program"
    return _one(plate, method, "energy [J]", [("energy", r.t, off)]), [text]


@figure("000-26", "double pendulum, R matrix + abm4: constraints", "abm4")
@figure("000-23", "double pendulum, R matrix + rk2: constraints", "rk2")
@figure("000-17", "double pendulum, penalty + trapezoidal: constraints", "penalty")
def violation(plate: Plate, method: str) -> Drawn:
    """The two constant distances, squared, less what they should be."""
    r = _run(method)
    rows = [name for name in r.system.row_names if not name.endswith((".sine", ".cosine"))]
    curves = [(name, r.t, np.asarray(r[f"violation.{name}"])) for name in rows]
    drawn = _one(plate, method, "constraint violation [m²]", curves)
    limit = METHODS[method].get("position_tolerance")
    asked = f"; the position problem is solved to {limit:g}, as in the text" if limit else ""
    return drawn, [f"largest |Phi| {r.trajectory.violation:.1e}{asked}"]


@figure("000-19", "double pendulum, augmented + trapezoidal: multipliers", "augmented")
@figure("000-18", "double pendulum, penalty + trapezoidal: multipliers", "penalty")
def multipliers(plate: Plate, method: str) -> Drawn:
    """Lagrange multipliers: the forces that keep the distances."""
    r = _run(method)
    curves = [(name, r.t, np.asarray(r[f"multiplier.{name}"])) for name in r.system.row_names]
    largest = max(float(np.abs(y[np.isfinite(y)]).max()) for _, _, y in curves)
    return _one(plate, method, "Lagrange multiplier", curves), [f"largest multiplier {largest:.4g}"]
