"""The real kernels on SymPy symbols: the equations that biela prints are the equations that it solves.

A compiled kernel is plain arithmetic on arrays. Taken uncompiled, with SymPy's functions in place of those of
`math` and arrays of expressions in place of arrays of numbers, the same source gives formulas.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
import sympy

from ..model.expression import evaluate, sympy_tables
from ..model.meaning import Meaning
from . import forces, rows
from .arena import Arrays
from .fields import FIELDS, SADDLE_FIELDS, TREE_FIELDS
from .lowering import Functions, Lowered, lower_natural
from .system import natural_of

SYMBOLIC = Functions(sympy.sqrt, sympy.cos, sympy.sin, sympy.atan2)


def uncompiled(kernel: Any, replace: dict[str, Any]) -> Callable[..., Any]:
    """The Python source of a kernel, with names of its module replaced; kernels that it calls likewise."""
    made: dict[int, Callable] = {}

    def make(dispatcher: Any) -> Callable:
        if id(dispatcher) in made:
            return made[id(dispatcher)]
        plain = dispatcher.py_func
        scope = dict(plain.__globals__)
        twin = FunctionType(plain.__code__, scope, plain.__name__, plain.__defaults__, plain.__closure__)
        made[id(dispatcher)] = twin
        for name in plain.__code__.co_names:
            if name in replace:
                scope[name] = replace[name]
            elif hasattr(scope.get(name), "py_func"):
                scope[name] = make(scope[name])
        return twin

    return make(kernel)


class SymbolicSystem:
    """A small mechanism's equations as formulas of its coordinates, velocities and parameters."""

    def __init__(self, meaning: Meaning, numbers: Meaning, carry: list[str]):
        natural = natural_of(meaning, SYMBOLIC, numbers)
        self.lowered: Lowered = lower_natural(meaning, natural, carry, SYMBOLIC)
        self.t = sympy.Symbol("t", real=True)
        self.q = [sympy.Symbol(_symbol(name), real=True) for name in self.lowered.q_names]
        self.v = [sympy.Symbol(_symbol(name) + "'", real=True) for name in self.lowered.q_names]
        self.arrays = self._arrays()
        replace = {
            "unpack": lambda s: s,
            "sin": sympy.sin,
            "cos": sympy.cos,
            "sqrt": sympy.sqrt,
            "reciprocal": lambda x: 1 / x,
            "turned": self._turned,
            "from_reference": lambda arrays: arrays.x,
            "other_part": self._other_part,
            "motion": self._motion,
        }
        uncompiled(rows.rows, replace)(self.arrays, self.t)
        uncompiled(rows.dense_jacobian, replace)(self.arrays)
        uncompiled(forces.forces, replace)(self.arrays, self.t)

    def _arrays(self) -> Arrays:
        low = self.lowered
        lists: dict[str, Any] = {k: x for k, x in low.lists.items() if not k.startswith("merge_")}
        n, m = lists["n"], lists["m"]
        zero = sympy.Integer(0)
        sizes = {"J": len(lists["jcol"]), "Phi": m, "Phit": m, "Phid": m, "bias": m, "Q": n, "B": m * n}
        lists |= {name: [zero] * size for name, size in sizes.items()}
        lists |= {"q": self.q, "v": self.v}
        for key, attribute in (("k", "stiffness"), ("x0", "free"), ("c", "damping"), ("c0", "constant")):
            lists[f"law_{key}"] = [getattr(law, attribute) for law in low.laws]
        out = {}
        for name, (kind, _) in (FIELDS | TREE_FIELDS | SADDLE_FIELDS).items():
            value = lists.get(name)
            if kind == "n":
                out[name] = int(value or 0)
            elif kind == "f":
                array = np.empty(len(value or []), dtype=object)
                array[:] = [exact(x) for x in (value or [])]
                out[name] = array
            else:
                out[name] = np.array(value or [], dtype=np.int64)
        out |= {"x": out["q"], "xd": out["v"], "Jx": out["J"], "Qx": out["Q"]}  # natural coordinates
        return Arrays(**out)

    # -------------------------------------------------------------------- laws, from their expressions
    def _expression(self, node: Any, **variables: Any) -> Any:
        number, functions, constants = sympy_tables()
        values = {**constants, **self.lowered.meaning.parameters, **variables}
        return evaluate(node, values, functions, number)

    def _law(self, index: int, **variables: Any) -> Any:
        law = self.lowered.laws[index]
        if law.expression is not None:
            return self._expression(law.expression, **variables)
        if law.table is not None or law.function is not None:
            arguments = [x for x in variables.values() if x != 0]
            return sympy.Function(f"f_{index}")(*arguments)
        return sympy.Integer(0)

    def _other_part(self, s: Any, index: int, t: Any, x: Any, v: Any) -> Any:
        index = int(index)
        return s.law_c0[index] - s.law_c[index] * v + self._law(index, t=t, x=x, v=v)

    def _motion(self, s: Any, index: int, t: Any) -> tuple:
        f = s.law_c0[int(index)] + self._law(int(index), t=t)
        return f, sympy.diff(f, t), sympy.diff(f, t, 2)

    @staticmethod
    def _turned(s: Any, l: int) -> tuple:
        """Angle and rate of a torsion element; whole turns do not show in a formula."""
        vector = uncompiled(forces.span, {})
        parts = (s.tor_ptr, s.tor_col, s.tor_cx, s.tor_cy, s.tor_x0, s.tor_y0)
        a, b, c, d = vector(*parts, 2 * l, s.q, s.v)
        e, f, g, h = vector(*parts, 2 * l + 1, s.q, s.v)
        angle = sympy.atan2(a * f - b * e, a * e + b * f)
        return angle, (e * h - f * g) / (e * e + f * f) - (a * d - b * c) / (a * a + b * b)

    # ------------------------------------------------------------------------------------ the equations
    @property
    def Phi(self) -> sympy.Matrix:
        return tidy(sympy.Matrix(list(self.arrays.Phi)))

    @property
    def Phi_q(self) -> sympy.Matrix:
        return tidy(sympy.Matrix(self.arrays.m, self.arrays.n, list(self.arrays.B)))

    @property
    def bias(self) -> sympy.Matrix:
        """(Phi_q)' q' (with Phi_tt where drivers are): what Phi'' has besides Phi_q q''."""
        return tidy(sympy.Matrix(list(self.arrays.bias)))

    @property
    def M(self) -> sympy.Matrix:
        return tidy(sympy.Matrix(self.arrays.n, self.arrays.n, list(self.arrays.M)))

    @property
    def Q(self) -> sympy.Matrix:
        return tidy(sympy.Matrix(list(self.arrays.Q)))

    def body_mass(self, body: str) -> sympy.Matrix:
        """The body's own mass matrix on all its basic points, fixed ones included: 000 (64), (66)."""
        index = self._own(body)
        matrix = self.lowered.masses[body]
        return tidy(sympy.Matrix(len(index), len(index), lambda i, j: exact(matrix.get((index[i], index[j]), 0))))

    def body_weight(self, body: str) -> sympy.Matrix:
        """The body's weight as forces on its basic points: 000 (70), (72)."""
        weight = self.lowered.weights[body]
        return tidy(sympy.Matrix([exact(weight.get(i, 0)) for i in self._own(body)]))

    def _own(self, body: str) -> list[int]:
        return [i for i, copy in enumerate(self.lowered.exploded.copies) if copy[0] == body]


def exact(x: Any) -> Any:
    """A SymPy number; floats become the short decimal they print as, without the dust of rounding."""
    if isinstance(x, float):
        x = 0.0 if abs(x) < 1e-15 else float(f"{x:.14g}")
        return sympy.Integer(int(x)) if x == int(x) else sympy.Rational(repr(x))
    return sympy.sympify(x)


def tidy(matrix: sympy.Matrix) -> sympy.Matrix:
    """Exact numbers, and the shorter of a few equal forms where that is quick to find."""

    def shorter(e: Any) -> Any:
        e = sympy.sympify(e).replace(lambda x: x.is_Float, lambda x: exact(float(x)))
        if sympy.count_ops(e) > 200:
            return e
        return min((e, sympy.expand(e), sympy.factor(e), sympy.simplify(e)), key=sympy.count_ops)

    return matrix.applyfunc(shorter)


def _symbol(name: str) -> str:
    """"P1.x" is written x_P1; a relative coordinate keeps its name."""
    if "." in name:
        what, axis = name.rsplit(".", 1)
        if axis in ("x", "y", "z"):
            return f"{axis}_{what}"
        return name.replace(".", "_")
    return name
