"""Is a balance stable? The eigenvalues of the motion near it, and the direction in which it would leave.   [E.7]"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from ...errors import BielaError
from ..instant import Instant
from ..linear.modes import Mode, find_modes
from ..linear.moving_parts import describe_motion
from ..linear.state_space import KINK, state_space
from ..minimal.chart import Chart
from .balance import generalised_force, local_stiffness

STABLE, UNSTABLE, NEUTRAL, UNKNOWN = "stable", "unstable", "neutral", "undetermined"
FLAT = 1e-8
"""stiffness below this share of the largest is none"""
APART = 0.05
"""how far to go along a direction without stiffness, in units of the mechanism"""


@dataclass
class Stability:
    """The verdict, and the motions it rests on."""

    verdict: str
    leaving: list[str] = field(default_factory=list)
    """how it leaves, if unstable"""
    neutral: list[str] = field(default_factory=list)
    """how it moves without any force"""
    notes: list[str] = field(default_factory=list)
    modes: list[Mode] = field(default_factory=list, repr=False)
    damped: bool = False
    """it comes to rest by itself"""


def stability_of(here: Instant, held: bool = False) -> Stability:
    """Stable, unstable or neutral. `held` by dry friction: there is no linear motion near it, and stiffness decides."""
    if held:
        return _by_stiffness(here, "dry friction has no rate of damping")
    try:
        space = state_space(here)
    except BielaError as error:
        return _by_stiffness(here, error.problems[0].what)
    modes = find_modes(space)
    system, S = here.system, space.base.S
    D = np.linalg.inv(np.linalg.cholesky(space.base.M)).T  # D^T M D = 1
    w, V = np.linalg.eigh(D.T @ (0.5 * (space.K + space.K.T)) @ D)
    kinked = space.kink > KINK  # (the mean stiffness of both sides says nothing of either)
    share = float("inf") if kinked else max(FLAT, 100 * space.error)
    out = _flat_directions(here, space.chart, w, D @ V, S, share, kinked)
    for mode in modes:
        if mode.kind == "grows":
            out.leaving.append(describe_motion(system, here.q, np.real(mode.v)))
    out.modes = modes
    out.damped = all(m.eigenvalue.real < -1e-9 * abs(m.eigenvalue) for m in modes)
    return _concluded(out)


def _flat_directions(
    here: Instant, chart: Chart, w: np.ndarray, V: np.ndarray, S: np.ndarray, share: float, kinked: bool = False
) -> Stability:
    """Directions without stiffness, or with another to either side: a step along each shows whether forces arise
    further away."""
    which = "a law has a kink here, at small displacements" if kinked else "no stiffness for small displacements"
    out, system = Stability(UNKNOWN), here.system
    top = float(np.abs(w).max(initial=0.0))
    for value, z in zip(w, V.T, strict=True):
        if abs(value) > share * top and top > 0:
            continue
        motion = describe_motion(system, here.q, S @ z)
        z = z / float(np.abs(S @ z / system.unit).max(initial=1e-300))
        pushes = []
        for side in (APART, -APART):
            q = chart.position(side * z)
            if q is not None:
                scale = float(np.abs(system.at(q, None, here.t).Q * (S @ z)).sum()) + top * APART**3
                push = float(generalised_force(chart, q)[0] @ z) * np.sign(side)
                pushes.append(0.0 if abs(push) < 1e-9 * scale else push)
        if not any(pushes):
            out.neutral.append(motion)
        elif all(p < 0 for p in pushes):
            out.notes.append(f"note: {which} ({motion}), but larger ones are brought back")
        else:
            out.leaving.append(motion)
            out.notes.append(f"note: {which} ({motion}), and larger ones are driven away")
    return out


def _concluded(out: Stability) -> Stability:
    return replace(out, verdict=UNSTABLE if out.leaving else NEUTRAL if out.neutral else STABLE)


def _by_stiffness(here: Instant, what: str) -> Stability:
    """Where there is no inertia, or dry friction, forces alone decide; in a singular position nothing does."""
    local = local_stiffness(here.system, here.q, here.t)
    if not np.isfinite(local.K).all() or "singular" in what:
        return Stability(UNKNOWN, notes=[f"note: stability is not determined: {what}"])
    w, V = np.linalg.eigh(0.5 * (local.K + local.K.T))
    out = _flat_directions(here, local.chart, w, local.to_x @ V, local.S, FLAT)
    top = float(np.abs(w).max(initial=0.0))
    steep = np.flatnonzero(w < -FLAT * top)
    out.leaving += [describe_motion(here.system, here.q, local.velocity(V[:, k])) for k in steep]
    out.notes.append(f"note: {what}; stability is that of the stiffness alone")
    return _concluded(out)
