"""Starts far from the drawing: whatever the mechanism can reach is reached, in all coordinates."""

from __future__ import annotations

import numpy as np
import pytest

import biela
from biela.methods.positions.closing import close
from biela.system.system import COORDINATES

OPPOSITE = (178.0, 179.9, 180.0, 181.0, 182.0, 540.0, -180.0)


def bar() -> tuple[biela.Model, str]:
    m = biela.Model(name="bar", gravity=(0, -9.81)).add_ground("O", 0, 0).add_point("E", 0.1, 0)
    return m.add_bar("b", "O", "E", mass=2), "b.angle"


def two_bars() -> tuple[biela.Model, str]:
    m, _ = bar()
    return m.add_point("F", 0.3, 0).add_bar("c", "E", "F", mass=1), "c.angle"


def four_bar() -> tuple[biela.Model, str]:
    points = {"B": [0.1, 0], "C": [0.5, 0.4]}
    bars = {"crank": ["A", "B"], "rod": ["B", "C"], "rocker": ["C", "D"]}
    bodies = {name: {"type": "bar", "points": ends, "mass": 1} for name, ends in bars.items()}
    return biela.Model(name="f", ground={"A": [0, 0], "D": [0.5, 0]}, points=points, bodies=bodies), "crank.angle"


def slider_crank() -> tuple[biela.Model, str]:
    return biela.load("slider-crank").model_copy(deep=True), "theta"


def hinge_in_space() -> tuple[biela.Model, str]:
    body = {"points": {"P": [0, 0, 0]}, "mass": 1, "center": [0.05, 0, 0], "inertia": [1e-3, 1e-3, 1e-3]}
    joint = {"type": "revolute", "bodies": ["ground", "b"], "at": [0, 0, 0], "axis": [0, 1, 0]}
    return biela.Model(name="h", dimension=3, bodies={"b": body}, joints={"h": joint}), "h.angle"


def loop_in_space() -> tuple[biela.Model, str]:
    m = biela.load("spatial-slider-crank").model_copy(deep=True)
    return m, "axle.angle"


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("make", [bar, two_bars, four_bar, slider_crank, hinge_in_space, loop_in_space])
def test_a_start_opposite_to_the_drawing(make, coordinates):
    for degrees in OPPOSITE:
        model, name = make()
        model.start(position={name: f"{degrees} deg"})
        system = biela.assemble(model, coordinates)
        value = np.degrees(float(system.value(name, system.q0)[0][0]))
        assert (value - degrees + 180) % 360 - 180 == pytest.approx(0, abs=1e-9)
        assert np.abs(system.at(system.q0).Phi).max(initial=0.0) < 1e-12
        assert system.given[name] == pytest.approx(np.radians(degrees), abs=1e-12)  # whole turns are kept


@pytest.mark.parametrize("make", [bar, four_bar])
def test_a_driver_that_begins_opposite_to_the_drawing(make):
    model, name = make()
    r = biela.kinematics(model, name, start="180 deg", stop="200 deg", count=3)
    assert r.ok and np.degrees(np.asarray(r[name])) == pytest.approx([180, 190, 200], abs=1e-9)


def test_a_point_opposite_to_the_drawing():
    """A dead point of what is asked for: the crank is drawn stretched, its slider asked to be where it is folded."""
    model = slider_crank()[0]
    model.start(position={"B.x": 0.2})
    system = biela.assemble(model)
    assert system.posture(system.q0).place(system.resolved.place("B"))[0][0] == pytest.approx([0.2, 0.0], abs=1e-7)


def test_what_cannot_be_reached_is_still_refused():
    model, _ = four_bar()
    model.start(position={"rocker.angle": "20 deg"})
    with pytest.raises(biela.AssemblyError, match="cannot"):
        biela.assemble(model)


@pytest.mark.parametrize("size", [1.0, 0.03, 300.0])
def test_equations_that_the_tree_fulfils_by_itself_move_nothing(size: float):
    """Two planar joints of the same plane: in relative coordinates the second says nothing but rounding."""
    turn, _ = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))
    normal = turn @ np.array([0.3, -0.5, 0.8])
    plane = {"type": "planar", "bodies": ["ground", "b"], "axis": normal.tolist()}
    places = {"A": np.array([0.0, 0.1, 0.2]), "B": np.array([0.4, 0.0, -0.1])}
    planes = {name: {**plane, "at": (size * at).tolist()} for name, at in places.items()}
    body = {"mass": 1.0, "center": [0, 0, 0], "inertia": [1, 1, 1], "position": [size * 0.2, size * 0.1, -size * 0.3],
            "orientation": (turn * np.sign(np.linalg.det(turn))).tolist()}  # fmt: skip
    system = biela.assemble(biela.Model(name="two planes", dimension=3, bodies={"b": body}, joints=planes), "relative")
    assert system.m == 3 and np.abs(system.at(system.q0).B).max() < 1e-12 * max(size, 1.0)
    for off in (0.0, 1e-14, -3e-13):  # what rounding of the data may leave
        closed = close(system, system.q0, leave=np.full(system.m, off * size))
        assert closed.converged
        np.testing.assert_array_equal(closed.q, system.q0)


@pytest.mark.parametrize("far", [1e3, 226675799.32, 1e12])
def test_a_body_that_is_placed_far_away_takes_its_velocities_or_is_refused(far: float):
    """Beside such a size the masses of the bodies' directions are rounding, of either sign."""
    points = {"P": [1.106, 0.093, -0.121], "Q": [-0.007, 0.790, -0.208], "R": [-0.080, 0.055, 0.899]}
    near = {"type": "cone", "position": [0.042, 0.986, 0.321], "carrier": "3 points", "mass": 2.676,
            "center": [-0.0508, -0.1351, 0.0416], "radius": 0.285, "height": 0.827, "points": points}  # fmt: skip
    away = {"type": "plate", "position": [0.3, 0.67, far], "mass": 1.67, "width": 0.7, "height": 0.26,
            "points": {"S": [-0.4475, -0.0374, 0.22]}}  # fmt: skip
    model = biela.Model.model_validate({
        "dimension": 3, "bodies": {"near": near, "away": away},
        "initial": {"velocity": {"S.y": 0.086, "S.z": 1.94, "away.wx": 1.178, "P.z": 0.164}},
    })  # fmt: skip
    for name in COORDINATES:
        try:
            system = biela.assemble(model, name)
        except biela.BielaError:
            continue
        assert np.isfinite(system.v0).all()
