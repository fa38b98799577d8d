"""Symbols of the coordinates and velocities: x_A of the point A, phi_rod of a body's angle, theta_A of a joint's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy

if TYPE_CHECKING:
    from ..equations import Equations


def symbols_of(low: Equations) -> tuple[list[Any], list[Any]]:
    """Symbols of q and v. The velocity of a coordinate has its name with a dash; a quaternion has w in body axes."""
    taken = set(low.resolved.parameters) | {"t"}
    q: dict[str, Any] = {}
    for name in low.q_names:
        bodies = low.tree is not None and name.rpartition(".")[0] in low.resolved.bodies
        symbol = next((s for s in (_short(name, bodies), _long(name)) if s not in taken), _long(name))
        while symbol in taken:
            symbol += "_"
        taken.add(symbol)
        q[name] = sympy.Symbol(symbol, real=True)
    v = [sympy.Symbol(f"{q[name]}'" if name in q else _short(name, True), real=True) for name in low.v_names]
    return list(q.values()), v


def _short(name: str, of_body: bool) -> str:
    """As the texts write it: "P1.x" is x_P1, the angle of a body phi, that of a joint theta, a slide s."""
    if "." not in name:
        return name
    what, part = name.rsplit(".", 1)
    what = what.replace(".", "_")
    if part in ("x", "y", "z") or part[:-1] in ("p", "w"):
        return f"{part}_{what}"
    if part.startswith("angle@"):
        return f"theta_{part.partition('@')[2]}"
    for word, letter in (("angle", "phi" if of_body else "theta"), ("position", "s")):
        if part.startswith(word) and not part[len(word) :].strip("123"):
            return f"{letter}{part[len(word) :]}_{what}"
    return _long(name)


def _long(name: str) -> str:
    return name.replace(".", "_").replace("@", "_")
