"""The least number of equations in symbols in relative coordinates, in the plane and in space (001 15.5, 15.6).

The kernels of relative coordinates give B, gamma, M and Q of the tree's velocities y'; with independent z' among them

    y' = S z' + b,   y'' = S z'' + c,   S^T M S z'' = S^T (Q - M c),   S_d = -B_d^-1 B_z,   c_d = B_d^-1 gamma

[E.1]-[E.4].
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy

from ...errors import MethodError, Problem
from ...mechanics.polynomial import Polynomial
from ...model.model import Model
from ...model.resolved import Place, ResolvedModel
from ...system.symbols.symbolic_system import SymbolicSystem, exact, tidy
from ...system.system import FLOATS, System, lower
from ..explain.explain import refuse_large, starting_constants
from ..explain.formulas import shortened
from .equations import Balance, MinimalSymbols, Velocities, constant_masses
from .independent import Dependent, choose_independent, must_have_freedom, refuse_long


class TreeReduction:
    """From the equations of relative coordinates to as many as there are freedoms."""

    def __init__(self, model: Model, resolved: ResolvedModel, numbers: ResolvedModel, system: System):
        self.model, self.resolved, self.numbers, self.system = model, resolved, numbers, system
        low = system.equations
        refuse_large(model, numbers, low, "relative")
        at = system.at(system.q0, np.zeros(system.n), 0.0)
        self.rows = _independent_rows(at.B)
        refuse_long(model, system.n, len(self.rows))
        self.B0 = at.B[self.rows]
        s = self.symbolic = SymbolicSystem(resolved, numbers, "relative", starting_constants(model, low, "relative"))
        self.names = list(s.equations.v_names)
        self.base = [sympy.Symbol(str(v).rstrip("'"), real=True) for v in s.v]
        """what the velocities are called without their dash"""

    def result(self, independent: list[str] | None, coordinates: str) -> MinimalSymbols:
        """The equations, and S and S' of the velocities of a set of coordinates."""
        s = self.symbolic
        must_have_freedom(self.model, self.numbers, len(self.names), len(self.rows))
        z = self.choose(independent)
        y, M, Q = self.reduce(z)
        names, v = self.velocities(coordinates)
        ratios = y.ratios
        rates = {rate: exact(y.short[rate]).subs(ratios) for rate in s.v if rate in y.short}
        still = {s.v[i]: 0 for i in z}
        J, drift = v.jacobian(s.v), sympy.Matrix([rates.get(rate, sympy.Integer(0)) for rate in s.v]).subs(still)
        form = s.formed if self.numbers.dimension == 3 else lambda e: by_sums(s.formed(e))
        whole = Velocities.of(
            coordinates, names, J * y.S.subs(ratios), J * drift, lambda e: self.derivative(e, rates), form
        )
        masses = constant_masses(coordinates, self.resolved, self.numbers)
        if masses is not None:  # what Q of the tree has besides the loads is of the inertia: -J^T M J' y'
            loads = s.Q + (J.T * masses * self.derivative(J, {}) * sympy.Matrix(s.v)).applyfunc(s.formed)
            whole.balance = Balance.of(J * y.S, whole.S, masses, y.S.T * loads.applyfunc(s.formed), ratios, form)
        rows = sympy.Matrix([s.Phi[k] for k in self.rows]) if self.rows else sympy.zeros(0, 1)
        return MinimalSymbols(
            self.model, [self.names[i] for i in z], [self.base[i] for i in z], [s.v[i] for i in z],
            dict(zip(s.equations.q_names, s.q, strict=True)), rows, y.S, M, Q, y.short, [f"{s.v[i]}'" for i in z],
            whole,
        )  # fmt: skip

    def choose(self, independent: list[str] | None) -> list[int]:
        """Which velocities are independent: those named, or the first whose rest follows well."""
        for name in independent or ():
            if name not in self.names:
                cure = f"one of: {', '.join(self.names)}"
                raise MethodError(Problem(f"{name!r} is not one of the relative velocities", where=name, cure=cure))
        asked = [self.names.index(name) for name in independent] if independent else None
        return choose_independent(self.B0, self.names, asked, range(len(self.names)), "velocities")

    def reduce(self, z: list[int]) -> tuple[Dependent, Any, Any]:
        """How all velocities follow from the independent ones, and M and Q of these.   001 (39)-(46)"""
        s = self.symbolic
        moving = sympy.Matrix([exact(s.arrays.Phit[k]) for k in self.rows])
        y = Dependent.of(s.Phi_q[self.rows, :], moving, s.gamma[self.rows, :], z, self.base, s.v)
        M, Q = y.S.T * s.M * y.S, y.S.T * (s.Q - s.M * y.c)
        return y, tidy(M.applyfunc(shortened)), tidy(Q.applyfunc(shortened))

    def velocities(self, coordinates: str) -> tuple[list[str], sympy.Matrix]:
        """Names and formulas of the velocities of a set of coordinates, of those of the tree."""
        s = self.symbolic
        if coordinates == "relative":
            return self.names, sympy.Matrix(s.v)
        low, frames = lower(self.numbers, coordinates, FLOATS), s.equations.exploded
        x, xd, out = s.arrays.x, s.arrays.xd, []
        for name in low.v_names[: len(low.v_names) - len(low.carried)]:
            if coordinates == "reference-point":
                body, part = name.rsplit(".", 1)
                at = frames._at[body]
                if part in ("x", "y", "z"):
                    out.append(xd["xyz".index(part) + at])
                else:  # w in the body's axes: w_x = a_z . a_y' and so on; in the plane of a_1 itself
                    k = 2 if part == "angle" else "xyz".index(part[1])
                    i, j = (k + 1) % 3, (k + 2) % 3
                    out.append(sum(x[at + 3 + 3 * j + l] * xd[at + 3 + 3 * i + l] for l in range(3)))
            else:
                out.append(self._natural(low, name, xd))
        for name in low.carried:
            if name not in s.equations.variables:
                raise MethodError(
                    Problem(f"the rate of {name!r} is not written in relative velocities", where=name,
                            cure="ask for S in relative or reference-point coordinates")
                )  # fmt: skip
            out.append(xd[s.equations.variables[name]])
        return low.v_names, sympy.Matrix([s.formed(e) for e in out])

    def _natural(self, low: Any, name: str, xd: Any) -> Any:
        """The rate of a point or vector, by the body that has it."""
        where, frames = low.q_names.index(name), self.symbolic.equations.exploded
        for body, key, axis in low.exploded.copies:
            if low.exploded.target((body, key, axis)) != (True, where):
                continue
            if body == "":
                return _rate(frames.place(Place("", (0,) * frames.dimension, key))[axis], xd)
            element = self._element(body, key)
            return _rate((frames._turned(body, element) if key.startswith("^") else
                          frames.place(Place(body, element, key)))[axis], xd)  # fmt: skip
        raise KeyError(name)

    def _element(self, body: str, key: str) -> tuple:
        """A basic point or vector in the body's axes, in symbols."""
        natural = lower(self.resolved, "natural", self.symbolic.equations.exploded.fn).exploded
        return natural.element(body, key).local

    def derivative(self, matrix: Any, rates: dict) -> Any:
        """d/dt of formulas of q and t, with the rates of the dependent velocities put in."""
        s = self.symbolic
        qd = [exact(e).subs(rates) for e in list(s.arrays.ydot)[: len(s.q)]]
        total = matrix.diff(s.t)
        for q, rate in zip(s.q, qd, strict=True):
            total = total + matrix.diff(q) * rate
        return total


