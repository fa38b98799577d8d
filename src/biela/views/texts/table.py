"""Figure by figure: which run, and what of it is drawn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Arc

from ...errors import BielaError, Problem
from ...results.result import Result
from ..dark import darken
from ..figures import energy_figure, motion_figure, multiplier_figure, violation_figure
from ..mechanism import draw_mechanism, sketch
from ..plot import draw, made, plot
from ..style import GREY, INK, colour, heading, new_figure, save, style
from .runs import masses, pendulum, suspended, top

SCHEMES = ("conserving", "decaying")


class Recipe(NamedTuple):
    """What a figure shows, and how it is drawn."""

    what: str
    draw: Callable[[], Figure]


def figure(name: str, path: str | Path | None = None, theme: str = "light") -> Figure:
    """A figure of the texts by its number, "000.15", "001.15.10" or "002.7"; written if a path is given."""
    if name not in FIGURES:
        from ...model.resolve.naming import did_you_mean

        cure = did_you_mean(name, list(FIGURES), "figures", most=30)
        raise BielaError(Problem(f"there is no figure {name!r}", cure=cure))
    drawn = FIGURES[name].draw()
    if theme == "dark":
        darken(drawn)
    if path is not None:
        save(drawn, path)
    return drawn


def _angles() -> Figure:
    """The double pendulum with its two angles from the downward vertical."""
    result = pendulum("penalty", "trapezoidal")
    at = int(np.argmin(np.abs(np.asarray(result.t) - 0.55)))
    drawn = sketch(result, at=at, title="double-pendulum: relative coordinates")
    axes = drawn.axes[0]
    with style():
        for start, end, name in (("P0", "P1", "φ1"), ("P1", "P2", "φ2")):
            a, b = (np.asarray(result[p])[at] for p in (start, end))
            way = float(np.degrees(np.arctan2(b[1] - a[1], b[0] - a[0])))
            axes.plot([a[0], a[0]], [a[1], a[1] - 1.3], color=GREY, lw=1.2, ls=(0, (6, 3)), zorder=8)
            axes.plot(*np.array([a, a + 0.65 * (b - a)]).T, color=GREY, lw=1.2, ls=(0, (6, 3)), zorder=8)
            low, high = sorted((-90.0, way))
            axes.add_patch(Arc(tuple(a), 1.5, 1.5, theta1=low, theta2=high, color=INK, lw=1.4, zorder=8))
            middle = np.radians((low + high) / 2)
            axes.text(a[0] + 0.98 * np.cos(middle), a[1] + 0.98 * np.sin(middle), name, fontsize=12, ha="center",
                      va="center", fontstyle="italic", zorder=9)  # fmt: skip
    return drawn


def _displacements(m1: float) -> Figure:
    """Both schemes of 002, one above the other: where both masses are."""
    results = [masses(scheme, m1) for scheme in SCHEMES]
    names = ["P1.x", "P1.y", "P2.x", "P2.y"]
    with style():
        drawn = new_figure(8.0, 6.2)
        for axes, r in zip(drawn.subplots(2, 1, sharex=True), results, strict=True):
            draw(axes, np.asarray(r.t), [(n, np.asarray(r[n]), "m") for n in names], "displacement")
            worst = float(np.abs(r["energy.error"]).max())
            axes.set_title(f"{_scheme(r)}: energy error {worst:.2e} J", loc="right", fontsize=9)
        drawn.axes[-1].set_xlabel("t [s]")
        heading(drawn, f"two point masses, m1 = {m1:g} kg, m2 = 1 kg, h = 1e-3 s")
    return drawn


def _oscillations() -> Figure:
    """The conserving scheme with a mass ratio of 200: velocities and accelerations jump from step to step."""
    r = masses("conserving", 0.005, 1.0)
    with style():
        drawn = new_figure(8.0, 6.2)
        rows = (("vx", "m/s", "velocity"), ("ax", "m/s^2", "acceleration"))
        for axes, (name, unit, what) in zip(drawn.subplots(2, 1, sharex=True), rows, strict=True):
            lines = [(f"{p}.{name}", np.asarray(r[f"{p}.{name}"]), unit) for p in ("P1", "P2")]
            draw(axes, np.asarray(r.t), lines, what, lw=0.8)
        drawn.axes[-1].set_xlabel("t [s]")
        heading(drawn, "two point masses, m1 = 0.005 kg: oscillations of numerical origin", made(r))
    return drawn


def _decay() -> Figure:
    """The decaying scheme at the start: the energy falls in steps, where the accelerations have their peaks."""
    r = masses("decaying", 0.005, 1.0)
    size = np.linalg.norm(np.asarray(r["P1.acceleration"]), axis=1)
    with style():
        drawn = new_figure(8.0, 6.2)
        above, below = drawn.subplots(2, 1, sharex=True)
        draw(above, np.asarray(r.t), [("acceleration of P1", size, "m/s^2")])
        draw(below, np.asarray(r.t), [("energy error", np.asarray(r["energy.error"]), "J")], first=1)
        below.set_xlabel("t [s]")
        heading(drawn, "decaying scheme, m1 = 0.005 kg: the start", made(r))
    return drawn


def _top(scheme: str) -> Figure:
    r = top(scheme)
    t = np.asarray(r.t)
    panels = [
        ("position of the centre of mass", "m", ["G.x", "G.y", "G.z"]),
        ("energy", "J", ["energy.kinetic", "energy.potential", "energy.total"]),
        ("angular velocity, own axes", "rad/s", ["top.wx", "top.wy", "top.wz"]),
        ("velocity of the centre of mass", "m/s", ["G.vx", "G.vy", "G.vz"]),
    ]
    with style():
        drawn = new_figure(11.0, 7.0)
        for axes, (what, unit, names) in zip(drawn.subplots(2, 2).ravel(), panels, strict=True):
            draw(axes, t, [(n.split(".")[-1], np.asarray(r[n]), unit) for n in names], what)
            axes.set_xlabel("t [s]")
        heading(drawn, f"symmetric top, {_scheme(r)}", made(r))
    return drawn


def _trajectories() -> Figure:
    """The path of the top's centre of mass, seen from above and from the side."""
    with style():
        drawn = new_figure(9.6, 5.0)
        for axes, scheme in zip(drawn.subplots(1, 2), SCHEMES, strict=True):
            G = np.asarray(top(scheme, 16.0)["G"])
            axes.plot(G[:, 0], G[:, 1], color=colour(0), lw=1.2)
            axes.plot(0, 0, marker="+", color=INK, ms=9)
            axes.set(xlabel="G.x [m]", ylabel="G.y [m]", title=f"{scheme}, from above")
            axes.set_aspect("equal", adjustable="datalim")
        heading(drawn, "symmetric top: path of its centre of mass")
    return drawn


