"""Reactions and free bodies at the start: Newton and Euler of every body, and the same in every set of coordinates."""

from __future__ import annotations

import numpy as np

from biela.analysis.check.movability import checked_mobility
from biela.methods.status import Status
from biela.results.motion import Motion
from biela.results.reactions.free_body import free_bodies
from biela.system.system import System
from fuzz.finding import Finding, Tally
from fuzz.starts import accelerations
from spatial.states import size

LEFT = 1e-8
"""of the largest force: what may be left over of a free body"""
SAME = 1e-7


def compare_forces(systems: dict[str, System], tally: Tally) -> list[Finding]:
    """All bodies cut free, all reactions."""
    out: list[Finding] = []
    found: dict[str, dict[str, np.ndarray]] = {}
    largest = 0.0
    for name, system in systems.items():
        a, status = accelerations(system, "lagrange")
        if status != Status.finished:
            continue
        lam = system.arrays.lam[: system.m].copy()
        r = Motion(system, [0.0], system.q0[None], system.v0[None], a[None], lam[None], None)
        bodies = free_bodies(r, list(system.resolved.bodies))
        tally.add("compared", len(bodies))
        for body in bodies:
            largest = max(largest, body.largest)
            if not body.error < LEFT:
                text = f"{name} coordinates, body {body.body}: {body.error:.3g} of the largest force is left over"
                text += f"\n{body}"
                out.append(Finding("free body: not in balance", text))
                break
        unique = checked_mobility(system).redundant == 0
        if unique:
            found[name] = {f"{b.body}/{a.name}/{k}": np.append(a.force, a.moment / b.size)
                           for b in bodies for k, a in enumerate(b.acts)}  # fmt: skip
    if len(found) > 1 and not out:
        first, *rest = found
        for other in rest:
            if found[other].keys() != found[first].keys():
                out.append(Finding("free body: other items", f"{first}: {set(found[first]) ^ set(found[other])}"))
                break
            worst = max(found[first], key=lambda k: size(found[other][k] - found[first][k]))
            off = size(found[other][worst] - found[first][worst])
            if off > SAME * largest:
                text = f"{worst} in {other} and {first} coordinates differs by {off:.3g} N of {largest:.3g} N"
                out.append(Finding(f"reactions: {other} and {first} differ", text))
                break
    return out
