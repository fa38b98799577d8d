"""Mass matrix and generalised forces: energies and powers against elementary rigid-body mechanics."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline, PchipInterpolator

import biela
from biela import Model
from biela.model.forces.actuator import Actuator
from biela.model.forces.moment import Moment
from biela.model.forces.point_force import PointForce
from biela.model.forces.spring import Spring
from biela.model.items import Table
from biela.system.system import System
from mechanisms import (
    ELEMENTS,
    FORCES,
    LAWS,
    Motion,
    Recipe,
    build,
    random_velocity,
    recipes,
    reference_accelerations,
    turned,
)

NAMESPACE = {"sin": math.sin, "cos": math.cos, "abs": abs}
BOTH = st.sampled_from(("natural", "mixed"))
MANY = 3 * settings().max_examples // 2
H = 1e-3


def slope(f, x: float = 0.0) -> float:
    """f'(x) by differences of order four."""
    return (f(x - 2 * H) - 8 * f(x - H) + 8 * f(x + H) - f(x + 2 * H)) / (12 * H)


def law_value(law, t: float, x: float = 0.0, v: float = 0.0, of_x: bool = False) -> float:
    """A law of the generator, evaluated without biela."""
    if isinstance(law, Table):
        return float(PchipInterpolator(law.x, law.y)(x) if of_x else CubicSpline(law.x, law.y)(t))
    if callable(law):
        return law(t, x, v)
    if isinstance(law, str):
        return float(eval(law.replace("^", "**"), {"__builtins__": {}}, {**NAMESPACE, "t": t, "x": x, "v": v}))
    return float(law)


def stretch(motion: Motion, model: Model, f) -> tuple[float, float]:
    """What a spring, damper or actuator feels: length or angle, and its rate."""
    if f.points is not None:
        return motion.distance(*f.points)
    if f.bodies is not None:
        (a, wa), (b, wb) = (motion.turn(body) for body in f.bodies)
        return math.remainder(b - a, 2 * math.pi), wb - wa
    return motion.measure(model.coordinates[f.coordinate])


def stored(motion: Motion, start: Motion, model: Model, f) -> float:
    """The energy in a spring."""
    if not isinstance(f, Spring):
        return 0.0
    free = stretch(start, model, f)[0] if f.free is None else f.free
    return f.stiffness * (stretch(motion, model, f)[0] - free) ** 2 / 2


def force_power(motion: Motion, start: Motion, model: Model, f, t: float) -> float:
    """The power of one force, from its meaning: force times velocity, moment times rate."""
    if isinstance(f, PointForce):
        value = turned([law_value(law, t) for law in f.value], motion.turn(f.axes)[0])
        return float(value @ motion.points[f.point][1])
    if isinstance(f, Moment):
        rate = motion.turn(f.body)[1] - (motion.turn(f.against)[1] if f.against else 0.0)
        return law_value(f.value, t) * rate
    x, v = stretch(motion, model, f)
    if isinstance(f, Actuator):
        return law_value(f.value, t, x, v, of_x=True) * v
    force = -f.damping * v
    if isinstance(f, Spring):
        free = stretch(start, model, f)[0] if f.free is None else f.free
        force -= f.stiffness * (x - free)
    return force * v


def states(recipe: Recipe, coordinates: str) -> tuple[Model, System, np.ndarray, Motion, Motion]:
    """The mechanism, a consistent velocity, its motion there, and its motion at rest."""
    model = build(recipe)
    system = biela.assemble(model, coordinates)
    v = random_velocity(system, system.q0, recipe.seed)
    return (
        model, system, v,
        Motion(system, model, system.q0, v), Motion(system, model, system.q0, 0 * v),
    )  # fmt: skip


# ---------------------------------------------------------------------------------- random mechanisms
@settings(max_examples=MANY)
@given(recipes(), BOTH)
def test_kinetic_energy_is_that_of_rigid_bodies(recipe: Recipe, coordinates: str):
    _, system, v, motion, _ = states(recipe, coordinates)
    expected = motion.kinetic_energy()
    assert expected > 1e-6
    assert v @ system.M @ v / 2 == pytest.approx(expected, rel=1e-11)
    assert system.at(system.q0, v).kinetic == pytest.approx(expected, rel=1e-11)


