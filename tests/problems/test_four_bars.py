"""N four-bars in a row (IFToMM A02): through all their singular positions, with N = 2 and with N = 40."""

import numpy as np
import pytest

import biela
from reference_data import SETS, columns, table


def follow(N: int, duration: float, coordinates: str, tolerance: float, near: float) -> biela.Result:
    model = biela.load("n-four-bar").with_parameters(N=N)
    r = biela.simulate(model, duration, coordinates=coordinates, tolerance=tolerance, samples=round(20 * duration))
    assert r.ok, r.explain()
    wanted, count = table(f"four_bars_{N}"), round(4 * duration) + 1
    np.testing.assert_allclose(r["B0"][::5], columns(wanted, "B0_x", "B0_y")[:count], atol=near)
    np.testing.assert_allclose(r["B0.velocity"][::5], columns(wanted, "B0_vx", "B0_vy")[:count], atol=10 * near)
    return r


@pytest.mark.parametrize("coordinates", SETS)
def test_two(coordinates: str):
    r = follow(2, 10, coordinates, 1e-9, 5e-5)
    assert r["energy.total"][0] == pytest.approx(35.835, abs=1e-9)
    assert r.trajectory.energy_error < 5e-5


@pytest.mark.parametrize("coordinates, duration", [("natural", 10), ("relative", 5)])
def test_forty(coordinates: str, duration: float):
    """Ten dead points in 10 s; at 1e-8 each costs some digits of the time. All the cranks stay parallel."""
    r = follow(40, duration, coordinates, 1e-8, 2e-4)
    np.testing.assert_allclose(r["B40"] - r["B0"], np.tile([40, 0], (len(r.t), 1)), atol=1e-6)
    assert r.trajectory.energy_error < 2e-6 * 1.2e3
