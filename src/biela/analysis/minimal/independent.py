"""Which variables of formulas are independent, and how the others follow from them.   001 (39), (40)"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import sympy

from ...errors import MethodError, Problem, so_many
from ...model.model import Model
from ...model.resolved import ResolvedModel
from ...system.symbols.symbolic_system import tidy
from ..explain.formulas import shortened

LARGEST, MOST_ROWS = 10, 4
"""variables and equations of loops, beyond which formulas fill books"""


def choose_independent(
    B: np.ndarray, names: list[str], asked: list[int] | None, order: Sequence[int], what: str
) -> list[int]:
    """Those asked for; else the first set, in some order, from which the rest follows well. `B`: the Jacobian of the
    loops at the start, in numbers; `what`: the variables are called."""
    free = len(names) - len(B)

    def quality(z: Sequence[int]) -> float:
        rest = [k for k in range(len(names)) if k not in z]
        s = np.linalg.svd(B[:, rest], compute_uv=False)
        return float(s[-1] / s[0]) if len(s) and s[0] > 0 else 1.0 if not rest else 0.0

    if asked is None:
        sets = list(combinations(order, free))
        best = max(quality(z) for z in sets)
        return list(next(z for z in sets if quality(z) >= min(0.05, 0.5 * best)))
    chosen, every = ", ".join(names[i] for i in asked), ", ".join(names)
    if len(asked) != free:
        what_is_wrong = f"{len(asked)} independent coordinates for {so_many(free, 'freedom')}"
        cure = f"name as many as there are freedoms, from: {every}"
        raise MethodError(Problem(what_is_wrong, where=chosen, cure=cure))
    if quality(asked) < 1e-6:
        why = f"at the start the other {what} do not follow from them"
        raise MethodError(Problem(f"{chosen} cannot be independent", why=why, cure=f"name others: {every}"))
    return asked


@dataclass
class Dependent:
    """y' = S z' + b, y'' = S z'' + c of all variables y, where z are independent. Entries that are formulas have names
    (k_rod is how fast the rod turns for a unit rate of z, a_rod its acceleration with z'' = 0)."""

    S: sympy.Matrix
    c: sympy.Matrix
    short: dict[Any, Any]
    """what the names stand for, in an order in which they can be evaluated"""

    @staticmethod
    def of(B: Any, Phi_t: Any, gamma: Any, z: list[int], symbols: list[Any], rates: list[Any]) -> Dependent:
        """From B y' = -Phi_t and B y'' = gamma."""
        n, short, last = len(symbols), {}, {}
        S, c = sympy.zeros(n, len(z)), sympy.zeros(n, 1)
        for k, i in enumerate(z):
            S[i, k] = 1
        rest = [i for i in range(n) if i not in z]
        if not rest:
            return Dependent(S, c, short)
        inverse = B[:, rest].inv(method="ADJ").applyfunc(shortened)
        ratio, drift, second = -inverse * B[:, z], -inverse * Phi_t, inverse * gamma
        for i, y in enumerate(rest):
            total = shortened(drift[i])
            for k, free in enumerate(z):
                label = f"k_{symbols[y]}" + (f"_{symbols[free]}" if len(z) > 1 else "")
                S[y, k] = _named(ratio[i, k], label, short)
                total = total + S[y, k] * rates[free]
            short[rates[y]] = total
            c[y] = _named(second[i], f"a_{symbols[y]}", last)
        return Dependent(S, c, short | last)

    @property
    def ratios(self) -> dict[Any, Any]:
        """Of the names, those of the entries of S."""
        return {k: e for k, e in self.short.items() if str(k).startswith("k_")}


def _named(e: Any, label: str, into: dict) -> Any:
    """A number stays; a formula gets a name, and is kept under it."""
    e = shortened(e)
    if e.is_number:
        return e
    name = sympy.Symbol(label, real=True)
    into[name] = tidy(sympy.Matrix([e]))[0]
    return name


# -------------------------------------------------------------------------------------------------------- refusals
def must_have_freedom(model: Model, resolved: ResolvedModel, variables: int, rows: int) -> None:
    """Refuse a mechanism of which nothing is left free."""
    if variables - rows < 1:
        drivers = [d.name for d in resolved.drivers]
        raise MethodError(
            Problem(
                "nothing is left free: there is no equation to write",
                where=", ".join(drivers) or model.name,
                why=f"{variables} variables, {rows} equations between them",
                cure="remove a driver" if drivers else "remove a joint",
            )
        )


def refuse_long(model: Model, variables: int, rows: int) -> None:
    """Refuse what would fill books."""
    if variables > LARGEST or rows > MOST_ROWS:
        raise MethodError(
            Problem(
                f"model {model.name!r} is too large for minimal equations in symbols",
                where=model.name,
                why=f"{variables} variables and {rows} equations that close loops, at most {LARGEST} and {MOST_ROWS}",
                cure="ask for them in numbers (without symbols), or for a smaller mechanism of the same kind",
            )
        )
