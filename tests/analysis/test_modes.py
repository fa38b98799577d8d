"""Modes of vibration against closed forms, and the same in every set of coordinates."""

import numpy as np
import pytest
from scipy.linalg import eigh

import biela
from mechanisms import Recipe, build
from space_mechanisms import SpaceRecipe, build_space
from spatial.states import COORDINATES

g = 9.81


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_the_double_pendulum_of_point_masses(coordinates):
    """omega^2 = (g/L)(2 -+ sqrt 2); in the slow mode x2/x1 = 1 + sqrt 2."""
    L = 0.7
    model = biela.Model(name="double", gravity=(0, -g)).add_ground("O", 0, 0)
    model.add_point("A", 0.5 * L, -np.sqrt(0.75) * L).add_point("B", L, -np.sqrt(0.75) * L - 0.5 * L)
    model.add_rod("upper", "O", "A", length=L).add_rod("lower", "A", "B", length=L)
    model.add_mass("m1", "A", 1.3).add_mass("m2", "B", 1.3)
    lin = biela.linearise(model, coordinates=coordinates)
    expected = np.sqrt(g / L * (2 + np.array([-1, 1]) * np.sqrt(2)))
    np.testing.assert_allclose(lin.frequencies, expected, rtol=1e-9)
    for mode, ratio in zip(lin.modes(), (1 + np.sqrt(2), 1 - np.sqrt(2)), strict=True):
        assert abs(mode.points["B"][0] / mode.points["A"][0] - ratio) < 1e-7
        assert abs(mode.points["A"][1]) < 1e-9 and abs(mode.damping) < 1e-12


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_the_quarter_car(coordinates):
    """Against the eigenvalues of the 2 x 2 problem, damped and not."""
    m1, m2, k1, k2, d = 50, 250, 160000, 16000, 1500
    M, K = np.diag([m1, m2]), np.array([[k1 + k2, -k2], [-k2, k2]])
    C = np.array([[d, -d], [-d, d]])
    lin = biela.linearise("two-mass-suspension", coordinates=coordinates)
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    theirs = np.sort_complex(np.linalg.eigvals(A))
    ours = np.sort_complex(np.linalg.eigvals(lin.A))
    np.testing.assert_allclose(ours, theirs, rtol=1e-9)
    pairs = [x for x in theirs if x.imag > 0]
    for mode, value in zip(lin.modes(), sorted(pairs, key=abs), strict=True):
        assert abs(mode.eigenvalue - value) < 1e-9 * abs(value)
        assert abs(mode.damping + value.real / abs(value)) < 1e-9
    undamped = biela.load("two-mass-suspension").with_parameters(d=0)
    np.testing.assert_allclose(biela.linearise(undamped).frequencies, np.sqrt(eigh(K, M)[0]), rtol=1e-9)
    assert max(lin.modes()[1].shares(), key=lin.modes()[1].shares().get) == "wheel"


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_a_body_on_springs_in_space(coordinates):
    """Six freedoms: K = sum of k (n, r x n)(n, r x n)^T for springs that are free where the body is."""
    rng = np.random.default_rng(4)
    inertia, mass = (0.8, 1.1, 1.5), 12.0
    model = biela.Model(name="mounted", gravity=(0, 0, 0))
    at = {f"P{i}": tuple(rng.uniform(-0.5, 0.5, 3)) for i in range(8)}
    model.add_body("engine", at, mass=mass, center=(0, 0, 0), inertia=inertia)
    K, D = np.zeros((6, 6)), np.zeros((6, 6))
    for i, (name, r) in enumerate(at.items()):
        away = rng.standard_normal(3)
        model.add_ground(f"G{i}", *(np.array(r) + away))
        k, c = rng.uniform(500, 3000), rng.uniform(5, 20)
        model.add_force(f"S{i}", "spring", points=(f"G{i}", name), stiffness=k, damping=c)
        n = away / np.linalg.norm(away)
        J = np.concatenate([n, np.cross(r, n)])
        K, D = K + k * np.outer(J, J), D + c * np.outer(J, J)
    M = np.diag([mass] * 3 + [*inertia])
    A = np.block([[np.zeros((6, 6)), np.eye(6)], [-np.linalg.solve(M, K), -np.linalg.solve(M, D)]])
    theirs = sorted((x for x in np.linalg.eigvals(A) if x.imag > 0), key=abs)
    modes = biela.linearise(model, coordinates=coordinates).modes()
    np.testing.assert_allclose([m.eigenvalue for m in modes], theirs, rtol=1e-9)


