"""Figures 15.8 to 15.11 of text 001 and 10.2 to 10.5 of text 004: a mass let go on a spring and a damper."""

from __future__ import annotations

import numpy as np
from matplotlib.patches import Rectangle

from ...analysis.simulate.simulate import simulate
from ...results.result import Result
from ..style import PALE, colour, heading, legend, new_figure, style
from .panels import panels
from .registry import Drawn, Plate, figure

REST = 250 * 9.8 / 10000
"""where the mass hangs still, m below where it was let go"""
MADE = "augmented + dopri5, tolerance 1e-10"


def _run() -> Result:
    return simulate("mass-spring-damper", 2.0, formulation="augmented", integrator="dopri5", tolerance=1e-10,
                    samples=2000)  # fmt: skip


def exact_acceleration(t: np.ndarray, m: float = 250.0, k: float = 10000.0, d: float = 1500.0) -> np.ndarray:
    """y'' of 001 (17) from rest at y = 0: g e^(-a t) (cos w t - a/w sin w t), a = d/2m, w^2 = k/m - a^2.

    >>> exact_acceleration(np.array([0.0])).tolist()
    [9.8]
    """
    a = d / (2 * m)
    w = np.sqrt(k / m - a * a)
    return 9.8 * np.exp(-a * t) * (np.cos(w * t) - a / w * np.sin(w * t))


@figure("004-10.2", "acceleration of the hung mass: the exact curve")
@figure("001-15.8", "acceleration of the hung mass: the exact curve")
def exact(plate: Plate) -> Drawn:
    """The acceleration in closed form: a curve without gaps."""
    t = np.linspace(0.0, 2.0, 2001)
    a = exact_acceleration(t)
    parts = [("", "acceleration [m/s²]", [("y''", t, a)])]
    title = f"{plate.number}: acceleration of the hung mass, analytically"
    drawn = panels(title, "y'' = g exp(−3t) (cos √31 t − 3/√31 sin √31 t)", (1, 1), parts, size=(8.0, 3.6))
    zero = np.arctan2(np.sqrt(31), 3) / np.sqrt(31)
    return drawn, [f"from 9.8 m/s² through zero at {zero:.4f} s down to {a.min():.4g} at {t[a.argmin()]:.3f} s"]


@figure("004-10.3", "acceleration of the hung mass: the points that Euler's method finds")
@figure("001-15.9", "acceleration of the hung mass: the points that Euler's method finds")
def points(plate: Plate) -> Drawn:
    """The acceleration at the instants of the text's method of Euler, h = 0.01 s: points, and nothing between them."""
    r = simulate("mass-spring-damper", 1.0, integrator="symplectic-euler", step=0.01, samples=100)
    t, a = np.asarray(r.t), np.asarray(r["y.acceleration"])
    fine = np.linspace(0.0, 1.0, 1001)
    with style():
        drawn = new_figure(8.0, 4.5)
        axes = drawn.subplots()
        axes.plot(fine, exact_acceleration(fine), color=PALE, lw=1, zorder=1, label="exact")
        axes.plot(t, a, ".", ms=4.5, color=colour(0), zorder=2, label="Euler, h = 0.01 s")
        axes.set(xlabel="t [s]", ylabel="acceleration [m/s²]")
        legend(axes, 2)
        heading(
            drawn,
            f"{plate.number}: acceleration of the hung mass, by a numerical method",
            "symplectic-euler, h = 0.01 s",
        )
    off = np.abs(a - exact_acceleration(t))
    notes = [f"{len(t)} points; y''(0.01 s) = {a[1]:.4f} m/s² (the text prints 9.1532, which belongs to k = 15000 N/m)",
             f"farthest from the exact curve: {off.max():.3f} m/s² at t = {t[off.argmax()]:.2f} s"]  # fmt: skip
    return drawn, notes


@figure("001-15.20", "a linear and a progressive spring")
def springs(plate: Plate) -> Drawn:
    """Force against stretch of a linear spring and of the progressive one of the library."""
    curves = []
    for label, name in (("linear", "mass-spring-damper"), ("progressive", "progressive-spring-001")):
        r = simulate(name, 1.0, tolerance=1e-10, samples=400)
        down = np.arange(len(r.t)) <= int(np.argmax(np.asarray(r["y"])))
        curves.append((label, np.asarray(r["y"])[down], -np.asarray(r["spring.force"])[down]))
    parts = [("", "force [N]", curves)]
    title, made = f"{plate.number}: (b) linear and (c) non-linear spring", "k = 10000 N/m, c = 60000 N/m³"
    drawn = panels(title, made, (1, 1), parts, xlabel="stretch [m]", size=(7.0, 3.6))
    return drawn, [f"{label}: {F[-1]:.5g} N at {y[-1]:.4f} m" for label, y, F in curves]


@figure("004-10.4", "acceleration of the hung mass")
@figure("001-15.10", "acceleration of the hung mass")
def acceleration(plate: Plate) -> Drawn:
    """The acceleration of the hung mass, downwards."""
    r = _run()
    a = np.asarray(r["y.acceleration"])
    parts = [("", "acceleration [m/s²]", [("y''", r.t, a)])]
    drawn = panels(plate.title, MADE, (1, 1), parts, size=(8.0, 3.6))
    return drawn, [f"from {a[0]:.4g} m/s² at the start down to {a.min():.4g}, {a[-1]:.1e} after 2 s"]


@figure("004-10.5", "the mass falls and swings until it hangs still")
@figure("001-15.11", "the mass falls and swings until it hangs still")
def falling(plate: Plate) -> Drawn:
    """Where the mass is, at instants side by side, until it hangs still."""
    r = _run()
    t, y = np.asarray(r.t), np.asarray(r["y"])
    with style():
        drawn = new_figure(9.0, 4.2)
        axes = drawn.subplots()
        for k, at in enumerate(np.arange(0.0, 1.61, 0.1)):
            here = float(np.interp(at, t, y))
            axes.plot([at, at], [0.12, -here], color=PALE, lw=1, ls=":", zorder=1)
            axes.add_patch(Rectangle((at - 0.03, -here - 0.025), 0.06, 0.05, fc=colour(0), ec="none",
                                     alpha=0.35 + 0.04 * k, zorder=3))  # fmt: skip
        shown = t <= 1.65
        axes.plot(t[shown], -y[shown], color=colour(1), lw=1.2, zorder=2)
        axes.axhline(-REST, color=colour(2), lw=1, ls="--", zorder=0)
        axes.text(-0.06, -REST + 0.008, "static deflection", ha="left", color=colour(2), fontsize=9)
        axes.set(xlabel="t [s]", ylabel="height of the mass [m]", xlim=(-0.08, 1.74))
        heading(drawn, plate.title, MADE)
    return drawn, [f"lowest {y.max():.4f} m, static deflection {REST:g} m, {y[-1]:.4f} m after 2 s"]
