"""Angles given at the start with their whole turns read the same in all coordinates, and act the same."""

from math import degrees, pi, radians

import numpy as np
import pytest

import biela
from biela import Model
from biela.analysis.assembly.assemble import COORDINATES

SHORT = {"t_end": 0.2, "samples": 40, "tolerance": 1e-9}


def runs(m: Model, **options) -> dict[str, biela.Result]:
    found = {c: biela.simulate(m, coordinates=c, **{**SHORT, **options}) for c in COORDINATES}
    assert all(r.ok for r in found.values())
    return found


def agree(found: dict[str, biela.Result], *names: str) -> None:
    for name in names:
        first = np.asarray(found["natural"][name])
        for c, r in found.items():
            close = 1e-6 * max(1, np.abs(first).max())
            np.testing.assert_allclose(r[name], first, rtol=0, atol=close, err_msg=f"{name} {c}")


# ---------------------------------------------------------------------------------------------- in the plane
def links() -> Model:
    """Two bars; psi is the angle of the first from the y axis, chi that of the second against the first."""
    m = Model(gravity=(0, -9.81)).add_ground("O", 0, 0).add_ground("Y", 0, 1).add_point("P", 1, 0)
    m.add_point("Q", 1.5, 0.8).add_bar("b", "O", "P", mass=1).add_bar("c", "P", "Q", mass=1)
    m.add_coordinate("psi", "angle", of=("O", "P"), relative_to=("O", "Y"))
    return m.add_coordinate("chi", "angle", of=("P", "Q"), relative_to=("O", "P"))


ANGLES = ("O.angle@b", "P.angle@c", "b.angle", "c.angle", "psi", "chi")


@pytest.mark.parametrize("name", ANGLES)
@pytest.mark.parametrize("value", [200, -400])
def test_a_channel_starts_where_it_was_said_to(name: str, value: float):
    found = runs(links().start(position={name: f"{value} deg"}))
    for c, r in found.items():
        assert degrees(r[name][0]) == pytest.approx(value, abs=1e-9), c
    agree(found, *ANGLES, "Q")


def test_an_angle_has_the_turns_of_its_body():
    for r in runs(links().start(position={"b.angle": "200 deg"})).values():
        assert degrees(r["O.angle@b"][0]) == pytest.approx(200) and degrees(r["psi"][0]) == pytest.approx(110)


@pytest.mark.parametrize("name", ["O.angle@b", "psi", "chi", "c.angle"])
def test_a_driver_says_the_turns(name: str):
    """Turns cost no motion: the bars stay near where they were put."""
    found = runs(links().add_driver("d", name, "7 + t"))
    for r in found.values():
        np.testing.assert_allclose(r[name], 7 + r.t, atol=1e-8)
        assert {"chi": abs(r["b.angle"][0]) < 0.3, "c.angle": abs(r["b.angle"][0]) < 0.3}.get(name, True)
    agree(found, *ANGLES, "Q", "d.effort")


SPRINGS = {
    "the angle itself": {"coordinate": "O.angle@b"},
    "another name": {"coordinate": "b.angle"},
    "bodies": {"bodies": ("ground", "b")},
}


def test_a_spring_feels_the_same_turns_by_whatever_name():
    ends = []
    for where in SPRINGS.values():
        m = links().add_force("k", "spring", stiffness=2, free=0, **where)
        m.start(position={"O.angle@b": "500 deg", "c.angle": "90 deg"})
        found = runs(m)
        agree(found, "Q", "k.angle", "k.moment", "energy.total", *ANGLES)
        assert found["mixed"]["k.moment"][0] == pytest.approx(-2 * radians(500))
        ends.append(found["natural"]["Q"][-1])
    np.testing.assert_allclose(ends, [ends[0]] * 3, atol=1e-7)


@pytest.mark.parametrize("where", [{"coordinate": "chi"}, {"bodies": ("b", "c")}])
def test_turns_of_one_body_do_not_wind_what_joins_it_to_the_next(where: dict):
    m = links().add_force("k", "spring", stiffness=2, free=0, **where).start(position={"b.angle": "200 deg"})
    found = runs(m)
    agree(found, "Q", "k.angle", "k.moment", *ANGLES)
    assert abs(found["natural"]["k.angle"][0]) < pi
    m.start(position={"b.angle": "200 deg", "c.angle": "600 deg"})
    for r in runs(m).values():
        assert degrees(r["k.angle"][0]) == pytest.approx(400)


def test_from_another_line_a_spring_counts_from_there():
    m = links().add_force("k", "spring", stiffness=2, free=0, coordinate="psi").start(position={"b.angle": "-400 deg"})
    found = runs(m)
    agree(found, "Q", *ANGLES)
    assert degrees(found["relative"]["psi"][0]) == pytest.approx(-490)


