"""The slider-crank in space: the slider is where the length of the rod puts it, and energy is kept."""

import math

import numpy as np
import pytest

import biela
from reference_data import SETS


def slider(angle: np.ndarray) -> np.ndarray:
    """x = sqrt(l^2 - yB^2 - zB^2) with B the crank pin."""
    y, z = 0.1 - 0.08 * np.sin(angle), 0.12 + 0.08 * np.cos(angle)
    return np.sqrt(0.3**2 - y**2 - z**2)


@pytest.mark.parametrize("coordinates", SETS)
def test_the_slider_in_closed_form(coordinates: str):
    r = biela.simulate("spatial-slider-crank", 2, coordinates=coordinates, tolerance=1e-10, samples=400)
    assert r.ok, r.explain()
    angle = np.asarray(r["axle.angle"])
    assert angle[-1] > 6 * math.pi  # three turns and more
    np.testing.assert_allclose(r["C.x"], slider(angle), atol=1e-10)
    np.testing.assert_allclose(r["guide.position"], r["C.x"] - slider(np.array(0.0)), atol=1e-10)
    slope = 0.08 * (0.1 * np.cos(angle) + 0.12 * np.sin(angle)) / slider(angle)
    np.testing.assert_allclose(r["C.vx"], slope * r["axle.angle.rate"], atol=1e-8)
    assert np.abs(r["energy.error"]).max() < 1e-8


def test_driven_evenly():
    """The same by kinematics, at the speed the texts give the crank."""
    model = biela.load("spatial-slider-crank")
    r = biela.kinematics(model, "axle.angle", rate=2 * math.pi)
    assert r.ok and len(r.t) == 361
    np.testing.assert_allclose(r["C.x"], slider(np.asarray(r["axle.angle"])), atol=1e-12)
