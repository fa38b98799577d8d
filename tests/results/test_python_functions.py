"""Forces by Python functions: what the steps did not see is told, and `scale` lets them see it."""

import math

import pytest

import biela


def ball(function, v0: float = 0.0, **options) -> biela.Model:
    m = biela.Model(name="ball", gravity=(0, 0)).add_ground("O", 0, 0).add_point("P", 1, 0).add_mass("p", "P", 1.0)
    m.add_force("f", "actuator", points=("O", "P"), value=function, **options)
    return m.start(velocity={"P.x": v0, "P.y": 0})


def wall(t: float, x: float, v: float) -> float:
    return -100.0 if 20.0 < x < 20.01 else 0.0


@pytest.mark.parametrize("integrator", [None, "dopri5", "radau5"])
def test_a_narrow_wall_is_told(integrator) -> None:
    r = biela.simulate(ball(wall, 2.0), 24.0, samples=10, integrator=integrator)
    if abs(float(r["P.vx"][-1]) - math.sqrt(2.0)) > 1e-4:
        assert r.verdict.grade == "bad" and "scale" in r.verdict.cure and "'f'" in r.verdict.reason
    assert any("give scale=" in note for note in r.notes)


def test_with_its_scale_it_is_seen() -> None:
    r = biela.simulate(ball(wall, 2.0, scale="10 mm"), 24.0, samples=10)
    assert r.ok and float(r["P.vx"][-1]) == pytest.approx(math.sqrt(2.0), rel=1e-5)
    assert not any("give scale=" in note for note in r.notes)


def test_a_pulse_from_rest() -> None:
    """It begins with a jump, and nothing moves that errors could be compared with."""
    m = biela.Model(name="ball", gravity=(0, 0)).add_ground("O", 0, 0).add_point("P", 1, 0).add_mass("p", "P", 1.0)
    pulse = [lambda t, x, v: 1000.0 if 3.7123 < t < 3.7133 else 0.0, 0]
    m.add_force("f", "force", point="P", value=pulse, scale="1 ms")
    r = biela.simulate(m, 10.0, samples=10)
    assert r.finished and float(r["P.vx"][-1]) == pytest.approx(1.0, rel=1e-6)


def test_smooth_functions_are_good() -> None:
    for function in (lambda t, x, v: -40.0 * (x - 1.0) - 0.1 * v, lambda t, x, v: 3.0 * math.sin(5.0 * t)):
        r = biela.simulate(ball(function, 1.0), 10.0)
        assert r.verdict.grade == "good", r.verdict
