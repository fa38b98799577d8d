"""Joints in space: the frames of each type in its two bodies, and the value that its type needs."""

from __future__ import annotations

import math
from typing import NamedTuple

from ... import items as it
from ... import space_joints as sj
from ...resolved import Number, ResolvedJoint, Vec
from . import vectors as v
from .context import SpaceContext
from .ends import Ends, ends
from .frames import Frames, along, axes, crossed, parallel
from .freedoms import screw_terms
from .links import distance, line_of_points, rod


class Kind(NamedTuple):
    """What a type of joint needs: the axes of which bodies, and an axis of its own."""

    turning: tuple[bool, bool] = (True, True)
    axis: bool = True
    anywhere: bool = False


KINDS: dict[type, Kind] = {
    sj.SpaceRevolute: Kind(),
    sj.SpacePrismatic: Kind(),
    sj.Cylindrical: Kind(),
    sj.Planar: Kind(),
    sj.Screw: Kind(),
    sj.SpacePointOnLine: Kind((True, False)),
    sj.PointOnPlane: Kind((True, False)),
    sj.Spherical: Kind((False, False), axis=False),
    sj.SpaceFixed: Kind(axis=False, anywhere=True),
}


def resolve_joints(ctx: SpaceContext) -> None:
    """Fill the context's joints with those the user wrote; what is wrong with them is reported."""
    for name, item in ctx.items.joints.items():
        if isinstance(item, sj.SpaceDistance | sj.SphericalSpherical):
            joint = distance(ctx, name, item)
        elif isinstance(item, sj.RevoluteSpherical):
            joint = rod(ctx, name, item)
        elif isinstance(item, sj.Universal | sj.SpaceAngle):
            joint = _between_axes(ctx, name, item)
        elif isinstance(item, sj.SpacePointOnLine) and (item.point is not None or item.line is not None):
            joint = line_of_points(ctx, name, item)
        elif isinstance(item, it.Gear | it.RackAndPinion | it.UserJoint):
            continue  # they come after the coordinates they name
        else:
            joint = _framed(ctx, name, item, KINDS[type(item)])
        if joint is not None:
            ctx.joints[name] = joint
        else:
            ctx.refused.add(name)


def _framed(ctx: SpaceContext, name: str, item: sj.Jointed, kind: Kind) -> ResolvedJoint | None:
    where = f"joints.{name}"
    zero = getattr(item, "zero", None)
    zero = None if zero is None else ctx.scalars.read(zero, f"{where}.zero", "angle")
    _within_half_a_turn(ctx, name, zero)
    value = _lead(ctx, name, item) if isinstance(item, sj.Screw) else None
    pair = ends(ctx, name, item, kind.turning, kind.anywhere)
    if pair is None:
        return None
    if not kind.axis:
        return made(name, item.type, pair, parallel(ctx, pair))
    given = getattr(item, "axis", None)
    if given is None:
        cure = "add axis = [x, y, z] in the ground's axes, or line = [A, B], two points of a body, with point = P"
        ctx.problems.add(f"joint {name!r} has no axis", where, "", cure)
        return None
    found = axes(ctx, name, given, pair)
    if found is None:
        return None
    terms = ()
    if isinstance(item, sj.Screw):
        assert value is not None
        terms = screw_terms(ctx, name, value)
        if zero is not None:
            _on_the_thread(ctx, name, pair, found[0], zero, value)
    return made(name, item.type, pair, along(ctx, pair, found, zero), value, terms)


def made(
    name: str, type: str, pair: Ends, frames: Frames, value: Number | None = None, terms: tuple = ()
) -> ResolvedJoint:
    """A joint between two bodies."""
    bodies = (pair[0].body, pair[1].body)
    return ResolvedJoint(name, type, places=pair, bodies=bodies, frames=frames, value=value, terms=terms)


def _lead(ctx: SpaceContext, name: str, item: sj.Screw) -> Number:
    """The lead per turn; one given per angle ("5 mm/rev") is per radian inside, and made per turn again."""
    where = f"joints.{name}.lead"
    lead = ctx.scalars.read(item.lead, where, "length")
    if ctx.scalars.value(lead) == 0:
        what, cure = f"the lead of screw {name!r} is zero", "give lead in m per turn; or use a revolute joint"
        ctx.problems.add(what, where, "turning it moves nothing", cure)
    return lead * 2 * ctx.pi() if ctx.scalars.per_angle(item.lead) else lead


