"""Forces by type. One word in `FILES` registers one; other packages offer theirs by entry points, "biela.forces"."""

from __future__ import annotations

from typing import Any, get_args

from ...outside import kinds_in, take_from_outside
from .force import Force

FILES = ("point_force", "moment", "vector_force", "distributed", "spring", "damper", "actuator")
"""in the order of lists"""
FORCES: dict[str, type[Force]] = {}
"""by type"""


def _take(kind: Any, source: str) -> None:
    if not (isinstance(kind, type) and issubclass(kind, Force)):
        raise TypeError(f"{source} is not of the class Force")
    name = get_args(kind.model_fields["type"].annotation)[0]
    if name in FORCES:
        raise ValueError(f"there is a force {name!r} already")
    FORCES[name] = kind


for _kind in kinds_in(__package__, FILES, Force):
    _take(_kind, _kind.__module__)
FAILED = take_from_outside("biela.forces", _take)
"""forces of other packages that could not be taken, and why"""
