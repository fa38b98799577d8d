"""The same state in another system of a mechanism: in other coordinates, or with other drivers, forces and rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...coordinates.tree.from_poses import BodyMotion, body_motion, from_posture, keep_turns, three_components
from ...mechanics.measure import wound_at_start
from ...model.resolved import GROUND, ResolvedModel
from ...system.system import System, build


def in_coordinates(system: System, other: System, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A position and velocity of one system of a mechanism (`other`) in the coordinates of another."""
    if system.is_tree:
        return on_tree(system, other, q, v)
    if not other.is_tree and set(system.q_names) <= set(other.q_names):
        chosen = [other.q_names.index(name) for name in system.q_names]
        return q[chosen], v[chosen]
    here, resolved = other.posture(q, v), system.resolved
    bare = [p for p in resolved.start if not resolved.owners.get(p)]
    bodies = {key: body_motion(here, key) for key in (GROUND, *resolved.bodies, *bare)}
    q0, v0 = (x[0] for x in points_and_vectors(system, bodies, 2))
    _carry(system, other, q, v, q0, v0)
    return q0, v0


def on_tree(system: System, other: System, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """In the coordinates of a tree, with the whole turns that its angles have made."""
    tree_q, tree_v, _ = from_posture(system, other.posture(q, v))
    q0, v0 = tree_q[0], tree_v[0]
    _carry(system, other, q, v, q0, v0)
    keep_turns(system, tree_q, lambda name: other.value(name, q, v)[0])
    return q0, v0


def points_and_vectors(system: System, bodies: dict[str, BodyMotion], orders: int) -> list[np.ndarray]:
    """Natural coordinates of bodies whose motions are known, and their derivatives below the order `orders`, at every
    sample. Relative coordinates among the variables are left at zero."""
    resolved, layout = system.resolved, system.equations.exploded.layout
    samples, dimension = len(bodies[GROUND].p[0]), resolved.dimension
    out = [np.zeros((samples, system.n)) for _ in range(orders)]
    bare = [p for p in resolved.start if not resolved.owners.get(p)] if dimension == 3 else []
    for k, e in enumerate([*layout.order, *bare]):
        if not isinstance(e, str):
            key, local, point = e.body, e.local, e.kind == "point"
        elif dimension == 2 and e in layout.virtual:
            (key, local), point = layout.virtual[e], True
        else:
            place = resolved.place(e)
            key, local, point = place.body or e, place.local, True
        for order, x in enumerate(out):
            x[:, dimension * k : dimension * (k + 1)] = _of_body(bodies[key], resolved, key, local, point, order)[
                :, :dimension
            ]
    return out


def _of_body(m: BodyMotion, resolved: ResolvedModel, key: str, local: Any, point: bool, order: int) -> np.ndarray:
    """A point or a vector of a body, or its rate (order 1), or its acceleration."""
    body, p, R = resolved.bodies.get(key), m.p[order], m.R[order]
    if body is None or body.particle:
        return p
    arm = three_components(local) - (three_components(body.center) if point else 0.0)
    return R @ arm + (p if point else 0.0)


def _carry(system: System, other: System, q: np.ndarray, v: np.ndarray, q0: np.ndarray, v0: np.ndarray) -> None:
    """Relative coordinates among the variables."""
    for name in system.equations.carried:
        value, rate, _ = other.value(name, q, v)
        q0[system.q_names.index(name)] = float(value[0])
        v0[system.v_names.index(name)] = float(rate[0])


def rebuilt(
    old: System, resolved: ResolvedModel, carry: list[str] | None = None,
    q: np.ndarray | None = None, v: np.ndarray | None = None,
) -> System:  # fmt: skip
    """The system of a model that differs by drivers, forces or further rows, in the same kind of coordinates, at the
    same start (or at q, v) and with the same constants: gears mesh, and springs are wound, as they were."""
    q, v = old.q0 if q is None else q, old.v0 if v is None else v
    new = build(resolved, old.coordinates, carry)
    new.q0, new.v0 = _by_name(q, old.q_names, new.q_names), _by_name(v, old.v_names, new.v_names)
    for name in set(new.equations.carried) - set(old.equations.carried):
        value, rate, _ = old.value(name, q, v)
        new.q0[new.q_names.index(name)], new.v0[new.v_names.index(name)] = float(value[0]), float(rate[0])
    new.size, new.slack, new.notes = old.size, old.slack, list(old.notes)
    new.starts, new.given = dict(old.starts), dict(old.given)
    constants: dict[tuple, list[float]] = {}
    for row, c in zip(old.equations.rows, old.arrays.c, strict=False):
        constants.setdefault((row.role, row.owner, row.name), []).append(float(c))
    for k, row in enumerate(new.equations.rows):
        if known := constants.get((row.role, row.owner, row.name)):
            new.arrays.c[k] = known.pop(0)
    if new.is_tree:
        offset = dict(zip(old.equations.variables, old.arrays.extra_offset.tolist(), strict=True))
        for k, name in enumerate(new.equations.variables):
            new.arrays.extra_offset[k] = offset.get(name, new.arrays.extra_offset[k])
    if len(new.arrays.wound):
        wound = old.arrays.wound.tolist()
        new.arrays.wound[:] = [*wound, *wound_at_start(new)[len(wound) :]]
    return new


def _by_name(values: np.ndarray, names: list[str], wanted: list[str]) -> np.ndarray:
    """Values in another order of names; those of new names are zero."""
    place = {name: k for k, name in enumerate(names)}
    return np.array([values[place[name]] if name in place else 0.0 for name in wanted])


def largest_change(system: System, q: np.ndarray, before: np.ndarray) -> float:
    """The largest change of a coordinate: of lengths in units of the mechanism; numbers of quaternions as they are."""
    return float(np.abs((q - before) / length_units(system)).max(initial=0.0))


def length_units(system: System) -> np.ndarray:
    """What counts as one in each coordinate: the size of the mechanism for lengths, else 1."""
    if system.nq == system.n:
        return system.unit
    lengths = {name for name, angular in zip(system.v_names, system.equations.angular, strict=True) if not angular}
    return np.array([system.size if name in lengths else 1.0 for name in system.q_names])