def test_reactions_know_how_far_a_torsion_spring_is_wound():
    """A weightless start from rest: the pin of one bar carries nothing but what the spring's moment makes it."""
    m = Model().add_ground("O", 0, 0).add_point("P", 1, 0).add_bar("b", "O", "P", mass=3)
    m.add_force("k", "spring", bodies=("ground", "b"), stiffness=2, free=0).start(position={"b.angle": "720 deg"})
    found = runs(m)
    moment, J, half = -2 * 4 * pi, 1.0, 0.5
    for r in found.values():  # the centre is accelerated by M/J times its radius, across the bar
        np.testing.assert_allclose(r["O.reaction"][0], [0, 3 * half * moment / J], atol=1e-7)
    agree(found, "O.reaction", "energy.potential")


def test_potential_energy_counts_turns_however_few_the_samples():
    m = Model().add_ground("O", 0, 0).add_point("P", 1, 0).add_bar("b", "O", "P", mass=3)
    m.add_force("k", "spring", bodies=("ground", "b"), stiffness=0.01, free=0).start(velocity={"b.angle": 40})
    r = biela.simulate(m, 2.0, samples=4)
    np.testing.assert_allclose(r["energy.potential"], 0.005 * r["b.angle"] ** 2, rtol=1e-9, atol=1e-12)
    assert r["b.angle"][-1] > 70


def test_kinematics_follows_what_it_is_told():
    """The start of the model does not show in where a sweep begins."""
    for given in (None, "200 deg", "-700 deg"):
        m = Model().add_ground("O", 0, 0).add_ground("Y", 0, 1).add_point("P", 1, 0).add_bar("b", "O", "P", mass=1)
        m.add_coordinate("psi", "angle", of=("O", "P"), relative_to=("O", "Y"))
        if given is not None:
            m.start(position={"b.angle": given})
        r = biela.kinematics(m, "b.angle", start="0 deg", stop="500 deg", count=6)
        np.testing.assert_allclose(r["b.angle"], np.radians([0, 100, 200, 300, 400, 500]), atol=1e-9)
        np.testing.assert_allclose(r["psi"], r["b.angle"] - pi / 2, atol=1e-9)
        np.testing.assert_allclose(r["O.angle@b"], r["b.angle"], atol=1e-9)


# --------------------------------------------------------------------------------------------------- in space
JOINTS = {
    "revolute": ("angle",),
    "cylindrical": ("angle",),
    "planar": ("angle",),
    "screw": ("angle",),
    "universal": ("angle1", "angle2"),
}
CASES = [(kind, name) for kind, names in JOINTS.items() for name in names]


def held(kind: str) -> Model:
    """A body askew on a joint."""
    m = Model(gravity=(0, 1, -9.81)).add_ground("O", 0, 0, 0)
    inertia = ((0.1, 0.02, 0.01), (0.02, 0.2, -0.03), (0.01, -0.03, 0.15))
    points = {"Q": (0, 0, 0), "P": (0.5, 0.2, 0.1)}
    m.add_body("b", points, mass=2, center=(0.25, 0.1, 0.05), inertia=inertia)
    axis = [(0.3, 1, 0.5), (1, -0.3, 0)] if kind == "universal" else (0.3, 1, 0.5)
    lead = {"lead": 0.1} if kind == "screw" else {}
    return m.add_joint("J", kind, bodies=("ground", "b"), at=["O", "Q"], axis=axis, **lead)


@pytest.mark.parametrize(("kind", "name"), CASES)
@pytest.mark.parametrize("value", [200, -500])
def test_in_space_too(kind: str, name: str, value: float):
    found = runs(held(kind).start(position={f"J.{name}": f"{value} deg"}))
    for c, r in found.items():
        assert degrees(r[f"J.{name}"][0]) == pytest.approx(value, abs=1e-6), c
    agree(found, "P", *(f"J.{n}" for n in JOINTS[kind]))


@pytest.mark.parametrize(("kind", "name"), CASES)
def test_in_space_a_driver_says_the_turns(kind: str, name: str):
    found = runs(held(kind).add_driver("d", f"J.{name}", "7 + t"))
    for r in found.values():
        np.testing.assert_allclose(r[f"J.{name}"], 7 + r.t, atol=1e-8)
    agree(found, "P", "d.effort", *(f"J.{n}" for n in JOINTS[kind]))


def test_in_space_a_spring_feels_the_turns_given_to_another_name():
    m = held("revolute").add_coordinate("phi", "angle", joint="J")
    m.add_force("k", "spring", coordinate="phi", stiffness=3, free=0).start(position={"J.angle": "400 deg"})
    found = runs(m)
    agree(found, "P", "phi", "J.angle", "k.moment")
    assert found["mixed"]["k.moment"][0] == pytest.approx(-3 * radians(400))


def test_kinematics_in_space():
    m = held("revolute").start(position={"J.angle": "400 deg"})
    r = biela.kinematics(m, "J.angle", start="0 deg", stop="720 deg", count=5)
    np.testing.assert_allclose(r["J.angle"], np.radians([0, 180, 360, 540, 720]), atol=1e-9)
