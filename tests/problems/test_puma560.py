"""The Puma 560: weight, inertia and place of its arm as published, in the angles of its joints."""

import json
import math

import numpy as np
import pytest

import biela
from biela.system.system import System
from reference_data import DATA, SETS

PUMA = json.loads((DATA / "puma560.json").read_text(encoding="utf-8"))
QN = np.array(PUMA["qn"])
ROTORS = np.array([link["G"] ** 2 * link["Jm"] for link in PUMA["links"]])
"""moments of the motors, as the joints feel them through their gears"""
PRINTED = 6e-9


def arm() -> System:
    system = biela.assemble("puma560", "relative")
    assert system.q_names == [f"J{k}.angle" for k in range(1, 7)] and system.m == 0
    return system


def torques(system: System, q: np.ndarray, a: np.ndarray) -> np.ndarray:
    """Inverse dynamics from rest: what the motors give for these accelerations."""
    at = system.at(q, np.zeros(6))
    return at.M @ a - at.Q


def test_it_starts_at_its_nominal_position():
    gap = (arm().q0 - QN) / (2 * math.pi)
    np.testing.assert_allclose(gap, np.round(gap), atol=1e-12)


def test_its_weight():
    np.testing.assert_allclose(torques(arm(), QN, np.zeros(6)), PUMA["gravload_qn"], atol=PRINTED)


def test_its_inertia():
    system, wanted = arm(), np.array(PUMA["inertia_qn(with motor inertia)"])
    np.testing.assert_allclose(system.at(QN).M + np.diag(ROTORS), wanted, atol=PRINTED)
    still = torques(system, QN, np.zeros(6))
    for column, one in zip(wanted.T, np.eye(6)):
        np.testing.assert_allclose(torques(system, QN, one) + ROTORS * one - still, column, atol=PRINTED)


def test_its_inertia_with_motors_behind_gears():
    """The motors as wheels that gears couple to the joints: the angles of the joints feel them on the diagonal."""
    model = biela.load("puma560")
    for k, moment in enumerate(ROTORS, 1):
        model.add_body(f"rotor{k}", inertia=(float(moment),) * 3, position=(1, 0, k))
        model.add_joint(f"R{k}", "revolute", bodies=("ground", f"rotor{k}"), at=(1, 0, k), axis="z")
        model.add_joint(f"G{k}", "gear", coordinates=(f"J{k}.angle", f"R{k}.angle"), ratio=1, internal=True)
    system = biela.assemble(model, "relative")
    at = system.at(system.q0)
    # with the joints at rate one, their rotors turn with them
    R = np.zeros((system.n, 6))
    for k in range(6):
        R[[system.v_names.index(f"{x}{k + 1}.angle") for x in "JR"], k] = 1.0
    np.testing.assert_allclose(at.B @ R, 0, atol=1e-12)
    assert system.n - np.linalg.matrix_rank(at.B) == 6
    np.testing.assert_allclose(R.T @ at.M @ R, PUMA["inertia_qn(with motor inertia)"], atol=PRINTED)
    np.testing.assert_allclose(-R.T @ at.Q, PUMA["gravload_qn"], atol=PRINTED)


@pytest.mark.parametrize("coordinates", SETS)
def test_where_its_hand_is(coordinates: str):
    r = biela.simulate("puma560", 0.01, coordinates=coordinates, samples=1)
    wanted = np.array(PUMA["fkine_qn"])
    np.testing.assert_allclose(r["wrist"][0], wanted[:, 3], atol=PRINTED)
    np.testing.assert_allclose(r.body_motion("link6").R[0][0], wanted[:, :3], atol=1e-12)


@pytest.mark.parametrize("coordinates", SETS)
def test_what_its_motors_hold(coordinates: str):
    """With the angles driven to stand still, the efforts of the drivers are the published weight."""
    model = biela.load("puma560")
    start = arm().q0  # as QN, but for whole turns
    model.drivers = {f"motor{k}": {"coordinate": f"J{k}.angle", "law": float(q)} for k, q in enumerate(start, 1)}
    r = biela.simulate(model, 0.1, coordinates=coordinates, samples=2)
    assert r.ok, r.explain()
    efforts = [float(r[f"motor{k}.effort"][-1]) for k in range(1, 7)]
    np.testing.assert_allclose(efforts, PUMA["gravload_qn"], atol=1e-7)
