"""Bond graphs whose errors grow on the way, or that do not get on: told, and never for ever."""

from __future__ import annotations

import sys

import pytest

import biela.bondgraph as bg


def oscillator(spring: dict, resistance: dict, source: str) -> bg.BondGraph:
    g = bg.BondGraph(name="o", domain="translation").add("v", "1").add("m", "I", inertia=1.0)
    g.add("k", "C", **spring).add("d", "R", **resistance).add("s", "Se", effort=source)
    return g.bond("b1", "s", "v").bond("b2", "v", "m").bond("b3", "v", "k").bond("b4", "v", "d")


def test_a_chaotic_oscillator_is_not_good():
    """Duffing's: the errors of its steps grow on the way."""
    g = oscillator({"effort": "q^3 - q"}, {"resistance": 0.3}, "0.5*cos(1.2*t)")
    r = g.simulate(300.0)
    assert r.ok and r.verdict.grade == "doubtful" and "errors grow" in r.verdict.reason
    assert g.simulate(20.0).verdict.grade == "good"


def test_a_tame_one_states_its_error():
    g = oscillator({"stiffness": 4.0}, {"resistance": 0.1}, "sin(t)")
    r = g.simulate(20.0)
    fine = g.simulate(20.0, tolerance=1e-12)
    off = abs(float(r["k.q"][-1]) - float(fine["k.q"][-1]))
    assert r.verdict.grade == "good" and off <= 10 * r.verdict.error < 1e-5


def test_dry_friction_that_does_not_get_on_ends_with_a_word(monkeypatch: pytest.MonkeyPatch):
    """It went on for ever, at 1e-10 s a step."""
    monkeypatch.setattr(sys.modules["biela.bondgraph.simulation.simulate"], "LOOK", 500)
    r = oscillator({"stiffness": 4.0}, {"effort": "0.3*sign(f)"}, "sin(t)").simulate(3.0)
    assert not r.finished and "dry friction" in r.explain()
    smooth = oscillator({"stiffness": 4.0}, {"effort": "0.3*tanh(f/1e-3)"}, "sin(t)")
    assert smooth.simulate(3.0, integrator="radau").finished
