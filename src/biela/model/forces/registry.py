"""Forces by type. One word in `FILES` registers one; other packages offer theirs by entry points, "biela.forces"."""

from __future__ import annotations

from importlib import import_module
from typing import Any, get_args

from ...outside import take_from_outside
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


for _file in FILES:
    _module = import_module(f".{_file}", __package__)
    for _kind in list(vars(_module).values()):
        if isinstance(_kind, type) and issubclass(_kind, Force) and _kind.__module__ == _module.__name__:
            _take(_kind, _module.__name__)
FAILED = take_from_outside("biela.forces", _take)
"""forces of other packages that could not be taken, and why"""
