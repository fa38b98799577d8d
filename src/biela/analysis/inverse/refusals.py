"""Why an inverse problem cannot be solved, in names and numbers."""

from __future__ import annotations

import numpy as np

from ...errors import AssemblyError, MethodError, Problem
from ...model.model import Model
from ...system.system import System
from ..check.mobility import Mobility, left_free, mobility, scaled_jacobian
from ..numbers import listed
from .efforts import Efforts, States, terms


def which_motion(model: Model) -> MethodError:
    """Nothing is prescribed."""
    cure = 'motion={"crank.angle": "2*pi*t"}, a table, a recorded result; or give the model a driver'
    return MethodError(Problem("which motion?", where=model.name, why="the model has no driver", cure=cure))


def which_motors(system: System, count: int) -> MethodError:
    """A recording does not say where the motors are."""
    names = [c.name for c in system.resolved.coordinates.values() if c.type != "term"]
    return MethodError(
        Problem(
            "where do the motors act?", where=system.name,
            why=f"the mechanism has {count} freedoms, and the motion does not say which coordinates have motors",
            cure=f"motors=[...] with {count} of: {listed(names, 8) or 'P.x, ...'}",
        )
    )  # fmt: skip


def free_coordinates(system: System, m: Mobility) -> list[str]:
    """Relative coordinates that the freedom left over changes."""
    free = np.linalg.svd(scaled_jacobian(system, m.pose))[2][m.rank :] * system.unit
    q = np.repeat(m.pose[None, :], len(free), axis=0)
    out = []
    for name, c in system.resolved.coordinates.items():
        if c.type == "term":
            continue
        rate = np.asarray(system.value(name, q, free)[1])
        if np.abs(rate).max(initial=0.0) > 1e-6 * (1.0 if c.type == "angle" else system.size):
            out.append(name)
    return out


def left_undetermined(system: System, m: Mobility, prescribed: list[str], bodies: list[str]) -> AssemblyError:
    """Fewer prescriptions than freedoms."""
    free = listed(free_coordinates(system, m), 8)
    counts = f"prescribed: {', '.join(prescribed)}"
    return AssemblyError(
        Problem(
            f"{m.freedom} freedom{' is' if m.freedom == 1 else 's are'} left: the motion is not determined",
            where=free or ", ".join(bodies[:6]),
            why=f"{counts}; {', '.join(bodies[:6])} can still move",
            cure="prescribe as many coordinates as there are freedoms, or let the rest move freely with "
            'free="simulate" (biela inverse --free)',
        ),
        title=f"motion of {system.name!r}",
    )


def cannot_produce(system: System, motors: list[str], t: np.ndarray, efforts: Efforts) -> MethodError:
    """The motors do not reach all that moves. `system`: with a driver on every motor."""
    size = np.linalg.norm(efforts.missing, axis=1)
    k = int(size.argmax())
    m = mobility(system)
    bodies = left_free(system, m)[0] if m.freedom > 0 else []
    names = free_coordinates(system, m) if m.freedom > 0 else []
    along = system.v_names[int(np.abs(efforts.missing[k]).argmax())]
    why = (
        f"at t = {t[k]:.6g} s a generalised force of {size[k]:.4g} N m is missing, most of it along {along} "
        f"(the largest in the motion is {efforts.scale:.4g} N m)"
    )
    if bodies:
        why += f"; no motor holds {', '.join(bodies[:5])}"
    cure = f"put a motor on one of: {', '.join(names[:8])}" if names else "put motors on other coordinates"
    what = "the motors cannot produce this motion"
    return MethodError(Problem(what, ", ".join(motors), why, cure), title=f"motion of {system.name!r}")


def break_the_joints(system: System, states: States, tolerance: float) -> list[str]:
    """Refuse a recording whose positions or velocities break the joints; gives notes on what is only a little off."""
    rows, unit = system.equations.rows, system.unit
    if not rows:
        return []
    t, v, a = states.t, states.v, states.a
    gap = np.zeros((3, len(t), len(rows)))
    for k, at in terms(system, states):
        size = np.linalg.norm(at.B * unit, axis=1)
        size[size < 1e-9 * max(size.max(initial=0.0), 1e-300)] = 1.0
        gap[:, k] = np.abs([at.Phi, at.Phi_dot, at.B @ a[k] - at.gamma]) / size
    rate = max(1.0, float(np.abs(v / unit).max(initial=0.0)))
    pull = max(rate, float(np.abs(a / unit).max(initial=0.0)))
    problems = []
    for part, bound, what in ((gap[0], tolerance, "position"), (gap[1], 10 * tolerance * rate, "velocity")):
        if part.max(initial=0.0) > bound:
            k, row = np.unravel_index(int(part.argmax()), part.shape)
            miss = part[k, row] * system.size
            why = f"at t = {t[k]:.6g} s {rows[row].name} misses by {miss:.4g} {'m' if what == 'position' else 'm/s'}"
            cure = "give a recording of the same mechanism; or allow a larger gap with tolerance="
            owner = rows[row].owner
            problems.append(Problem(f"the {what} of the recording breaks {owner!r}", owner, why, cure))
    if problems:
        raise AssemblyError(problems, title=f"motion of {system.name!r}")
    if gap[2].max(initial=0.0) > 1e-7 * pull:
        worst = float(gap[2].max()) / pull
        return [f"note: the accelerations of the recording break the joints by {worst:.1e} of the largest one"]
    return []


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
