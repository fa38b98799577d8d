"""Random mechanisms of every kind, as plain data: the recipes of the tests, with what a kind asks for."""

from __future__ import annotations

import tomllib
from typing import Any

import numpy as np

from biela.model.write import to_toml
from fuzz.case import Case
from fuzz.decades import scattered
from fuzz.velocities import set_moving
from mechanisms import DRIVERS as PLANE_DRIVERS
from mechanisms import FORCES, JOINTS, TOPOLOGIES, build, recipe
from space_mechanisms import build_space, space_recipe
from spatial.forces import DRIVERS as SPACE_DRIVERS
from spatial.forces import FORCES as SPACE_FORCES
from spatial.joints import COUPLINGS
from spatial.joints import JOINTS as SPACE_JOINTS
from spatial.loops import TOPOLOGIES as SPACE_TOPOLOGIES

OPEN = ("chain", "tree")
SIZES = (1, 1, 1, 2, 2, 3)
"""of the recipes: faults of methods show in small mechanisms, of which there can be many"""
LAWS = ("expression", "table")
"""Python functions are drawn elsewhere: they cannot be written into a file"""


def some(rng: np.random.Generator, choices: Any, least: int, most: int) -> tuple[str, ...]:
    return tuple(str(x) for x in rng.choice(list(choices), rng.integers(least, most + 1)))


def draw(kind: str, seed: int) -> Case:
    """The mechanism of this kind and number, moving."""
    rng = np.random.default_rng([seed, 3])
    number = int(rng.integers(2**31))
    fixed: dict[str, Any] = {"law": str(rng.choice(LAWS)), "size": int(rng.choice(SIZES))}
    space = kind.startswith("space") or kind == "screws and gears" or (kind in BOTH and rng.random() < 0.5)
    topologies, drivers, forces = (
        (SPACE_TOPOLOGIES, SPACE_DRIVERS, SPACE_FORCES) if space else (TOPOLOGIES, PLANE_DRIVERS, FORCES)
    )
    closed = [t for t in topologies if t not in OPEN and t != "redundant"]
    some_of = OPEN if kind.endswith("open") else closed if kind.endswith("loops") else topologies
    fixed["topology"] = str(rng.choice(some_of))
    fixed["drivers"], fixed["forces"] = (), some(rng, forces, 0, 2)
    joints = [j for j in (SPACE_JOINTS if space else JOINTS) if j != "user" or kind != "decades"]
    fixed["joints"] = some(rng, joints, 0, 2)
    if kind == "redundant":
        fixed |= {"topology": "redundant", "joints": some(rng, SPACE_JOINTS if space else JOINTS, 0, 1)}
    elif kind == "drivers":
        fixed |= {"drivers": some(rng, drivers, 1, 2), "topology": str(rng.choice(["chain", "tree", "loop"]))}
    elif kind == "screws and gears":
        fixed |= {"joints": some(rng, ("screw", *COUPLINGS), 1, 2), "topology": str(rng.choice(["chain", "loop"]))}
    elif kind == "forces":
        fixed |= {"forces": some(rng, forces, 2, 5), "joints": ()}
    model = build_space(space_recipe(number, **fixed)) if space else build(recipe(number, **fixed))
    data = set_moving(tomllib.loads(to_toml(model)), number)
    more: dict[str, Any] = {"duration": 0.3}
    if kind == "decades":
        data = scattered(data, rng)
        more["units"] = [float(10 ** rng.uniform(-3, 3)) for _ in range(3)]
    return Case(kind, seed, data, more)


BOTH = ("redundant", "drivers", "forces", "decades")
"""kinds that are of the plane or of space"""
