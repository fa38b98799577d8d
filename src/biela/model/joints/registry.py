"""Joints by type. One word in `FILES` registers one; other packages offer theirs by entry points, "biela.joints"."""

from __future__ import annotations

from typing import Any, get_args

from ...outside import kinds_in, take_from_outside
from .joint import Coupling, Joint, PlaneJoint, SpaceJoint

FILES = (
    "revolute", "point_on_line", "prismatic", "cylindrical", "spherical", "universal", "planar", "screw", "fixed",
    "point_on_plane", "distance", "revolute_spherical", "angle", "gear", "rack_and_pinion", "user",
)  # fmt: skip
"""in the order of lists"""

PLANE: dict[str, type[Joint]] = {}
SPACE: dict[str, type[Joint]] = {}
JOINTS = {2: PLANE, 3: SPACE}
"""by dimension, by type"""


def _take(kind: type[Joint]) -> None:
    """Enter a joint for the plane, for space, or, where it couples coordinates, for both."""
    name = get_args(kind.model_fields["type"].annotation)[0]
    tables = [table for base, table in ((PlaneJoint, PLANE), (SpaceJoint, SPACE)) if issubclass(kind, base | Coupling)]
    if any(name in table for table in tables):
        raise ValueError(f"there is a joint {name!r} already")
    for table in tables:
        table[name] = kind


def _offered(kind: Any, source: str) -> None:
    if not (isinstance(kind, type) and issubclass(kind, PlaneJoint | SpaceJoint | Coupling)):
        raise TypeError(f"{source} is not of the class PlaneJoint, SpaceJoint or Coupling")
    _take(kind)


for _kind in kinds_in(str(__package__), FILES, Joint):
    _take(_kind)
FAILED = take_from_outside("biela.joints", _offered)
"""joints of other packages that could not be taken, and why"""


def joint_class(type: str, dimension: int) -> Any:
    """What a joint of a model is: its class, with all that is declared of it."""
    return JOINTS[dimension][type]
