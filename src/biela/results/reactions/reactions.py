"""Reactions: what joints do to bodies, as channels.

In natural coordinates of the plane, without redundancy, they come from the bodies taken apart as they are. In all
other cases the motion is handed to a *companion*: the same mechanism in reference-point coordinates, where every joint
is written out as equations between free bodies. Its multipliers follow from the accelerations alone,

    B^T lam = Q - M v',

so reactions do not depend on the coordinates or the formulation that made the motion. Where constraints are redundant
they are the ones of least norm, each row in newtons (moments over the size of the mechanism): a convention, and the
same one everywhere.   [R.1]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...model.joints import joint_class
from ...model.resolved import GROUND, Direction, Place, ResolvedJoint
from ..channels.channel import Catalogue
from .exploded import partner
from .pins import Pin, pins

if TYPE_CHECKING:
    from ..motion import Motion


def reaction_channels(r: Motion, out: Catalogue) -> None:
    """Force (and moment) of every joint and every shared point."""
    if plain(r):
        _pins(r, out)
        _joints(r, out)
    else:
        _companion_pins(r, out)
        _companion_joints(r, out, r.system.resolved.joints)


def plain(r: Motion) -> bool:
    """Whether the bodies, taken apart as they are, tell the reactions by themselves."""
    system = r.system
    return system.resolved.dimension == 2 and not system.is_tree and system.m <= max(system.rank, 0) + len(system.twins)


def companion(r: Motion) -> Motion:
    """The motion in reference-point coordinates, with the multipliers that it needs."""
    from ...coordinates.tree.from_poses import from_posture, keep_turns
    from ...system.system import build, hold_relations
    from ..motion import Motion

    system = build(r.system.resolved, "reference-point")
    system.slack = r.system.slack
    q, v, a = from_posture(system, r.posture)
    for name in system.equations.carried:
        i, j = system.q_names.index(name), system.v_names.index(name)
        q[:, i], v[:, j], a[:, j] = (np.asarray(r[f"{name}{part}"]) for part in ("", ".rate", ".acceleration"))
    keep_turns(system, q, lambda name: np.asarray(r[name]))
    if len(q):
        hold_relations(system, q[0])
    few = max(1e-8, system.slack)
    lam, wound = np.zeros((len(q), system.m)), r.wound()
    weight = np.where(system.equations.angular, 1.0 / system.size, 1.0)
    for k in range(len(q)):
        system.arrays.wound[:] = wound[k]
        at = system.at(q[k], v[k], float(r.t[k]))
        merge = _merging(system, q[k])
        rows = merge @ at.B * weight
        size = np.linalg.norm(rows, axis=1)
        size[size < 1e-9 * size.max(initial=0.0)] = 1.0  # rows that vanish here
        rest = (at.Q - at.M @ a[k]) * weight
        # what is redundant but for digits that nobody means is redundant
        lam[k] = merge.T @ (np.linalg.lstsq((rows / size[:, None]).T, rest, rcond=few)[0] / size)
    return Motion(system, r.t, q, v, a, lam, None)


def _merging(system: Any, q: np.ndarray) -> np.ndarray:
    """From all rows to those with the sine and cosine row of each angle made one, along the angle: across it they only
    repeat what the joint says, and would take a share of its load."""
    out = np.eye(system.m)
    for k in system.twins:
        phi = q[system.q_names.index(system.equations.rows[k].owner)]
        out[k, k : k + 2] = np.cos(phi), -np.sin(phi)
    keep = np.ones(system.m, dtype=bool)
    keep[[k + 1 for k in system.twins]] = False
    return out[keep]


def _wrench(r: Motion, owners: dict[str, float], body: str, about: Place | None) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment of some joints on a body, about one of its places (or its centre)."""
    apart = r.companion
    free, low = apart.free_bodies, apart.system.equations
    centre = low.exploded.place(about) if about is not None else low.exploded.center(body)
    at = apart.vector(centre)[0]
    force, moment = free.wrench({}, body, at)
    for k, row in enumerate(low.rows):
        if row.role == "joint" and row.owner in owners:
            f, m = free.wrench(free.row_force(row, apart.lam[:, k]), body, at)
            force, moment = force + f, moment + m
            joint = next((j for j in low.resolved.joints if j.name == row.owner and j.frames), None)
            for name, factor in joint.terms if joint is not None and row.name.endswith(".ratio") else ():
                f, m = free.wrench(_along(apart, name, -apart.lam[:, k] * float(factor)), body, at)
                force, moment = force + f, moment + m
    return force, moment


def _along(apart: Motion, name: str, effort: np.ndarray) -> dict[int, np.ndarray]:
    """What an effort on a relative coordinate does to the bodies: effort times the gradient of the coordinate.

    The thread of a screw acts so, through its advance and its angle.
    """
    free, low = apart.free_bodies, apart.system.equations
    c = low.resolved.coordinates[name]
    value = np.asarray(apart.system.value(name, apart.q)[0])
    shares = {
        "position": {"position": 1.0 + 0 * value},
        "distance": {"distance": 0.5 / np.where(value == 0, 1.0, value)},
        "angle": {"sine": np.cos(value), "cosine": -np.sin(value)},
    }[c.type]
    out: dict[int, np.ndarray] = {}
    for row in low.rows:
        if row.role == "coordinate" and row.owner == name:
            share = shares[row.name.rsplit(".", 1)[1]]
            for i, g in free.gradient(row.exploded).items():
                out[i] = out.get(i, 0.0) + effort * share * g
    return out


