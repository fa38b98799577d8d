"""The real kernels on SymPy symbols: the equations that biela prints are the equations that it solves.

A kernel is plain arithmetic on arrays. Its Python source, with SymPy's functions in place of those of `math`, exact
numbers in place of floats and arrays of expressions in place of arrays of numbers, gives formulas.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import sympy

from ...coordinates.natural.layout import POINT
from ...kernels import forces, rows, state
from ...kernels.calls import GATHER
from ...kernels.crossed import CROSSED_FUNCTIONS
from ...machine.array_table import Arrays
from ...machine.fields import FIELDS, SADDLE_FIELDS, TREE_FIELDS
from ...machine.in_python import in_python
from ...machine.records import new_record
from ...machine.workspace import workspace
from ...mechanics.scalars import Functions
from ...model.expression import evaluate, sympy_tables
from ...model.resolved import ResolvedModel
from ..system import lower
from .names import symbols_of
from .normal_form import NormalForm, Written, of_sums

ROOM = ("x", "xd", "xbias", "J", "Jx", "Phi", "Phit", "Phid", "bias", "Q", "Qx", "B", "ydot")
"""what kernels write into, in any coordinates"""
TREE_ROOM = ("M", "mval", *(f"tree_{x}" for x in "RpSVcaFI"), *(f"body_{x}" for x in "IVaW"), "cross_W")


SHORT, LONG = 60, 200
"""operations of formulas that are simplified by all means, or at all"""
FEW = 320
"""operations times symbols of the former: what it takes to factor grows with both"""


def symbolic_functions(resolved: ResolvedModel, numbers: ResolvedModel) -> Functions:
    """SymPy's functions; decisions are taken with the numbers of the parameters."""
    known = parameter_values(resolved, numbers)

    def value(x: Any) -> float:
        return float(x.subs(known) if hasattr(x, "subs") else x)

    def short(x: Any) -> Any:
        return exact(x) if not getattr(x, "free_symbols", None) else sympy.simplify(exact(x))

    def root(x: Any) -> Any:
        return sympy.sqrt(short(x))

    return Functions(root, sympy.cos, sympy.sin, sympy.atan2, sympy.pi, value, short, object)


def parameter_values(resolved: ResolvedModel, numbers: ResolvedModel) -> dict[Any, float]:
    """Symbols of the parameters -> their values."""
    return {s: float(numbers.parameters[k]) for k, s in resolved.parameters.items() if isinstance(s, sympy.Symbol)}


@dataclass(frozen=True)
class Crossed:
    """A body carried by a point r1 and two ways e and u, each a unit vector or the way from r1 to another point; the
    third, w = e x u, is no variable.   000 (37)-(45)"""

    names: tuple[str, str, str, str]
    """of r1, of the vectors or the points that e and u lead to, and of w"""
    begins: tuple[bool, bool]
    """whether e and u begin at r1, as ways to other points do"""
    T: sympy.Matrix
    """(r1, e, u, w)' = T of the velocities of the first three names; 000 takes w with the opposite sign"""
    M_o: sympy.Matrix
    """the constant mass matrix of (r1, e, u, w), each entry times I3"""

    @property
    def ways(self) -> tuple[str, str]:
        """e and u, as they are written.

        >>> Crossed(("A", "B", "u", "w"), (True, False), sympy.eye(1), sympy.eye(1)).ways
        ('B - A', 'u')
        """
        first, *others, _ = self.names
        e, u = (f"{x} - {first}" if from_it else x for x, from_it in zip(others, self.begins, strict=True))
        return e, u


