"""Universal joints between shafts, in closed form: one is uneven, two make it even again or worse."""

import math

import numpy as np
import pytest

import biela
from biela.results.motion import Motion
from reference_data import SETS

BETA = math.pi / 6


def ratio(angle: np.ndarray) -> np.ndarray:
    """Speed of the output over that of the input."""
    return math.cos(BETA) / (1 - math.sin(BETA) ** 2 * np.cos(angle) ** 2)


def follows(r: Motion, near: float) -> None:
    """tan(out) = tan(in)/cos(beta) over a turn, with its two derivatives."""
    angle, w = np.asarray(r["in.angle"]), 2 * math.pi
    assert angle[-1] == pytest.approx(2 * math.pi, abs=1e-12)
    expected = np.unwrap(np.arctan2(np.sin(angle), np.cos(angle) * math.cos(BETA)))
    np.testing.assert_allclose(r["out.angle"], expected, atol=near)
    np.testing.assert_allclose(r["out.angle.rate"], w * ratio(angle), atol=10 * near)
    second = -(w**2) * ratio(angle) ** 2 * math.sin(BETA) ** 2 / math.cos(BETA) * np.sin(2 * angle)
    np.testing.assert_allclose(r["out.angle.acceleration"], second, atol=100 * near)


def test_one_joint_by_kinematics():
    r = biela.kinematics("cardan", count=361)
    follows(r, 1e-12)
    found = r["out.angle.rate"] / (2 * math.pi)
    assert found.min() == pytest.approx(math.cos(BETA)) and found.max() == pytest.approx(1 / math.cos(BETA))


# In relative coordinates three rows of the cross are zero but for rounding; weighed like the others they would blow up.
ONE = [("natural", None), ("reference-point", None), ("relative", "projection"), ("relative", None)]


@pytest.mark.parametrize("coordinates, formulation", ONE)
def test_one_joint_by_dynamics(coordinates: str, formulation: str | None):
    r = biela.simulate("cardan", 1, coordinates=coordinates, formulation=formulation, tolerance=1e-10, samples=360)
    assert r.ok, r.explain()
    follows(r, 1e-9)


@pytest.mark.parametrize("coordinates", SETS)
def test_two_joints_in_phase_turn_evenly(coordinates: str):
    r = biela.simulate("double-cardan", 1, coordinates=coordinates, tolerance=1e-10, samples=360)
    assert r.ok, r.explain()
    np.testing.assert_allclose(r["out.angle"], r["in.angle"], atol=1e-9)
    np.testing.assert_allclose(r["out.angle.rate"], 2 * math.pi, atol=1e-8)


@pytest.mark.parametrize("coordinates", SETS)
def test_two_joints_a_quarter_out_of_phase(coordinates: str):
    model = biela.load("double-cardan").with_parameters(phase="90 deg")
    r = biela.simulate(model, 1, coordinates=coordinates, tolerance=1e-10, samples=360)
    assert r.ok, r.explain()
    found = np.asarray(r["out.angle.rate"] / r["in.angle.rate"])
    assert found.min() == pytest.approx(0.75, abs=1e-9) and found.max() == pytest.approx(4 / 3, abs=1e-9)
    # the second joint doubles what the first does: tan(out) = tan(in)/cos(beta)^2
    angle = np.asarray(r["in.angle"])
    expected = np.unwrap(np.arctan2(np.sin(angle), np.cos(angle) * math.cos(BETA) ** 2))
    np.testing.assert_allclose(r["out.angle"], expected, atol=1e-9)