@settings(max_examples=MANY)
@given(recipes(), BOTH)
def test_the_mass_matrix_is_symmetric_and_nowhere_negative(recipe: Recipe, coordinates: str):
    M = biela.assemble(build(recipe), coordinates).M
    np.testing.assert_array_equal(M, M.T)
    assert np.linalg.eigvalsh(M).min() > -1e-12 * np.abs(M).max()


@settings(max_examples=MANY)
@given(recipes(gravity=True, forces=()), BOTH)
def test_weights_are_the_slope_of_their_potential(recipe: Recipe, coordinates: str):
    _, system, v, motion, _ = states(recipe, coordinates)
    assert system.at(system.q0).potential == pytest.approx(motion.weight_potential(), abs=1e-11)
    Q = system.at(system.q0).Q
    downhill = [-slope(lambda h, e=e: system.at(system.q0 + h * e).potential) for e in np.eye(system.n)]
    np.testing.assert_allclose(Q, downhill, atol=1e-10)
    g = np.array(motion.resolved.gravity, dtype=float)
    power = sum(b.mass * float(g @ motion.center(name)[1]) for name, b in motion.resolved.bodies.items())
    assert Q @ v == pytest.approx(power, abs=1e-10)


SPRINGS = ("line", "torsion", "on-distance", "on-angle", "on-position")


@settings(max_examples=MANY)
@given(recipes(gravity=False, element="spring"), st.sampled_from(SPRINGS), BOTH)
def test_springs_are_the_slope_of_their_potential(recipe: Recipe, kind: str, coordinates: str):
    recipe = Recipe(**{**vars(recipe), "forces": (kind,), "drivers": ()})
    model, system, _, motion, start = states(recipe, coordinates)
    q = system.q0
    assert system.at(q).potential == pytest.approx(
        sum(stored(motion, start, model, f) for f in model.forces.values()), abs=1e-10
    )
    downhill = [-slope(lambda h, e=e: system.at(q + h * e).potential) for e in np.eye(system.n)]
    np.testing.assert_allclose(system.at(q).Q, downhill, atol=1e-7)  # at rest: no damping


@settings(max_examples=MANY)
@given(recipes(gravity=False), BOTH)
def test_the_power_of_the_forces(recipe: Recipe, coordinates: str):
    """Q . v is what every force does to the bodies it acts on; `power` is the part without a potential."""
    model, system, v, motion, start = states(recipe, coordinates)
    t = 0.2
    at = system.at(system.q0, v, t)
    expected = sum(force_power(motion, start, model, f, t) for f in model.forces.values())
    assert at.Q @ v == pytest.approx(expected, abs=1e-9, rel=1e-10)
    stored_rate = slope(lambda h: system.at(system.q0 + h * v, None, t).potential)
    assert at.power == pytest.approx(at.Q @ v + stored_rate, abs=1e-6, rel=1e-7)


@pytest.mark.parametrize("kind", FORCES)
@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("law", LAWS)
def test_the_power_of_each_force(kind: str, element: str, law: str):
    for seed in range(4):
        recipe = Recipe(size=3, forces=(kind,), element=element, law=law, gravity=False, seed=seed)
        model, system, v, motion, start = states(recipe, "natural")
        (f,) = model.forces.values()
        expected = force_power(motion, start, model, f, 0.2)
        assert system.at(system.q0, v, 0.2).Q @ v == pytest.approx(expected, abs=1e-9, rel=1e-10)


# ----------------------------------------------------------- 000 2.5: between points or through a coordinate
LAW = "12*cos(3*t) - 4*(x - 2) - 0.6*v"
ACTIONS = {
    "spring": {"stiffness": 30.0, "free": 2.5, "damping": 0.0},
    "spring and damper": {"stiffness": 30.0, "free": 2.5, "damping": 1.5},
    "damper": {"damping": 2.0},
    "actuator": {"value": LAW},
    "table": {"value": Table(x=[-3, -1, 0, 1, 2, 3, 5], y=[5, 3, -1, 4, 2, -6, -8])},
    "function": {"value": lambda t, x, v: 12 * math.cos(3 * t) - 4 * (x - 2) - 0.6 * v},
}
COORDINATE = {
    "points": {"type": "distance", "points": ("P0", "P2")},
    "bodies": {"type": "angle", "of": "disc", "relative_to": "square"},
}
ENDS = {"points": ("P0", "P2"), "bodies": ("square", "disc")}


