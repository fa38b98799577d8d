"""Verdicts on motions that are right: at rest under forces that balance, and after a short blow."""

from __future__ import annotations

import math

import pytest

import biela


@pytest.mark.parametrize("far", [1, 100])
def test_what_friction_holds_at_rest_is_not_bad(far):
    m = biela.Model(name="held", gravity=(0, 0)).add_ground("O", -far, 0).add_point("P", 0, 0).add_mass("p", "P", 1.0)
    m.add_force("push", "force", point="P", value=["0.9*sin(t)", 0])
    m.add_force("f", "actuator", points=("O", "P"), value="-sign(v)")
    r = biela.simulate(m, 20.0)
    assert abs(float(r["P.x"][-1])) < 1e-6 * far
    assert r.ok and r.verdict.grade != "bad"


def test_friction_that_holds_and_lets_go_far_from_its_other_end_comes_to_the_end():
    m = biela.Model(name="slip", gravity=(0, 0)).add_ground("O", -100, 0).add_point("P", 0, 0).add_mass("p", "P", 1.0)
    m.add_force("push", "force", point="P", value=["1.05*sin(t)", 0])
    m.add_force("f", "actuator", points=("O", "P"), value="-sign(v)")
    r = biela.simulate(m, 20.0)
    assert r.ok and r.verdict.grade != "bad" and abs(float(r["P.x"][-1])) < 1e-4  # as far back as forth
    # it slips from asin(1/1.05) on, until its speed is used up
    assert float(abs(r["P.vx"]).max()) == pytest.approx(0.0206, abs=3e-4)


def test_a_blow_between_two_samples_counts_as_energy_exchanged():
    m = biela.Model(name="blow", gravity=(0, 0)).add_ground("O", 0, 0).add_ground("E", 1, 0)
    m.add_point("P", 1, 0).add_point("Q", 2, 0).add_mass("a", "P", 1.0).add_mass("b", "Q", 1.0)
    m.add_joint("g1", "point-on-line", point="P", line=["O", "E"])
    m.add_joint("g2", "point-on-line", point="Q", line=["O", "E"])
    m.add_force("k", "spring", points=("P", "Q"), stiffness=1.0, free=1.0)
    m.add_driver("d", "P.x", "1 + 0.4*exp(-((t - 17.123)/1e-4)^2/2)")
    r = biela.simulate(m, 40.0)
    right = 0.4e-4 * math.sqrt(2 * math.pi) * math.cos(40 - 17.123)
    assert float(r["Q.vx"][-1]) == pytest.approx(right, rel=1e-3)
    assert r.ok and r.verdict.grade == "good"
