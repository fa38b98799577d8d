"""Drivers with kinks and jumps: infinite forces that no channel shows are told."""

from __future__ import annotations

import pytest

import biela
from biela.results.quality.driver_jumps import driver_jumps

KINKS = {
    "table": ({"x": [0, 1, 2], "y": [0, 1, 0], "interpolation": "linear"}, 1.0, -2.0),
    "if": ("if(t < 1, t, 2 - t)", 1.0, -2.0),
    "abs": ("3*abs(t - 0.7071)", 0.7071, 6.0),
    "min": ("min(t, 1.25)", 1.25, -1.0),
    "ramp": ("max(0, t - 1e-3)*5", 1e-3, 5.0),
    "small": ("sin(3*t) + 1e-3*abs(t - 1.1)", 1.1, 2e-3),
}


def bar(law) -> biela.Model:
    m = biela.Model(name="bar").add_ground("O", 0, 0).add_point("A", 1, 0).add_bar("b", "O", "A", mass=3)
    return m.add_driver("d", "b.angle", law)


@pytest.mark.parametrize("name", KINKS)
def test_a_kink_is_told_by_inverse_dynamics_and_by_runs(name: str):
    """The effort beside it is that of no motion at all, and inverse dynamics called it complete (unless the kink falls
    between two instants: then the motion is too sudden)."""
    law, at, change = KINKS[name]
    assert sum("'d' has a kink" in note for note in biela.simulate(bar(law), 2.0).notes) == 1
    times = sorted([0.0, 0.3, at, 1.4, 2.0])
    assert sum("'d' has a kink" in note for note in biela.inverse(bar(law), times=times).notes) == 1
    (jump,) = driver_jumps(biela.assemble(bar(law)), 0.0, 2.0)
    assert jump.t == pytest.approx(at, abs=1e-6) and jump.velocity == pytest.approx(change, rel=1e-3)


def test_a_jump_is_told():
    r = biela.simulate(bar("if(t < 1, 0, 0.5)"), 2.0)
    assert any("'d' jumps by 0.5 at t = 1 s" in note for note in r.notes) and r.verdict.grade != "good"


@pytest.mark.parametrize(
    "law",
    ["sin(40*t)", "step(t, 0.5, 0, 0.6, 1)", "if(t < 1, 0.5*t^2, t - 0.5)", "t*abs(t)", "abs(sin(t) + 2)", "min(t, 5)",
     {"x": [0, 0.5, 1, 2], "y": [0, 1, 0.3, 0]}],
)  # fmt: skip
def test_what_is_smooth_enough_says_nothing(law):
    """An acceleration may jump."""
    assert driver_jumps(biela.assemble(bar(law)), 0.0, 2.0) == []


def test_a_kink_is_the_reason_of_the_energy_that_is_missing():
    """A table whose end is held while it still moves: the advice was a smaller tolerance."""
    r = biela.simulate(bar({"x": [0, 0.5, 1], "y": [0, 0.25, 1]}), 2.0)
    assert r.verdict.grade == "bad" and "'d' has a kink at t = 1 s" in r.verdict.reason and "step(t" in r.verdict.cure
