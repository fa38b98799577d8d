"""Stiff mechanisms: `radau5` in every set of coordinates, against closed forms, published values and other programs."""

from functools import cache

import numpy as np
import pytest

import biela
from biela.analysis.simulate.simulate import is_stiff
from biela.library import path
from biela.methods.settings import choose
from biela.model.file import load_text
from biela.results.quality.verdict import BAD
from spatial.states import COORDINATES

# a stiff strut beside a disc that turns freely: nothing depends on the disc's angle
CYCLIC = """
gravity = [0, -9.81]
ground = { O = [0, 0], R = [0, -3] }
points = { A = [1, 0], B = [2, 0], M = [0, -4] }
[bodies]
one = { type = "bar", points = ["O", "A"], mass = 1 }
two = { type = "bar", points = ["A", "B"], mass = 1 }
stiff = { type = "mass", point = "M", mass = 0.01 }
flying = { type = "disc", points = { R = [0, 0] }, radius = 1, mass = 1 }
[forces]
strut = { type = "spring", points = ["R", "M"], stiffness = 1e4, damping = 1e3 }
[initial]
velocity = { "flying.angle" = 1, "M.x" = 0, "M.y" = 0, "one.angle" = 0, "two.angle" = 0 }
"""
BARS = """
gravity = [0, -9.81]
ground = { O = [0, 0] }
points = { A = [1, 0], B = [2, 0] }
[bodies]
one = { type = "bar", points = ["O", "A"], mass = 1 }
two = { type = "bar", points = ["A", "B"], mass = 1 }
"""
LINE = """
ground = { O = [0, 0] }
points = { P = [2, 0] }
[bodies]
b = { type = "mass", point = "P", mass = 1 }
[joints]
g = { type = "point-on-line", point = "P", line = { body = "ground", angle = "0 deg", through = "O" } }
[coordinates]
x = { type = "position", point = "P", along = { body = "ground", angle = "0 deg", through = "O" } }
[initial]
position = { x = 2 }
"""
ELASTIC = """
gravity = [0, -9.81]
ground = { O = [0, 0] }
points = { P = [1, 0] }
[bodies]
b = { type = "mass", point = "P", mass = 1 }
[forces]
s = { type = "spring", points = ["O", "P"], stiffness = %g, damping = %g }
"""
TOP = """
gravity = [0, 0, -9.81]
ground = { O = [0, 0, 0], R = [0, 1, 2] }
points = { A = [1, 0, 0], C = [1, 1, 0.2] }
[bodies.top]
type = "body"
points = { O = [0, 0, 0], A = [1, 0, 0], C = [1, 1, 0.2] }
mass = 2
inertia = [0.3, 0.4, 0.5]
center = [0.5, 0.2, 0]
[joints]
ball = { type = "spherical", bodies = ["ground", "top"], at = "O" }
[forces]
s = { type = "spring", points = ["R", "C"], stiffness = %g, damping = %g }
[initial]
velocity = { "A.y" = 1, "A.z" = 0.3, "C.z" = -0.5 }
"""
STRUT = """
[forces]
strut = { type = "spring", points = ["P0", "P3"], stiffness = 1e5, damping = 1e5 }
"""


def library_text(name: str) -> str:
    return path(name).read_text()


def model(text: str) -> biela.Model:
    return load_text(text)


def actuated(law: str, rate: float) -> biela.Model:
    force = f'[forces]\nf = {{ type = "actuator", coordinate = "x", value = "{law}" }}\n'
    return model(LINE + f"velocity = {{ x = {rate} }}\n" + force)


def run(what, duration: float, **options) -> biela.Result:
    r = biela.simulate(what, duration, **{"integrator": "radau5", "samples": 100, **options})
    assert r.ok, r.explain()
    return r


# ------------------------------------------------------------------------------------------ a cyclic coordinate
@cache
def of_the_bars_alone() -> np.ndarray:
    return np.asarray(biela.simulate(model(BARS), 2, integrator="dop853", tolerance=1e-12, samples=20)["B"])


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_a_stiff_strut_beside_a_disc_that_turns_freely(coordinates: str):
    """SciPy's numerical Jacobian overflows on the disc's angle, on which nothing depends."""
    r = biela.simulate(model(CYCLIC), 30, coordinates=coordinates, samples=300)
    assert r.ok and r.settings.integrator.name == "radau5", r.explain()
    np.testing.assert_allclose(r["flying.angle"], r.t, rtol=1e-9)
    assert abs(r["M.y"][-1] - (-4 - 0.01 * 9.81 / 1e4)) < 1e-10
    assert np.abs(np.asarray(r["B"])[:21] - of_the_bars_alone()).max() < 1e-6  # (later on they are chaotic)
    assert r.trajectory.energy_error < 1e-6 * r.energy_scale and r.trajectory.violation < 1e-11


