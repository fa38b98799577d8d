"""The user says at which joint a loop is opened: the tree follows all others, and the motion is the same."""

from __future__ import annotations

import numpy as np
import pytest

import biela
from biela.model.file import load_text
from biela.model.write import to_toml


def opened(name: str, *joints: str) -> biela.Model:
    model = biela.load(name).model_copy()
    model.open_joints = list(joints)
    return model


PINS = [("O", "O@crank"), ("A", "A@coupler"), ("B@rocker", "B@rocker"), ("D", "D@rocker")]


@pytest.mark.parametrize("joint, pin", PINS)
def test_every_pin_of_a_four_bar(joint: str, pin: str) -> None:
    model = opened("four-bar", joint)
    system = biela.assemble(model, "relative")
    assert [j.name for j in system.equations.tree.cut] == [pin]
    assert not any(name.startswith(pin.replace("@", ".angle@")) for name in system.equations.tree.q_names)
    here = biela.kinematics("four-bar", "crank_angle", count=13)
    there = biela.kinematics(model, "crank_angle", count=13, coordinates="relative")
    a, b = (np.asarray(r["P.acceleration"]) for r in (here, there))
    assert b == pytest.approx(a, abs=1e-11)
    runs = [biela.simulate(m, 0.5, coordinates="relative", tolerance=1e-9) for m in (model, "four-bar")]
    end = [r["P.position"][-1] for r in runs]
    assert end[0] == pytest.approx(end[1], abs=1e-6)


def test_every_joint_of_a_loop_in_space() -> None:
    plain = biela.assemble("spatial-slider-crank", "relative")
    loop = [j.name for j in plain.resolved.joints]
    here = biela.kinematics("spatial-slider-crank", count=9)
    for joint in loop:
        model = opened("spatial-slider-crank", joint)
        system = biela.assemble(model, "relative")
        assert [j.name for j in system.equations.tree.cut] == [joint]
        there = biela.kinematics(model, count=9, coordinates="relative")
        for point in here.system.resolved.start:
            a, b = (np.asarray(r[f"{point}.acceleration"]) for r in (here, there))
            assert b == pytest.approx(a, abs=1e-9 * max(1.0, np.abs(a).max())), (joint, point)


def test_it_is_saved() -> None:
    model = opened("four-bar", "A")
    assert load_text(to_toml(model)).open_joints == ["A"]


@pytest.mark.parametrize("name, joints, text", [
    ("four-bar", ["C"], "there is no joint 'C' to open"),
    ("four-bar", ["O@ground"], "there is no joint 'O@ground' to open"),
    ("four-bar", ["A", "B"], "opening 'A@coupler' would cut the tree"),
    ("double-pendulum", ["P1"], "nothing else connects 'square' to 'disc'"),
    ("simple-pendulum", ["nothing"], "there is no joint 'nothing' to open"),
])  # fmt: skip
def test_refused(name: str, joints: list[str], text: str) -> None:
    with pytest.raises(biela.ModelError) as error:
        biela.assemble(opened(name, *joints), "relative")
    assert text in str(error.value) and "open_joints" in str(error.value)


def test_a_joint_that_no_tree_follows() -> None:
    m = biela.load("four-bar").model_copy()
    m.add_joint("tie", "user", equation="P.x = 0.1 + crank_angle")
    m.open_joints = ["tie"]
    with pytest.raises(biela.ModelError, match="an equation in all coordinates"):
        biela.assemble(m, "relative")
