"""Locks and moving limits that hold for a moment only, far shorter than a step: none is stepped over."""

from __future__ import annotations

import math

import numpy as np
import pytest

import biela


def sliding(v: float = 1.0) -> biela.Model:
    m = biela.Model(name="sliding", gravity=(0, 0)).add_ground("O", 0, 0).add_point("P", 0, 1).add_mass("p", "P", 1.0)
    return m.start(velocity={"P.x": v, "P.y": 0}) or m


@pytest.mark.parametrize(
    ("closes", "right"),
    [
        ("abs(P.x - 17.123) < 1e-4", 17.1229),
        ("abs(P.x - 17.123) < 1e-9", 17.123),
        ("abs(t - 17.123) < 1e-3", 17.122),
        ("exp(-((t - 17.123)/1e-3)^2/2) > 0.5", 17.123 - 1e-3 * math.sqrt(2 * math.log(2))),
        ("sin(t) > 0.999999", math.asin(0.999999)),
        ("min(P.x - 17, 17.001 - P.x) > 0", 17.0),
        ("P.x - P.y > 16.5", 17.5),
    ],
)
@pytest.mark.parametrize("options", [{}, {"integrator": "rk4", "step": 0.01}], ids=["controlled", "fixed"])
def test_a_short_condition_closes_its_lock(closes, right, options):
    m = sliding().add_lock("b", "P.x", closes=closes)
    r = biela.simulate(m, 40.0, **options)
    assert len(r.events) == 1
    assert float(r["P.x"][-1]) == pytest.approx(right, abs=3e-9)
    assert r.trajectory.seen.untold == 0


def test_touching_without_holding_closes_nothing():
    m = sliding().add_lock("b", "P.x", closes="-(P.x - 17.123)^2 > 0").add_lock("c", "P.y", closes="sin(t) > 1")
    r = biela.simulate(m, 40.0)
    assert not len(r.events) and float(r["P.x"][-1]) == pytest.approx(40.0)
    assert r.verdict.grade == "good"


@pytest.mark.parametrize("coordinates", ["natural", "relative"])
def test_a_short_condition_on_a_curved_path(coordinates):
    def swing(closes: str) -> biela.Model:
        m = biela.Model(name="swing", gravity=(0, -9.81)).add_ground("A", 0, 0).add_point("B", 1, 0)
        m.add_bar("rod", "A", "B", mass=1.0)
        m.add_coordinate("phi", "angle", of=["A", "B"])
        return m.add_lock("brake", "phi", closes=closes)

    r = biela.simulate(swing("abs(B.x - 0.3) < 1e-7"), 5.0, coordinates=coordinates)
    assert len(r.events) == 1 and r.trajectory.seen.untold == 0
    assert float(r["B.x"][-1]) == pytest.approx(0.3 + 1e-7, abs=1e-10)
    speed = -math.sqrt(3 * 9.81 * 0.5) * math.cos(math.radians(30))  # of B when it has come down by half a metre
    r = biela.simulate(swing(f"abs(B.vy - {speed}) < 1e-6"), 5.0, coordinates=coordinates)
    assert len(r.events) == 1 and r.trajectory.seen.untold == 0
    at = np.searchsorted(np.asarray(r.t), r.events[0].t)
    assert float(r["B.vy"][at]) == pytest.approx(speed, abs=2e-6)


def test_what_opens_for_a_moment_opens():
    m = sliding().add_lock("b", "P.x", closes="2 s", opens="abs(t - 17.123) < 1e-5")
    r = biela.simulate(m, 40.0)
    assert [e.kind for e in r.events][:1] and len(r.events) == 2
    assert r.events[1].t == pytest.approx(17.12299, abs=1e-9)


@pytest.mark.parametrize("end", [40.0, 400.0, 4000.0])
@pytest.mark.parametrize("width", [1e-3, 1e-5])
def test_a_short_blow_of_a_moving_limit_is_met_in_a_run_of_any_length(width, end):
    m = biela.Model(name="blow", gravity=(0, 0)).add_ground("O", 0, 0).add_point("P", 0, 1).add_mass("p", "P", 1.0)
    m.add_stop("f", f"P.y - 1.1*exp(-((t - 17.123)/{width})^2/2)", lower=0, restitution=1.0)
    r = biela.simulate(m, end)
    s = -math.sqrt(2 * math.log(1.1))  # where the limit reaches 1, in widths
    assert len(r.events) == 1
    assert float(r["P.vy"][-1]) == pytest.approx(-2 * 1.0 * s / width, rel=1e-6)

