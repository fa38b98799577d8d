"""Open chains and a loop in space against equations written for each of them alone, in every set of coordinates."""

import pytest

import biela
from reference_data import SETS

# The values of the library, and how near a run at tolerance 1e-10 comes to them.
NEAR = {"puma560": 1e-7, "spatial-slider-crank": 5e-8, "spatial-chain": 1e-9}


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("model", NEAR)
def test_the_values_of_the_library(model: str, coordinates: str):
    values = biela.load(model).reference.values
    end = max(float(key.split(" @ ")[1]) for key in values)
    r = biela.simulate(model, end, coordinates=coordinates, tolerance=1e-10, samples=400)
    assert r.ok, r.explain()
    for key, expected in values.items():
        name, time = key.split(" @ ")
        assert r[name][round(400 * float(time) / end)] == pytest.approx(expected, abs=NEAR[model]), key


@pytest.mark.parametrize("n", [1, 2, 60])
def test_a_chain_of_any_length(n: int):
    """One bar swings round without falling; longer ones keep their energy."""
    model = biela.load("spatial-chain").with_parameters(n=n)
    r = biela.simulate(model, 0.5, coordinates="relative", tolerance=1e-9, samples=50)
    assert r.ok and r.system.n == n, r.explain()
    assert r.trajectory.energy_error < 1e-6
    if n == 1:
        assert r["H1.angle"][-1] == pytest.approx(2.5, abs=1e-9)
