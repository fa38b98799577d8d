"""How vectors, axes and orientations in space may be written; each form is recognised by its shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from .items import Item, Scalar, Triple


def _is_list(value: Any, length: int) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and len(value) == length


def _is_triple(value: Any) -> bool:
    return _is_list(value, 3) and not any(isinstance(x, Sequence) and not isinstance(x, str) for x in value)


def _is_matrix(value: Any) -> bool:
    return _is_list(value, 3) and all(_is_list(row, 3) for row in value)


def _inertia(value: Any) -> Any:
    if value is None or _is_triple(value) or _is_matrix(value):
        return value
    raise ValueError(
        "this is no inertia in space; give [Ixx, Iyy, Izz], or three rows [[Ixx, Ixy, Ixz], ...], in the body's "
        "axes and about the centre of mass"
    )


def _is_axis_pair(value: Any) -> bool:
    return _is_list(value, 2) and all(isinstance(one, str) or _is_triple(one) for one in value)


def _axis(value: Any) -> Any:
    if isinstance(value, str) or _is_triple(value) or _is_axis_pair(value):
        return value
    raise ValueError(
        "this is no axis in space; give [x, y, z] in the ground's axes, the name of a direction, or one of these "
        "for each body: [[x, y, z], [x, y, z]], each in that body's own axes"
    )


def _pair(value: Any) -> Any:
    if _is_axis_pair(value):
        return value
    raise ValueError(
        "this joint needs two axes; give one of each body: [[x, y, z], [x, y, z]] in their own axes, or two names"
    )


def _at(value: Any) -> Any:
    if value is None or isinstance(value, str) or _is_triple(value):
        return value
    if _is_list(value, 2) and all(isinstance(one, str) for one in value):
        return value
    raise ValueError(
        "this is no place in space; give the name of a point, two names (a point of each body), or [x, y, z]"
    )


def _orientation(value: Any) -> Any:
    if value is None or isinstance(value, Item) or _is_list(value, 4) or _is_matrix(value):
        return value
    if isinstance(value, Mapping):
        keys = {key for key, given in value.items() if given is not None}
        if keys == {"axis", "angle"} or (keys <= {"x", "y", "z"} and len(keys) == 2):
            return value
    raise ValueError(
        "this is no orientation; give {axis = [x, y, z], angle = ...}, a quaternion [w, x, y, z], three rows of a "
        "rotation, or two of the body's axes {x = [...], y = [...]} in the ground's"
    )


class Turn(Item):
    """A rotation by an angle about an axis, from the ground's axes."""

    axis: Triple
    angle: Scalar


class Axes(Item):
    """Two of a body's axes as directions in the ground's axes; the third follows, right-handed."""

    x: Triple | None = None
    y: Triple | None = None
    z: Triple | None = None


Quaternion = Annotated[tuple[Scalar, ...], Field(min_length=4, max_length=4)]
Rows = tuple[Triple, Triple, Triple]
Orientation = Annotated[Turn | Axes | Quaternion | Rows, BeforeValidator(_orientation)]
Inertia = Annotated[Triple | Rows, BeforeValidator(_inertia)]
Vector = str | Triple
"""a direction: by name, or by its components"""
Axis = Annotated[str | Triple | tuple[Vector, Vector], BeforeValidator(_axis)]
AxisPair = Annotated[tuple[Vector, Vector], BeforeValidator(_pair)]
At = Annotated[str | tuple[str, str] | Triple, BeforeValidator(_at)]