def _within_half_a_turn(ctx: SpaceContext, name: str, zero: Number | None) -> None:
    """Where bodies start tells an angle within half a turn only; whole turns are for `initial` to give."""
    degrees = 0.0 if zero is None else math.degrees(ctx.scalars.value(zero))
    if abs(degrees) > 180 + 1e-9:
        near = degrees - 360 * round(degrees / 360)
        what = f"the zero of joint {name!r} is beyond half a turn"
        turned = f"initial.position = {{ '{name}.angle' = '{degrees:g} deg' }}"
        cure = f"give zero = '{near:g} deg'; where whole turns count, with {turned}"
        ctx.problems.add(what, f"joints.{name}.zero", f"it is {degrees:g} deg, the same place as {near:g} deg", cure)


def _on_the_thread(ctx: SpaceContext, name: str, pair: Ends, axis: Vec, zero: Number, lead: Number) -> None:
    """The angle of a screw belongs to its position: another one would move the body from where it was put."""
    apart = v.sub(ctx.at_start(pair[1]), ctx.at_start(pair[0]))
    here = ctx.scalars.value(v.dot(apart, v.to_ground(ctx.rotation(pair[0].body), axis)))
    angle, pitch = ctx.scalars.value(zero), ctx.scalars.value(lead)
    asked = pitch * angle / (2 * math.pi)
    if abs(angle) <= math.pi and abs(asked - here) > 0.01 * abs(pitch):
        what = f"the zero of screw {name!r} does not belong to where it starts"
        why = f"at {math.degrees(angle):g} deg its position is {asked:g} m, but it starts at {here:g} m"
        turned = f"initial.position = {{ '{name}.angle' = '{math.degrees(angle):g} deg' }}"
        cure = f"leave zero out; to start turned, and moved along the axis, give {turned}"
        ctx.problems.add(what, f"joints.{name}.zero", why, cure)


def _between_axes(ctx: SpaceContext, name: str, item: sj.Universal | sj.SpaceAngle) -> ResolvedJoint | None:
    """Joints that keep the angle between an axis of each body: it cannot be 0 or 180 deg, where it says too little."""
    where = f"joints.{name}"
    given = None if item.angle is None else ctx.scalars.read(item.angle, f"{where}.angle", "angle")
    pair = ends(ctx, name, item, (True, True), anywhere=isinstance(item, sj.SpaceAngle))
    found = axes(ctx, name, item.axis, pair) if pair else None
    if pair is None or found is None:
        return None
    start = ctx.angle_between(*(v.to_ground(ctx.rotation(end.body), axis) for end, axis in zip(pair, found)))
    degrees = math.degrees(ctx.scalars.value(start))
    value = start if given is None else given
    asked = math.degrees(ctx.scalars.value(value))
    if abs(math.sin(math.radians(asked))) < 1e-6:
        what = f"the axes of joint {name!r} are parallel"
        why = f"they make {asked:g} deg"
        other = "a revolute joint" if isinstance(item, sj.Universal) else "a cylindrical or a planar joint"
        cure = f"give axes that cross; for axes that stay parallel use {other}"
        ctx.problems.add(what, f"{where}.axis" if given is None else f"{where}.angle", why, cure)
        return None
    if not (math.isnan(asked) or 0 < asked < 180):
        same = math.degrees(math.acos(math.cos(math.radians(asked))))
        what = f"the angle of joint {name!r} is not one that two axes make"
        cure = f"give angle = '{same:g} deg', which is the same between two axes"
        ctx.problems.add(what, f"{where}.angle", f"{asked:g} deg is not between 0 and 180 deg", cure)
        return None
    if isinstance(item, sj.Universal) and given is None:
        value = ctx.pi() / 2
        if abs(degrees - 90) > 1e-4:
            what = f"the axes of universal joint {name!r} are not perpendicular where it starts"
            cure = f"turn one of the axes or bodies; or add angle = '{degrees:g} deg' if they are to keep that angle, "
            cure += "angle = '90 deg' if assembling is to turn the bodies"
            ctx.problems.add(what, f"{where}.axis", f"they make {degrees:g} deg", cure)
            return None
    return made(name, item.type, pair, crossed(ctx, pair, found), value)
