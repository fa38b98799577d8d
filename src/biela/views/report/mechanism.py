"""What the mechanism is: a drawing, what it is made of, in SI units, and how many freedoms it has."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from ...analysis.check.check import check
from ...model.expression import to_text
from ...model.model import Model
from ...model.resolved import GROUND, ResolvedLaw, ResolvedLock, ResolvedModel, ResolvedStop
from ...results.motion import Motion
from ...results.reactions.elements import elements
from ..curves.figures import moving_point
from ..drawing.mechanism import sketch
from .page import count, notes, paragraph, picture, table


def mechanism(model: Model, motion: Motion) -> str:
    """The drawing with the path of the last moving point, then tables of all parts."""
    resolved = motion.system.resolved
    point = moving_point(motion) if len(motion.t) > 1 else None
    figure = sketch(motion, trace=[] if point is None else [point], title="")
    caption = "The mechanism at its start" + (f", and the path of {point}" if point else "")
    axes = "xyz"[: resolved.dimension]
    g = ", ".join(f"{float(x):g}" for x in resolved.gravity)
    flat = resolved.dimension == 2
    where, spread = ("in the plane", "inertia") if flat else ("in space", "diagonal of the tensor of inertia")
    parts = [
        paragraph(f"A mechanism {where}. Gravity: ({g}) m/s². All numbers are in SI units."),
        picture(figure, caption),
        table(["parameter", "value", "given as"],
              [(k, float(v), _as_written(model.parameters.get(k))) for k, v in resolved.parameters.items()]),
        table(["body", "kind", "mass [kg]", *(f"centre {x} [m]" for x in axes), "inertia [kg m²]"], _bodies(resolved),
              f"Bodies (centre in the body's own axes, {spread} about the centre)", 2),
        table(["joint", "kind", "between"], _holding(resolved), "Joints", 3),
        table(["driver", "coordinate", "law"],
              [(d.name, d.coordinate, law(d.law)) for d in resolved.drivers], "Drivers", 3),
        table(["force", "kind", "on", "law"], _forces(resolved), "Forces", 4),
        table(["stop", "limits", "restitution"], [(s.name, limits(s), float(s.restitution)) for s in resolved.stops],
              "Stops", 2),
        table(["lock", "holds", "closes", "opens"], [_lock(x) for x in resolved.locks], "Locks", 4),
        table(["at the start", "value", "unit"],
              [*((k, float(v), _unit(resolved, k)) for k, v in resolved.position.items()),
               *((f"{k}'", float(v), f"{_unit(resolved, k)}/s") for k, v in resolved.velocity.items())],
              "Given at t = 0"),
        notes([model.reference.note] if model.reference.note else []),
    ]  # fmt: skip
    return "".join(parts)


def _as_written(value: Any) -> str:
    """A parameter as the model's text has it, with its unit; bare numbers say nothing more."""
    return value if isinstance(value, str) else ""


def limits(stop: ResolvedStop) -> str:
    """What a stop allows, in its unit; angles in degrees.

    >>> import biela
    >>> limits(biela.assemble("pendulum-stop").resolved.stops[0])
    '0° <= phi'
    """
    unit = {"rad": "°", "1": ""}.get(stop.unit, f" {stop.unit}")
    low, high = (None if x is None else f"{float(x) * (180 / pi if stop.unit == 'rad' else 1):.6g}{unit}"
                 for x in (stop.lower, stop.upper))  # fmt: skip
    return (f"{low} <= " if low else "") + to_text(stop.equation) + (f" <= {high}" if high else "")


def _lock(lock: ResolvedLock) -> tuple[str, str, str, str]:
    moments = ["" if m is None else m.text if m.time is None else f"t = {float(m.time):g} s"
               for m in (lock.closes, lock.opens)]  # fmt: skip
    closes = moments[0] or "closed from the start"
    return lock.name, ", ".join(to_text(e) for e in lock.equations), closes, moments[1] or "never"


def _unit(resolved: ResolvedModel, name: str) -> str:
    """Of a coordinate at the start: an angle's or a length's."""
    c, part = resolved.coordinates.get(name), name.rpartition(".")[2]
    turns = c.type == "angle" if c is not None else part in ("angle", "wx", "wy", "wz")
    return "rad" if turns else "m"


