"""Kinematics says the same in natural, mixed, reference-point and relative coordinates (003, sections 2-5)."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import biela
from biela.analysis.kinematics import kinematics
from biela.analysis.kinematics.kinematics import KinematicResult

SETS = ("mixed", "reference-point", "relative")
CASES = (
    ("four-bar", "crank_angle"),
    ("slider-crank", None),
    ("quick-return", None),
    ("kinematics-003-four-bar", None),
    ("kinematics-003-sliding", None),
    ("spatial-slider-crank", None),
    ("cardan", None),
)


@pytest.mark.parametrize("name, coordinate", CASES)
@pytest.mark.parametrize("coordinates", SETS)
def test_the_same_motion(name: str, coordinate: str | None, coordinates: str) -> None:
    here = biela.kinematics(name, coordinate, count=25)
    other = biela.kinematics(name, coordinate, count=25, coordinates=coordinates)
    assert other.system.coordinates == coordinates and here.system.coordinates == "natural"
    assert len(other.t) == len(here.t) and other.ok == here.ok
    for point in here.system.resolved.start:
        for part in ("position", "velocity", "acceleration"):
            a, b = (np.asarray(r[f"{point}.{part}"]) for r in (here, other))
            assert a == pytest.approx(b, abs=1e-10 * max(1.0, np.abs(a).max())), (point, part)


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("name, coordinate", [("four-bar", "rocker.angle"), ("folding-four-bar", "left.angle")])
def test_the_same_dead_points(name: str, coordinate: str, coordinates: str) -> None:
    here = biela.kinematics(name, coordinate, count=61)
    other = biela.kinematics(name, coordinate, count=61, coordinates=coordinates)
    assert here.dead_points and [str(p) for p in other.dead_points] == [str(p) for p in here.dead_points]


@pytest.mark.parametrize("coordinates", SETS)
def test_the_same_branch(coordinates: str) -> None:
    own, here = (biela.kinematics("four-bar", "crank_angle", count=13, branch=k) for k in (None, 1))
    other = biela.kinematics("four-bar", "crank_angle", count=13, branch=1, coordinates=coordinates)
    a, b = np.asarray(here["B.position"]), np.asarray(other["B.position"])
    assert a == pytest.approx(b, abs=1e-12)
    assert np.abs(a - np.asarray(own["B.position"])).max() > 0.1  # really another branch


def rssr() -> biela.Model:
    m = biela.Model(name="rssr", dimension=3, gravity=(0, 0, 0))
    m.add_ground("O", 0, 0, 0).add_ground("C", 1.2, 0.3, 0)
    m.add_point("A", 0.3, 0, 0).add_point("B", 1.2, 0.3, 0.8)
    m.add_bar("crank", "O", "A", mass=1, length=0.3).add_bar("rod", "A", "B", mass=1, length=1.25)
    m.add_bar("rocker", "C", "B", mass=1, length=0.8)
    m.add_joint("shaft", "revolute", bodies=["ground", "crank"], at="O", axis=[0, 0, 1])
    m.add_joint("big", "spherical", bodies=["crank", "rod"], at="A")
    m.add_joint("small", "spherical", bodies=["rod", "rocker"], at="B")
    m.add_joint("pivot", "revolute", bodies=["ground", "rocker"], at="C", axis=[0, 1, 0])
    return m


@cache
def by_default() -> KinematicResult:
    return biela.kinematics(rssr(), "shaft.angle", count=301)


@pytest.mark.parametrize("coordinates", SETS)
def test_a_rod_between_balls_spins_idly(coordinates: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mechanism of space with quaternions, a body that nothing keeps from turning about its line, and many positions:
    in one loop where there are no quaternions, one by one where there are."""
    monkeypatch.setattr(kinematics, "MANY", 300)
    here, other = by_default(), biela.kinematics(rssr(), "shaft.angle", count=301, coordinates=coordinates)
    assert here.ok and other.ok and len(here.dead_points) == len(other.dead_points) == 0
    a, b = (np.asarray(r["B.acceleration"]) for r in (here, other))
    assert a == pytest.approx(b, abs=1e-9 * np.abs(a).max())