def test_preload_stiffens():
    """A mass between two stretched springs: 2k along them, 2T/l across, which only the force in them makes."""
    k, free, l, m = 400.0, 0.6, 1.0, 2.0
    model = biela.Model(name="string").add_ground("A", -l, 0).add_ground("B", l, 0).add_point("P", 0.02, 0.03)
    model.add_mass("bead", "P", m)
    for name, end in (("left", "A"), ("right", "B")):
        model.add_force(name, "spring", points=(end, "P"), stiffness=k, free=free)
    lin = biela.linearise(model)
    T = k * (l - free)
    np.testing.assert_allclose(lin.frequencies, np.sqrt(np.array([2 * T / l, 2 * k]) / m), rtol=1e-10)


def frequencies_everywhere(model):
    """Natural frequencies where it rests, in every set of coordinates; None if it does not rest or not be written."""
    try:
        rest = biela.equilibrium(model)
        start = rest.model()
    except biela.BielaError:
        return None
    if not rest.stable:
        return None
    out = {}
    for name in COORDINATES:
        system = biela.assemble(start, name)
        if system.m and abs(system.at(system.q0).B).max() < 1e-9:
            continue  # rows of mere round-off: closing has moved it away
        lin = biela.linearise(system, "start")
        out[name] = np.array([m.omega for m in lin.modes()])
        assert lin.at_rest, name
    return out


def test_random_mechanisms_of_the_plane():
    forces, done = ("line", "torsion", "on-angle", "line"), 0
    for topology, seed in (("chain", 1), ("tree", 2), ("loop", 1), ("loops", 1), ("redundant", 2)):
        found = frequencies_everywhere(build(Recipe(topology, 2, forces=forces, element="spring", seed=seed)))
        if found is None:
            continue
        done += 1
        for name, omega in found.items():
            np.testing.assert_allclose(omega, found["natural"], rtol=1e-9, err_msg=f"{topology} {seed} {name}")
    assert done >= 3


def test_random_mechanisms_of_space():
    done = 0
    for topology, seed in (("chain", 1), ("redundant", 4), ("loop", 6)):
        recipe = SpaceRecipe(topology, 2, forces=("line", "line", "line"), element="spring", seed=seed)
        found = frequencies_everywhere(build_space(recipe))
        if found is None:
            continue
        done += 1
        for name, omega in found.items():
            np.testing.assert_allclose(omega, found["natural"], rtol=1e-9, err_msg=f"{topology} {seed} {name}")
    assert done >= 1


def test_about_a_moving_state():
    """A swinging bar: phi'' = -(3g/2l) cos(phi) whatever its speed; and z = P.x has its own state matrix."""
    l, phi = 0.8, 0.4
    model = biela.Model(name="bar", gravity=(0, -g)).add_ground("O", 0, 0)
    model.add_point("P", l * np.cos(phi), l * np.sin(phi)).add_bar("bar", "O", "P", mass=2.0)
    model.start(velocity={"bar.angle": 3.0})
    lin = biela.linearise(model, "start", independent=["bar.angle"])
    np.testing.assert_allclose(lin.A, [[0, 1], [1.5 * g / l * np.sin(phi), 0]], rtol=1e-10, atol=1e-10)
    assert not lin.at_rest and any("not an equilibrium" in note for note in lin.notes)
    other = biela.linearise(model, "start", independent=["P.x"])

    def acceleration(x, rate):
        c, s = x / l, np.sqrt(1 - (x / l) ** 2)
        w = -rate / (l * s)
        return -l * s * (-1.5 * g / l * c) - l * c * w**2

    x, rate, h = l * np.cos(phi), -l * np.sin(phi) * 3.0, 1e-6
    theirs = [(acceleration(x + h, rate) - acceleration(x - h, rate)) / (2 * h),
              (acceleration(x, rate + h) - acceleration(x, rate - h)) / (2 * h)]  # fmt: skip
    np.testing.assert_allclose(other.A[1], theirs, rtol=1e-6)
    motion = biela.simulate(model, 0.5)
    there = biela.linearise(motion, "end", independent=["bar.angle"])
    angle = float(motion["bar.angle"][-1])
    np.testing.assert_allclose(there.A[1, 0], 1.5 * g / l * np.sin(angle), rtol=1e-9)


