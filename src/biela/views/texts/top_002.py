"""Figures 10-12 of text 002: a symmetric top in gravity, both schemes."""

from __future__ import annotations

import numpy as np

from ... import library
from ...analysis.simulate.simulate import simulate
from ...model.model import Model
from ...results.result import Result
from ..style import GREY, colour, heading, new_figure, style
from .panels import panels
from .registry import Drawn, Plate, figure

MASS = 20 / 9.81
STEP, END = 1e-3, 10.0


def top() -> Model:
    """002 6.3: J = diag(5, 5, 1) about the pivot, mgL = 20 N m, L = 1 m, leaning 0.3 rad, 50 rad/s about its axis."""
    return library.load("top-002")


LABELS = {"conserving": "conserving", "decaying-002": "decaying, as printed: (90)", "decaying": "decaying, biela's own"}


def run(scheme: str, end: float = END, samples: int = 5000) -> Result:
    """The scheme as printed turns by Euler parameters, (85)-(90); biela's own rows are for natural coordinates."""
    place = "reference-point" if scheme == "decaying-002" else "natural"
    return simulate(top(), end, coordinates=place, integrator=scheme, step=STEP, samples=samples)


def tops_of(t: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Times and values of the maxima of a smooth curve, by parabolas."""
    i = np.flatnonzero((x[1:-1] > x[:-2]) & (x[1:-1] >= x[2:])) + 1
    a, b, c = x[i - 1], x[i], x[i + 1]
    d = 0.5 * (a - c) / (a - 2 * b + c)
    return t[i] + d * (t[1] - t[0]), b - 0.25 * (a - c) * d


@figure("002-11", "heavy top, decaying scheme", "decaying")
@figure("002-10", "heavy top, conserving scheme", "conserving")
def responses(plate: Plate, scheme: str) -> Drawn:
    """Centre of mass, energies, angular velocity, velocity; the decaying scheme as printed and as biela has it."""
    if scheme == "conserving":
        title, parts, notes, method = "heavy top, conserving scheme", *_response(scheme, "")
        return panels(f"{plate.number}: {title}", method, (2, 2), parts), notes
    (first, notes, method), (second, more, _) = (_response(s, f"{LABELS[s]}: ") for s in ("decaying-002", "decaying"))
    title = f"{plate.number}: heavy top, decaying scheme as printed (left) and biela's own (right)"
    parts = [part for pair in zip(first, second, strict=True) for part in pair]
    return panels(title, method, (4, 2), parts), [*notes, *more]


def _response(scheme: str, label: str) -> tuple[list, list[str], str]:
    """Four panels, sentences, and the method."""
    r = run(scheme)
    t, G, W = np.asarray(r.t), np.asarray(r["G"]), np.asarray(r["top.spin"])
    K, V, E = (np.asarray(r[f"energy.{name}"]) for name in ("kinetic", "potential", "total"))
    v = np.asarray(r["G.velocity"])
    axes = "xyz"
    parts = [
        (f"{label}centre of mass", "m", [(x, t, G[:, k]) for k, x in enumerate(axes)]),
        ("energies, less what they were", "J", [("kinetic", t, K - K[0]), ("potential", t, V - V[0]),
                                                ("total", t, E - E[0])]),
        ("angular velocity, own axes", "rad/s", [("about x", t, W[:, 0]), ("about y", t, W[:, 1]),
                                                 ("about z, less 50", t, W[:, 2] - 50)]),
        ("velocity of the centre of mass", "m/s", [(x, t, v[:, k]) for k, x in enumerate(axes)]),
    ]  # fmt: skip
    at, lean = tops_of(t, np.arccos(G[:, 2]))
    notes = [
        f"{label}energy {E[0]:.6g} J: largest relative change {np.abs(E / E[0] - 1).max():.1e}, largest growth from "
        f"sample to sample {np.diff(E).max():.0e} J; kinetic energy {K[-1] - K[0]:+.2g} J at the end",
        f"{label}leans up to {lean[0]:.6f} rad in the first nutation, {lean[-1]:.6f} in the last; period "
        f"{np.diff(at).mean():.6f} s, from {np.diff(at).min():.6f} to {np.diff(at).max():.6f}",
        f"{label}spin about its axis {W[0, 2]:.6g} rad/s at the start, {W[-1, 2]:.6g} at the end",
    ]
    return parts, notes, r.method


@figure("002-12", "heavy top: paths of the centre of mass")
def paths(plate: Plate) -> Drawn:
    """The centre of mass seen from above, once round."""
    notes = []
    with style():
        drawn = new_figure(14.2, 5.4)
        grid = drawn.subplots(1, 3)
        for letter, axes, scheme in zip(("a", "b", "b"), grid, LABELS, strict=True):
            r = run(scheme, 16.0, 8000)  # once round takes about 15.6 s
            G = np.asarray(r["G"])
            axes.plot(G[:, 0], G[:, 1], color=colour(0 if scheme == "conserving" else 1), lw=1.2)
            axes.plot(0, 0, "+", color=GREY)
            axes.set_aspect("equal")
            axes.set(xlabel="x [m]", ylabel="y [m]", title=f"({letter}) {LABELS[scheme]}")
            radius = np.hypot(G[:, 0], G[:, 1])
            first, last = radius[:2000], radius[-2000:]
            notes.append(f"{LABELS[scheme]}: radius from {first.min():.5f} to {first.max():.5f} m in the first 4 s, "
                         f"from {last.min():.5f} to {last.max():.5f} m in the last 4 s of 16")  # fmt: skip
        heading(drawn, f"{plate.number}: paths of the centre of mass, from above", "h = 0.001 s, 16 s")
    return drawn, notes