class SymbolicSystem:
    """A small mechanism's equations as formulas of its coordinates, velocities and parameters.

    `constants`: rows whose constant is found where the mechanism starts (gears), by name.
    """

    def __init__(self, resolved: ResolvedModel, numbers: ResolvedModel, coordinates: str = "natural",
                 constants: dict[str, float] | None = None):  # fmt: skip
        self.coordinates = coordinates
        self.known = parameter_values(resolved, numbers)
        low = self.equations = lower(resolved, coordinates, symbolic_functions(resolved, numbers))
        self.t = sympy.Symbol("t", real=True)
        self.q, self.v = symbols_of(low)
        first = [i for i, name in enumerate(low.q_names) if low.tree is not None and name.endswith(".p0")]
        self.quaternions = [tuple(self.q[i : i + 4]) for i in first]
        self.form = NormalForm(self.quaternions)
        self.arrays = self._arrays(constants or {})
        self._run()

    @property
    def varies(self) -> bool:
        """Whether the mass matrix depends on the position."""
        return self.equations.tree is not None or len(self.arrays.cross_x) > 0

    def _run(self) -> None:
        functions: tuple = CROSSED_FUNCTIONS
        if self.equations.tree is not None:
            from ...kernels.tree.calls import TREE_FUNCTIONS

            functions = TREE_FUNCTIONS
        replace: dict[str, Any] = {name: lambda s: s for name in ("unpack", "unpack_tree")}
        replace |= {name: getattr(sympy, name) for name in ("sin", "cos", "sqrt", "atan2", "pi")}
        replace |= {
            "reciprocal": lambda x: 1 / x,
            "floor": lambda x: 0,  # whole turns do not show in a formula
            "from_reference": lambda arrays: arrays.x,
            "other_part": self._other_part,
            "motion": self._motion,
            "call_kernel": lambda which, s: own[int(which)](s),
        }
        own = [in_python(f, replace, exact) for f in functions]
        for kernel in (rows.rows, forces.forces):
            in_python(kernel, replace, exact)(self.arrays, self.t)
        for kernel in (rows.dense_jacobian, state.rates):
            in_python(kernel, replace, exact)(self.arrays)
        s, self._inertia = self.arrays, []
        if self.varies:  # once more without applied forces
            forces_on, self._inertia = list(s.Q), list(s.Q)
            for i in range(len(s.Qx)):
                s.Qx[i] = 0
            own[GATHER](s)
            for i, f in enumerate(forces_on):
                self._inertia[i], s.Q[i] = s.Q[i], f

    def _arrays(self, constants: dict[str, float]) -> Arrays:
        low = self.equations
        tree = low.tree is not None or "cross_x" in low.lists
        lists: dict[str, Any] = {k: x for k, x in low.lists.items() if not k.startswith("merge_")}
        sizes = {name: len(x) for name, x in workspace(lists, tree).items() if name in ROOM}
        if tree:
            lists["tree_calls"] = list(range(5))  # in the order of `kernels.calls`
            sizes |= {name: len(lists[name]) for name in TREE_ROOM if name in lists}
        for k, row in enumerate(low.rows):
            if row.name in constants:
                lists["c"][k] = -constants[row.name]
        lists |= {"q": self.q, "v": self.v}
        for key, attribute in (("k", "stiffness"), ("x0", "free"), ("c", "damping"), ("c0", "constant")):
            lists[f"law_{key}"] = [getattr(law, attribute) for law in low.laws]
        out: dict[str, Any] = {}
        for name, (kind, _) in (FIELDS | TREE_FIELDS | SADDLE_FIELDS).items():
            value = lists.get(name)
            if kind == "n":
                out[name] = int(value or 0)
            elif kind == "r":
                out[name] = new_record(name)
            elif name in sizes:
                out[name] = Written(sizes[name], self._form_of(name) if tree else lambda e: e)
            elif kind == "f":
                out[name] = [exact(x) for x in ([] if value is None else value)]
            else:
                out[name] = np.array([] if value is None else value, dtype=np.int64)
        if not tree:  # natural coordinates
            out |= {"x": out["q"], "xd": out["v"], "Jx": out["J"], "Qx": out["Q"]}
        return Arrays(**out)

    def _form_of(self, name: str) -> Callable[[Any], Any]:
        """In the plane axes turn by sums of angles; forces are taken as they are."""
        if name == "tree_R" and self.equations.resolved.dimension == 2:
            return lambda e: of_sums(self.form(e))
        return (lambda e: e) if name in ("Qx", "tree_F", "body_W", "Q", "B") else self.form

    # -------------------------------------------------------------------- laws, from their expressions
    def _expression(self, node: Any, **variables: Any) -> Any:
        number, functions, constants = sympy_tables()
        values = {**constants, **self.equations.resolved.parameters, **variables}
        return evaluate(node, values, functions, number)

    def _law(self, index: int, **variables: Any) -> Any:
        law = self.equations.laws[index]
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

    # ------------------------------------------------------------------------------------ the equations
    def matrix(self, entries: Any, rows: int, columns: int = 1) -> sympy.Matrix:
        """What the kernels have written into an array, in its shortest form."""
        return tidy(sympy.Matrix(rows, columns, [self.formed(e) for e in list(entries)[: rows * columns]]))

    def formed(self, e: Any) -> Any:
        """A formula in its normal form."""
        e = exact(e)
        if not (self.varies and e.args):
            return e
        formed = self.form(e)
        if self.equations.resolved.dimension == 2:
            formed = of_sums(formed)
        return min((formed, e), key=sympy.count_ops)  # roots and quotients, as of springs, are shorter as they come

    @cached_property
    def Phi(self) -> sympy.Matrix:
        return self.matrix(self.arrays.Phi, self.arrays.m)

    @cached_property
    def Phi_q(self) -> sympy.Matrix:
        """The Jacobian B = Phi_q H of the velocities."""
        return self.matrix(self.arrays.B, self.arrays.m, self.arrays.n)

    @cached_property
    def bias(self) -> sympy.Matrix:
        """(Phi_q)' q' (with Phi_tt where drivers are): what Phi'' has besides Phi_q q''."""
        return self.matrix(self.arrays.bias, self.arrays.m)

    @cached_property
    def gamma(self) -> sympy.Matrix:
        """Of Phi_q q'' = gamma."""
        return -self.bias

    @cached_property
    def M(self) -> sympy.Matrix:
        return self.matrix(self.arrays.M, self.arrays.n, self.arrays.n)

    @cached_property
    def Q(self) -> sympy.Matrix:
        return self.matrix(self.arrays.Q, self.arrays.n)

    @cached_property
    def Q_v(self) -> sympy.Matrix:
        """What of Q is inertia that depends on velocities, where the mass matrix varies: 000 (49)."""
        return self.matrix(self._inertia, self.arrays.n if self.varies else 0)

    @cached_property
    def H(self) -> sympy.Matrix:
        """Of q' = H v; the identity but for quaternions."""
        rates = sympy.Matrix(list(self.arrays.ydot)[: self.arrays.nq])
        return tidy(rates.jacobian(self.v)) if len(rates) else rates

    def body_mass(self, body: str) -> sympy.Matrix:
        """The body's own mass matrix on all its basic points, fixed ones included: 000 (31), (64), (66)."""
        index = self._own(body)
        matrix = self.equations.masses[body]
        return tidy(sympy.Matrix(len(index), len(index), lambda i, j: exact(matrix.get((index[i], index[j]), 0))))

    def body_blocks(self, body: str) -> sympy.Matrix:
        """In space: the body's mass matrix on its points and vectors, each entry times I3: 000 (31)."""
        whole: Any = self.body_mass(body)
        return whole[::3, ::3]

    def crossed(self, body: str) -> Crossed | None:
        """T and M_o of a body whose third vector is a cross product: 000 (44)."""
        natural, s = self.equations.exploded, self.arrays
        layout = getattr(natural, "layout", None)
        carried = layout.carriers[body].elements[:4] if getattr(layout, "crosses", ()) else ()  # type: ignore[union-attr]
        if len(carried) < 4 or carried[3] not in layout.crosses:  # type: ignore[union-attr]
            return None
        own = [natural.copies[i] for i in self._own(body)][:12]
        target = [natural.target(copy) for copy in own]
        X = sympy.zeros(12, 9)  # of r1, what e and u lead to, and w
        where = {i: k for k, (moving, i) in enumerate(target[:9]) if moving}
        for row, (moving, i) in enumerate(target):
            for j, column in where.items():
                X[row, column] = sympy.diff(s.xd[i], self.v[j]) if moving else 0
        begins = (carried[1].kind == POINT, carried[2].kind == POINT)
        apart = sympy.eye(4)
        apart[1, 0], apart[2, 0] = (-1 if from_first else 0 for from_first in begins)
        a, b, c, w = (own[k][1].removeprefix("^") for k in (0, 3, 6, 9))
        return Crossed((a, b, c, w), begins, tidy(sympy.kronecker_product(apart, sympy.eye(3)) * X),
                       tidy(apart.inv().T * self.body_blocks(body)[:4, :4] * apart.inv()))  # fmt: skip

    def body_weight(self, body: str) -> sympy.Matrix:
        """The body's weight as forces on its basic points: 000 (70), (72)."""
        weight = self.equations.weights[body]
        return tidy(sympy.Matrix([exact(weight.get(i, 0)) for i in self._own(body)]))

    def _own(self, body: str) -> list[int]:
        return [i for i, copy in enumerate(self.equations.exploded.copies) if copy[0] == body]


def exact(x: Any) -> Any:
    """A SymPy number; floats become the short decimal they print as, without the dust of rounding."""
    if isinstance(x, float):
        x = 0.0 if abs(x) < 1e-15 else float(f"{x:.14g}")
        return sympy.Integer(int(x)) if x == int(x) else sympy.Rational(repr(x))
    x = sympy.sympify(x)
    return x.replace(lambda e: e.is_Float, lambda e: exact(float(e))) if x.has(sympy.Float) else x


def tidy(matrix: sympy.Matrix) -> sympy.Matrix:
    """Exact numbers, and the shorter of a few equal forms where that is quick to find."""
    return matrix.applyfunc(lambda e: _shortest(exact(e), FEW))


@lru_cache(maxsize=2000)
def _shortest(e: Any, few: int) -> Any:
    size = sympy.count_ops(e)
    if not e.args or size > LONG:
        return e
    forms = [e, sympy.expand(e), sympy.factor_terms(e)]
    if size <= SHORT and size * len(e.free_symbols) <= few:
        forms += [sympy.factor(e), sympy.simplify(e)]
    return min(forms, key=sympy.count_ops)
