"""S and S' of all the velocities of a set of coordinates, written out in symbols: v = S z' + b.   001 (39), (40)"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy

from ...model.joints.steps import SLIDE
from ...model.resolved import Place, ResolvedModel
from ...system.symbols.frames import SymbolicFrames
from ...system.symbols.symbolic_system import SymbolicSystem, tidy
from ...system.system import FLOATS, lower
from ..explain.formulas import plain, shortened, tidied
from .loop_rows import natural_variables

LONG = 200
"""operations of formulas that are not made shorter"""


@dataclass
class Balance:
    """S^T M v' = S^T Q: what is left of the equations of the bodies when S^T has taken the reactions out.   001 (27)"""

    masses: sympy.Matrix
    """S^T M; where loops are closed, an entry of S keeps the names of the ratios of velocities if it is shorter so"""
    loads: sympy.Matrix
    """S^T Q, likewise"""

    @staticmethod
    def of(named: Any, written: Any, M: Any, loads: Any, ratios: dict, form: Callable[[Any], Any]) -> Balance:
        """From S with names and written out, M, S^T Q with names, and what the names stand for."""
        S = named.copy()
        for k, (a, b) in enumerate(zip(named.flat(), written.flat(), strict=True)):
            S[k] = min((b, a), key=sympy.count_ops)
        both = ((e, form(e.subs(ratios))) for e in tidied(loads).flat())
        return Balance(S.T * M, sympy.Matrix([min(pair, key=sympy.count_ops) for pair in both]))


@dataclass
class Velocities:
    """v = S z' + b and v' = S z'' + S' z' + b' of the velocities v of one set of coordinates."""

    coordinates: str
    names: list[str]
    S: sympy.Matrix
    S_dot: sympy.Matrix
    b: sympy.Matrix
    b_dot: sympy.Matrix
    balance: Balance | None = None
    """S^T M v' = S^T Q, where M is constant"""

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

    def without_reactions(self) -> list[str]:
        """S^T M v' = S^T Q, the equations of the bodies without the reactions of the joints.   001 (27)"""
        if self.balance is None:
            return []
        v_dot = sympy.Matrix([sympy.Symbol(f"{name}''") for name in self.names])
        left, right = tidied(self.balance.masses * v_dot).flat(), tidied(self.balance.loads).flat()
        return ["S^T M v' = S^T Q, without the reactions of the joints:   001 (27)",
                *(f"  {a} = {b}" for a, b in zip(left, right, strict=True))]  # fmt: skip


def constant_masses(coordinates: str, resolved: ResolvedModel, numbers: ResolvedModel) -> sympy.Matrix | None:
    """M of a set of coordinates in which it is constant: that of reference points, in the plane."""
    if coordinates != "reference-point" or numbers.dimension == 3:
        return None
    arrays = SymbolicSystem(resolved, numbers, coordinates).arrays
    return sympy.Matrix(arrays.n, arrays.n, list(arrays.M)).applyfunc(plain)


def ratios_of(short: dict) -> dict:
    """Of the names in formulas, those of the entries of S, and what they stand for."""
    return {k: e for k, e in short.items() if str(k).startswith("k_")}


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


def positions(coordinates: str, resolved: ResolvedModel, numbers: ResolvedModel, frames: SymbolicFrames,
              own: dict[str, Any]) -> tuple[list[str], list[Any]]:  # fmt: skip
    """Names and formulas (but for constants) of the coordinates of a set, of the variables of a tree in the plane."""
    low = lower(numbers, coordinates, FLOATS)
    if coordinates in ("natural", "mixed"):
        return low.v_names, natural_variables(SymbolicSystem(resolved, numbers, coordinates), frames)
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
                out[step.name] = own[step.name] if step.kind == SLIDE else (-turn if limb.backwards else turn)
    out |= {name: frames.coordinate(resolved.coordinates[name]) for name in low.carried}
    return low.v_names, [sympy.sympify(out[name]) for name in low.v_names]
