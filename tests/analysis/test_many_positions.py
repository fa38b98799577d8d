"""Kinematics of many positions, in the compiled loop: the same as position by position, and as the closed form."""

from __future__ import annotations

import numpy as np
import pytest

import biela
from biela.analysis.kinematics import kinematics as way
from rods import ROD, linkage

CASES = {
    "four-bar": ("four-bar", "crank_angle"),
    "a dead point that is passed": ("slider-crank", "theta"),
    "a table of forces and springs": ("andrews", None),
    "redundant rows": ("peaucellier", None),
    "in space": ("spatial-slider-crank", "axle.angle"),
    "redundant rows, and a limit": ("bricard", None),
    "an idle spin": (linkage(ROD), "a.angle"),
}


@pytest.mark.parametrize("case", CASES)
def test_the_loop_does_what_position_by_position_does(case, monkeypatch):
    model, coordinate = CASES[case]
    options = {"count": 181} | ({"start": 0.0, "stop": 2.0} if case == "an idle spin" else {})
    slow = biela.kinematics(model, coordinate, **options)
    monkeypatch.setattr(way, "MANY", 2)
    fast = biela.kinematics(model, coordinate, **options)
    assert len(slow.t) == len(fast.t) and slow.complete == fast.complete
    assert [p.t for p in slow.dead_points] == pytest.approx([p.t for p in fast.dead_points], abs=1e-12)
    points = [p for p in slow.system.resolved.start]
    for part in ("", ".vx", ".ay"):
        for p in points[:6]:
            x, y = np.asarray(slow[p + part]), np.asarray(fast[p + part])
            assert y == pytest.approx(x, abs=1e-9 * max(1.0, np.abs(x).max()))
    assert fast.lam == pytest.approx(slow.lam, abs=1e-8 * max(1.0, np.abs(slow.lam).max()))


def test_a_torsion_spring_counts_its_turns(monkeypatch):
    spring = {"type": "spring", "bodies": ["ground", "b"], "stiffness": 2.0}
    m = biela.Model(name="t", forces={"s": spring}).add_ground("O", 0, 0).add_point("E", 0.1, 0)
    m.add_bar("b", "O", "E", mass=1)
    monkeypatch.setattr(way, "MANY", 2)
    r = biela.kinematics(m, "b.angle", 0.0, 20.0, count=60)
    assert np.asarray(r["s.moment"]) == pytest.approx(-2.0 * np.linspace(0, 20, 60), abs=1e-9)


def test_many_positions_of_a_crank_against_the_closed_form():
    """x = r cos(a) + sqrt(l^2 - r^2 sin(a)^2), with its two derivatives (003, section 3)."""
    r = biela.kinematics("slider-crank", "theta", 0.0, 1.5, count=5001, rate=2.0)
    a = np.asarray(r["theta"])
    root = np.sqrt(0.09 - 0.01 * np.sin(a) ** 2)
    slope = -0.1 * np.sin(a) - 0.01 * np.sin(a) * np.cos(a) / root
    curve = -0.1 * np.cos(a) - 0.01 * np.cos(2 * a) / root - 1e-4 * (np.sin(a) * np.cos(a)) ** 2 / root**3
    assert np.asarray(r["B.x"]) == pytest.approx(0.1 * np.cos(a) + root, abs=1e-13)
    assert np.asarray(r["B.vx"]) == pytest.approx(2 * slope, abs=1e-12)
    assert np.asarray(r["B.ax"]) == pytest.approx(4 * curve, abs=1e-11)
    assert float(np.asarray(r["violation.position"]).max()) < 1e-14
