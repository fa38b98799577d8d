"""One body on one joint against MSC ADAMS (data of Project Chrono): motion and reactions, to the digits given."""

import math

import numpy as np
import pytest

import biela
from biela.model.model import Model
from reference_data import SETS, columns, table

# joint -> where it is, and the angle about x that turns ground axes into those of the body
CASES = {
    "Revolute_Case01": ("revolute", (0, 0, 0), -math.pi / 2),
    "Spherical_Case02": ("spherical", (1, 2, 3), -math.pi / 4),
    "Cylindrical_Case02": ("cylindrical", (0, 0, 0), -math.pi / 2),
    "Prismatic_Case02": ("prismatic", (1, 2, 3), -math.pi / 4),
    "RotSpring_Case01": ("revolute", (0, 0, 0), -math.pi / 2),
}


def body(m: Model, points: dict, center: tuple, **place) -> Model:
    return m.add_body("body", points, mass=1, center=center, inertia=(0.04, 0.1, 0.1), **place)


def on_a_joint(type: str, at: tuple, angle: float) -> Model:
    """The centre of mass is 2 m along the body's x; the axis of the joint is the body's z."""
    m = Model(name=type, gravity=(0, 0, -9.80665)).add_ground("O", *at)
    body(m, {"A": (0, 0, 0), "G": (2, 0, 0)}, (2, 0, 0), position=at, orientation={"axis": (1, 0, 0), "angle": angle})
    axis = {} if type == "spherical" else {"axis": (0.0, -math.sin(angle), math.cos(angle))}
    return m.add_joint("J", type, bodies=("ground", "body"), at=("O", "A"), **axis)


def check_motion(r: biela.Result, wanted: dict, near: float) -> None:
    """Positions have six digits in the files; accelerations come from the solver of ADAMS and have fewer."""
    assert r.ok, r.explain()
    xyz = [tuple(f"{x}_{what}" for x in "XYZ") for what in ("Pos", "Vel", "Acc", "AngVel", "AngAcc")]
    names = ["G", "G.velocity", "G.acceleration", "body.angular_velocity", "body.angular_acceleration"]
    for name, parts, atol in zip(names, xyz, (near, 2 * near, 1e-3, 1e-5, 1e-3)):
        np.testing.assert_allclose(r[name], columns(wanted, *parts), atol=atol, err_msg=name)
    turn, expected = np.asarray(r["body.quaternion"]), columns(wanted, "e0", "e1", "e2", "e3")
    np.testing.assert_allclose(turn * np.sign(np.sum(turn * expected, axis=1))[:, None], expected, atol=1e-6)


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("case", CASES)
def test_a_joint(case: str, coordinates: str):
    type, at, angle = CASES[case]
    model, spring = on_a_joint(type, at, angle), case.startswith("RotSpring")
    if spring:
        model.add_force("spring", "spring", coordinate="J.angle", stiffness=200, damping=10, free=0)
    r = biela.simulate(model, 5, coordinates=coordinates, tolerance=1e-10, samples=50)
    wanted = table(f"adams/{case}")
    check_motion(r, wanted, 5e-5 if type == "prismatic" else 6e-6)
    # What ADAMS gives acts on the ground, about where the joint was at first; the body may have slid away from it.
    force = -np.asarray(r["J.reaction"])
    torque = -np.asarray(r["J.moment"]) + np.cross(np.asarray(r["A"]) - at, force)
    if spring:
        torque -= np.outer(r["spring.moment"], [0, 1, 0])
    away = np.linalg.norm(r["A"] - at, axis=1).max()
    np.testing.assert_allclose(force, columns(wanted, "X_Force", "Y_Force", "Z_Force"), atol=1e-3)
    np.testing.assert_allclose(torque, columns(wanted, "X_Torque", "Y_Torque", "Z_Torque"), atol=1e-3 * max(away, 1))


@pytest.mark.parametrize("coordinates", SETS)
def test_a_spring_without_length(coordinates: str):
    """Between points that coincide at first, where it has no direction."""
    m = Model(name="spring", gravity=(0, 0, -9.80665)).add_ground("O", 0, 0, 0)
    body(m, {"G": (0, 0, 0)}, (0, 0, 0))
    m.add_force("spring", "spring", points=("O", "G"), stiffness=10, damping=0.5, free=0)
    r = biela.simulate(m, 5, coordinates=coordinates, tolerance=1e-10, samples=50)
    wanted = table("adams/TranSpring_Case01")
    check_motion(r, wanted, 6e-6)
    force = 10 * np.asarray(r["G.z"]) + 0.5 * np.asarray(r["G.vz"])
    np.testing.assert_allclose(force, wanted["Z_Force"], atol=6e-5)
    np.testing.assert_allclose(np.abs(r["spring.force"][1:]), np.abs(force[1:]), atol=1e-9)