def with_force(action: str, ends: str, through: bool) -> Model:
    model = biela.load("double-pendulum").model_copy()
    model.coordinates = {}
    model.points = {"P1": (1.6, -1.2), "P2": (1.2, 0.759591794226543)}
    data = dict(ACTIONS[action])
    type = {"spring and damper": "spring", "table": "actuator", "function": "actuator"}.get(action, action)
    if through:
        model.add_coordinate("c", **COORDINATE[ends])
        return model.add_force("f", type, coordinate="c", **data)
    return model.add_force("f", type, **{ends: ENDS[ends]}, **data)


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("ends", ENDS)
def test_both_ways_give_the_same_accelerations_and_the_same_motion(action: str, ends: str):
    direct, through = (with_force(action, ends, way) for way in (False, True))
    one, two = biela.assemble(direct), biela.assemble(through)
    assert one.n == 4 and two.n == 5
    v = random_velocity(two, two.q0, 1)
    a, b = reference_accelerations(one, one.q0, v[:4])[0], reference_accelerations(two, two.q0, v)[0]
    np.testing.assert_allclose(b[:4], a, rtol=1e-10, atol=1e-10)
    runs = [biela.simulate(m, 1.0, tolerance=1e-11, samples=20) for m in (direct, through)]
    for run in runs:
        assert run.ok, run.explain()
    for name in ("P1", "P2", "P1.velocity", "P2.velocity", "energy.kinetic"):
        np.testing.assert_allclose(runs[0][name], runs[1][name], atol=2e-8)
    without = biela.simulate(biela.load("double-pendulum"), 1.0, samples=20)
    assert abs(runs[0]["P2.x"] - without["P2.x"]).max() > 1e-2  # the force does something


# ------------------------------------------------------------------------- the numbers of text 000, exactly
M_SQUARE = [
    [2 / 3, 0, -1 / 6, -1 / 2],
    [0, 2 / 3, 1 / 2, -1 / 6],
    [-1 / 6, 1 / 2, 2 / 3, 0],
    [-1 / 2, -1 / 6, 0, 2 / 3],
]
M_DISC = [[3 / 8, 0, 1 / 8, 0], [0, 3 / 8, 0, 1 / 8], [1 / 8, 0, 3 / 8, 0], [0, 1 / 8, 0, 3 / 8]]
M_ALL = [[25 / 24, 0, 1 / 8, 0], [0, 25 / 24, 0, 1 / 8], [1 / 8, 0, 3 / 8, 0], [0, 1 / 8, 0, 3 / 8]]
PARAMETERS = [{}, {"m": 2.5, "r": 0.3, "g": 3.7}]
TINY = {"rtol": 0, "atol": 4e-16}


def own_matrix(system: System, body: str) -> np.ndarray:
    """A body's mass matrix in the variables of its two points."""
    entries = system.equations.masses[body]
    first = min(i for i, _ in entries)
    out = np.zeros((4, 4))
    for (i, j), value in entries.items():
        out[i - first, j - first] = value
    return out


def own_weight(system: System, body: str) -> np.ndarray:
    first = min(i for i, _ in system.equations.masses[body])
    out = np.zeros(4)
    for i, value in system.equations.weights[body].items():
        out[i - first] = value
    return out


@pytest.mark.parametrize("parameters", PARAMETERS, ids=["as printed", "other numbers"])
def test_mass_matrices_and_weights_of_the_double_pendulum(parameters: dict):
    model = biela.load("double-pendulum").with_parameters(**parameters)
    m, g = parameters.get("m", 1.0), parameters.get("g", 9.81)
    system = biela.assemble(model)
    np.testing.assert_allclose(own_matrix(system, "square") / m, M_SQUARE, **TINY)  # 000 (64)
    np.testing.assert_allclose(own_matrix(system, "disc") / m, M_DISC, **TINY)  # (66)
    np.testing.assert_allclose(system.M / m, M_ALL, **TINY)  # (68)
    half = -m * g / 2
    np.testing.assert_allclose(own_weight(system, "square") / half, [-1, 1, 1, 1], **TINY)  # (70)
    np.testing.assert_allclose(own_weight(system, "disc") / half, [0, 1, 0, 1], **TINY)  # (72)
    np.testing.assert_allclose(system.at(system.q0).Q / half, [1, 2, 0, 1], **TINY)  # (73)


