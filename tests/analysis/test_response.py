"""Inputs and outputs of a linearised mechanism: transfer functions against closed forms."""

import json

import numpy as np
import pytest
from scipy.io import loadmat

import biela
from spatial.states import COORDINATES

m1, m2, k1, k2, d, g = 50.0, 250.0, 160000.0, 16000.0, 1500.0, 9.8
W = np.array([0.5, 5.0, 20.0, 60.0, 300.0])


def dynamic_stiffness(s):
    return np.array([[m1 * s * s + d * s + k1 + k2, -d * s - k2], [-d * s - k2, m2 * s * s + d * s + k2]])


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_the_quarter_car_under_a_force(coordinates):
    """Forces on both masses (the point's y is upwards, the coordinates downwards): everything that follows."""
    outputs = ["y1", "y2", "P2.ay", "suspension.force", "tyre.force"]
    lin = biela.linearise("two-mass-suspension", inputs=["P2.y", "y1", "damper"], outputs=outputs,
                          coordinates=coordinates)  # fmt: skip
    response = lin.frequency_response(W)
    for k, w in enumerate(W):
        s = 1j * w
        inverse = np.linalg.inv(dynamic_stiffness(s))
        for name, force in (("P2.y", [0, -1]), ("y1", [1, 0]), ("damper", [1, -1])):
            y = inverse @ force
            theirs = [y[0], y[1], -s * s * y[1], k2 * (y[1] - y[0]), k1 * y[0]]
            ours = response.G[k, :, lin.inputs.index(next(i for i in lin.inputs if i.name == name))]
            np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12 * np.abs(theirs).max())
        direct = lin.C @ np.linalg.solve(s * np.eye(len(lin.A)) - lin.A, lin.B) + lin.D
        np.testing.assert_allclose(response.G[k], direct, rtol=1e-9, atol=1e-15)
    assert response.unit("y1", "P2.y") == "m/N"


def road_car():
    """The same on a road that moves: a driver under the tyre."""
    model = biela.Model(name="road-car", gravity=(0, -g)).add_ground("O", 0, 0).add_point("R", 0, 0)
    model.add_point("P1", 0, 0.5).add_point("P2", 0, 1.0)
    for name, p, mass in (("patch", "R", 1.0), ("wheel", "P1", m1), ("chassis", "P2", m2)):
        model.add_mass(name, p, mass)
        model.add_joint(f"guide_{name}", "point-on-line", point=p,
                        line={"body": "ground", "angle": np.pi / 2, "through": "O"})  # fmt: skip
    model.add_driver("road", "R.y", "0.05*sin(3*t)")
    model.add_force("tyre", "spring", points=("R", "P1"), stiffness=k1, free=0.5)
    model.add_force("suspension", "spring", points=("P1", "P2"), stiffness=k2, free=0.5, damping=d)
    return model


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_the_quarter_car_on_a_road(coordinates):
    """A driver as input: its value, rate and acceleration all enter; the effort that it needs comes out."""
    outputs = ["P1.y", "P2.y", "P2.ay", "road.effort"]
    lin = biela.linearise(road_car(), inputs=["road"], outputs=outputs, coordinates=coordinates)
    response = lin.frequency_response(W)
    assert lin.input_names == ["road.acceleration"] and lin.state_names[-2:] == ["road", "road.rate"]
    for k, w in enumerate(W):
        s = 1j * w
        y = np.linalg.solve(dynamic_stiffness(s), [k1, 0])
        theirs = [y[0], y[1], s * s * y[1], 1.0 * s * s + k1 * (1 - y[0])]
        np.testing.assert_allclose(response.G[k, :, 0], theirs, rtol=1e-8, atol=1e-10 * np.abs(theirs).max())
        direct = lin.C @ np.linalg.solve(s * np.eye(len(lin.A)) - lin.A, lin.B) + lin.D  # by the acceleration
        np.testing.assert_allclose(direct[:, 0] * s * s, theirs, rtol=1e-7, atol=1e-9 * np.abs(theirs).max())


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_reactions_come_out(coordinates):
    """A hanging bar pushed sideways at its end: the force in its pin, to first order."""
    l, m = 1.2, 3.0
    model = biela.Model(name="bar", gravity=(0, -g)).add_ground("O", 0, 0).add_point("P", 0.3, -1.1)
    model.add_bar("bar", "O", "P", mass=m, length=l)
    lin = biela.linearise(model, inputs=["P.x", "bar.angle"], outputs=["O.reaction@bar.x", "P.x", "bar.angle"],
                          coordinates=coordinates)  # fmt: skip
    response = lin.frequency_response(W)
    J = m * l * l / 3
    for k, w in enumerate(W):
        phi = np.array([l, 1.0]) / (m * g * l / 2 - J * w * w)
        push = np.array([1.0, 0.0])
        pin = -m * l / 2 * w * w * phi - push  # m a = push + pin
        np.testing.assert_allclose(response.G[k, 2], phi, rtol=1e-9)
        np.testing.assert_allclose(response.G[k, 1], l * phi, rtol=1e-9)
        np.testing.assert_allclose(response.G[k, 0], pin, rtol=1e-8, atol=1e-9)


