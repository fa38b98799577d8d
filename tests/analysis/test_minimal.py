"""The least number of equations (001 15.6) gives the accelerations of every formulation, in every set of variables."""

import numpy as np
import pytest

import biela
from mechanisms import build, recipe
from space_mechanisms import build_space, space_recipe
from spatial.states import COORDINATES, accelerations, random_velocity, regular, silent_rows

g, m, l = 10.0, 3.0, 2.0


def bar():
    model = biela.Model(name="bar", gravity=(0, -g)).add_ground("A", 0, 0).add_point("B", l * 0.6, l * 0.8)
    return model.add_bar("bar", "A", "B", mass=m)


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_the_pendulum_of_001(coordinates):
    """[m l^2/4 + J] phi'' = -m g l/2 cos(phi): example 1 of 15.6."""
    found = biela.minimal(bar(), ["bar.angle"], coordinates)
    assert found.names == ("bar.angle",)
    np.testing.assert_allclose(found.M, [[m * l**2 / 4 + m * l**2 / 12]], rtol=1e-13)
    np.testing.assert_allclose(found.Q, [-m * g * l / 2 * 0.6], rtol=1e-13)
    np.testing.assert_allclose(found.acceleration, found.Q / found.M[0], rtol=1e-13)


def test_the_slider_crank_of_001():
    """Example 2: the reduced mass of the crank angle, its Q with the velocity-squared terms that the text loses."""
    l2, l3, m2, m3, m4, rate = 0.1, 0.3, 0.4, 0.7, 0.9, 5.0
    J2, J3 = m2 * l2**2 / 12, m3 * l3**2 / 12
    model = biela.Model(name="example", gravity=(0, -g)).add_ground("O", 0, 0)
    phi = 0.7
    x, y = l2 * np.cos(phi), l2 * np.sin(phi)
    psi = -np.arcsin(y / l3)
    model.add_point("A", x, y).add_point("B", x + l3 * np.cos(psi), 0)
    model.add_bar("crank", "O", "A", mass=m2).add_bar("rod", "A", "B", mass=m3).add_mass("slider", "B", m4)
    model.add_joint("guide", "point-on-line", point="B", line={"body": "ground", "through": "O"})
    model.start(velocity={"crank.angle": rate})
    found = biela.minimal(model, ["crank.angle"])
    turn = -l2 * np.cos(phi) / (l3 * np.cos(psi))
    v3 = np.array([-l2 * np.sin(phi) - turn * l3 / 2 * np.sin(psi), l2 * np.cos(phi) / 2])
    v4 = -l2 * np.sin(phi) - turn * l3 * np.sin(psi)
    M = m2 * l2**2 / 4 + J2 + m3 * v3 @ v3 + J3 * turn**2 + m4 * v4**2

    def mass(angle):
        p = -np.arcsin(l2 * np.sin(angle) / l3)
        t = -l2 * np.cos(angle) / (l3 * np.cos(p))
        u = np.array([-l2 * np.sin(angle) - t * l3 / 2 * np.sin(p), l2 * np.cos(angle) / 2])
        w = -l2 * np.sin(angle) - t * l3 * np.sin(p)
        return m2 * l2**2 / 4 + J2 + m3 * u @ u + J3 * t**2 + m4 * w**2

    slope = (mass(phi + 1e-5) - mass(phi - 1e-5)) / 2e-5
    np.testing.assert_allclose(found.M, [[M]], rtol=1e-12)
    weight = -(m2 + m3) * g * l2 * np.cos(phi) / 2
    np.testing.assert_allclose(found.Q, [weight - slope * rate**2 / 2], rtol=1e-8)  # M x'' + 1/2 M' x'^2 = weight


def check(model, seed):
    for name in COORDINATES:
        system = biela.assemble(model, name)
        if not regular(system, 1e-2) or system.n == system.rank:
            return 0
        system.v0 = random_velocity(system, seed)
        found = biela.minimal(system)
        np.testing.assert_allclose(found.v, system.v0, atol=1e-9 * max(1, abs(system.v0).max()))
        at = system.at(system.q0, system.v0)
        size = max(1.0, float(np.abs(at.gamma).max(initial=0.0)))
        np.testing.assert_allclose(at.B @ found.S, 0, atol=1e-10 * max(1, np.abs(found.S).max()))
        np.testing.assert_allclose(at.B @ found.b + at.Phi_t, 0, atol=1e-10 * size)
        np.testing.assert_allclose(at.B @ found.accelerations, at.gamma, atol=1e-9 * size)
        for formulation in ("lagrange", *(() if silent_rows(system) else ("augmented", "projection"))):
            theirs = accelerations(system, formulation)[0]
            scale = max(1.0, float(np.abs(theirs).max()))
            np.testing.assert_allclose(found.accelerations, theirs, atol=1e-8 * scale, err_msg=(name, formulation))
    return 1


def test_random_mechanisms_of_the_plane():
    done = sum(check(build(recipe(seed)), seed) for seed in range(9))
    done += check(build(recipe(3, topology="redundant", joints=(), drivers=())), 3)
    assert done >= 5


def test_random_mechanisms_of_space():
    assert sum(check(build_space(space_recipe(seed)), seed) for seed in (0, 1, 2, 3, 5, 8, 9)) >= 3


def test_any_named_coordinate_will_do():
    angle, point = (biela.minimal("four-bar", [name]) for name in ("crank_angle", "P.x"))
    slope = point.S[1] / angle.S[1]  # the same motion, at other rates
    np.testing.assert_allclose(angle.accelerations, point.accelerations, rtol=1e-10, atol=1e-8)
    np.testing.assert_allclose(point.S, angle.S * slope, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(
    "model, names, words",
    [
        ("four-bar", ["crank_angle", "P.x"], "2 independent coordinates for 1 freedom"),
        ("four-bar", ["crnk.angle"], "there is no coordinate 'crnk.angle'"),
        ("double-pendulum", ["P1.x", "P1.y"], "cannot be the independent coordinates here"),
    ],
)
def test_what_cannot_be_independent_is_refused(model, names, words):
    with pytest.raises(biela.MethodError) as error:
        biela.minimal(model, names)
    assert words in str(error.value)


def test_a_structure_has_no_equations():
    with pytest.raises(biela.AssemblyError) as error:
        biela.minimal("cardan")
    assert "the drivers determine everything" in str(error.value)
