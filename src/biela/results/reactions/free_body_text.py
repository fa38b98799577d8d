"""A free body as a table of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .free_body import SUPPORT

if TYPE_CHECKING:
    from .free_body import FreeBody

ROUND_OFF = 1e-11
"""beside the largest force: shown as nothing"""


def table(body: FreeBody) -> str:
    """All that acts, one line each; forces in N, moments in N m, in the axes of the ground."""
    space = body.dimension == 3
    axes = "xyz" if space else "xy"
    turn = [f"M{x}" for x in axes] if space else ["M"]
    head = ["", "from", "at", *(f"F{x} [N]" for x in axes), *(f"{m} [N m]" for m in turn)]
    centre = body.centre_name
    same = body.pivot is not None and body.about == centre and np.allclose(body.pivot, body.centre)
    pivot = None if same else body.pivot  # moments about the centre are there in any case
    head += [f"{m} about {centre} [N m]" if not space else f"{m}_{centre}" for m in turn]
    if pivot is not None:
        head += [f"{m} about {body.about} [N m]" if not space else f"{m}_{body.about}" for m in turn]
    tiny = ROUND_OFF * body.largest
    lines = [head]
    for a in body.acts:
        label = a.name if a.kind in (a.name, "inertia") else f"{a.kind} {a.name}"
        by = ", ".join(a.by) or "outside"
        if a.kind == "inertia":
            by = "-m a_G, -d(Jw)/dt" if space else "-m a_G, -I alpha"
        if a.kind == SUPPORT:
            label, by = a.name, "its support"
        forces = [_number(x, tiny) for x in a.force[: body.dimension]]
        moments = [a.moment, a.about_centre, *([] if pivot is None else [a.moment_about(pivot)])]
        moments = [_number(x, tiny * body.size) for m in moments for x in (m if space else m[2:])]
        lines.append([label, by, a.where, *forces, *moments])
    left = [f"{x:.1e}" for x in (*body.force[: body.dimension],)]
    sums = [body.moment, *([] if pivot is None else [body.moment_about(pivot)])]
    turned = [f"{x:.1e}" for m in sums for x in (m if space else m[2:])]
    lines.append(["sum", "", centre if pivot is None else "", *left, *([""] * len(turn)), *turned])
    return "\n".join([*_head(body), "", *_columns(lines), "", *_load(body), _verdict(body), *body.notes])


def _load(body: FreeBody) -> list[str]:
    """Of the ground: what it carries altogether."""
    if not body.of_ground:
        return []
    d, (force, moment) = body.dimension, body.load
    turn = _vector(moment) if d == 3 else _number(float(moment[2]), ROUND_OFF * body.largest * body.size)
    return [f"load on the ground: {_vector(force[:d])} N, its moment about the origin {turn} N m"]


def _head(body: FreeBody) -> list[str]:
    d = body.dimension
    place = [] if body.pivot is None else [f"{body.about} at {_vector(body.pivot[:d])} m"]
    if body.of_ground:
        head = f"{body.model}: free body of the ground at t = {body.t:.6g} s"
        return [head, "; ".join(["what acts on it, and what must hold it", *place])]
    out = [f"{body.model}: free body of {body.body!r} at t = {body.t:.6g} s"]
    facts = [f"mass {body.mass:.6g} kg", f"G at {_vector(body.centre[:d])} m"]
    facts.append(f"a_G = {_vector(body.acceleration[:d])} m/s^2")
    if not body.motion.system.resolved.bodies[body.body].particle:
        alpha = _vector(body.spin_rate) if d == 3 else f"{body.spin_rate[2]:.6g}"
        facts.append(f"alpha = {alpha} rad/s^2")
    return [*out, "; ".join(facts + place)]


def _verdict(body: FreeBody) -> str:
    beside = f"the largest force in the mechanism ({body.largest:.6g} N; moments over {body.size:.3g} m)"
    return f"left over: {body.error:.1e} of {beside}"


def _number(x: float, tiny: float) -> str:
    return "0" if abs(x) <= tiny else f"{x:.6g}"


def _vector(x: np.ndarray) -> str:
    size = float(np.abs(x).max(initial=0.0))
    return "(" + ", ".join(_number(float(c), 1e-12 * size) for c in x) + ")"


def _columns(lines: list[list[str]]) -> list[str]:
    """Texts to the left, numbers to the right."""
    width = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    out = []
    for line in lines:
        cells = [text.ljust(w) if k < 3 else text.rjust(w) for k, (text, w) in enumerate(zip(line, width, strict=True))]
        out.append("  ".join(cells).rstrip())
    return out
