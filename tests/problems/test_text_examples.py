"""The worked examples of the texts in the library: in every kind of coordinates, and numbers the texts speak of."""

import numpy as np
import pytest

import biela
from biela import library

COORDINATES = ["natural", "mixed", "reference-point", "relative"]
OF_TEXTS = [name for name in library.names() if {"001", "002", "003"} & set(name.split("-"))]


def test_those_of_all_texts_are_meant():
    assert len(OF_TEXTS) == 10


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("name", [*OF_TEXTS, "rod-pendulum", "mass-spring-damper", "two-mass-suspension"])
def test_it_moves_as_it_must_in_every_kind_of_coordinates(name: str, coordinates: str):
    """The reference values at the first and at the last time that has some."""
    values = biela.load(name).reference.values
    times = sorted({float(key.split(" @ ")[1]) for key in values} - {0.0})
    for t in {times[0], times[-1]}:
        r = biela.simulate(name, t, coordinates=coordinates, tolerance=1e-9, samples=100)
        assert r.ok, r.explain()
        for key, expected in values.items():
            channel, at = key.split(" @ ")
            if float(at) == t:
                assert np.asarray(r[channel])[-1] == pytest.approx(expected, abs=1e-6), key


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_accelerations_at_the_start_of_those_of_001(coordinates: str):
    """Minimal equations by hand: 001 (32) for the bars at 0 and -90 degrees; (46) for both examples of 15.6."""
    bars = biela.simulate("double-pendulum-001", 0.01, coordinates=coordinates, samples=2)
    # A and the hanging bar's freedom do not meet at the start: (I1 + m1 l1^2/4 + m2 l1^2) phi1'' = -(m1/2 + m2) g l1
    assert bars["phi1.acceleration"][0] == pytest.approx(-2.0 * 9.81 / (2 / 12 + 0.5 + 1.0), rel=1e-9)
    assert bars["phi2.acceleration"][0] == pytest.approx(0.0, abs=1e-9)
    # f21 = m2 a2 - R2, (25): the bar at the end is pushed up by its weight less what it falls with the first one's end
    assert np.asarray(bars["bar2.ay"])[0] == pytest.approx(-11.772, rel=1e-9)
    rod = biela.simulate("rod-pendulum", 0.01, coordinates=coordinates, samples=2)
    assert rod["phi.acceleration"][0] == pytest.approx(-(2 * 9.81 * 1.2 / 2) / (2 * 1.44 / 4 + 0.24), rel=1e-9)
    crank = biela.simulate("slider-crank-001", 0.01, coordinates=coordinates, samples=2)
    assert crank["phi2.acceleration"][0] == pytest.approx(by_S(np.pi / 3), rel=1e-8)
    assert by_S(np.pi / 3) == pytest.approx(-9.612536371, rel=1e-9)


def by_S(phi2: float) -> float:
    """phi2'' at rest with the S that the text prints: S^T g / S^T M S, 001 (46)."""
    l2, l3, m2, m3, m4 = 0.2, 0.6, 1.0, 2.0, 1.5
    phi3 = -np.arcsin(l2 * np.sin(phi2) / l3)
    s2, c2, s3, c3 = np.sin(phi2), np.cos(phi2), np.sin(phi3), np.cos(phi3)
    S = np.array([-l2 / 2 * s2, l2 / 2 * c2, 1, -l2 * s2 + l2 / 2 * s3 * c2 / c3, l2 / 2 * c2, -l2 * c2 / l3 / c3,
                  -l2 * s2 + l2 * s3 * c2 / c3])  # fmt: skip
    M = np.array([m2, m2, m2 * l2**2 / 12, m3, m3, m3 * l3**2 / 12, m4])
    g = np.array([0, -m2 * 9.81, 0, 0, -m3 * 9.81, 0, 0])
    return float(S @ g / (S * M @ S))


def test_where_the_progressive_spring_hangs_still():
    """001 15.7: velocities and accelerations nought leave k y + c y^3 = m g, which Cardano solves."""
    p, q = 10000 / 60000, 250 * 9.8 / 60000
    root = np.sqrt(q * q / 4 + p**3 / 27)
    y = np.cbrt(q / 2 + root) + np.cbrt(q / 2 - root)
    assert biela.equilibrium("progressive-spring-001")["y"][-1] == pytest.approx(y, rel=1e-12)
    assert y == pytest.approx(0.198249418523543, rel=1e-14)
    r = biela.simulate("progressive-spring-001", 2.0, tolerance=1e-11)
    x = np.asarray(r["y"])
    V = 10000 * x**2 / 2 + 60000 * x**4 / 4 - 250 * 9.8 * x
    np.testing.assert_allclose(np.asarray(r["energy.potential"]), V, atol=1e-9 * np.abs(V).max())


def test_the_loop_of_003_has_three_freedoms():
    """theta2, theta3, theta4 independent, theta5 and theta6 not: without the motors it is free three times."""
    model = biela.load("kinematics-003-six-bar")
    assert biela.mobility(biela.assemble(model)).freedom == 0
    model.drivers.clear()
    assert biela.mobility(biela.assemble(model)).freedom == 3