def test_forces_of_the_double_pendulum_with_a_spring():
    system = biela.assemble("double-pendulum-spring")
    assert system.q_names == ["P1.x", "P1.y", "P2.x", "P2.y", "s"]  # 000 (83)
    q = system.q0.copy()
    for s in (2.2, 3.0, 3.7):
        q[4] = s
        expected = [-9.81 / 2, -9.81, 0, -9.81 / 2, -10 * (s - 3)]  # (84)
        np.testing.assert_allclose(system.at(q).Q, expected, rtol=1e-15, atol=1e-15)
    bordered = np.zeros((5, 5))
    bordered[:4, :4] = M_ALL
    np.testing.assert_allclose(system.M, bordered, **TINY)


def test_rows_of_the_double_pendulum():
    system = biela.assemble("double-pendulum")
    x1, y1, x2, y2 = q = np.array([1.3, -0.4, 2.2, 0.9])
    u1, w1, u2, w2 = v = np.array([0.7, -1.1, 0.2, 1.6])
    at = system.at(q, v)
    np.testing.assert_allclose(at.Phi, [x1**2 + y1**2 - 4, (x2 - x1) ** 2 + (y2 - y1) ** 2 - 4], atol=2e-15)  # (130)
    dx, dy = x2 - x1, y2 - y1
    np.testing.assert_allclose(at.B, [[2 * x1, 2 * y1, 0, 0], [-2 * dx, -2 * dy, 2 * dx, 2 * dy]], atol=1e-15)  # (131)
    bias = [2 * (u1**2 + w1**2), 2 * ((u2 - u1) ** 2 + (w2 - w1) ** 2)]
    np.testing.assert_allclose(-at.gamma, bias, rtol=1e-15)  # (132)


def test_rows_of_the_double_pendulum_with_its_angles():
    """000 (139)-(141). Row 4 is biela's scalar product -y1 - 2 cos(phi1): the text's with the opposite sign.

    The text prints (Phi_q)' q' of its own row 4, y1 + 2 cos(phi1), as +2 phi1'^2 cos(phi1); it is the negative
    of that. (With the sign that biela gives to the row, the printed number is right by accident.)
    """
    system = biela.assemble("double-pendulum", "mixed")
    assert system.q_names == ["P1.x", "P1.y", "P2.x", "P2.y", "phi1", "phi2"]  # (136)
    x1, y1, x2, y2, f1, f2 = q = np.array([1.3, -0.4, 2.2, 0.9, 0.6, -2.1])
    u1, w1, u2, w2, p1, p2 = v = np.array([0.7, -1.1, 0.2, 1.6, 1.2, -0.8])
    s1, c1, s2, c2 = math.sin(f1), math.cos(f1), math.sin(f2), math.cos(f2)
    text = [  # (139)
        x1**2 + y1**2 - 4, (x2 - x1) ** 2 + (y2 - y1) ** 2 - 4,
        x1 - 2 * s1, y1 + 2 * c1, x2 - x1 - 2 * s2, y1 - y2 - 2 * c2,
    ]  # fmt: skip
    dx, dy = x2 - x1, y2 - y1
    jacobian = [  # (140)
        [2 * x1, 2 * y1, 0, 0, 0, 0],
        [-2 * dx, -2 * dy, 2 * dx, 2 * dy, 0, 0],
        [1, 0, 0, 0, -2 * c1, 0],
        [0, 1, 0, 0, -2 * s1, 0],
        [-1, 0, 1, 0, 0, -2 * c2],
        [0, 1, 0, -1, 0, 2 * s2],
    ]
    bias = [  # (141), its fourth row corrected
        2 * (u1**2 + w1**2), 2 * ((u2 - u1) ** 2 + (w2 - w1) ** 2),
        2 * p1**2 * s1, -2 * p1**2 * c1, 2 * p2**2 * s2, 2 * p2**2 * c2,
    ]  # fmt: skip
    sign = np.array([1, 1, 1, -1, 1, 1])
    at = system.at(q, v)
    np.testing.assert_allclose(at.Phi, sign * text, atol=2e-15)
    np.testing.assert_allclose(at.B, sign[:, None] * jacobian, atol=2e-15)
    np.testing.assert_allclose(-at.gamma, sign * bias, atol=4e-15)
    bordered = np.zeros((6, 6))
    bordered[:4, :4] = M_ALL
    np.testing.assert_allclose(system.M, bordered, **TINY)  # (137)
    np.testing.assert_allclose(at.Q, -9.81 / 2 * np.array([1, 2, 0, 1, 0, 0]), rtol=1e-15, atol=1e-15)  # (138)
