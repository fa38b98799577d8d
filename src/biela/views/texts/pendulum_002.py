"""Figures 5-8 of text 002: a double pendulum of two point masses, and what a mass ratio of 200 does to it."""

from __future__ import annotations

import numpy as np

from ... import library
from ...analysis.simulate.simulate import simulate
from ...model.model import Model
from ...results.result import Result
from .panels import panels
from .registry import Drawn, Plate, figure

STEP, END = 1e-3, 10.0


def pendulum(m1: float) -> Model:
    """002 6.2: both lengths 1 m, the second mass 1 kg and straight above the first, at rest."""
    model = library.load("double-pendulum-002")
    model.parameters["m1"] = m1
    return model


def run(m1: float, scheme: str, end: float = END, step: float = STEP) -> Result:
    """Every step is kept."""
    return simulate(pendulum(m1), end, coordinates="natural", integrator=scheme, step=step, samples=round(end / step))


@figure("002-7", "double pendulum, mass ratio 200: displacements by both schemes", "0.005")
@figure("002-5", "double pendulum, equal masses: displacements by both schemes", "1")
def displacements(plate: Plate, mass: str) -> Drawn:
    """The four coordinates by both schemes."""
    m1 = float(mass)
    end = END if m1 == 1 else 3.0
    parts, notes, runs = [], [], {}
    for scheme in ("conserving", "decaying"):
        r = runs[scheme] = run(m1, scheme, end)
        names = {"x1": "P1.x", "y1": "P1.y", "x2": "P2.x", "y2": "P2.y"}
        parts.append((scheme, "m", [(label, r.t, np.asarray(r[name])) for label, name in names.items()]))
        E = np.asarray(r["energy.total"])
        notes.append(f"{scheme}: {r.status.name}, energy {E[-1] - E[0]:+.2e} J of {E[0]:.4g} J, "
                     f"{r.trajectory.iterations} iterations, {r.trajectory.rejected} steps halved")  # fmt: skip
    a, b = (np.asarray(r.q) for r in runs.values())
    t, apart = np.asarray(runs["conserving"].t), np.abs(a - b).max(axis=1)
    late = t[np.argmax(apart > 0.1)] if (apart > 0.1).any() else None
    notes.append("both stay within 0.1 m of each other" if late is None else f"they part (0.1 m) at t = {late:.2f} s")
    ratio = "m1 = m2 = 1" if m1 == 1 else "m1 = 0.005, m2 = 1"
    if m1 != 1:
        notes += _longer_step(m1)
    drawn = panels(f"{plate.number}: displacements, {ratio}", "h = 0.001 s", (2, 1), parts,
                    size=(9.0, 2.9))  # fmt: skip
    return drawn, notes


def _longer_step(m1: float) -> list[str]:
    """The text: with h = 0.01 the conserving scheme does not converge and the decaying one does; HHT never does."""
    out = []
    for scheme, step in (("conserving", 1e-2), ("decaying", 1e-2), ("hht", 1e-2), ("hht", 1e-3)):
        r = run(m1, scheme, END, step)
        stopped = "" if r.finished else f" at t = {r.trajectory.stopped_at:.3g} s"
        out.append(f"{scheme}, h = {step:g} s: {r.status.name}{stopped}, {r.trajectory.rejected} steps halved")
    return out


def alternating(v: np.ndarray) -> float:
    """How much of the changes from step to step is of one step's length: 0 for a smooth curve, 1 for a zigzag."""
    d = np.diff(v)
    return float(np.abs(np.diff(d)).sum() / (np.abs(d[1:]) + np.abs(d[:-1])).sum())


@figure("002-6", "double pendulum, mass ratio 200: oscillations of the conserving scheme")
def ripples(plate: Plate) -> Drawn:
    """Velocities and accelerations of the first mass, both schemes, where the ripples are seen."""
    parts, notes = [], []
    for scheme in ("conserving", "decaying"):
        r = run(0.005, scheme, 1.0)
        t, v = np.asarray(r.t), np.asarray(r.v)[:, :2]
        a = np.diff(v, axis=0) / STEP  # the scheme's own: what changes from step to step
        late = t >= 0.7
        parts.append((f"{scheme}: velocity of m1", "m/s",
                      [(f"{x}1'", t[late], v[late, k]) for k, x in enumerate("xy")]))  # fmt: skip
        parts.append((f"{scheme}: acceleration of m1", "m/s²",
                      [(f"{x}1''", t[1:][late[1:]], a[late[1:], k]) for k, x in enumerate("xy")]))  # fmt: skip
        calm = v[t >= 0.8]  # after the jerk at 0.747 s, when the second mass comes to the end of its rope
        notes.append(f"{scheme}: zigzag of x1' after the jerk {alternating(calm[:, 0]):.3f} (0 smooth, 1 zigzag only), "
                     f"largest change within a step {np.abs(np.diff(calm, axis=0)).max():.2g} m/s")  # fmt: skip
    drawn = panels(f"{plate.number}: oscillations of numerical origin, m1 = 0.005, m2 = 1", "h = 0.001 s", (2, 2),
                    parts, lw=0.7)  # fmt: skip
    return drawn, notes


@figure("002-8", "double pendulum, mass ratio 200: how the decaying scheme loses energy")
def decay(plate: Plate) -> Drawn:
    """Accelerations and energy of the decaying scheme: it falls in steps, where accelerations peak."""
    r = run(0.005, "decaying", 3.0)
    t, v, E = np.asarray(r.t), np.asarray(r.v), np.asarray(r["energy.total"])
    size = np.linalg.norm(np.diff(v[:, :2], axis=0), axis=1) / STEP
    loss = -np.diff(E)
    top = np.argsort(loss)[-len(loss) // 100 :]
    parts = [
        ("size of the acceleration of m1", "m/s²", [("|a1|", t[1:], size)]),
        ("total energy", "J", [("E", t, E)]),
    ]
    notes = [
        f"energy from {E[0]:.4g} to {E[-1]:.4g} J in 3 s; the largest growth in a step is {np.diff(E).max():.0e} J",
        f"one per cent of the steps loses {100 * loss[top].sum() / loss.sum():.1f} % of what is lost; the mean "
        f"acceleration in them is {size[top].mean() / size.mean():.0f} times that of all steps",
    ]
    return panels(f"{plate.number}: decaying scheme, m1 = 0.005, m2 = 1", "h = 0.001 s", (2, 1), parts,
                  size=(9.0, 2.7)), notes  # fmt: skip
