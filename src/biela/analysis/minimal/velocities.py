"""S and S' of all the velocities of a set of coordinates, written out in symbols: v = S z' + b.   001 (39), (40)"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy

from ...coordinates.tree.connection import SLIDE
from ...model.resolved import Meaning, Place
from ...system.symbols.frames import SymbolicFrames
from ...system.symbols.symbolic_system import SymbolicSystem, tidy
from ...system.system import FLOATS, lower
from ..explain.formulas import plain, tidied
from .loop_rows import natural_variables


@dataclass
class Velocities:
    """v = S z' + b and v' = S z'' + S' z' + b' of the velocities v of one set of coordinates."""

    coordinates: str
    names: list[str]
    S: sympy.Matrix
    S_dot: sympy.Matrix
    b: sympy.Matrix
    b_dot: sympy.Matrix
    M: sympy.Matrix | None = None
    """the masses and moments of inertia of v, where they are constants and no loop is closed"""

    @staticmethod
    def of(coordinates: str, names: list[str], S: Any, b: Any, derivative: Callable[[Any], Any],
           form: Callable[[Any], Any]) -> Velocities:  # fmt: skip
        """From S and b as they come; `derivative` is d/dt, `form` makes a formula short."""
        S, b = S.applyfunc(form), b.applyfunc(form)
        S_dot, b_dot = (derivative(x).applyfunc(form) for x in (S, b))
        return Velocities(coordinates, names, tidy(S), tidy(S_dot), tidy(b), tidy(b_dot))

    @property
    def moved(self) -> bool:
        """Whether drivers move something by themselves: b is not zero."""
        return any(e != 0 for e in self.b)

    def lines(self, rates: list[Any]) -> list[str]:
        """In plain characters."""
        also, later = (" + b", " + b'") if self.moved else ("", "")
        z = ", ".join(map(str, rates))
        out = [f"of all the velocities v in {self.coordinates} coordinates, with z' = ({z}):   001 (39)-(46)"]
        rest = f"S' z'{later}"
        out.append(f"  v = S z'{also},   v' = S z'' + {rest},   S^T M S z'' = S^T (Q - M ({rest}))")
        parts = [("S", self.S), ("S'", self.S_dot)]
        parts += [("b", self.b), ("b'", self.b_dot)] if self.moved else []
        width = max(map(len, self.names), default=0)
        for name, matrix in parts:
            out.append(f"{name} =")
            for label, row in zip(self.names, matrix.tolist(), strict=True):
                out.append(f"  {label.ljust(width)}   [ {',  '.join(map(str, row))} ]")
        return out

    def without_reactions(self, rates: list[Any], Q: sympy.Matrix) -> list[str]:
        """S^T M v' = S^T Q, the equations of the bodies without the reactions of the joints; Q: of the least number of
        equations, S^T (Q - M (S' z' + b')).   001 (27)"""
        if self.M is None:
            return []
        v_dot = sympy.Matrix([sympy.Symbol(f"{name}''") for name in self.names])
        loads = Q + self.S.T * self.M * (self.S_dot * sympy.Matrix(rates) + self.b_dot)
        left, right = tidied(self.S.T * self.M * v_dot).flat(), tidied(loads).flat()
        return ["S^T M v' = S^T Q, without the reactions of the joints:   001 (27)",
                *(f"  {a} = {b}" for a, b in zip(left, right, strict=True))]  # fmt: skip


def constant_masses(coordinates: str, meaning: Meaning, numbers: Meaning) -> sympy.Matrix | None:
    """M of a set of coordinates in which it is constant: that of reference points, in the plane."""
    if coordinates != "reference-point" or numbers.dimension == 3:
        return None
    arrays = SymbolicSystem(meaning, numbers, coordinates).arrays
    return sympy.Matrix(arrays.n, arrays.n, list(arrays.M)).applyfunc(plain)


def positions(coordinates: str, meaning: Meaning, numbers: Meaning, frames: SymbolicFrames,
              own: dict[str, Any]) -> tuple[list[str], list[Any]]:  # fmt: skip
    """Names and formulas (but for constants) of the coordinates of a set, of the variables of a tree in the plane."""
    low = lower(numbers, coordinates, FLOATS)
    if coordinates in ("natural", "mixed"):
        return low.v_names, natural_variables(SymbolicSystem(meaning, numbers, coordinates), frames)
    out: dict[str, Any] = {}
    if coordinates == "reference-point":
        for key in low.exploded.bodies:
            body = meaning.bodies.get(key)
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
                out[step.name] = own[step.name] if step.kind == SLIDE else (-turn if limb.backwards else turn)
    out |= {name: frames.coordinate(meaning.coordinates[name]) for name in low.carried}
    return low.v_names, [sympy.sympify(out[name]) for name in low.v_names]
