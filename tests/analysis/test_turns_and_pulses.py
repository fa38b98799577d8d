"""Whole turns that only the user knows, and pulses that an error-controlled step could leap over."""

from math import pi, radians

import numpy as np
import pytest

import biela


def bar() -> biela.Model:
    """A bar of moment of inertia 1 kg m^2 about its pin, no gravity."""
    m = biela.Model(name="bar").add_ground("O", 0, 0).add_point("A", 1, 0)
    return m.add_bar("b", "O", "A", length=1, mass=3)


def sprung() -> biela.Model:
    return bar().add_force("k", "spring", bodies=("ground", "b"), stiffness=4, free=0)


PULSES = {
    "table": {"x": [0, 4, 4.1, 4.6, 4.7, 10], "y": [0, 0, 10, 10, 0, 0], "interpolation": "linear"},
    "step": "10*(step(t, 4, 0, 4.1, 1) - step(t, 4.6, 0, 4.7, 1))",
    "function": lambda t, x, v: float(np.interp(t, [0, 4, 4.1, 4.6, 4.7, 10], [0, 0, 10, 10, 0, 0])),
    "short": "6/(0.001*sqrt(pi))*exp(-((t - 5)/0.001)^2)",
}


@pytest.mark.parametrize("pulse", PULSES)
@pytest.mark.parametrize("integrator", [None, "dop853", "radau"])
def test_a_pulse_is_not_leapt_over(pulse: str, integrator: str | None):
    """Its impulse is 6 N m s: the bar, at rest before, ends with 6 rad/s."""
    model = bar().add_force("f", "moment", body="b", value=PULSES[pulse])
    r = biela.simulate(model, 10, integrator=integrator)
    assert r.ok, r.explain()
    assert abs(r["b.rate"][-1] - 6) < 1e-4


@pytest.mark.parametrize("degrees", [200, -300, 350, 720, 1000])
def test_a_torsion_spring_starts_with_the_turns_it_is_given(degrees: float):
    m = sprung().start(position={"b.angle": f"{degrees} deg"})
    r = biela.simulate(m, 1.0)
    angle = radians(degrees)
    assert abs(r["b.angle"][0] - angle) < 1e-12 * abs(angle) and abs(r["k.angle"][0] - angle) < 1e-9
    assert abs(r["k.moment"][0] + 4 * angle) < 1e-9
    assert abs(r["b.angle"][-1] - angle * np.cos(2.0)) < 1e-6 * abs(angle)  # omega = sqrt(4/1)
    assert abs(r["energy.error"]).max() < 1e-6 * r.energy_scale


def test_through_a_coordinate_or_between_bodies_is_the_same():
    ends = []
    for where in ({"bodies": ("ground", "b")}, {"coordinate": "b.angle"}):
        m = bar().add_force("k", "spring", stiffness=4, free=0, damping=0.3, **where)
        m.start(position={"b.angle": "500 deg"})
        ends.append(biela.simulate(m, 2.0, tolerance=1e-10)["A"][-1])
    assert abs(ends[0] - ends[1]).max() < 1e-7


def test_a_driver_tells_the_turns_too():
    r = biela.simulate(sprung().add_driver("d", "b.angle", "4 + t"), 1.0)
    assert abs(r["b.angle"] - (4 + r.t)).max() < 1e-9
    assert abs(r["k.moment"] + 4 * (4 + r.t)).max() < 1e-7 and abs(r["d.effort"] - 4 * (4 + r.t)).max() < 1e-7


@pytest.mark.parametrize("count", [6, 21, 200])
def test_kinematics_counts_turns_however_few_the_positions(count: int):
    r = biela.kinematics(sprung(), "b.angle", start=0, stop=20, count=count)
    angle = np.linspace(0, 20, count)
    assert abs(r["b.angle"] - angle).max() < 1e-9
    assert abs(r["k.moment"] + 4 * angle).max() < 1e-8 and abs(r["input_.effort"] - 4 * angle).max() < 1e-8


def test_verbs_take_units_and_refuse_nonsense():
    r = biela.kinematics(sprung(), "b.angle", start="200 deg", stop="300 deg", count=3, rate="60 rpm")
    assert abs(r["b.rate"] - 2 * pi).max() < 1e-9 and abs(r["b.angle"][-1] - radians(300)) < 1e-9
    assert biela.simulate(bar(), "2 s", integrator="rk4", step="2 ms").trajectory.steps == 1000
    for wrong in ({"t_end": "2 kg"}, {"t_end": 1, "samples": "a"}, {"t_end": np.array([1.0, 2.0])}):
        with pytest.raises(biela.MethodError):
            biela.simulate(bar(), **wrong)


def test_names_can_be_looked_for_in_a_result():
    r = biela.simulate(bar(), 0.1)
    assert "b.angle" in r and "t" in r and "c.angle" not in r and "A.x" in list(r)
