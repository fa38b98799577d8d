"""Random planar mechanisms: positions are drawn first and the bodies made to fit, so every joint holds exactly.

A `Recipe` says what a mechanism contains; `build` makes the model; `recipes()` is the hypothesis strategy and
`recipe(seed)` the plain seeded function. `Motion` follows bodies and points by elementary rigid-body kinematics,
without any of biela's coordinates, and `reference_accelerations` solves the equations of motion with plain NumPy.
"""


from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from biela import Model
from planar.forces import COORDINATES, DRIVERS, ELEMENTS, FORCES, LAWS, Forces
from planar.joints import JOINTS
from planar.sketch import SHAPES, Recipe, cross, turned
from planar.states import Motion, random_velocity, reference_accelerations
from planar.topologies import TOPOLOGIES

__all__ = [
    "COORDINATES", "DRIVERS", "ELEMENTS", "FORCES", "JOINTS", "LAWS", "SHAPES", "TOPOLOGIES", "Motion", "Recipe",
    "build", "cross", "random_velocity", "recipe", "recipes", "reference_accelerations", "turned",
]  # fmt: skip


def recipes(**fixed: Any) -> st.SearchStrategy[Recipe]:
    """Recipes of up to eight bodies; keywords fix some of the ingredients."""

    def some(choices: tuple[str, ...], most: int) -> st.SearchStrategy[tuple[str, ...]]:
        return st.lists(st.sampled_from(choices), max_size=most).map(tuple)

    free = {
        "topology": st.sampled_from(TOPOLOGIES),
        "size": st.integers(1, 4),
        "joints": some(JOINTS, 2),
        "coordinates": some(COORDINATES, 2),
        "drivers": some(DRIVERS, 1),
        "forces": some(FORCES, 3),
        "gravity": st.booleans(),
        "seed": st.integers(0, 9999),
    }
    return st.builds(Recipe, **{**free, **{key: st.just(value) for key, value in fixed.items()}})


def recipe(seed: int, **fixed: Any) -> Recipe:
    """The recipe of this number."""
    rng = np.random.default_rng(seed)

    def some(choices: tuple[str, ...], most: int) -> tuple[str, ...]:
        return tuple(str(x) for x in rng.choice(choices, rng.integers(0, most + 1)))

    drawn: dict[str, Any] = {
        "topology": str(rng.choice(TOPOLOGIES)),
        "size": int(rng.integers(1, 5)),
        "joints": some(JOINTS, 2),
        "coordinates": some(COORDINATES, 2),
        "drivers": some(DRIVERS, 1),
        "forces": some(FORCES, 3),
        "gravity": bool(rng.random() < 0.7),
        "seed": seed,
    }
    return Recipe(**{**drawn, **fixed})


def build(r: Recipe) -> Model:
    """The model of a recipe: always the same one for the same recipe."""
    sketch = Forces(r)
    getattr(sketch, f"topology_{r.topology}")(r.size)
    for kind in r.joints:
        getattr(sketch, "joint_" + kind.replace("-", "_"))()
    for kind in r.drivers:
        sketch.driver(kind)
    for kind in r.coordinates:
        sketch.coordinate(kind)
    for kind in r.forces:
        sketch.force(kind)
    return Model(**sketch.data)
