"""Reactions in words: on which body, in whose axes, about which point; against channels and closed forms."""

import numpy as np
import pytest

import biela
from biela import Model


def arr(x) -> np.ndarray:
    return np.asarray(x)


@pytest.mark.parametrize("coordinates", ["natural", "reference-point", "relative", "mixed"])
def test_pins_are_what_the_channels_say(coordinates: str):
    r = biela.simulate("four-bar", 0.2, coordinates=coordinates, samples=20)
    for point, bodies in (("O", ["crank"]), ("A", ["crank", "coupler"]), ("B", ["coupler", "rocker"])):
        for body in bodies:
            force = r.reaction(point).on(body).force
            np.testing.assert_allclose(force, r[f"{point}.reaction@{body}"], atol=1e-8 * arr(force.norm).max())
    assert r.reaction("A").body == "coupler" and r.reaction("O").body == "crank"


@pytest.mark.parametrize("name", ["bricard", "cardan", "spatial-slider-crank", "puma560", "quick-return"])
def test_joints_are_what_the_channels_say(name: str):
    r = biela.simulate(name, 0.05, samples=5)
    for j in r.system.resolved.joints:
        if f"{j.name}.reaction" in r:
            found = r.reaction(j.name)
            big = max(arr(found.force.norm).max(), 1e-3)
            np.testing.assert_allclose(found.force, r[f"{j.name}.reaction"], atol=1e-9 * big, err_msg=j.name)
            np.testing.assert_allclose(found.moment, r[f"{j.name}.moment"], atol=1e-9 * big, err_msg=j.name)


def test_action_is_reaction_about_any_point():
    r = biela.simulate("bricard", 0.3, samples=10)
    for name in ("H0", "H1", "H2"):
        both = [r.reaction(name).on(b).at("P3") for b in r.reaction(name).bodies]
        big = arr(both[0].force.norm).max()
        np.testing.assert_allclose(both[0].force, -both[1].force, atol=1e-9 * big)
        np.testing.assert_allclose(both[0].moment, -both[1].moment, atol=1e-9 * big)


def test_axes_of_ground_body_and_joint():
    r = biela.simulate("four-bar", 0.3, samples=30)
    A, phi = r.reaction("A").on("crank"), arr(r["crank.angle"])
    own = A.in_frame("crank").force
    x, y = arr(A.force).T
    np.testing.assert_allclose(own, np.stack([x * np.cos(phi) + y * np.sin(phi), y * np.cos(phi) - x * np.sin(phi)], 1))
    np.testing.assert_allclose(own.norm, A.force.norm)
    assert own.x.unit == "N" and own.y.name == "A.reaction@crank.y in crank"
    back = A.in_frame("crank").in_frame("ground")
    np.testing.assert_array_equal(back.force, A.force)


def test_hinges_take_no_moment_about_their_axis_and_slots_no_force_along_theirs():
    r = biela.simulate("bricard", 0.3, samples=10)
    for name in ("H0", "H1", "H2", "H3"):
        moment = r.reaction(name).in_frame("joint").moment
        assert arr(moment.norm).max() > 1 and np.abs(moment.z).max() < 1e-9 * arr(moment.norm).max()
    r = biela.simulate("quick-return", 0.5, samples=10)
    slot = r.reaction("slot").in_frame("joint")
    assert np.abs(slot.force.y).max() > 1 and np.abs(slot.force.x).max() < 1e-9 * np.abs(slot.force.y).max()
    assert set(slot.bodies) == {"crank", "lever"}


def test_a_rod_without_mass_pulls_along_itself():
    m = Model(gravity=(0, -10)).add_ground("O", 0, 0).add_point("P", 0.6, -0.8).add_mass("bob", "P", 3.0)
    m.add_joint("rod", "distance", points=("O", "P"))
    r = biela.simulate(m, 0.5, samples=10)
    rod = r.reaction("rod").in_frame("joint")
    v2 = arr(r["P.speed"]) ** 2
    np.testing.assert_allclose(rod.force.x, -(3.0 * v2 - 30.0 * arr(r["P.y"])), rtol=1e-6)  # m v^2 / L + m g cos
    np.testing.assert_allclose(rod.force.y, 0, atol=1e-9)
    np.testing.assert_allclose(rod.on("ground").force, -rod.on("bob").force, atol=1e-9)


def test_the_moment_about_another_point():
    r = biela.simulate("four-bar", 0.3, samples=10)
    B = r.reaction("B")
    np.testing.assert_allclose(B.moment, 0, atol=1e-9)
    arm, force = arr(r["B"]) - arr(r["D"]), arr(B.force)
    np.testing.assert_allclose(B.at("D").moment, arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0], atol=1e-9)
    arm = arr(r["B"]) - arr(r["rocker.position"])
    np.testing.assert_allclose(B.at("rocker").moment, arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0], atol=1e-9)


def test_three_bodies_on_one_pin():
    """Three bars hang from one pin on the ground side of a triangle: the forces on all of them add up to nothing."""
    m = Model(gravity=(0, -9.81)).add_ground("O", 0, 0).add_point("P", 1, 0)
    m.add_bar("a", "O", "P", mass=1.0)
    for name, x in (("b", 1.5), ("c", 2.0)):
        m.add_point(f"Q{name}", x, 0.5).add_bar(name, "P", f"Q{name}", mass=1.0)
    r = biela.simulate(m, 0.3, samples=10)
    P = r.reaction("P")
    assert P.bodies == ("a", "b", "c") and P.body == "c"
    forces = [arr(P.on(b).force) for b in P.bodies]
    np.testing.assert_allclose(sum(forces), 0, atol=1e-9)
    for body in P.bodies:
        np.testing.assert_allclose(P.on(body).force, r[f"P.reaction@{body}"], atol=1e-7)


def test_drivers_and_springs_can_be_asked_too():
    r = biela.simulate("quick-return", 0.3, samples=10)
    motor = r.reaction("motor")
    np.testing.assert_allclose(motor.moment, r["motor.effort"], rtol=1e-9)
    np.testing.assert_allclose(motor.power, r["motor.power"], rtol=1e-9)
    np.testing.assert_allclose(motor.force, 0, atol=1e-9)
    r = biela.simulate("two-mass-suspension", 0.3, samples=10)
    spring = r.reaction("suspension")
    np.testing.assert_allclose(np.abs(spring.force.y), np.abs(r["suspension.force"]), rtol=1e-9)
    np.testing.assert_allclose(spring.on("wheel").force, -arr(spring.on("chassis").force))


def test_what_is_refused():
    r = biela.simulate("four-bar", 0.1, samples=2)
    with pytest.raises(biela.MethodError, match="nothing called 'C'"):
        r.reaction("C")
    with pytest.raises(biela.MethodError, match="does not act on 'rocker'"):
        r.reaction("A").on("rocker")
    with pytest.raises(biela.MethodError, match="has no axes of its own"):
        r.reaction("A").in_frame("joint")
    with pytest.raises(biela.MethodError, match="'A' has no axes"):
        r.reaction("A").in_frame("A")
    with pytest.raises(biela.MethodError, match="no point 'Z'"):
        r.reaction("A").at("Z")
    with pytest.raises(AttributeError, match="no component z"):
        r.reaction("A").force.z  # noqa: B018