def _vector(out: Catalogue, key: str, compute: Callable[[], np.ndarray], unit: str, dimension: int) -> None:
    from ..channels.catalogue import components

    components(out, key, [f"{key}.{x}" for x in "xyz"[:dimension]], compute, unit)
    out[f"{key}.norm"] = (lambda: np.linalg.norm(compute(), axis=1), unit)


def _companion_joints(r: Motion, out: Catalogue, joints: Iterable[ResolvedJoint]) -> None:
    """Joints: force and moment on their second body, in ground axes, about their point there."""
    resolved = r.system.resolved
    for j in joints:
        places = [*j.places, *(f.place for f in j.frames), *(x.through for x in j.lines if x.through is not None)]
        bodies = [p.body for p in places] + [_body_of(x) for x in j.lines]
        if j.lines and joint_class(j.type, 2).guides_a_point():
            bodies = [_body_of(j.lines[0]), j.places[0].body]
        body = partner(resolved, [b for b in bodies if b])
        if not bodies or body == GROUND:
            continue
        about = next((p for p in reversed(places) if p.body == body), None)
        compute = lambda k, j=j, body=body, about=about: _wrench(r, {j.name: 1.0}, body, about)[k]  # noqa: E731
        _vector(out, f"{j.name}.reaction", lambda c=compute: c(0), "N", resolved.dimension)
        if resolved.dimension == 3:
            _vector(out, f"{j.name}.moment", lambda c=compute: c(1), "N*m", 3)
        else:
            out[f"{j.name}.moment"] = (lambda c=compute: c(1), "N*m")


def _companion_pins(r: Motion, out: Catalogue) -> None:
    """The force of each pin on each of its bodies, summed over the joints that the pin is."""
    resolved = r.system.resolved

    def force(pin: Pin, body: str, point: str) -> Callable[[], np.ndarray]:
        about = Place(body, resolved.bodies[body].points[point], point)
        return lambda: _wrench(r, {j.name: 1.0 for j in pin.joints}, body, about)[0]

    _pin_channels(r, out, force)


def _pins(r: Motion, out: Catalogue) -> None:
    """The force of each pin on each of its bodies: what is missing in the equations of the free body."""
    _pin_channels(r, out, lambda _, body, point: lambda: r.free_bodies.pin_force(point, body))


def _pin_channels(r: Motion, out: Catalogue, force: Callable[[Pin, str, str], Callable[[], np.ndarray]]) -> None:
    """Each pin by the names of all its points: "P.reaction@body", and "P.reaction" on the last of its bodies."""
    resolved = r.system.resolved
    for pin in pins(resolved):
        chosen = partner(resolved, [body for body, _ in pin.bodies])
        for label in pin.labels:
            for body, point in pin.bodies:
                _vector(out, f"{label}.reaction@{body}", force(pin, body, point), "N", 2)
            for suffix in ("", ".x", ".y", ".norm"):
                out[f"{label}.reaction{suffix}"] = out[f"{label}.reaction@{chosen}{suffix}"]


def _joints(r: Motion, out: Catalogue) -> None:
    """Joints with rows of their own: force and moment on their second body, about the joint's point."""
    from ..channels.catalogue import components

    low = r.system.equations
    natural, resolved = low.exploded, low.resolved
    held = pins(resolved)
    for j in resolved.joints:
        places = [*j.places, *(line.through for line in j.lines if line.through is not None)]
        bodies = [p.body for p in j.places] + [_body_of(line) for line in j.lines]
        kind = joint_class(j.type, 2)
        if j.lines and kind.turns_with_lines:
            bodies = [_body_of(line) for line in j.lines]
        elif kind.guides_a_point():
            bodies = [_body_of(j.lines[0]), j.places[0].body]
        body = partner(resolved, bodies)
        if body in ("", GROUND):
            continue
        about = next((p for p in reversed(places) if p.body == body), None)
        pin = next((pin for pin in held if j in pin.joints), None)
        carried: list[tuple[tuple[str, str], float]] = []
        if pin is not None:
            side = pin.beyond(j.name, body)
            if side is None:
                _companion_joints(r, out, [j])
                continue
            carried = [(place, side[0]) for place in side[1]]

        def wrench(k: int, j: Any = j, body: str = body, about: Place | None = about,
                   carried: Any = tuple(carried)) -> Callable[[], Any]:  # fmt: skip
            def compute() -> Any:
                free = r.free_bodies
                centre = natural.place(about) if about else natural.center(body)
                at = r.vector(centre)[0]
                force, moment = np.zeros((len(r.t), 2)), np.zeros(len(r.t))
                for i, row in enumerate(low.rows):
                    if row.owner == j.name and row.role == "joint":
                        f, m = free.wrench(free.row_force(row, r.multipliers[:, i]), body, at)
                        force, moment = force + f, moment + m
                for (name, point), sign in carried:
                    force = force + sign * free.pin_force(point, name)
                return (force, moment)[k]

            return compute

        key = f"{j.name}.reaction"
        components(out, key, [f"{key}.x", f"{key}.y"], wrench(0), "N")
        out[f"{key}.norm"] = (lambda key=key: np.hypot(*out[key][0]().T), "N")
        out[f"{j.name}.moment"] = (wrench(1), "N*m")


def _body_of(line: Any) -> str:
    v = line.vector
    return v.body if isinstance(v, Direction) else v.start.body