# ----------------------------------------------------------------------------------------------- closed forms
@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("d", [1e3, 1e4, 1e6])
def test_an_overdamped_mass(coordinates: str, d: float):
    """m y'' + d y' + k y = m g, let go from rest."""
    m, k, g = 250.0, 10000.0, 9.8
    text = library_text("mass-spring-damper").replace('d = "1500 N*s/m"', f"d = {d}")
    r = run(model(text), 4.0, coordinates=coordinates)
    fast = -(d + np.sqrt(complex(d * d - 4 * k * m))) / (2 * m)
    slow = k / m / fast
    t = np.asarray(r.t)
    y = m * g / k * (1 - (fast * np.exp(slow * t) - slow * np.exp(fast * t)) / (fast - slow)).real
    assert np.abs(r["y"] - y).max() < 1e-8


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_what_is_driven_through_a_stiff_damper(coordinates: str):
    """Prothero & Robinson: x = 2 + sin t solves it, whatever the stiffness. Errors follow the tolerance, at the samples
    within steps, too, where the smallest error of a velocity is a large force; and nothing cries wolf for that."""
    law = "-1e5*(v - cos(t)) - sin(t) - 1e4*(x - 2 - sin(t))"
    for tolerance in (1e-4, 1e-6, 1e-8):
        r = run(actuated(law, 1.0), 10.0, coordinates=coordinates, tolerance=tolerance)
        assert np.abs(r["x"] - 2 - np.sin(r.t)).max() < tolerance
        assert np.abs(r["x.rate"] - np.cos(r.t)).max() < 10 * tolerance
        assert r.trajectory.steps < 600  # explicit: 3e5
        assert r.ok and r.verdict.grade != BAD, r.verdict
        assert np.abs(np.asarray(r["energy.error"])).max() < 100 * tolerance * r.energy_scale


@pytest.mark.parametrize("coordinates", ["natural", "relative"])
def test_van_der_pol(coordinates: str):
    """mu = 1000: the value of the test set for initial value problems (CWI, Bari) at t = 2000."""
    r = run(actuated("1000*(1 - x^2)*v - x", 0.0), 2000.0, coordinates=coordinates)
    assert abs(r["x"][-1] - 1.706167732170483) < 1e-7
    assert r.trajectory.steps < 5000


# ------------------------------------------------------------------------------------------ against other programs
@cache
def explicit(text: str, point: str) -> np.ndarray:
    return np.asarray(run(model(text), 1.0, integrator="dop853", tolerance=1e-11, formulation="lagrange")[point])


@pytest.mark.parametrize("text, point", [(ELASTIC % (1e4, 1e2), "P"), (TOP % (1e4, 1e2), "C")], ids=["plane", "space"])
@pytest.mark.parametrize("coordinates", COORDINATES)
def test_moderately_stiff_struts_as_explicit_methods_see_them(text: str, point: str, coordinates: str):
    r = run(model(text), 1.0, coordinates=coordinates, tolerance=1e-9)
    assert np.abs(np.asarray(r[point]) - explicit(text, point)).max() < 1e-8
    assert r.trajectory.energy_error < 1e-7 * r.energy_scale


@pytest.mark.parametrize("text, point", [(ELASTIC, "P"), (TOP, "C")], ids=["plane", "space"])
@pytest.mark.parametrize("k, d", [(1e6, 1e3), (1e9, 1e6), (1e9, 1e3)])
def test_stiff_struts_agree_in_every_set_of_coordinates(text: str, point: str, k: float, d: float):
    """The strut turns while it is stiff: tangents of the start of a step would not do for its end."""
    ends = [np.asarray(run(model(text % (k, d)), 2.0, coordinates=c)[point]) for c in COORDINATES]
    assert max(np.abs(end - ends[0]).max() for end in ends) < 1e-6
    if text is ELASTIC:  # nearly a rigid rod
        assert np.abs(np.hypot(*ends[0].T) - 1).max() < 40 / k


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_redundant_rows_and_a_stiff_strut(coordinates: str):
    """A loop of six revolutes that moves though it has a row too many, held by a strut: it creeps into it."""
    text = library_text("bricard") + STRUT
    r = run(model(text), 1.0, coordinates=coordinates)
    right = run(model(text), 1.0, coordinates="natural", tolerance=1e-10)
    assert np.abs(np.asarray(r["P2"]) - np.asarray(right["P2"])).max() < 1e-6
    assert r.trajectory.energy_error < 1e-6 * r.energy_scale and r.trajectory.violation < 1e-10