def _falling() -> Figure:
    """The mass at some instants, until it hangs where the spring carries it."""
    r = suspended()
    times, t = (0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.9, 1.5), np.asarray(r.t)
    y = np.asarray(r["P.y"])
    limits = (np.array([-0.02, float(y.min()) - 0.01]), np.array([0.02, 0.01]))
    with style():
        drawn = new_figure(11.0, 4.6)
        row = drawn.subplots(1, len(times))
        for axes, when in zip(row, times, strict=True):
            draw_mechanism(axes, r, at=int(np.argmin(np.abs(t - when))), names=False, adjust="box", limits=limits)
            rest = -9.8 * 250 / 10000
            axes.axhline(rest, color=GREY, lw=1.0, ls=(0, (6, 3)), zorder=0)
            axes.set_title(f"{when:g} s", fontsize=10)
            axes.set(xlabel="", xticks=[])
            if axes is not row[0]:
                axes.set(ylabel="", yticklabels=[])
        heading(drawn, "the mass falls, swings and rests where m g = k y (dashed)")
    return drawn


def _scheme(r: Result) -> str:
    return f"{r.settings.integrator.name} scheme"


def _multipliers(formulation: str) -> Figure:
    return multiplier_figure(pendulum(formulation, "trapezoidal"))


FIGURES: dict[str, Recipe] = {
    "000.15": Recipe("height of P2, penalty + trapezoidal", lambda: motion_figure(pendulum("penalty", "trapezoidal"))),
    "000.16": Recipe("energy, penalty + trapezoidal", lambda: energy_figure(pendulum("penalty", "trapezoidal"))),
    "000.17": Recipe("violation, penalty + trapezoidal", lambda: violation_figure(pendulum("penalty", "trapezoidal"))),
    "000.18": Recipe("multipliers, penalty + trapezoidal", lambda: _multipliers("penalty")),
    "000.19": Recipe("multipliers, augmented + trapezoidal", lambda: _multipliers("augmented")),
    "000.20": Recipe("relative coordinates of the double pendulum", _angles),
    "000.21": Recipe("height of P2, R matrix + Runge-Kutta", lambda: motion_figure(pendulum("projection", "rk2"))),
    "000.22": Recipe("energy, R matrix + Runge-Kutta", lambda: energy_figure(pendulum("projection", "rk2"))),
    "000.23": Recipe("violation, R matrix + Runge-Kutta", lambda: violation_figure(pendulum("projection", "rk2"))),
    "000.24": Recipe("height of P2, R matrix + Adams", lambda: motion_figure(pendulum("projection", "abm4"))),
    "000.25": Recipe("energy, R matrix + Adams", lambda: energy_figure(pendulum("projection", "abm4"))),
    "000.26": Recipe("violation, R matrix + Adams", lambda: violation_figure(pendulum("projection", "abm4"))),
    "001.15.10": Recipe("acceleration of the suspended mass", lambda: plot(suspended(), "y.acceleration")),
    "001.15.11": Recipe("fall and oscillation of the mass", _falling),
    "002.5": Recipe("displacements of both schemes, m1 = m2", lambda: _displacements(1.0)),
    "002.6": Recipe("oscillations of numerical origin, m1 = 0.005 kg", _oscillations),
    "002.7": Recipe("displacements of both schemes, m1 = 0.005 kg", lambda: _displacements(0.005)),
    "002.8": Recipe("accelerations and energy of the decaying scheme", _decay),
    "002.9": Recipe("the symmetric top", lambda: sketch(top("conserving"), title="symmetric top")),
    "002.10": Recipe("the top by the conserving scheme", lambda: _top("conserving")),
    "002.11": Recipe("the top by the decaying scheme", lambda: _top("decaying")),
    "002.12": Recipe("path of the top's centre of mass, both schemes", _trajectories),
}  # fmt: skip
