"""Laws that bend right at an equilibrium: central differences see the mean of both sides, and that is told."""

from __future__ import annotations

import numpy as np
import pytest

import biela


def slider(law) -> biela.Model:
    m = biela.Model(name="m", gravity=(0, 0)).add_ground("O", 0, 0).add_ground("E", 1, 0).add_point("P", 1, 0)
    m.add_mass("a", "P", 1).add_joint("g", "point-on-line", point="P", line=["O", "E"])
    return m.add_force("f", "actuator", points=("O", "P"), value=law)


KINKS = {
    "if": ("if(x > 1, -400*(x - 1), -100*(x - 1))", 250.0, 0.6),
    "abs": ("-100*(x - 1) - 3*abs(x - 1)", 100.0, 0.03),
    "table": ({"x": [0, 1, 2], "y": [100, 0, -300], "interpolation": "linear"}, 200.0, 0.5),
}


@pytest.mark.parametrize("coordinates", ["natural", "relative"])
@pytest.mark.parametrize("name", KINKS)
def test_a_kink_is_told(name: str, coordinates: str):
    """It gave sqrt(250) rad/s and no word, where the one side has 20 rad/s and the other 10."""
    law, mean, share = KINKS[name]
    lin = biela.linearise(slider(law), coordinates=coordinates)
    assert lin.space.kink == pytest.approx(share, rel=1e-6)
    assert any("kink" in note and f"{100 * share:.2g} %" in note for note in lin.notes), lin.notes
    assert not any("no stiffness" in note for note in lin.notes)
    assert lin.frequencies[0] == pytest.approx(np.sqrt(mean), rel=1e-6)


@pytest.mark.parametrize(("law", "stays"), [("if(x > 1, 50*(x - 1), -400*(x - 1))", False), (KINKS["if"][0], True)])
def test_an_equilibrium_with_one_side_that_drives_away_is_unstable(law: str, stays: bool):
    """The mean of both stiffnesses is positive in either case."""
    e = biela.equilibrium(slider(law), seek="nearest")
    assert float(np.ravel(e["P.x"])[-1]) == pytest.approx(1.0, abs=1e-9) and e.stable == stays
    assert any("kink" in note for note in e.notes)


@pytest.mark.parametrize("law", ["-100*(x - 1) - 30*(x - 1)^2", "-100*(x - 1)*exp(5*(x - 1))", "-100*sin(3*x - 3) - v",
                                 "-100*(x - 1) - 1e3*(x - 1)^3 - 2*v*abs(v)"])  # fmt: skip
def test_what_is_smooth_has_no_kink(law: str):
    lin = biela.linearise(slider(law))
    assert lin.space.kink < 1e-7 and not any("kink" in note for note in lin.notes)


@pytest.mark.parametrize("name", ["four-bar", "double-pendulum", "slider-crank"])
def test_mechanisms_have_none(name: str):
    assert biela.linearise(name, at="start").space.kink < 1e-7
