"""The least number of equations in symbols in the plane, in angles from the ground (001 15.6).

Points are written as formulas of the tree's variables y (angles from the ground, and displacements); what joints close
loops are equations Phi(y, t) = 0. With independent z among y,

    y' = S z' + b,   x' = X_y y',   M_min = (X_y S)^T M (X_y S),   Q_min = (X_y S)^T (Q - M c),   x'' = X_y S z'' + c

where x, M and Q are those of natural coordinates, as `explain` prints them.   [E.1]-[E.4]
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy

from ...coordinates.tree.from_poses import body_motion
from ...coordinates.tree.spanning import grow
from ...errors import MethodError, Problem
from ...mechanics.start import Start
from ...mechanics.user_equation import user_row
from ...model.expression import evaluate, names, sympy_tables
from ...model.joints import PLANE
from ...model.joints.primitives import View
from ...model.joints.steps import SLIDE
from ...model.model import Model
from ...model.resolved import Place, ResolvedModel
from ...system.symbols.frames import SymbolicFrames, unused
from ...system.symbols.symbolic_system import SymbolicSystem, exact, parameter_values, symbolic_functions
from ...system.system import FLOATS, System, lower
from ..explain.formulas import plain, shortened, tidied
from .equations import Balance, MinimalSymbols, Velocities, constant_masses
from .independent import Dependent, choose_independent, must_have_freedom, refuse_long


class AbsoluteReduction:
    """From formulas of places to equations."""

    def __init__(self, model: Model, resolved: ResolvedModel, numbers: ResolvedModel, system: System):
        self.model, self.resolved, self.numbers = model, resolved, numbers
        self.frames = frames = SymbolicFrames.of(resolved, grow(numbers, relative=True))
        self.y, self.names = list(frames.variables), list(frames.names)
        self.rows = loop_rows(frames, system)
        refuse_long(model, len(self.y), len(self.rows))
        self.values = starting_values(frames, system)
        self.t = sympy.Symbol("t", real=True)
        self.natural = SymbolicSystem(resolved, numbers, "natural")
        self.x = natural_variables(self.natural, frames)
        self.own: dict[str, Any] = dict(zip(frames.names, frames.variables, strict=True))
        """the tree's variables as formulas of y"""

    def result(self, independent: list[str] | None, coordinates: str) -> MinimalSymbols:
        chosen = self._named(independent) if independent else self._declared()
        must_have_freedom(self.model, self.resolved, len(self.y), len(self.rows))
        z = self._well_chosen(chosen, strict=bool(independent))
        Phi = sympy.Matrix(self.rows) if self.rows else sympy.zeros(0, 1)
        rates = [sympy.Symbol(f"{y}'", real=True) for y in self.y]
        yd = sympy.Matrix(rates)
        speed = Phi.jacobian(self.y) * yd + Phi.diff(self.t)
        gamma = -(speed.jacobian(self.y) * yd + speed.diff(self.t))
        dependent = Dependent.of(Phi.jacobian(self.y), Phi.diff(self.t), gamma, z, self.y, rates)
        S = dependent.S
        X = sympy.Matrix(self.x).applyfunc(plain)
        J, Xt = X.jacobian(self.y), X.diff(self.t)
        R = (J * S).applyfunc(shortened)
        xd = J * yd + Xt
        c = xd.jacobian(self.y) * yd + xd.diff(self.t) + J * dependent.c
        known = dict(zip(self.natural.q, self.x, strict=True)) | dict(zip(self.natural.v, xd, strict=True))
        n = self.natural.arrays.n
        M = sympy.Matrix(n, n, list(self.natural.arrays.M)).applyfunc(plain)
        Q = sympy.Matrix(list(self.natural.arrays.Q)).applyfunc(plain).subs(known)
        M_min, Q_min = tidied(R.T * M * R), tidied(R.T * (Q - M * c))
        whole = self._whole(coordinates, dependent, rates, z)
        masses = constant_masses(coordinates, self.resolved, self.numbers)
        if masses is not None:  # the loads do the same work in all coordinates
            places = sympy.Matrix(self._positions(coordinates)[1])
            named = places.applyfunc(plain).jacobian(self.y) * S
            whole.balance = Balance.of(named, whole.S, masses, R.T * Q, dependent.ratios, shortened)
        return MinimalSymbols(
            self.model, [self.names[i] for i in z], [self.y[i] for i in z], [rates[i] for i in z],
            dict(zip(self.names, self.y, strict=True)), tidied(Phi), S, M_min, Q_min, dependent.short,
            [f"{self.y[i]}''" for i in z], whole,
        )  # fmt: skip

    def _whole(self, coordinates: str, dependent: Dependent, rates: list[Any], z: list[int]) -> Velocities:
        """S and S' of the velocities of a set of coordinates."""
        names, x = self._positions(coordinates)
        X, ratios, short = sympy.Matrix(x).applyfunc(plain), dependent.ratios, dependent.short
        yd = [exact(short.get(rate, rate)).subs(ratios) for rate in rates]
        J = X.jacobian(self.y)
        drift = sympy.Matrix(yd).subs({rates[i]: 0 for i in z})

        def derivative(matrix: Any) -> Any:
            total = matrix.diff(self.t)
            for y, rate in zip(self.y, yd, strict=True):
                total = total + matrix.diff(y) * rate
            return total

        S, b = J * dependent.S.subs(ratios), J * drift + X.diff(self.t)
        return Velocities.of(coordinates, names, S, b, derivative, shortened)

    def _positions(self, coordinates: str) -> tuple[list[str], list[Any]]:
        """Names and formulas (but for constants) of the coordinates of a set, of the variables y."""
        frames, resolved = self.frames, self.resolved
        low = lower(self.numbers, coordinates, FLOATS)
        if coordinates in ("natural", "mixed"):
            return low.v_names, natural_variables(SymbolicSystem(resolved, self.numbers, coordinates), frames)
        out: dict[str, Any] = {}
        if coordinates == "reference-point":
            for key in low.exploded.bodies:
                body = resolved.bodies.get(key)
                rigid = body is not None and not body.particle
                place = Place(key if body else "", body.center if rigid and body else (0, 0), key)
                out |= {f"{key}.{axis}": x for axis, x in zip("xy", frames.place(place), strict=True)}
                if rigid:
                    out[f"{key}.angle"] = frames.angles[key]
        else:
            assert low.tree is not None
            for limb in low.tree.limbs:
                turn = frames.angles[limb.child] - frames.angles[limb.parent]
                for step in limb.steps:
                    out[step.name] = self.own[step.name] if step.kind == SLIDE else (-turn if limb.backwards else turn)
        out |= {name: frames.coordinate(resolved.coordinates[name]) for name in low.carried}
        return low.v_names, [sympy.sympify(out[name]) for name in low.v_names]

    # ---------------------------------------------------------------------------- which are independent
    def _declared(self) -> list[Any]:
        """Angles and positions that the model declares, if they can take the place of variables."""
        found = []
        for name, c in self.resolved.coordinates.items():
            driven = any(d.coordinate == name for d in self.resolved.drivers)
            if c.joint is None and c.type != "distance" and not driven:
                s = self._renamed(name)
                if s is not None:
                    found.append(s)
        return found

    def _named(self, names: list[str]) -> list[Any]:
        out = []
        for name in names:
            s = self.y[self.names.index(name)] if name in self.names else None
            if s is None and name in self.resolved.coordinates:
                s = self._renamed(name)
            if s is None:
                known = [*self.names, *(c for c, m in self.resolved.coordinates.items() if m.joint is None)]
                raise MethodError(
                    Problem(
                        f"{name!r} cannot be an independent coordinate of formulas",
                        where=name,
                        why="it is not one of the variables, nor one of them but for a constant",
                        cure=f"one of: {', '.join(dict.fromkeys(known))}; or ask for numbers (without symbols)",
                    )
                )
            out.append(s)
        return out

    def _renamed(self, name: str) -> Any:
        """Put a coordinate of the model in place of a variable that is the same but for a sign and a constant."""
        e = sympy.expand(self.frames.coordinate(self.resolved.coordinates[name]))
        for k, y in enumerate(self.y):
            factor = sympy.diff(e, y)
            if factor in (1, -1) and not (e - factor * y).has(*self.y):
                s = sympy.Symbol(unused(name.replace(".", "_").replace("@", "_"), self.resolved), real=True)
                if s == y:
                    return y
                swap = {y: factor * (s - (e - factor * y))}
                start = self.values.pop(y)
                offset = float(sympy.sympify(e - factor * y).subs(parameter_values(self.resolved, self.numbers)))
                self.values[s] = float(factor) * start + offset
                self.rows = [r.subs(swap) for r in self.rows]
                self.own = {n: sympy.sympify(own).subs(swap) for n, own in self.own.items()}
                self.x = [sympy.sympify(x).subs(swap) for x in self.x]
                self.frames.angles = {b: sympy.sympify(a).subs(swap) for b, a in self.frames.angles.items()}
                self.frames.origins = {
                    b: tuple(sympy.sympify(o).subs(swap) for o in r) for b, r in self.frames.origins.items()
                }  # type: ignore[assignment]
                self.y[k], self.names[k] = s, name
                return s
        return None

    def _well_chosen(self, chosen: list[Any], strict: bool) -> list[int]:
        """Those asked for; else a set, the declared and the first variables before others, whose rest follows well."""
        if not self.rows:
            return list(range(len(self.y)))
        known = {**self.values, **parameter_values(self.resolved, self.numbers), self.t: 0}
        B = np.array(sympy.Matrix(self.rows).jacobian(self.y).subs(known), dtype=float)
        first = [self.y.index(s) for s in chosen]
        order = list(dict.fromkeys([*first, *range(len(self.y))]))
        return choose_independent(B, self.names, first if strict else None, order, "variables")


# ------------------------------------------------------------------------------------- formulas of places and loops
def loop_rows(frames: SymbolicFrames, system: System) -> list[Any]:
    """Phi(y, t): the joints that the tree does not fulfil, relations, drivers."""
    resolved = frames.resolved
    fn = symbolic_functions(resolved, system.resolved)
    start = Start(resolved, fn)
    see = View(frames.place, frames.vector, frames.direction, start.distance, start.angle, start.vector,
               lambda c: frames.coordinate(resolved.coordinates[c]), user_row, resolved, fn)  # fmt: skip
    number, functions, constants = sympy_tables()
    t = sympy.Symbol("t", real=True)
    terms = {j.name: j.terms for j in system.resolved.joints}  # in numbers
    out = []
    for j in frames.cut:
        if j.terms:
            total = sum((frames.coordinate(resolved.coordinates[n]) * f for n, f in j.terms), sympy.Integer(0))
            value = j.value
            if value is None:
                value = sum(float(f) * float(system.value(n, system.q0)[0][0]) for n, f in terms[j.name])
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
