"""Plane or space: what a model is, told by the number of components of its vectors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..items import SpaceItem
from ..model import Model
from .naming import listed
from .problems import Problems

CURE = "give every vector as [x, y, z], for a mechanism in space, or every one as [x, y], for one in the plane"


def dimension_of(model: Model, problems: Problems) -> int:
    """2 or 3. A model that is neither is reported, and nothing more can be said about it.

    >>> problems = Problems("pendulum")
    >>> dimension_of(Model().add_ground("O", 0, 0), problems), dimension_of(Model().add_ground("O", 0, 0, 0), problems)
    (2, 3)
    """
    found = list(_vectors(model))
    flat, deep = ([where for where, count in found if count == n] for n in (2, 3))
    if model.dimension == 2 and deep:
        what, why = "dimension = 2, but parts of the model are in space", f"of space: {listed(deep)}"
        problems.add(what, "dimension", why, CURE)
    elif model.dimension == 3 and flat:
        what, why = "dimension = 3, but some vectors have two components", f"two components: {listed(flat)}"
        problems.add(what, "dimension", why, CURE)
    elif flat and deep:
        why = f"two components: {listed(flat)}; three components, or of space only: {listed(deep)}"
        problems.add("the model mixes the plane and space", (flat if len(flat) < len(deep) else deep)[0], why, CURE)
    else:
        return 3 if deep or model.dimension == 3 else 2
    problems.stop_if_any()
    return 2  # never reached: there is a problem


def _vectors(model: Model) -> Iterator[tuple[str, int]]:
    """Every vector of a model, and everything that only exists in space: where it is, and its components."""
    if "gravity" in model.model_fields_set:
        yield "gravity", len(model.gravity)
    for table in ("ground", "points"):
        for name, vector in getattr(model, table).items():
            yield f"{table}.{name}", len(vector)
    items: tuple[str, ...] = ("bodies", "joints", "coordinates")
    for table in items:
        for name, item in getattr(model, table).items():
            where = f"{table}.{name}"
            inside = list(_of_item(item, where)) if table == "bodies" else []
            yield from inside
            if isinstance(item, SpaceItem) and not inside:
                yield where, 3
    for name, force in model.forces.items():
        if (components := force.components()) is not None:
            key = ".value" if isinstance(getattr(force, "value", None), tuple) else ""
            yield f"forces.{name}{key}", components


def _of_item(item: Any, where: str) -> Iterator[tuple[str, int]]:
    for key in item.model_fields_set & {"center", "position"}:
        if (vector := getattr(item, key)) is not None:
            yield f"{where}.{key}", len(vector)
    points = getattr(item, "points", None)
    for name, vector in points.items() if isinstance(points, dict) else ():
        yield f"{where}.points.{name}", len(vector)
