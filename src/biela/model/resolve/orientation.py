"""How a body is turned at the start: a rotation with the body's axes as its columns."""

from __future__ import annotations

import math

from .. import vectors as v
from ..resolved import Matrix, Vec
from ..space_vectors import Axes, Turn
from .context import Context

ROUNDING = 1e-6  # what six digits leave of lengths and right angles
Given = Turn | Axes | tuple


def rotation(ctx: Context, body: str, given: Given | None, where: str) -> Matrix:
    """The rotation the user gives; what is wrong with it is reported, and the body then stays unrotated."""
    if given is None:
        return ctx.identity
    if isinstance(given, Turn):
        axis = ctx.direction(given.axis, f"{where}.axis", f"the axis of the orientation of {body!r}")
        c, s = ctx.scalars.direction(ctx.scalars.read(given.angle, f"{where}.angle", "angle"))
        return v.columns(*(v.turned(e, axis, c, s) for e in ctx.identity)) if axis else ctx.identity
    if isinstance(given, Axes):
        return _from_axes(ctx, body, given, where)
    if len(given) == 4:
        return _from_quaternion(ctx, body, given, where)
    return _from_rows(ctx, body, given, where)


def _from_quaternion(ctx: Context, body: str, given: tuple, where: str) -> Matrix:
    read = ctx.scalars.read
    q = tuple(read(value, f"{where}, {part}", "number") for value, part in zip(given, "wxyz"))
    norm = ctx.scalars.length(q)
    size = ctx.scalars.value(norm)
    if abs(size - 1) > ROUNDING:
        what = f"the quaternion of {body!r} has length {size:g}, not 1"
        cure = "give [w, x, y, z] = [cos(a/2), n sin(a/2)], n the unit vector of the axis and a the angle"
        if size > ROUNDING:
            unit = ", ".join(f"{x / size:.9g}" for x in ctx.scalars.vector(q))
            cure = f"made of length 1 it is [{unit}]; is it the rotation you mean?"
        ctx.problems.add(what, where, "", cure)
        return ctx.identity
    w, x, y, z = (part / norm for part in q)
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )


def _from_rows(ctx: Context, body: str, given: tuple, where: str) -> Matrix:
    read = ctx.scalars.read
    rows = tuple(
        tuple(read(value, f"{where}, row {k}, column {l}", "number") for l, value in enumerate(row, 1))
        for k, row in enumerate(given, 1)
    )
    x, y, z = v.transposed(rows)
    wrong = _not_orthonormal(ctx, {"x": x, "y": y, "z": z})
    determinant = ctx.scalars.value(v.determinant((x, y, z)))
    if wrong:
        what = f"the orientation of {body!r} is not a rotation: its columns are not unit vectors at right angles"
        why = f"{wrong}; the determinant is {determinant:g}"
        ctx.problems.add(what, where, why, "give the body's axes, of length 1 and perpendicular, as columns")
        return ctx.identity
    if determinant < 0:
        what = f"the orientation of {body!r} is left-handed"
        why = f"its determinant is {determinant:g}: it mirrors the body"
        ctx.problems.add(what, where, why, "change the sign of one column, so that z = x cross y")
        return ctx.identity
    return _right_handed(ctx, {"x": x, "y": y})


def _not_orthonormal(ctx: Context, axes: dict[str, Vec]) -> str:
    """What is wrong with the lengths and angles of a triad, in words."""
    for name, axis in axes.items():
        length = ctx.size(axis)
        if abs(length - 1) > ROUNDING:
            return f"{name} has length {length:g}"
    for a, b in ("xy", "yz", "xz"):
        cosine = ctx.scalars.value(v.dot(axes[a], axes[b]))
        if abs(cosine) > ROUNDING:
            return f"{a} and {b} make {math.degrees(math.acos(max(-1.0, min(1.0, cosine)))):g} deg"
    return ""


def _from_axes(ctx: Context, body: str, given: Axes, where: str) -> Matrix:
    axes: dict[str, Vec] = {}
    for name in "xyz":
        components = getattr(given, name)
        if components is not None:
            axis = ctx.direction(components, f"{where}.{name}", f"the {name} axis of {body!r}")
            if axis is None:
                return ctx.identity
            axes[name] = axis
    a, b = axes
    angle = ctx.scalars.value(ctx.angle_between(axes[a], axes[b]))
    if abs(math.cos(angle)) > ROUNDING:
        what = f"the {a} and {b} axes of {body!r} are not perpendicular"
        cure = f"take the part of {b} across {a}, or give the orientation as {{axis, angle}}"
        ctx.problems.add(what, where, f"they make {math.degrees(angle):g} deg", cure)
        return ctx.identity
    return _right_handed(ctx, axes)


def _right_handed(ctx: Context, axes: dict[str, Vec]) -> Matrix:
    """The triad on two axes: the first as it is, the second made perpendicular to it, the third across both."""
    (a, first), (b, second) = axes.items()
    first, second = (ctx.unit(first) or first), second
    second = ctx.unit(v.across(second, first)) or second
    third = v.cross(first, second) if a + b in ("xy", "yz", "zx") else v.cross(second, first)
    left = (set("xyz") - {a, b}).pop()
    triad = {a: first, b: second, left: third}
    return v.columns(*(triad[name] for name in "xyz"))
