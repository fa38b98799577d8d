"""Points that joints hold at the ground: they have no motion, whatever a table says about them."""

from __future__ import annotations

from ...errors import AssemblyError, Problem
from ...system.system import System


def fixed_at(system: System, name: str) -> float | None:
    """Where "P.x" is if joints fix the point to the ground; None if it can move, or is something else.
    `system`: in natural coordinates, where such a point has no variables."""
    resolved, exploded = system.resolved, system.equations.exploded
    point, _, axis = name.rpartition(".")
    if name in resolved.coordinates or point not in resolved.start or axis not in tuple("xyz"[: resolved.dimension]):
        return None
    p = exploded.collapse(exploded.place(resolved.place(point))["xyz".index(axis)])
    return None if p.variables() else float(p.constant)


def refuse_fixed(system: System, names: list[str]) -> None:
    """Neither motion nor motors for points that cannot move."""
    fixed = {name: x for name in dict.fromkeys(names) if (x := fixed_at(system, name)) is not None}
    if fixed:
        cure = "name a moving point or a coordinate"
        raise AssemblyError(
            [Problem(f"{c!r} cannot move", "motion", f"joints hold it at {x:.6g} m", cure) for c, x in fixed.items()],
            title=f"motion of {system.name!r}",
        )
