"""A cone on its apex with the spin that carries its weight: the axis goes round and never nods."""

import math

import numpy as np
import pytest

import biela
from reference_data import SETS


@pytest.mark.parametrize("coordinates", SETS)
def test_the_circle(coordinates: str):
    r = biela.simulate("steady-precession", 2, coordinates=coordinates, tolerance=1e-10, samples=200)
    assert r.ok, r.explain()
    t = np.asarray(r.t)
    circle = np.column_stack([np.cos(10 * t), np.sin(10 * t)])
    np.testing.assert_allclose(r["G"][:, :2], 0.0649519052838329 * circle, atol=2e-8)
    np.testing.assert_allclose(r["G.z"], 0.0375, atol=2e-8)
    axis = r.body_motion("top").R[0][:, :, 2]
    np.testing.assert_allclose(np.arccos(axis[:, 2]), math.pi / 3, atol=1e-6)  # no nutation
    spin = np.einsum("ki,ki->k", r["top.angular_velocity"], axis) - 10 * axis[:, 2]
    np.testing.assert_allclose(spin, 135.6, atol=1e-5)


def test_the_numbers_of_the_cone():
    top = biela.assemble("steady-precession").resolved.bodies["top"]
    assert top.mass == pytest.approx(0.7068583470577036, rel=1e-14)
    np.testing.assert_allclose(top.inertia, 5.301437602932777e-4 * np.eye(3), atol=1e-17)
