"""Springs by their strain: V = k (e(x) - e0)^2 / 2, 002 (56)."""

import numpy as np
import pytest

import biela
from biela import Model, ModelError


def mass(**spring) -> Model:
    m = Model(parameters={"k": 3.0}).add_ground("O", 0, 0).add_point("P", 1.2, 0).add_mass("m", "P", 2.0)
    m.add_joint("g", "point-on-line", point="P", line={"body": "ground", "through": "O"})
    m.add_coordinate("x", "position", point="P", along={"body": "ground", "through": "O"})
    return m.add_force("s", "spring", coordinate="x", **spring)


@pytest.mark.parametrize("strain, V, F", [
    ("x^2", lambda x: 1.5 * x**4, lambda x: -6 * x**3),
    ("sin(x)", lambda x: 1.5 * np.sin(x) ** 2, lambda x: -3 * np.sin(x) * np.cos(x)),
])  # fmt: skip
def test_force_and_energy(strain: str, V, F):
    r = biela.simulate(mass(stiffness="k", strain=strain), 2, tolerance=1e-10, samples=50)
    x, a = np.asarray(r["x"]), np.asarray(r["x.acceleration"]) if "x.acceleration" in r else np.asarray(r["P.ax"])
    assert 2.0 * a == pytest.approx(F(x), abs=1e-9)
    assert np.asarray(r["energy.potential"]) == pytest.approx(V(x), abs=1e-9) and r.trajectory.energy_error < 1e-7


def test_free_and_the_same_by_a_potential():
    a = biela.simulate(mass(stiffness=3, strain="x^2", free=0.5), 2, tolerance=1e-10)
    b = biela.simulate(mass(potential="1.5*(x^2 - 0.5)^2"), 2, tolerance=1e-10)
    assert np.abs(np.asarray(a["x"]) - np.asarray(b["x"])).max() < 1e-12


BAD = {
    "no stiffness": ({"strain": "x^2"}, "has no stiffness"),
    "both": ({"strain": "x^2", "potential": "x^4", "stiffness": 1}, "a strain and a potential"),
    "no x": ({"strain": "2*k", "stiffness": 1}, "does not depend on x"),
    "negative": ({"strain": "x^2", "stiffness": -1}, "is not positive"),
    "a unit": ({"strain": "x^2", "stiffness": "2 N/m"}, "number"),
    "nonsense": ({"strain": "x^", "stiffness": 1}, "cannot be understood"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad(what: str):
    spring, words = BAD[what]
    with pytest.raises(ModelError) as caught:
        biela.simulate(mass(**spring), 1)
    assert words in str(caught.value)
