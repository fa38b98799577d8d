"""Sources that act for a moment only: their impulse arrives, by every integrator, and a run says how good it is."""

from __future__ import annotations

import math

import pytest

import biela.bondgraph as bg
from biela.bondgraph.simulation.steps import SCIPY, STEPS


def pushed(law) -> bg.BondGraph:
    g = bg.BondGraph(name="pushed", domain="translation")
    g.add("v", "1").add("mass", "I", inertia=1.0).add("push", "Se", effort=law)
    return g.bond("b1", "push", "v").bond("b2", "v", "mass")


def pulse(width: float) -> str:
    return f"if(t > 17.123, if(t < {17.123 + width}, {1 / width}, 0), 0)"


def triangle(width: float) -> dict:
    x = [0, 17.123, 17.123 + width / 2, 17.123 + width, 100]
    return {"x": x, "y": [0, 0, 2 / width, 0, 0], "interpolation": "linear"}


@pytest.mark.parametrize("width", [1e-2, 1e-3, 1e-4, 1e-6])
@pytest.mark.parametrize("law", [pulse, triangle])
def test_the_impulse_of_a_short_pulse_arrives(law, width):
    r = bg.simulate(pushed(law(width)), 100.0)
    assert float(r["mass.p"][-1]) == pytest.approx(1.0, rel=1e-7)
    assert r.ok and r.verdict.grade == "good"


def test_a_short_bell_and_a_short_smooth_step_arrive():
    r = bg.simulate(pushed(f"{1e4 / math.sqrt(2 * math.pi)}*exp(-((t - 17.123)/1e-4)^2/2)"), 100.0)
    assert float(r["mass.p"][-1]) == pytest.approx(1.0, rel=1e-8)
    r = bg.simulate(pushed("step(t, 17.123, 0, 17.124, 5) - step(t, 17.125, 0, 17.126, 5)"), 100.0)
    assert float(r["mass.p"][-1]) == pytest.approx(0.01, rel=1e-8)


def test_what_comes_again_is_met_every_time():
    r = bg.simulate(pushed("if(sin(t) > 0.999, 1, 0)"), 100.0)
    assert float(r["mass.p"][-1]) == pytest.approx(32 * math.acos(0.999), rel=1e-9)


@pytest.mark.parametrize("integrator", [*STEPS, *SCIPY])
def test_steps_of_every_integrator_end_where_a_law_switches(integrator):
    r = bg.simulate(pushed(pulse(1e-3)), 100.0, integrator=integrator)
    assert float(r["mass.p"][-1]) == pytest.approx(1.0, rel=1e-9)


def test_fixed_steps_longer_than_a_law_say_so():
    r = bg.simulate(pushed("1000*exp(-((t - 17.123)/1e-3)^2/2)"), 100.0, integrator="rk4", step=0.1)
    assert r.verdict.grade != "good" and "finished, " in r.quality()
    assert any(e.name == "hidden" for e in r.verdict.evidence)
