"""What closes the loops of a tree, in symbols, and where its variables start."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy

from ...coordinates.tree.from_poses import body_motion
from ...mechanics.start import Start
from ...mechanics.user_equation import user_row
from ...model.expression import evaluate, names, sympy_tables
from ...model.joints import PLANE
from ...model.joints.primitives import View
from ...model.resolved import Place
from ...system.symbols.frames import SymbolicFrames
from ...system.symbols.symbolic_system import SymbolicSystem, exact, symbolic_functions
from ...system.system import System
from ..explain.formulas import shortened


def loop_rows(frames: SymbolicFrames, system: System) -> list[Any]:
    """Phi(y, t): the joints that the tree does not fulfil, relations, drivers."""
    resolved = frames.resolved
    fn = symbolic_functions(resolved, system.resolved)
    start = Start(resolved, fn)
    see = View(frames.place, frames.vector, frames.direction, start.distance, start.angle, start.vector,
               lambda c: frames.coordinate(resolved.coordinates[c]), user_row, resolved, fn)  # fmt: skip
    number, functions, constants = sympy_tables()
    t = sympy.Symbol("t", real=True)
    out = []
    for j in frames.cut:
        if j.terms:
            total = sum((frames.coordinate(resolved.coordinates[n]) * f for n, f in j.terms), sympy.Integer(0))
            value = j.value
            if value is None:
                value = sum(float(f) * float(system.value(n, system.q0)[0][0]) for n, f in _numbers(system, j.name))
            out.append(total - exact(value))
        elif j.equation is not None:
            out.append(_formula(frames, j.equation))
        else:
            out += [row[1] for row in PLANE[j.type].rows(j, see)]
    for d in resolved.drivers:
        if d.law.expression is None and (d.law.table is not None or d.law.function is not None):
            law = sympy.Function(f"f_{d.name}")(t)
        else:
            law = d.law.constant
            if d.law.expression is not None:
                law += evaluate(d.law.expression, {**constants, **resolved.parameters, "t": t}, functions, number)
        if d.coordinate in resolved.coordinates:
            out.append(frames.coordinate(resolved.coordinates[d.coordinate]) - law)
        elif d.place is not None:
            out.append(frames.place(d.place)[d.axis] - law)
    rows = [shortened(sympy.sympify(e)) for e in out]
    return [e for e in rows if e.has(*frames.variables)] if frames.variables else []


def _numbers(system: System, joint: str) -> Any:
    return next(j.terms for j in system.resolved.joints if j.name == joint)


def _formula(frames: SymbolicFrames, node: Any) -> Any:
    """A user's formula, of the tree's variables."""
    number, functions, constants = sympy_tables()
    values = {**constants, **frames.resolved.parameters, **_moving(frames, node), "t": sympy.Symbol("t", real=True)}
    return evaluate(node, values, functions, number)


def _moving(frames: SymbolicFrames, node: Any) -> dict[str, Any]:
    resolved, out = frames.resolved, {}
    for name in names(node):
        if name in resolved.coordinates:
            out[name] = frames.coordinate(resolved.coordinates[name])
        elif name != "t" and name.rpartition(".")[2] in ("x", "y"):
            point, axis = name.rsplit(".", 1)
            out[name] = frames.place(resolved.place(point))["xy".index(axis)]
    return out


def natural_variables(natural: SymbolicSystem, frames: SymbolicFrames) -> list[Any]:
    """Each natural coordinate as a formula of the tree's variables."""
    low = natural.equations
    resolved = low.resolved
    out: dict[int, Any] = {}
    for copy in low.exploded.copies:
        body, point, axis = copy
        moving, where = low.exploded.target(copy)
        if moving and where not in out:
            out[where] = frames.place(Place(body, low.exploded.element(body, point).local, point))[axis]
    for name in low.carried:
        c = resolved.coordinates[name]
        out[low.q_names.index(name)] = _formula(frames, c.formula) if c.type == "term" else frames.coordinate(c)
    return [shortened(sympy.sympify(out[i])) for i in range(len(low.q_names))]


def starting_values(frames: SymbolicFrames, system: System) -> dict[Any, float]:
    """Numbers of the variables where the mechanism starts."""
    here, out = system.posture(system.q0), {}
    for s, name in zip(frames.variables, frames.names, strict=True):
        what, _, part = name.rpartition(".")
        if name in system.q_names and part not in ("angle",):
            out[s] = float(system.q0[system.q_names.index(name)])
        elif part == "angle" and what in frames.resolved.bodies:
            R = body_motion(here, what).R[0][0]
            out[s] = float(np.arctan2(R[1, 0], R[0, 0]))
        else:
            out[s] = float(body_motion(here, what).p[0][0]["xy".index(part)])
    return out
