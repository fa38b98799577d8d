"""Springs by their potential V(x): the force is -dV/dx, and the energy is potential energy."""

import numpy as np
import pytest

import biela
from biela import Model
from biela.errors import ModelError

COORDINATES = ["natural", "mixed", "reference-point", "relative"]


def pendulum(between: str, spring: dict) -> Model:
    """A bar and a second one hung from it, with a spring between points, between bodies or on a coordinate."""
    m = Model(name="two-bars", gravity=(0, -9.81)).add_ground("O", 0, 0).add_ground("C", 1.5, 0.4)
    m.add_point("A", 1, 0).add_point("B", 1.2, -0.8)
    m.add_bar("upper", "O", "A", mass=1.0).add_bar("lower", "A", "B", mass=0.5)
    m.add_coordinate("s", "distance", points=("C", "B"))
    ends: dict = {"line": {"points": ("C", "B")}, "torsion": {"bodies": ("upper", "lower")}}
    return m.add_force("spring", "spring", **ends.get(between, {"coordinate": "s"}), **spring)


def strain(between: str, r) -> np.ndarray:
    if between == "torsion":
        return np.asarray(r["lower.angle"]) - np.asarray(r["upper.angle"])
    return np.hypot(*(np.asarray(r["B"]) - np.asarray(r["C"])).T)


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("between", ["line", "torsion", "coordinate"])
def test_its_energy_is_potential_and_the_total_stays(between: str, coordinates: str):
    model = pendulum(between, {"potential": "20*(x - 0.5)^4 + 3*exp(x/2)"})
    r = biela.simulate(model, 2.0, coordinates=coordinates, tolerance=1e-11)
    x = strain(between, r)
    weight = 9.81 * (1.0 * np.asarray(r["upper.y"]) + 0.5 * np.asarray(r["lower.y"]))
    assert np.abs(np.asarray(r["energy.potential"]) - weight - 20 * (x - 0.5) ** 4 - 3 * np.exp(x / 2)).max() < 1e-10
    E = np.asarray(r["energy.total"])
    assert np.abs(E - E[0]).max() < 1e-7 * np.ptp(r["energy.potential"])
    assert np.abs(r["energy.work"]).max() == 0.0
    pull = -80 * (x - 0.5) ** 3 - 1.5 * np.exp(x / 2)
    force = np.asarray(r["spring.moment" if between == "torsion" else "spring.force"])
    np.testing.assert_allclose(force, pull, atol=1e-9 * np.abs(pull).max())


METHODS = [
    {"integrator": "radau5", "tolerance": 1e-10},
    {"integrator": "trapezoidal-newton", "step": 1e-3},
    {"integrator": "conserving", "step": 2e-3},
    {"integrator": "decaying", "step": 2e-3},
]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("between", ["line", "torsion", "coordinate"])
def test_a_linear_spring_by_its_potential_is_the_same(between: str, method: dict):
    """Two ways to one spring: forces, tangents, mean forces and energies of both."""
    runs = [
        biela.simulate(pendulum(between, spring), 1.0, coordinates="natural", samples=50, **method)
        for spring in ({"stiffness": 30.0, "free": 0.4}, {"potential": "30*(x - 0.4)^2/2"})
    ]
    for name in ("A", "B", "energy.potential", "energy.total"):
        one, other = (np.asarray(r[name]) for r in runs)
        np.testing.assert_allclose(one, other, atol=3e-8)
    assert runs[0].trajectory.iterations == pytest.approx(runs[1].trajectory.iterations, rel=0.05)


def test_the_conserving_scheme_keeps_it_to_rounding():
    r = biela.simulate(pendulum("line", {"potential": "20*(x - 0.5)^4"}), 5.0, integrator="conserving", step=0.01)
    E = np.asarray(r["energy.total"])
    assert np.abs(E - E[0]).max() < 1e-10


def test_a_spring_in_space_with_a_damper():
    m = Model(name="space", gravity=(0, 0, -9.81)).add_ground("O", 0, 0, 0).add_point("P", 0.3, 0.4, -0.5)
    m.add_mass("bob", "P", 2.0).add_force("s", "spring", points=("O", "P"), potential="50*(x - 0.4)^4", damping=0.3)
    r = biela.simulate(m, 2.0, tolerance=1e-11)
    x = np.linalg.norm(np.asarray(r["P"]), axis=1)
    V = 50 * (x - 0.4) ** 4 + 2 * 9.81 * np.asarray(r["P.z"])
    np.testing.assert_allclose(np.asarray(r["energy.potential"]), V, atol=1e-10)
    E, work = np.asarray(r["energy.total"]), np.asarray(r["energy.work"])
    assert work[-1] < -0.05 and np.abs(E - E[0] - work).max() < 1e-7


def test_modes_equilibrium_and_power_see_it():
    """Small oscillations about rest at x = (m g / 4 c)^(1/3): stiffness 12 c x^2."""
    m = Model(name="hung", gravity=(0, -9.81)).add_ground("O", 0, 0).add_point("P", 0, -0.2).add_mass("bob", "P", 2.0)
    m.add_joint("guide", "point-on-line", point="P", line={"body": "ground", "angle": "-90 deg", "through": "O"})
    m.add_force("s", "spring", points=("O", "P"), potential="500*x^4")
    rest = biela.equilibrium(m)
    x = (2 * 9.81 / 2000) ** (1 / 3)
    assert np.asarray(rest["P.y"])[-1] == pytest.approx(-x, rel=1e-9)
    assert biela.linearise(m).frequencies == pytest.approx([np.sqrt(6000 * x * x / 2.0)], rel=1e-9)
    m.add_coordinate("y", "position", point="P", along={"body": "ground", "angle": "-90 deg", "through": "O"})
    r = biela.inverse(m, {"y": "0.2 + 0.05*sin(3*t)"}, t_end=1.0, samples=40)
    motors, other, kept = r._powers
    np.testing.assert_allclose(motors + other, kept, atol=1e-9 * r.power_scale)
    assert np.abs(other).max() < 1e-12 * r.power_scale, "the spring has a potential: it is no other force"


BAD = [
    ({"stiffness": 3.0, "potential": "x^2"}, "both a stiffness and a potential"),
    ({}, "no stiffness"),
    ({"potential": "x^2", "free": 0.1}, "a potential and a free length"),
    ({"potential": "x^2*v"}, "'potential' cannot depend on 'v'"),
    ({"potential": "x^2*t"}, "'potential' cannot depend on 't'"),
    ({"potential": "3"}, "does not depend on x"),
    ({"potential": "2 J"}, "does not depend on x"),
    ({"potential": "2 m"}, "energy"),
    ({"potential": "q*x^2"}, "no parameter 'q'"),
    ({"potential": "x^"}, "cannot be understood"),
]


@pytest.mark.parametrize("spring, said", BAD)
def test_mistakes_are_told(spring: dict, said: str):
    with pytest.raises(ModelError, match=said) as caught:
        biela.assemble(pendulum("line", spring))
    assert all(problem.cure for problem in caught.value.problems)
