"""Bodies that nothing holds: the nut that turns over (Euler, Jacobi) and the body of revolution (Euler, Poinsot)."""

import math

import numpy as np
import pytest

import biela
from biela.model.model import Model
from reference_data import SETS, columns, table

INERTIA = np.array([1.0, 2.0, 3.0])


@pytest.mark.parametrize("coordinates", SETS)
def test_the_nut_that_turns_over(coordinates: str):
    wanted = table("dzhanibekov")
    r = biela.simulate("dzhanibekov", 10, coordinates=coordinates, tolerance=1e-11, samples=400)
    assert r.ok, r.explain()
    # It hesitates before it turns over, and whatever error it has by then grows a millionfold; twelve natural
    # coordinates have more of it, from rounding alone, than a quaternion.
    near = 1e-4 if coordinates == "natural" else 2e-8
    at = slice(0, None, 20)
    np.testing.assert_allclose(r["nut.spin"][at], columns(wanted, "w1", "w2", "w3"), atol=near)
    turn, expected = np.asarray(r["nut.quaternion"][at]), columns(wanted, "q0", "q1", "q2", "q3")
    np.testing.assert_allclose(turn * np.sign(np.sum(turn * expected, axis=1))[:, None], expected, atol=near)
    np.testing.assert_allclose(r["nut.spin"][200], [0.01309724834, -4.99999284620, -0.00488323370], atol=near / 10)
    np.testing.assert_allclose(r["nut.spin"][-1], [0.02430751258, 4.99995091424, 0.01279134040], atol=near / 10)
    # energy and angular momentum, in ground axes, stay what they are
    W = np.asarray(r["nut.spin"])
    np.testing.assert_allclose(r["energy.total"], 50.0001 / 2, atol=1e-7)
    H = np.einsum("kij,kj->ki", r.body_motion("nut").R[0], INERTIA * W)
    np.testing.assert_allclose(H, np.tile([0.01, 10, 0], (len(H), 1)), atol=1e-6)


@pytest.mark.parametrize("coordinates", SETS)
def test_how_often_it_turns_over(coordinates: str):
    r = biela.simulate("dzhanibekov", 11, coordinates=coordinates, tolerance=1e-11, samples=11000)
    w, rate, t = np.asarray(r["nut.wy"]), np.gradient(np.asarray(r["nut.wy"]), 1e-3), np.asarray(r.t)
    k = np.flatnonzero(w[:-1] * w[1:] < 0)
    flips = t[k] - w[k] / rate[k]
    assert len(flips) == 2
    near = 2e-5 if coordinates == "natural" else 1e-6
    assert flips[0] == pytest.approx(5.2660551240915074 / 2, abs=near)
    assert flips[1] - flips[0] == pytest.approx(5.2660551240915074, abs=near)


@pytest.mark.parametrize("coordinates", SETS)
def test_a_body_of_revolution(coordinates: str):
    """(W1, W2) turns in the body at (A - C) W3/A; the axis goes round H at |H|/A and keeps its angle to it."""
    A, C, W0 = 2.0, 0.7, np.array([0.8, 0.0, 3.0])
    m = Model(name="disc").add_body("disc", {"P": (0, 0, 1)}, mass=1, center=(0, 0, 0), inertia=(A, A, C))
    m.initial = {"velocity": {f"disc.w{x}": float(w) for x, w in zip("xyz", W0)}}
    r = biela.simulate(m, 10, coordinates=coordinates, tolerance=1e-11, samples=500)
    assert r.ok, r.explain()
    t, near = np.asarray(r.t), 1e-7 if coordinates == "natural" else 1e-8
    lam = (A - C) * W0[2] / A
    expected = np.column_stack([W0[0] * np.cos(lam * t), -W0[0] * np.sin(lam * t), np.full_like(t, W0[2])])
    np.testing.assert_allclose(r["disc.spin"], expected, atol=near)
    H = np.array([A, A, C]) * W0  # the body's axes start as the ground's
    size = np.linalg.norm(H)
    axis = r.body_motion("disc").R[0][:, :, 2]
    nutation = math.atan2(A * W0[0], C * W0[2])
    np.testing.assert_allclose(axis @ H / size, math.cos(nutation), atol=near)
    # about H from where it starts
    h = H / size
    e1 = (np.array([0, 0, 1]) - h[2] * h) / math.sin(nutation)
    angle = np.unwrap(np.arctan2(axis @ np.cross(h, e1), axis @ e1))
    np.testing.assert_allclose(angle, size / A * t, atol=10 * near)