def _independent_rows(B: np.ndarray) -> list[int]:
    """Rows that the ones before do not imply."""
    kept: list[int] = []
    for k in range(len(B)):
        if np.linalg.matrix_rank(B[[*kept, k]], tol=1e-9 * max(1.0, float(np.abs(B).max()))) > len(kept):
            kept.append(k)
    return kept


def _rate(p: Polynomial, xd: Any) -> Any:
    return sum((c * xd[i] for i, c in p.linear.items()), sympy.Integer(0))


LONG = 200
"""operations of formulas that are not made shorter"""


def by_sums(e: Any) -> Any:
    """A formula in the angles of joints, made short in the angles from the ground that its quotients have: these are
    sums, and as long as they are written as sums sines and cosines of them do not cancel."""
    if sympy.count_ops(e) > LONG:
        return e
    out, back = e, {}
    sums = {f.args[0] for f in sympy.fraction(sympy.together(e))[1].atoms(sympy.sin, sympy.cos) if f.args[0].is_Add}
    for total in sorted(sums, key=lambda a: (len(a.args), str(a))):
        here = total.subs({back_of: name for name, back_of in back.items()})
        own = [s for s in sorted(here.free_symbols, key=str) if sympy.expand(here).coeff(s) == 1 and s not in back]
        if not own:
            return e
        name = sympy.Dummy("sum", real=True)
        out, back[name] = out.subs(own[-1], name - (here - own[-1])), total
    return min((e, shortened(out).subs(back)), key=sympy.count_ops) if back else e