# ------------------------------------------------------------------------------------------------- the method itself
@pytest.mark.parametrize("problem", [("double-pendulum", 1.0, "P2"), ("four-bar", 0.3, "P")], ids=lambda p: p[0])
@pytest.mark.parametrize("coordinates", ["natural", "relative"])
def test_errors_fall_with_the_fifth_power_of_the_steps(problem, coordinates: str):
    """The declared order, though its estimate of the error goes with the fourth."""
    name, duration, point = problem
    exact = {"integrator": "dop853", "tolerance": 1e-13, "formulation": "lagrange"}
    right = np.asarray(run(name, duration, samples=10, **exact)[point])
    steps, errors = [], []
    for tolerance in 10.0 ** -np.arange(5.0, 8.5):
        r = run(name, duration, coordinates=coordinates, tolerance=tolerance, samples=10)
        steps.append(r.trajectory.steps)
        errors.append(np.abs(np.asarray(r[point]) - right).max())  # of samples within the steps, too
        assert errors[-1] < 0.1 * tolerance
    slope = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert -6.3 < slope < -4.5, (steps, errors)


@pytest.mark.parametrize("formulation", ["lagrange", "baumgarte", "penalty", "augmented"])
def test_every_formulation_that_depends_on_the_state_alone(formulation: str):
    r = run("four-bar", 0.5, formulation=formulation)
    right = run("four-bar", 0.5, formulation=formulation, integrator="dopri5", tolerance=1e-10)
    assert np.abs(np.asarray(r["P"]) - np.asarray(right["P"])).max() < (1e-5 if formulation == "penalty" else 1e-7)


def test_stops_are_met():
    r = biela.simulate("pendulum-stop", integrator="radau5", samples=300)
    right = biela.load("pendulum-stop").reference.values
    for what, value in right.items():
        name, t = what.split(" @ ")
        assert abs(np.interp(float(t), r.t, r[name]) - float(value)) < 1e-6
    assert len(r.events) > 3


def test_an_interrupted_run_goes_on_bit_for_bit():
    whole = run(model(CYCLIC), 4, coordinates="relative", tolerance=1e-9)

    def impatient(fraction, steps):
        if fraction > 0.3:
            raise KeyboardInterrupt

    half = biela.simulate(model(CYCLIC), 4, coordinates="relative", integrator="radau5", tolerance=1e-9, samples=100,
                          progress=impatient)  # fmt: skip
    assert half.status.name == "interrupted"
    rest = biela.resume(half)
    assert np.array_equal(rest.trajectory.y, whole.trajectory.y)
    assert np.array_equal(rest.trajectory.lam, whole.trajectory.lam)


# --------------------------------------------------------------------------------------------------------- auto
def test_auto_never_takes_an_integrator_of_scipys():
    for stiff in (False, True):
        for formulation in (None, "lagrange", "projection"):
            assert not choose(formulation, stiff=stiff).integrator.scipy


@pytest.mark.parametrize("name", ["mass-spring-damper", "two-mass-suspension", "car-axis"])
def test_stiff_problems_of_the_library(name: str):
    """With dampers and springs a thousand times as stiff."""
    text = library_text(name)
    for plain, stiff in (("1500 N*s/m", "1.5e6 N*s/m"), ("160000 N/m", "1.6e8 N/m")):
        text = text.replace(plain, stiff)
    system = biela.assemble(model(text))
    r = biela.simulate(model(text), samples=50)
    assert r.ok and not r.settings.integrator.scipy, r.explain()
    assert is_stiff(system, 100.0, None) == (name != "car-axis")
    right = run(model(text), r.duration, tolerance=1e-10, samples=50)
    assert np.abs(r.trajectory.y[:, : system.nq] - right.trajectory.y[:, : system.nq]).max() < 1e-6


def test_a_run_that_turns_stiff_is_handed_over():
    """Nothing decays fast at the start; from t = 1 s on a damper is strong."""
    law = "-x - 2e5*step(t, 1, 0, 1.1, 1)*(v - 0.1)"
    r = biela.simulate(actuated(law, 0.0), 30.0, samples=100)
    assert r.ok and r.settings.integrator.name.startswith("dopri"), r.explain()
    assert r.trajectory.handed_over is not None and r.trajectory.handed_over > 1.0
    assert "then radau5" in r.method and any("radau5" in note for note in r.notes)
    right = run(actuated(law, 0.0), 30.0, tolerance=1e-10, integrator="radau5")
    assert np.abs(r["x"] - right["x"]).max() < 1e-6
    assert r.trajectory.steps < 60_000  # dopri8 alone: 1e6


def test_what_is_handed_over_can_be_interrupted():
    law = "-x - 2e5*step(t, 1, 0, 1.1, 1)*(v - 0.1)"
    whole = biela.simulate(actuated(law, 0.0), 30.0, samples=100)

    def impatient(fraction, steps):
        if fraction > 0.5:
            raise KeyboardInterrupt

    half = biela.simulate(actuated(law, 0.0), 30.0, samples=100, progress=impatient)
    rest = biela.resume(half)
    assert half.status.name == "interrupted" and rest.trajectory.handed_over == whole.trajectory.handed_over
    assert np.array_equal(rest.trajectory.y, whole.trajectory.y)
