"""An equilibrium with dry friction is one place of a band, and says how wide it is."""

import re

import pytest

import biela
from biela import Model


def slider(law: str) -> Model:
    """2 kg on a rail, a spring of 100 N/m."""
    rail = {"body": "ground", "through": "O"}
    m = Model().add_ground("O", 0, 0).add_point("P", 1, 0).add_mass("m", "P", 2)
    m.add_joint("g", "point-on-line", point="P", line=rail).add_coordinate("x", "position", point="P", along=rail)
    m.add_force("k", "spring", coordinate="x", stiffness=100, free=0.7)
    return m.add_force("f", "actuator", coordinate="x", value=law)


def width(model: Model, coordinates: str = "natural") -> float:
    report = biela.equilibrium(model, coordinates=coordinates).report()
    found = re.search(r"rests anywhere within (\S+) ", report)
    return float(found[1]) if found else 0.0


@pytest.mark.parametrize("coordinates", ["natural", "relative"])
def test_the_band_is_the_friction_over_the_stiffness_and_a_run_stays_inside_it(coordinates: str) -> None:
    model = slider("-5*sign(v) - 3*v + 1")
    band = width(model, coordinates)
    assert band == pytest.approx(5 / 100, rel=1e-3)
    middle = float(biela.equilibrium(model, coordinates=coordinates)["x"][0])
    for share, stays in ((0.95, True), (-0.95, True), (1.05, False), (-1.05, False)):
        model.start(position={"x": middle + share * band}, velocity={"x": 0})
        r = biela.simulate(model, 0.2, coordinates=coordinates)
        assert (abs(float(r["x"][-1] - r["x"][0])) < 1e-6) == stays


@pytest.mark.parametrize("law", ["-5*v", "-5*tanh(v/0.001)", "-5*v*abs(v)", "2*sign(t - 1)"])
def test_what_vanishes_with_the_speed_is_no_dry_friction(law: str) -> None:
    assert "dry friction" not in biela.equilibrium(slider(law)).report()


def test_friction_makes_no_hanging_pendulum_unstable() -> None:
    m = Model(gravity=(0, -9.81)).add_ground("O", 0, 0).add_point("A", 0.1, -1).add_point("B", 0, -2)
    m.add_bar("a", "O", "A", mass=1).add_bar("b", "A", "B", mass=1)
    m.add_force("f", "actuator", bodies=("ground", "a"), value="-0.5*sign(v)")
    found = biela.equilibrium(m)
    assert found.stable and "up to 0.5 N*m are held" in found.report() and "band" in found.report()