def test_a_pair_of_bodies_in_space():
    """A torque on the coordinate of a joint, the angle of another one: an arm of two hinges about one axis."""
    model = biela.Model(name="arm", gravity=(0, 0, 0))
    for k, (name, before) in enumerate((("upper", "ground"), ("lower", "upper"))):
        model.add_body(name, {}, mass=2.0, center=(0, 0, 0), inertia=(1, 1, 0.3), position=(0, 0, k * 1.0))
        model.add_joint(f"H{k}", "revolute", bodies=(before, name), at=(0, 0, k * 1.0), axis=(0, 0, 1))
        model.add_force(f"K{k}", "spring", coordinate=f"H{k}.angle", stiffness=40.0, free=0.0, damping=0.1)
    J, k, c = 0.3, 40.0, 0.1
    for coordinates in COORDINATES:
        lin = biela.linearise(model, inputs=["H1.angle"], outputs=["H0.angle", "H1.angle"], coordinates=coordinates)
        response = lin.frequency_response(W)
        for l, w in enumerate(W):
            s = 1j * w
            z = k + c * s
            Z = np.array([[2 * J * s * s + z, J * s * s], [J * s * s, J * s * s + z]])
            np.testing.assert_allclose(response.G[l, :, 0], np.linalg.solve(Z, [0, 1]), rtol=1e-9)


def test_files(tmp_path):
    lin = biela.linearise("mass-spring-damper", inputs=["y"], outputs=["y", "P.ay"])
    for suffix in ("json", "npz", "mat"):
        lin.save(tmp_path / f"lin.{suffix}")
    data = json.loads((tmp_path / "lin.json").read_text())
    np.testing.assert_allclose(data["A"], lin.A)
    assert data["states"] == ["y", "y.rate"] and data["outputs"] == ["y", "P.ay"]
    np.testing.assert_allclose(np.load(tmp_path / "lin.npz")["D"], lin.D)
    np.testing.assert_allclose(loadmat(tmp_path / "lin.mat")["B"], lin.B)
    with pytest.raises(biela.BielaError, match=r"\.json, \.npz or \.mat"):
        lin.save(tmp_path / "lin.txt")


def test_a_bode_plot(tmp_path):
    lin = biela.linearise("two-mass-suspension", inputs=["P2.y"], outputs=["y1", "y2", "P2.ay"])
    figure = lin.frequency_response(np.geomspace(1, 300, 100)).plot(tmp_path / "bode.png")
    assert (tmp_path / "bode.png").stat().st_size > 1000
    assert [axes.get_ylabel() for axes in figure.axes] == ["output over input", "phase [deg]"]


@pytest.mark.parametrize(
    "options, words",
    [
        ({"inputs": ["Q.y"]}, "there is no input 'Q.y'"),
        ({"inputs": ["O.x"]}, "there is no input 'O.x'"),
        ({"inputs": ["y", "y"]}, "named twice"),
        ({"outputs": ["z"]}, "there is no output 'z'"),
        ({"outputs": ["P"]}, "is a vector"),
        ({"at": "noon"}, "at = 'noon' is not possible"),
        ({"independent": ["P.x"]}, "cannot be the independent"),
    ],
)
def test_bad_requests(options, words):
    with pytest.raises(biela.BielaError) as error:
        biela.linearise("mass-spring-damper", **options)
    assert words in str(error.value)
