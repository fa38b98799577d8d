"""Plane or space: which of two classes reads an item whose type exists in both.

An item is of space if it says something that only an item of space can say; the others (a bar between two
points) are read as of the plane, and taken for what they are in space when a model turns out to be spatial.
So what an item is depends on itself alone, not on the order in which a model is written or built.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, ValidationError

from ..errors import Problem
from . import bodies as bd
from . import items as it
from .forces import FORCES
from .forces.force import Force
from .joints import PLANE as PLANE_JOINTS
from .joints import SPACE as SPACE_JOINTS
from .joints.joint import Joint

PLANE, SPACE = "in the plane", "in space"
if TYPE_CHECKING:
    PlaneJoints = SpaceJoints = Joint
    AnyForce = Force
else:
    AnyForce = Annotated[Union[tuple(FORCES.values())], Field(discriminator="type")]  # noqa: UP007
    PlaneJoints, SpaceJoints = (
        Annotated[Union[tuple(kinds.values())], Field(discriminator="type")]  # noqa: UP007
        for kinds in (PLANE_JOINTS, SPACE_JOINTS)
    )
UNIONS = {
    "bodies": (bd.AnyBody, bd.AnySpaceBody),
    "joints": (PlaneJoints, SpaceJoints),
    "coordinates": (it.AnyCoordinate, it.AnySpaceCoordinate),
    "forces": (AnyForce, AnyForce),
}


def _types(union: Any) -> dict[str, type[it.Item]]:
    return {get_args(c.model_fields["type"].annotation)[0]: c for c in get_args(get_args(union)[0])}


TYPES: dict[str, tuple[dict[str, type[it.Item]], dict[str, type[it.Item]]]] = {
    table: (_types(plane), _types(space)) for table, (plane, space) in UNIONS.items()
}
"""table -> type -> class, in the plane and in space"""


def side(table: str, item: Any) -> str:
    """Whether an item, still as it was given, is read as one of the plane or of space.

    >>> side("bodies", {"type": "bar", "points": ["A", "B"], "mass": 1})
    'in the plane'
    >>> side("bodies", {"type": "bar", "points": ["A", "B"], "mass": 1, "radius": 0.1})
    'in space'
    """
    if isinstance(item, it.Item):
        return SPACE if isinstance(item, it.SpaceItem) else PLANE
    if not isinstance(item, Mapping):
        return PLANE
    kind = item.get("type", "body" if table == "bodies" else None)
    if not isinstance(kind, str):
        return PLANE
    plane, space = (types.get(kind) for types in TYPES[table])
    if plane is None or space is None:
        return PLANE if space is None else SPACE
    only = set(space.model_fields) - set(plane.model_fields)
    return SPACE if only & set(item) or _three(item) else PLANE


def _three(item: Mapping[str, Any]) -> bool:
    """Whether one of the vectors of an item has three components."""
    points = item.get("points")
    inside = [item.get("center"), *(points.values() if isinstance(points, Mapping) else ())]
    if any(_is_list(value) and len(value) == 3 for value in inside) or _is_list(item.get("inertia")):
        return True
    lines = (item.get(key) for key in ("of", "relative_to", "along"))
    return any(isinstance(line, Mapping) and "direction" in line for line in lines)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _sides(table: str) -> Callable[[Any], str]:
    return lambda item: side(table, item)


if TYPE_CHECKING:
    # What the resolving of the plane meets: a model with items of space never gets there.
    from .bodies import AnyBody
    from .items import AnyCoordinate

    AnyJoint = Joint
else:
    AnyBody, AnyJoint, AnyCoordinate = (
        Annotated[Annotated[plane, Tag(PLANE)] | Annotated[space, Tag(SPACE)], Discriminator(_sides(table))]
        for table, (plane, space) in list(UNIONS.items())[:3]
    )


class Spatial(BaseModel):
    """The items of a spatial model that are not the same in the plane, all read as of space."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    bodies: dict[it.Name, bd.AnySpaceBody] = {}
    joints: dict[it.Name, SpaceJoints] = {}
    coordinates: dict[it.Name, it.AnySpaceCoordinate] = {}


def in_space(model: BaseModel) -> tuple[Spatial, list[Problem]]:
    """A model's items as of space, and what is wrong with those that cannot be (which are left out)."""
    from .mistakes import problems_of

    data: dict[str, dict[str, Any]] = {
        table: {name: _read_again(table, item) for name, item in getattr(model, table).items()}
        for table in Spatial.model_fields
    }
    try:
        return Spatial.model_validate(data), []
    except ValidationError as error:
        problems = problems_of(error, Spatial, data)
        for one in error.errors(include_url=False):
            data[str(one["loc"][0])].pop(str(one["loc"][1]), None)
    return Spatial.model_validate(data), problems


def _read_again(table: str, item: it.Item) -> Any:
    """An item of space as it is; one of the plane as what was said, to be read as of space."""
    kind = getattr(item, "type", "")
    if isinstance(item, it.SpaceItem) or type(item) is TYPES[table][1].get(kind):
        return item
    return {"type": kind, **item.model_dump(exclude_unset=True)}