def test_a_governor_turning_steadily():
    """A pendulum in a frame that turns at a given speed: at cos(theta) = g/(l w^2) it stands, omega = w sin(theta)."""
    l, w = 0.5, 7.0
    theta = np.arccos(g / (l * w * w))
    model = biela.Model(name="governor", gravity=(0, 0, -g)).add_ground("O", 0, 0, 0)
    model.add_body("frame", {"F": (0, 0, 0)}, mass=1.0, center=(0, 0, 0), inertia=(1, 1, 1))
    model.add_joint("shaft", "revolute", bodies=("ground", "frame"), at=(0, 0, 0), axis=(0, 0, 1))
    model.add_body("arm", {"B": (l * np.sin(theta), 0, -l * np.cos(theta))}, mass=0.0)
    model.add_mass("bob", "B", 2.0)
    model.add_joint("hinge", "revolute", bodies=("frame", "arm"), at=(0, 0, 0), axis=(0, 1, 0))
    model.add_driver("motor", "shaft.angle", f"{w}*t")
    for coordinates in COORDINATES:
        lin = biela.linearise(model, "start", independent=["hinge.angle"], coordinates=coordinates)
        np.testing.assert_allclose(lin.A, [[0, 1], [-((w * np.sin(theta)) ** 2), 0]], rtol=1e-9, atol=1e-8)
        held = biela.linearise(model, inputs=["B.x"], coordinates=coordinates)  # at rest the motor stands still
        np.testing.assert_allclose(held.frequencies, [np.sqrt(g / l)], rtol=1e-9)
        assert "note: drivers are held as they are at t = 0 s" in held.notes


def test_unstable_and_free_modes():
    top = biela.equilibrium(biela.load("simple-pendulum"), all=True)
    up = next(e for e in top if e.stability == "unstable")
    values = sorted(m.eigenvalue.real for m in biela.linearise(up).modes())
    np.testing.assert_allclose(values, np.array([-1, 1]) * np.sqrt(9.81), rtol=1e-9)
    spinning = biela.linearise("heavy-top")
    assert [m.kind for m in spinning.modes()] == ["free", "oscillates", "oscillates"]


def test_pictures_of_modes(tmp_path):
    flat, space = biela.linearise("double-pendulum"), biela.linearise("spatial-slider-crank")
    for lin, name in ((flat, "plane.png"), (space, "space.svg")):
        figure = lin.plot_mode(0, tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000
        assert figure.axes[0].get_title("left").startswith("mode 0: ")
    with pytest.raises(biela.BielaError, match="there is no mode 9"):
        flat.plot_mode(9)


def test_what_has_no_mass_has_no_frequency():
    model = biela.Model(name="light").add_ground("O", 0, 0).add_point("A", 1, 0).add_point("B", 2, 0)
    model.add_rod("rod", "O", "A").add_mass("stone", "B", 1.0).add_ground("Q", 3, 0)
    for name, ends in (("s1", ("A", "B")), ("s2", ("B", "Q"))):
        model.add_force(name, "spring", points=ends, stiffness=10.0)
    with pytest.raises(biela.MethodError) as error:
        biela.linearise(model, "start")
    assert "can move without inertia" in str(error.value) and "rod turns" in str(error.value)
