"""Random mechanisms in space: poses of the bodies are drawn first and the joints made to fit, so every joint holds.

A `SpaceRecipe` says what a mechanism contains; `build_space` makes the model; `space_recipes()` is the hypothesis
strategy and `space_recipe(seed)` the plain seeded function. Places and axes are said in all the ways the model
allows: by numbers, by points of one or both bodies, by named directions, in each body's own axes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from biela import Model
from spatial.forces import COORDINATES, DRIVERS, FORCES, Forces
from spatial.joints import JOINTS
from spatial.loops import TOPOLOGIES, Loops


@dataclass(frozen=True)
class SpaceRecipe:
    """What a mechanism is to contain. Every joint and every driver brings a body of its own along."""

    topology: str = "chain"
    size: int = 1
    joints: tuple[str, ...] = ()
    coordinates: tuple[str, ...] = ()
    drivers: tuple[str, ...] = ()
    forces: tuple[str, ...] = ()
    gravity: bool = True
    links: tuple[str, ...] | None = None
    """joints of chains and trees, one after the other; None: any"""
    shape: str | None = None
    """of all bodies; None: each another one"""
    law: str | None = None
    element: str | None = None
    seed: int = 0


def space_recipes(**fixed: Any) -> st.SearchStrategy[SpaceRecipe]:
    """Recipes of up to twelve bodies; keywords fix some of the ingredients."""

    def some(choices: tuple[str, ...], most: int) -> st.SearchStrategy[tuple[str, ...]]:
        return st.lists(st.sampled_from(choices), max_size=most).map(tuple)

    free = {
        "topology": st.sampled_from(TOPOLOGIES),
        "size": st.integers(1, 4),
        "joints": some(JOINTS, 2),
        "coordinates": some(COORDINATES, 1),
        "drivers": some(DRIVERS, 1),
        "forces": some(FORCES, 3),
        "gravity": st.booleans(),
        "seed": st.integers(0, 9999),
    }
    return st.builds(SpaceRecipe, **{**free, **{key: st.just(value) for key, value in fixed.items()}})


def space_recipe(seed: int, **fixed: Any) -> SpaceRecipe:
    """The recipe of this number."""
    rng = np.random.default_rng(seed)

    def some(choices: tuple[str, ...], most: int) -> tuple[str, ...]:
        return tuple(str(x) for x in rng.choice(choices, rng.integers(0, most + 1)))

    drawn: dict[str, Any] = {
        "topology": str(rng.choice(TOPOLOGIES)),
        "size": int(rng.integers(1, 5)),
        "joints": some(JOINTS, 2),
        "coordinates": some(COORDINATES, 1),
        "drivers": some(DRIVERS, 1),
        "forces": some(FORCES, 3),
        "gravity": bool(rng.random() < 0.7),
        "seed": seed,
    }
    return SpaceRecipe(**{**drawn, **fixed})


class Sketch(Loops, Forces):
    """A mechanism being drawn."""


def build_space(r: SpaceRecipe) -> Model:
    """The model of a recipe: always the same one for the same recipe."""
    sketch = Sketch(r)
    getattr(sketch, f"topology_{r.topology}")(r.size)
    for kind in r.joints:
        sketch.attach(kind)
    for kind in r.drivers:
        sketch.driver(kind)
    for kind in r.coordinates:
        sketch.coordinate(kind)
    for kind in r.forces:
        sketch.force(kind)
    return Model(**sketch.data)
