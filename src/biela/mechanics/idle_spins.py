"""Idle spins: a slender bar between balls can turn about its own line, without inertia and without effect.

Nothing determines such a spin, so the equations would be singular. A body whose attachments all lie on a line through
its centre, and which has no moment of inertia about that line, is given one. With no torque about the line the spin
keeps its starting value zero, and with zero spin the made-up inertia appears in no other equation: the motion and the
reactions are exactly those of the bar.   [N.9]
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..model.expression import names
from ..model.joints import joint_class
from ..model.resolved import Direction, ResolvedBody, ResolvedModel


def hold_idle_spins(resolved: ResolvedModel) -> tuple[ResolvedModel, list[str]]:
    """The model with inertia for idle spins, and the bodies that have them."""
    if resolved.dimension == 2:
        return resolved, []
    bodies, idle = dict(resolved.bodies), []
    total = sum(float(b.mass) for b in resolved.bodies.values()) or 1.0
    spun = "".join(resolved.velocity)
    for name, body in resolved.bodies.items():
        line = None if body.particle or f"{name}.w" in spun else _idle_line(resolved, body)
        if line is not None:
            J = np.array(body.inertia, dtype=float)
            reach = max((float(np.linalg.norm(np.array(p, dtype=float))) for p in body.points.values()), default=1.0)
            size = float(np.trace(J)) or 1e-3 * total * (reach or 1.0) ** 2
            held = J + size * np.outer(line, line)
            bodies[name] = replace(body, inertia=tuple(tuple(float(x) for x in row) for row in held))
            idle.append(name)
    return (replace(resolved, bodies=bodies), idle) if idle else (resolved, [])


def _idle_line(resolved: ResolvedModel, body: ResolvedBody) -> np.ndarray | None:
    """The line (its direction) about which a body spins idly, if there is one."""
    centre = np.array(body.center, dtype=float)
    J = np.array(body.inertia, dtype=float)
    values, vectors = np.linalg.eigh(J)
    if float(body.mass) > 0.0:
        if values[0] > 1e-12 * values[2] or values[2] == 0.0:
            return None
    elif values[2] > 0.0:
        return None
    points = _attachments(resolved, body.name)
    if points is None:
        return None
    if float(body.mass) > 0.0:
        line, through = vectors[:, 0], centre
    else:
        if len(points) < 2:
            return None
        line, through = points[1] - points[0], points[0]
        line = line / max(float(np.linalg.norm(line)), 1e-300)
    scale = max([float(np.linalg.norm(p - through)) for p in points] + [1e-300])
    off = [float(np.linalg.norm(np.cross(p - through, line))) for p in points]
    return line if max(off, default=0.0) < 1e-9 * scale else None


def _attachments(resolved: ResolvedModel, body: str) -> list[np.ndarray] | None:
    """Where joints and forces hold a body by points; None if anything else holds it."""
    points = []
    for j in resolved.joints:
        if j.equation is not None and any(n.startswith(f"{body}.") for n in names(j.equation)):
            return None
        for side, f in enumerate(j.frames):
            if f.body == body:
                if joint_class(j.type, 3).turning[side]:
                    return None  # it holds more than a point
                points.append(f.place.local)
        points += [p.local for p in j.places if p.body == body and not j.frames]
    for c in resolved.coordinates.values():
        if c.needed:
            if any(isinstance(x.vector, Direction) and x.vector.body == body for x in c.lines):
                return None
            points += [p.local for p in c.places if p.body == body]
    for f in resolved.forces:
        if body in f.bodies or f.axes == body:
            return None
        points += [p.local for p in f.places if p.body == body]
    return [np.array(p, dtype=float) for p in points]
