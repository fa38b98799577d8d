"""Dry friction, written as a law that jumps with the speed: it holds, lets go and catches again. Closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import biela
from biela.model import expression as ex

SETS = ["natural", "reference-point", "relative", "mixed"]


def slider(place: float = 0.0, speed: float = 0.0, law: str = "-2*sign(v)", push: str = "0") -> biela.Model:
    """1 kg on a rail."""
    m = biela.Model(name="slider", gravity=(0, 0)).add_ground("O", 0, 0).add_ground("U", 1, 0)
    m.add_point("P", place, 0).add_mass("p", "P", 1.0).add_joint("rail", "point-on-line", point="P", line=["O", "U"])
    m.add_coordinate("s", "position", point="P", along=["O", "U"])
    m.add_force("friction", "actuator", coordinate="s", value=law)
    m.add_force("push", "force", point="P", value=[push, 0])
    return m.start(position={"s": place}, velocity={"s": speed})


def end(model: biela.Model, t_end: float, **options) -> float:
    r = biela.simulate(model, t_end, **options)
    assert r.ok and r.verdict.grade == "good", r.explain()
    return float(r["s"][-1])


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("speed", [0.0, 1e-12, 1e-9, 1e-6])
def test_a_growing_push_lets_it_go(coordinates, speed):
    """At rest until the push is as large as the friction, then x = (t - 2)^3/6: whatever was seen before."""
    assert end(slider(speed=speed, push="t"), 5.0, coordinates=coordinates) == pytest.approx(4.5, abs=1e-5)


@pytest.mark.parametrize("integrator", ["auto", "radau5"])
def test_friction_and_push_in_one_law(integrator):
    assert end(slider(law="t - 2*sign(v)"), 5.0, integrator=integrator) == pytest.approx(4.5, abs=1e-5)


def test_a_sudden_push():
    assert end(slider(push="if(t > 2, 3, 1)"), 5.0) == pytest.approx(4.5, abs=1e-5)
    assert end(slider(speed=1.0, push="if(t > 2, 3, 1)"), 5.0) == pytest.approx(5.0, abs=1e-5)


def test_what_is_held_does_not_creep_away():
    assert end(slider(speed=1.0, law="-sign(v)", push="0.9"), 1e5) == pytest.approx(5.0, abs=1e-4)
    assert end(slider(speed=1000.0, law="-1000*sign(v)", push="if(t < 2, 0, 900)"), 1e3) == pytest.approx(500, rel=1e-5)


def test_samples_of_what_is_held():
    """A step may be longer than what happens at its start, and samples are no worse for it."""
    r = biela.simulate(slider(speed=1000.0, law="-1000*sign(v)", push="if(t < 2, 0, 900)"), 1e3, samples=2000)
    held = np.asarray(r.t) > 1.1
    assert np.abs(np.asarray(r["s.rate"])[held]).max() < 1e-3


@pytest.mark.parametrize("place", [2.0, 1.9, 3.3, 0.7])
def test_a_switch_within_a_switch(place):
    """Full force to the origin, and there for good: both the condition and |v| within it change there."""
    r = biela.simulate(slider(place=place, law="if(x + v*abs(v)/2 > 0, -1, 1)"), 5.0)
    assert r.finished and abs(float(r["s"][-1])) < 1e-4, r.explain()


@pytest.mark.parametrize("integrator", ["auto", "radau5"])
def test_a_mass_on_a_belt(integrator):
    """It goes with the belt until the spring is as strong as the friction, then slips: the same stick and slip in every
    cycle. Stuck from the start: x = t/2 up to x = 1, then a sine about x = 1 that comes back to the belt's speed."""
    m = slider(speed=0.5, law="-sign(v - 0.5)").add_force("k", "spring", coordinate="s", stiffness=1, free=0)
    r = biela.simulate(m, 8.0, integrator=integrator)
    t, x = np.asarray(r.t), np.asarray(r["s"])
    exact = np.where(t < 2, 0.5 * t, 1 + 0.5 * np.sin(t - 2))
    before = t < 2 + 2 * np.pi - 0.01
    assert r.ok and np.abs(x - exact)[before].max() < 1e-4, r.explain()


def test_friction_beside_a_stop_and_a_lock_does_not_crawl():
    m = slider(speed=3.0, law="-sign(v)").add_stop("w", "s", upper=2, restitution=0.5)
    r = biela.simulate(m, 5.0)
    speed = 0.5 * np.sqrt(9 - 4)
    assert r.finished and float(r["s"][-1]) == pytest.approx(2 - speed**2 / 2, abs=1e-5)
    assert r.trajectory.steps < 10_000
    m = slider(speed=3.0, law="-sign(v)").add_lock("l", "s", closes="s.rate < 1", opens="4 s")
    r = biela.simulate(m, 7.0)
    assert r.finished and float(r["s"][-1]) == pytest.approx(4.0, abs=1e-5) and r.trajectory.steps < 10_000


def test_the_sign_of_a_numpy_number():
    assert ex.evaluate(ex.parse("sign(v)"), {"v": np.float64(-3.0)}) == -1.0
