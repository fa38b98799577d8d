"""Joints, points and drivers of the plane as things to draw."""

from __future__ import annotations

import numpy as np

from ...model.joints import joint_class
from ...model.resolved import GROUND, Direction, Place, ResolvedJoint, ResolvedLine, ResolvedModel
from .frames import Frames, Thing, floats
from .signs import PLANE_JOINTS
from .springs import wall_distance


def joint_signs(frames: Frames, sample: int, springs: list[Thing]) -> list[Thing]:
    """Joints by the words that their files say: those that keep a distance as rods, others with their parts."""
    out: list[Thing] = []
    for joint in frames.resolved.joints:
        word = joint_class(joint.type, 2).sign
        if word == "rod":
            out.append({"type": "rod", "ends": [frames.place(p) for p in joint.places]})
        elif word in PLANE_JOINTS:
            out += _joint(frames, joint, word, sample, springs)
    return out


def _joint(frames: Frames, joint: ResolvedJoint, word: str, sample: int, springs: list[Thing]) -> list[Thing]:
    """Its parts; and of a guide of the ground a wall, as long as the block travels."""
    block = _block(joint)
    if block is None:
        return []
    way, fixed = direction_of(frames, joint.lines[0]) if joint.lines else ([[-1, 0.0, 0.0], [-1, 1.0, 0.0]], False)
    at, parts, out = frames.place(block), PLANE_JOINTS[word], []
    if word == "guide" and fixed:
        parts = [part for part in parts if part["part"] != "line"]
        u = np.array(way[1][1:]) - np.array(way[0][1:])
        e = u / (float(np.hypot(*u)) or 1.0)
        start = frames.at(at, sample)
        along = (frames.path(at, frames.good) - start) @ e
        out.append({"type": "guide", "at": [-1, *start.tolist()], "way": way,
                    "travel": [float(along.min()), float(along.max())],
                    "away": wall_distance(frames, springs, at, e, sample)})  # fmt: skip
    bodies = list(frames.resolved.bodies)
    owners = [b for b in frames.resolved.owners.get(block.point or "", ()) if b in bodies]
    mass = next((bodies.index(b) for b in owners if frames.resolved.bodies[b].particle), -1)
    kind = "slider" if word == "guide" else word
    out.append({"type": kind, "parts": parts, "at": at, "way": way, "colour": mass, "name": block.point})
    return out


def _block(joint: ResolvedJoint) -> Place | None:
    """Where its sign is: of a guide what slides on it."""
    return joint.places[0] if joint.places else joint.lines[-1].through if joint.lines else None


def sliding_points(resolved: ResolvedModel) -> set[str]:
    """Points at which a block slides."""
    blocks = [_block(j) for j in resolved.joints if joint_class(j.type, resolved.dimension).sign == "guide"]
    return {block.point for block in blocks if block is not None and block.point is not None}


def direction_of(frames: Frames, line: ResolvedLine) -> tuple[list[list[float]], bool]:
    """A line's direction as two places, from the first to the second; and whether it is the ground's."""
    v = line.vector
    if isinstance(v, Direction):
        index = frames.index[v.body]
        return [[index, 0.0, 0.0], [index, *floats(v.local).tolist()]], v.body == GROUND
    return [frames.place(v.start), frames.place(v.end)], v.start.body == GROUND and v.end.body == GROUND


def points_as_drawn(resolved: ResolvedModel) -> dict[str, str | None]:
    """What points are drawn as: "ground", a "pin" that joins bodies, a "point" of one body; None under a mass.

    >>> import biela
    >>> points_as_drawn(biela.assemble("slider-crank").resolved)
    {'O': 'ground', 'A': 'pin', 'B': 'pin'}
    """
    anchored = {p.point for f in resolved.forces for p in f.places if p.body == GROUND}
    joined = {p.point for j in resolved.joints for p in j.places if joint_class(j.type, 2).sign != "guide"}
    sliding = sliding_points(resolved)
    out: dict[str, str | None] = {}
    for name in (*resolved.ground, *resolved.start):
        owners = [b for b in resolved.owners.get(name, ()) if b != GROUND]
        rigid = [b for b in owners if not resolved.bodies[b].particle]
        slides = name in sliding and bool(rigid)
        if name in resolved.ground and (owners or name in anchored or name in joined):
            out[name] = "ground"
        elif len(rigid) < len(owners) and len(rigid) < 2 and not slides:
            out[name] = None
        else:
            out[name] = "pin" if len(rigid) > 1 or name in joined or slides else "point"
    return out


def point_signs(frames: Frames) -> list[Thing]:
    signs = points_as_drawn(frames.resolved)
    return [{"type": sign, "at": frames.point(name), "name": name} for name, sign in signs.items() if sign is not None]


def driven_pins(resolved: ResolvedModel) -> list[Place]:
    """Where driven angles are measured, if there is a pin.

    >>> import biela
    >>> [place.point for place in driven_pins(biela.assemble("quick-return").resolved)]
    ['O']
    """
    out: list[Place] = []
    for driver in resolved.drivers:
        c = resolved.coordinates.get(driver.coordinate)
        if c is None or c.type != "angle":
            continue
        lines = [x for x in reversed(c.lines) if not isinstance(x.vector, Direction) or x.vector.body != GROUND]
        place = next((x.through for x in lines if x.through is not None), None)
        if place is None:
            bodies = [x.vector.body if isinstance(x.vector, Direction) else x.vector.start.body for x in c.lines]
            shared = [p for p, owners in resolved.owners.items() if set(bodies) <= set(owners)]
            place = resolved.place(shared[0]) if shared else None
        if place is not None:
            out.append(place)
    return out


def driven_signs(frames: Frames) -> list[Thing]:
    """A turning arrow where an angle is driven."""
    pins = driven_pins(frames.resolved)
    return [{"type": "turning", "at": frames.place(pin), "name": pin.point} for pin in pins]
