"""The drawing of a mechanism, put together: what is counted from it, and what it decides.

Points and bodies may be drawn roughly. The mechanism is first put together near its drawing, with no initial values
yet and with the coordinates that drivers or initial values prescribe as they are drawn. There the coordinates of joints
are zero, and springs without a free length are free. What else the drawing decides, because nobody gave it a number, is
reported with the distance and the angle by which the drawing is off.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...coordinates.tree.from_poses import body_motion
from ...mechanics.measure import Posture, measure
from ...methods.positions.closing import Closed, close, row_lengths
from ...model.expression import names
from ...model.joints import joint_class
from ...model.joints.steps import BALL
from ...model.resolve.joints import freedom_coordinate
from ...model.resolved import (
    GROUND,
    Direction,
    Frame,
    Pose,
    ResolvedCoordinate,
    ResolvedDriver,
    ResolvedJoint,
    ResolvedLaw,
    ResolvedLine,
    ResolvedModel,
)
from ...system.system import System, build, hold_relations
from ..check.mobility import driver_rows
from .declared import declared_position

FITS = 1e-9
"""what is no gap, in sizes of the mechanism and radians"""
WORTH_A_NOTE = 1e-6
"""what gap is worth a note: with fewer digits nobody means a drawing to be exact"""


def gap(system: System, q: np.ndarray) -> float:
    """How far the joints are from fitting, in sizes of the mechanism and radians; drivers do not count."""
    rows = [k for k, row in enumerate(system.equations.rows) if row.role in ("joint", "rigid")]
    if not rows:
        return 0.0
    hold_relations(system, q)
    if system.is_large:
        system.evaluate(q)
        return float(np.abs(system.arrays.Phi[rows]).max()) / system.size**2
    at = system.at(q, None, 0.0)
    J = at.B * system.unit
    return float(np.abs(at.Phi[rows] / row_lengths(system, J)[rows]).max())


def fit_drawing(resolved: ResolvedModel) -> ResolvedModel:
    """The same model, drawn where it fits together; as it is, if it does not.

    >>> import biela
    >>> model = biela.Model().add_ground("O", 0, 0, 0).add_point("P", 1.1, 0, 0.1).add_ground("Q", 1, 0, 1)
    >>> model = model.add_bar("bar", "O", "P", mass=1, length=1)
    >>> model = model.add_joint("hinge", "revolute", bodies=("ground", "bar"), at="O", axis=(0, 1, 0))
    >>> model = model.add_force("spring", "spring", points=("P", "Q"), stiffness=10)
    >>> system = biela.assemble(model, "natural")  # P at (1.1, 0, 0.1)/sqrt(1.22), one metre from O
    >>> float(system.value("hinge.angle", system.q0)[0][0]), round(float(system.resolved.forces[0].law.free), 4)
    (0.0, 0.9095)
    """
    plane = resolved.dimension == 2
    system, q, closed = (_closed_in_plane if plane else _closed_in_space)(resolved)
    if not closed.converged:
        return resolved  # reported by whoever asks for more than the joints
    before, after = system.posture(q), system.posture(closed.q)
    # in the plane coordinates count from lines and axes, whatever the drawing; springs and dimensions remain
    fitted = resolved if plane else _with_zeros(_with_poses(resolved, after), before, after)
    return _with_doubts(_with_free_springs(fitted, after), system, before, after, q)


def _closed_in_plane(resolved: ResolvedModel) -> tuple[System, np.ndarray, Closed]:
    """The system of the joints alone, as drawn and closed."""
    system = build(replace(resolved, drivers=(), position={}, velocity={}), "mixed")
    q = system.q0.copy()
    hold_relations(system, q)
    return system, q, close(system, q, 0.0)


def _closed_in_space(resolved: ResolvedModel) -> tuple[System, np.ndarray, Closed]:
    """The same, if possible with the coordinates that are prescribed held as they are drawn."""
    prescribed = dict.fromkeys([*resolved.position, *(d.coordinate for d in resolved.drivers)])
    held = [n for n in prescribed if n in resolved.coordinates and resolved.coordinates[n].joint is not None]
    bare = replace(resolved, drivers=(), forces=(), position={}, velocity={})
    coupled = {name for joint in resolved.joints for name, _ in joint.terms}
    for joint in resolved.joints:
        coupled |= names(joint.equation) & set(resolved.coordinates) if joint.equation is not None else set()
    coupled |= {c.name for c in resolved.coordinates.values() if c.type == "term"}
    carry = [*held, *sorted(coupled - set(held))]
    drawn = build(bare, "reference-point", carry=carry, for_assembly=True)
    laws = {n: float(drawn.value(n, declared_position(drawn))[0][0]) for n in held}
    holds = tuple(ResolvedDriver(f"drawn.{n}", n, ResolvedLaw(constant=laws[n])) for n in held)
    system = build(replace(bare, drivers=holds), "reference-point", carry=carry, for_assembly=True) if held else drawn
    q = declared_position(system)
    hold_relations(system, q)
    closed = close(system, q, 0.0)
    return system, q, closed if closed.converged else close(system, q, 0.0, keep=~driver_rows(system))


def _with_poses(resolved: ResolvedModel, after: Posture) -> ResolvedModel:
    """Poses and points where the mechanism fits together."""
    poses, start = dict(resolved.poses), dict(resolved.start)
    for name in poses:
        p, R = body_motion(after, name).p[0][0], body_motion(after, name).R[0][0]
        origin = p - R @ np.array(resolved.bodies[name].center, dtype=float)
        poses[name] = Pose(tuple(origin), tuple(tuple(row) for row in R))  # type: ignore[arg-type]
    for point in start:
        start[point] = tuple(after.place(resolved.place(point))[0][0])
    return replace(resolved, poses=poses, start=start)


# --------------------------------------------------------------------------------- zeros of the joints' coordinates
def _with_zeros(resolved: ResolvedModel, before: Posture, after: Posture) -> ResolvedModel:
    """Coordinates of joints that have, put together, the values they have as drawn: zero, or what `zero` says."""
    joints, coordinates = [], dict(resolved.coordinates)
    for joint in resolved.joints:
        kind = joint_class(joint.type, 3)
        if any(step.kind == BALL for step in kind.freedoms or ()):
            joint = replace(joint, frames=_frames_alike(joint.frames, after))
        free = kind.freedom_names()
        if len(joint.frames) != 2 or not free:
            joints.append(joint)
            continue
        own = [freedom_coordinate(joint, f"{joint.name}.{n}", n, k) for k, n in enumerate(free)]
        drawn = {n: _value(before, c) for n, c in zip(free, own, strict=True)}
        moved = {n: _value(after, c) - drawn[n] for n, c in zip(free, own, strict=True)}
        fresh = _shifted(joint, moved, drawn.get("angle", 0.0))
        joints.append(fresh)
        for name, c in coordinates.items():
            if c.joint == joint.name:
                new = freedom_coordinate(fresh, name, free[c.freedom], c.freedom)
                coordinates[name] = replace(new, needed=c.needed, tilts=c.tilts)
    return replace(resolved, joints=tuple(joints), coordinates=coordinates)


def _frames_alike(frames: tuple[Frame, ...], after: Posture) -> tuple[Frame, ...]:
    """Frames of a ball: the second turned as the first, where a quaternion counts from."""
    i, j = frames
    Ri, Rj = (np.eye(3) if f.body == GROUND else body_motion(after, f.body).R[0][0] for f in (i, j))
    e1, e2, e3 = (tuple(Rj.T @ Ri @ np.array(e, dtype=float)) for e in (i.e1, i.e2, i.e3))
    return i, replace(j, e1=e1, e2=e2, e3=e3)


def _value(posture: Posture, coordinate: ResolvedCoordinate) -> float:
    return float(measure(posture, coordinate)[0][0])


def _shifted(joint: ResolvedJoint, moved: dict[str, float], angle: float) -> ResolvedJoint:
    """The joint with its frames moved along its own freedoms, so that its coordinates are less by these.

    A place that is a point of its body stays; `angle`: from the first frame to the second, then.
    """
    i, j = joint.frames
    if "angle1" in moved:
        i, j = _turned_frame(i, moved["angle1"]), _turned_frame(j, -moved["angle2"])
    elif "angle" in moved:
        j = _turned_frame(j, -moved["angle"])
    by = {axis: moved[name] for name, axis in joint_class(joint.type, 3).slide_axes().items()}
    if by:
        if i.place.point is None:
            i = _shifted_frame(i, by)
        elif j.place.point is None:
            c, s, x, y = np.cos(angle), np.sin(angle), by.get("e1", 0.0), by.get("e2", 0.0)
            j = _shifted_frame(j, {"e1": -(c * x + s * y), "e2": s * x - c * y, "e3": -by.get("e3", 0.0)})
    places = (i.place, j.place) if joint.places else joint.places
    return replace(joint, frames=(i, j), places=places)


def _turned_frame(frame: Frame, angle: float) -> Frame:
    """The frame turned about its own axis."""
    e1, e2 = np.array(frame.e1, dtype=float), np.array(frame.e2, dtype=float)
    c, s = np.cos(angle), np.sin(angle)
    return replace(frame, e1=tuple(c * e1 + s * e2), e2=tuple(c * e2 - s * e1))


def _shifted_frame(frame: Frame, by: dict[str, float]) -> Frame:
    local = np.array(frame.place.local, dtype=float)
    for axis, x in by.items():
        local = local + x * np.array(getattr(frame, axis), dtype=float)
    return replace(frame, place=replace(frame.place, local=tuple(local)))


# ---------------------------------------------------------------------------------------------------- springs
def _with_free_springs(resolved: ResolvedModel, after: Posture) -> ResolvedModel:
    """Springs without a free length are free where the mechanism is put together."""
    forces = []
    for force in resolved.forces:
        if force.law.as_drawn and force.type == "distance":
            a, b = (after.place(place)[0][0] for place in force.places)
            force = replace(force, law=replace(force.law, free=float(np.linalg.norm(b - a))))
        elif force.law.as_drawn and force.type == "coordinate":
            c = resolved.coordinates[str(force.coordinate)]
            force = replace(force, law=replace(force.law, free=_value(after, c)))
        elif force.law.as_drawn and force.type == "angle":
            axes = tuple(ResolvedLine(Direction(body, (1.0, 0.0)), 1.0, None) for body in force.bodies)
            between = ResolvedCoordinate(force.name, "angle", lines=axes)
            force = replace(force, law=replace(force.law, free=_value(after, between)))
        forces.append(force)
    return replace(resolved, forces=tuple(forces))


# ---------------------------------------------------------------------------------------------------- doubts
def _with_doubts(
    resolved: ResolvedModel, system: System, before: Posture, after: Posture, q: np.ndarray
) -> ResolvedModel:
    """Tell the dimensions that the drawing decides, of bodies that had to be moved, and by how much."""
    if gap(system, q) < WORTH_A_NOTE:
        return resolved
    doubts = []
    for guess in resolved.guesses:
        moves = {body: _move(resolved, before, after, body) for body in guess.bodies}
        far = {b: m for b, m in moves.items() if m[0] > WORTH_A_NOTE * system.size or m[1] > WORTH_A_NOTE}
        if far:
            body, (distance, angle) = max(far.items(), key=lambda x: x[1][0] / system.size + x[1][1])
            doubts.append(
                f"{guess.what}; but it does not fit together as drawn: {body!r} is moved by {distance:.3g} m and "
                f"turned by {np.degrees(angle):.3g} deg"
            )
    return replace(resolved, doubts=(*resolved.doubts, *doubts))


def _move(resolved: ResolvedModel, before: Posture, after: Posture, body: str) -> tuple[float, float]:
    """How far assembling moves the centre of a body, and turns the body."""
    a, b = body_motion(before, body), body_motion(after, body)
    distance = float(np.linalg.norm(b.p[0][0] - a.p[0][0]))
    if resolved.bodies[body].particle:
        return distance, 0.0
    R = b.R[0][0] @ a.R[0][0].T
    turn = 0.5 * np.linalg.norm([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return distance, float(np.arctan2(turn, (np.trace(R) - 1) / 2))