def _bodies(resolved: ResolvedModel) -> list[list[Any]]:
    rows = []
    for name, b in resolved.bodies.items():
        center = [None] * resolved.dimension if b.particle else [float(x) for x in b.center]
        inertia: Any = None
        if not b.particle and resolved.dimension == 2:
            inertia = float(b.inertia)
        elif not b.particle:
            inertia = ", ".join(f"{x:.5g}" for x in np.diag(np.array(b.inertia, dtype=float)))
        rows.append([name, b.kind, float(b.mass), *center, inertia])
    return rows


def _holding(resolved: ResolvedModel) -> list[tuple[str, str, str]]:
    return [
        (label, e.kind, ", ".join(e.bodies))
        for label, e in elements(resolved).items()
        if e.kind == "pin" or e.joint is not None
    ]


def _forces(resolved: ResolvedModel) -> list[tuple[str, str, str, str]]:
    known = elements(resolved)
    rows = []
    for f in resolved.forces:
        e = known.get(f.name)
        laws = [f.law, *(x for x in (f.law_y, f.law_z) if x is not None)]
        on = ", ".join(b for b in e.bodies if b != GROUND or len(e.bodies) > 1) if e else ""
        rows.append((f.name, e.kind if e else f.type, on, "; ".join(law(x) for x in laws)))
    return rows


def law(resolved: ResolvedLaw) -> str:
    """A law in words.

    >>> law(ResolvedLaw(stiffness=200.0, free=0.1))
    'stiffness 200, free at 0.1'
    """
    said = []
    if resolved.stiffness:
        said.append(f"stiffness {float(resolved.stiffness):g}, free at {float(resolved.free):g}")
    if resolved.damping:
        said.append(f"damping {float(resolved.damping):g}")
    if resolved.constant or not (said or resolved.expression or resolved.table or resolved.function):
        said.append(f"{float(resolved.constant):g}")
    if resolved.potential is not None:
        said.append(f"potential {to_text(resolved.potential)}")
    elif resolved.expression is not None:
        said.append(to_text(resolved.expression))
    if resolved.table is not None:
        x = resolved.table[0]
        said.append(f"a table of {len(x)} values from {float(x[0]):g} to {float(x[-1]):g}")
    if resolved.function is not None:
        said.append("a Python function")
    return ", ".join(said)


def mobility(model: Model, motion: Motion | None) -> str:
    """The facts of `biela check`."""
    found = check(model)
    first = found.sizes["reference-point"]
    driven = f", with {count(first.drivers, 'driver')} at work" if first.drivers else ""
    words = [f"{count(first.freedom, 'freedom')} by rank{driven}; {found.grubler} by counting (Gruebler)."]
    if first.redundant:
        rows_are = f"{count(first.redundant, 'constraint row')} {'is' if first.redundant == 1 else 'are'}"
        words.append(f"{rows_are} implied by the others in any position, for instance "
                     f"{', '.join(first.implied[:8])}; the dependency runs through {', '.join(first.involved[:12])}. "
                     "The motion is not affected.")  # fmt: skip
    if found.reactions.shared:
        words.append(f"Reactions that only a convention determines (least norm): {', '.join(found.reactions.shared)}.")
    for group in found.islands:
        words.append(f"Not connected to the ground: {', '.join(group)}.")
    if found.singular:
        words.append(f"{found.singular}: {count(first.instantaneous, 'freedom')} here, {first.freedom} nearby.")
    remarks: list[str] = []
    rows = [(name, m.n, m.m, m.rank, m.redundant, m.freedom) for name, m in found.sizes.items()]
    headers = ["coordinates", "n", "rows m", "rank", "redundant", "freedom"]
    paired = [name for name, m in found.sizes.items() if m.m - m.rank > m.redundant]
    if paired:
        remarks.append(f"in {' and '.join(paired)} coordinates an angle has two rows, its sine and its cosine, of "
                       "which one at a time tells it: they are among the rows m, but not redundant ones")  # fmt: skip
    remarks += [*found.notes, *(f"problem: {p}" for p in found.problems), *(f"warning: {d}" for d in found.doubts)]
    return "".join(map(paragraph, words)) + table(headers, rows) + notes(remarks)
