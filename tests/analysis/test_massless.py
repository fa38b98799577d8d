"""Rods without mass between two balls, and models without any mass: what needs no inertia works without it."""

from __future__ import annotations

import numpy as np
import pytest

import biela
from rods import ROD, linkage

WAYS = {"rod": linkage(ROD), "body": linkage({}, joints=True), "nothing has mass": linkage(ROD, masses=False)}


@pytest.mark.parametrize("model", WAYS.values(), ids=WAYS)
def test_kinematics_with_a_rod_without_mass(model):
    """The crank and the rocker move as with a bar of any mass: C is on a circle, at the length of the rod from B."""
    r = biela.kinematics(model, "a.angle", 0, "60 deg", count=11)
    angle = np.asarray(r["a.angle"])
    assert r.ok and np.asarray(r["B.x"]) == pytest.approx(0.1 * np.cos(angle), abs=1e-12)
    B, C = (np.stack([np.asarray(r[f"{p}.{x}"]) for x in "xyz"]) for p in "BC")
    assert np.linalg.norm(B - C, axis=0) == pytest.approx(np.sqrt(0.09 + 0.09 + 0.01), abs=1e-12)
    assert np.linalg.norm(C - [[0.4], [0], [0.1]], axis=0) == pytest.approx(0.3, abs=1e-12)
    assert np.asarray(r["C.x"]) == pytest.approx(0.4, abs=1e-12)


def test_inverse_dynamics_with_a_rod_without_mass():
    """The torque is the limit of those with lighter and lighter bars."""
    motion = {"a.angle": "0.5*t + t^2"}
    exact = np.asarray(biela.inverse(linkage(ROD), motion, t_end=0.5, samples=20)["a.angle.effort"])
    errors = []
    for mass in (1e-3, 1e-4):
        bar = linkage({"type": "bar", "points": ["B", "C"], "mass": mass})
        torque = np.asarray(biela.inverse(bar, motion, t_end=0.5, samples=20)["a.angle.effort"])
        errors.append(np.abs(torque - exact).max())
    assert errors[1] == pytest.approx(errors[0] / 10, rel=1e-3) and errors[0] < 1e-2 * np.abs(exact).max()


def test_inverse_dynamics_of_what_has_no_mass_at_all():
    r = biela.inverse(linkage(ROD, masses=False), {"a.angle": "0.5*t"}, t_end=0.5, samples=20)
    assert r.ok and np.abs(np.asarray(r["a.angle.effort"])).max() < 1e-12
    assert not any("left over" in note for note in r.notes)


def test_check_tells_the_idle_spin():
    report = biela.check(linkage(ROD))
    assert report.ok and report.idle == ["rod"] and report.sizes["natural"].freedom == 2
    assert "idle spin" in report.text() and report.data()["idle_spins"] == ["rod"]
    assert not biela.check("spatial-slider-crank").idle


@pytest.mark.parametrize("space", [False, True])
def test_check_of_a_model_for_kinematics_alone(space):
    model = linkage(ROD, masses=False)
    if not space:
        rods = {"crank": ["A", "B"], "rod": ["B", "C"], "rocker": ["C", "D"]}
        bodies = {name: {"type": "rod", "points": ends} for name, ends in rods.items()}
        points = {"B": [0.1, 0], "C": [0.5, 0.4]}
        model = biela.Model(name="f", ground={"A": [0, 0], "D": [0.5, 0]}, points=points, bodies=bodies)
    report = biela.check(model)
    assert report.ok and not report.problems
    assert any("no body has mass" in note for note in report.notes)
    with pytest.raises(biela.AssemblyError, match="without inertia"):
        biela.simulate(model, 0.1)


def test_check_still_objects_where_some_parts_have_mass_and_others_none():
    m = biela.Model(name="m", gravity=(0, -9.81)).add_ground("O", 0, 0).add_point("E", 1, 0).add_point("F", 2, 0)
    m.add_bar("b", "O", "E", mass=1).add_rod("r", "E", "F")
    assert not biela.check(m).ok
