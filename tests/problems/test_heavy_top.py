"""The heavy top of Geradin and Cardona: position, orientation, spin and reaction at many instants."""

import numpy as np
import pytest

import biela
from reference_data import SETS, columns, table

# At tolerance 1e-10 natural coordinates lose most: twelve numbers turn with the top where four suffice.
NEAR = {"natural": 1e-6, "reference-point": 1e-8, "relative": 1e-7}


@pytest.mark.parametrize("coordinates", SETS)
def test_the_motion(coordinates: str):
    wanted, near = table("heavy_top"), NEAR[coordinates]
    r = biela.simulate("heavy-top", 2, coordinates=coordinates, tolerance=1e-10, samples=400)
    assert r.ok, r.explain()
    at = slice(0, None, 20)
    np.testing.assert_allclose(r.t[at], wanted["t"], atol=1e-12)
    np.testing.assert_allclose(r["G"][at], columns(wanted, *"xyz"), atol=near)
    turn, expected = np.asarray(r["top.quaternion"][at]), columns(wanted, "q0", "q1", "q2", "q3")
    np.testing.assert_allclose(turn * np.sign(np.sum(turn * expected, axis=1))[:, None], expected, atol=near)
    np.testing.assert_allclose(r["top.spin"][at], columns(wanted, "Wx", "Wy", "Wz"), atol=20 * near)
    np.testing.assert_allclose(r["O.reaction"][at], columns(wanted, "Rx", "Ry", "Rz"), atol=1e4 * near)
    np.testing.assert_allclose(r["O.moment"], 0, atol=1e-7)


@pytest.mark.parametrize("coordinates", SETS)
def test_what_it_keeps(coordinates: str):
    r = biela.simulate("heavy-top", 2, coordinates=coordinates, tolerance=1e-10, samples=200)
    near = 100 * NEAR[coordinates]
    np.testing.assert_allclose(r["energy.total"], 5435.696790865547, atol=near)
    np.testing.assert_allclose(r["top.wy"], 150, atol=near)
    W, R = np.asarray(r["top.spin"]), r.body_motion("top").R[0]
    about_pivot = np.einsum("kij,kj->ki", R, W * [15.234375, 0.46875, 15.234375])
    np.testing.assert_allclose(about_pivot[:, 2], -70.3124296875, atol=near)


@pytest.mark.parametrize("coordinates", SETS)
def test_how_it_starts(coordinates: str):
    r = biela.simulate("heavy-top", 0.01, coordinates=coordinates, samples=1)
    np.testing.assert_allclose(r["top.angular_acceleration"][0], [661.346169, 0, 0], atol=1e-5)
    np.testing.assert_allclose(r["O.reaction"][0], [0, -319.52598817, -317.26246154], atol=1e-6)
