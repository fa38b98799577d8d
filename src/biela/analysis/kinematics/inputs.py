"""What moves a mechanism: the coordinate that is its input, and the model whose one driver moves it."""

from __future__ import annotations

from math import pi

import numpy as np

from ...errors import MethodError, Problem
from ...model.model import Model
from ...model.resolve import resolve
from ...model.resolved import GROUND, ResolvedModel
from ..assembly.assemble import assemble, with_sections
from ..quantities import body_angles, point_components, value_of

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
        choice = body_angles(resolved)
    else:
        angles = joint_angles(resolved)
        if angles:
            return angles[0]
        why = "no driver, and no joint with an angle"
        choice = [*resolved.coordinates, *point_components(resolved)]
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


# ----------------------------------------------------------------------------------------- driven at a constant rate
def driven(model: Model, coordinate: str, start: float | None, stop: float | None, rate: float) -> tuple[Model, float]:
    """A copy of the model whose only driver moves the coordinate from start to stop, and the time that it takes."""
    if rate == 0 or not np.isfinite(rate):
        raise MethodError(Problem(f"rate = {rate} is not possible", cure="give a finite rate other than zero"))
    begin = present_value(model, coordinate) if start is None else float(start)
    if stop is None:
        if not is_angle(model, coordinate):
            raise MethodError(Problem(f"how far should {coordinate!r} move?", cure="give stop="))
        stop = begin + 2 * pi
    if stop == begin:
        raise MethodError(Problem("start and stop are the same", where=coordinate, cure="give a range"))
    speed = abs(rate) if stop > begin else -abs(rate)
    moved = with_sections(
        model,
        drivers={"input_": {"coordinate": coordinate, "law": f"{float(begin)!r} + ({float(speed)!r})*t"}},
        initial={"position": {}, "velocity": {}},
    )
    return moved, abs(stop - begin) / abs(rate)


def present_value(model: Model, coordinate: str) -> float:
    """The value of a coordinate in the mechanism as it is assembled, without its drivers."""
    free = model.model_copy(update={"drivers": {}})
    # resolving it as an input knows an implicit BODY.angle, and complains about unknown names
    declared = resolve(with_sections(free, drivers={"input_": {"coordinate": coordinate, "law": 0.0}}))
    system = assemble(free, "mixed")
    return value_of(system, coordinate, system.q0, declared)
