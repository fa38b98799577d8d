"""What can move a mechanism: names of coordinates, which of them are angles, and the one meant if none is named."""

from __future__ import annotations

from ...errors import MethodError, Problem
from ...model.model import Model
from ...model.resolve import resolve
from ...model.resolved import GROUND, ResolvedModel

ANGLES = ("angle", "angle1", "angle2")
"""what the angles of bodies and joints are called, after the dot"""


def is_angle(model: Model, coordinate: str) -> bool:
    """Whether a name is that of an angle: declared, of a body or a joint, or of one body at a pin.

    >>> import biela
    >>> is_angle(biela.load("cardan"), "cross.angle1"), is_angle(biela.load("four-bar"), "P.x")
    (True, False)
    """
    part = coordinate.rpartition(".")[2].partition("@")[0]
    return part in ANGLES or getattr(model.coordinates.get(coordinate), "type", "") == "angle"


def default_coordinate(model: Model) -> str:
    """The first angle that the model declares; in space also the first of its joints, those on the ground first.

    >>> import biela
    >>> default_coordinate(biela.load("four-bar")), default_coordinate(biela.load("bricard"))
    ('crank_angle', 'H0.angle')
    """
    declared = [name for name, c in model.coordinates.items() if c.type == "angle"]
    if declared:
        return declared[0]
    resolved = resolve(model)
    if resolved.dimension == 2:
        why = "no driver and no angle among its coordinates"
        choice = [f"{b}.angle" for b in model.bodies]
    else:
        angles = joint_angles(resolved)
        if angles:
            return angles[0]
        why = "no driver, and no joint with an angle"
        choice = [*resolved.coordinates, *(f"{p}.{x}" for p in resolved.start for x in "xyz")]
    why = f"model {model.name!r} has {why}"
    raise MethodError(Problem("which coordinate moves?", why=why, cure="name one, such as " + ", ".join(choice[:3])))


def turning(model: Model, name: str) -> str:
    """The angle meant by a coordinate, a joint or a body; in space a body turns in its hinge, on the ground if it can.

    >>> import biela
    >>> turning(biela.load("four-bar"), "crank"), turning(biela.load("cardan"), "input")
    ('crank.angle', 'in.angle')
    """
    if name in model.coordinates or not (name in model.bodies or name in model.joints):
        found = [name] if is_angle(model, name) else []
    else:
        found = _angles_of(resolve(model), name)
    if found:
        return found[0]
    raise MethodError(Problem(f"{name!r} cannot turn", cure=f"one of: {', '.join(_turnable(model)) or '(nothing)'}"))


def _angles_of(resolved: ResolvedModel, name: str) -> list[str]:
    """Angles of a body or a joint."""
    if name in resolved.bodies and resolved.dimension == 2:
        return [f"{name}.angle"]
    held = {j.name: j.bodies for j in resolved.joints}
    angles = [resolved.coordinates[c] for c in joint_angles(resolved)]
    if name in resolved.bodies:
        return [c.name for c in angles if c.joint is not None and name in held.get(c.joint, ())]
    return [c.name for c in angles if c.joint == name]


def joint_angles(resolved: ResolvedModel) -> list[str]:
    """The angles of the joints, those on the ground first."""
    grounded = {j.name for j in resolved.joints if GROUND in j.bodies}
    angles = [c for c in resolved.coordinates.values() if c.type == "angle" and c.joint is not None]
    return [c.name for c in sorted(angles, key=lambda c: c.joint not in grounded)]


def _turnable(model: Model) -> list[str]:
    declared = [name for name, c in model.coordinates.items() if c.type == "angle"]
    resolved = resolve(model)
    return [*declared, *(model.bodies if resolved.dimension == 2 else joint_angles(resolved))]
