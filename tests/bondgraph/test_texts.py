"""The two systems of 001 and 004: equations, closed form, the multibody run, the trapezoidal rule, Euler's steps."""

import numpy as np
import pytest
import sympy
from scipy.linalg import expm

import biela
import biela.bondgraph as bg

M, K, D, GRAVITY = 250.0, 10000.0, 1500.0, 9.8


def exact(t):
    """y of m y'' + d y' + k y = m g, 001 (17), from rest at y = 0."""
    decay, rest = D / (2 * M), M * GRAVITY / K
    w = np.sqrt(K / M - decay**2)
    return rest * (1 - np.exp(-decay * t) * (np.cos(w * t) + decay / w * np.sin(w * t)))


def symbols(names):
    return sympy.symbols(names, real=True)


def test_equations_of_one_mass_are_those_of_the_text():
    eq = bg.load("mass-spring-damper").equations
    m, k, d, g = symbols("m k d g")
    assert list(eq.states) == ["mass.p", "spring.q"]
    assert eq.A == sympy.Matrix([[-d / m, -k], [1 / m, 0]])
    assert eq.B == sympy.Matrix([1, 0])
    assert eq.laws == {"weight": m * g}
    # with p = m y', q = y this is 001 (17): m y'' + d y' + k y = m g
    y, yd = sympy.symbols("y yd")
    p, q = eq.x
    rate = eq.f[0].subs({p: m * yd, q: y, eq.inputs["weight"]: m * g})
    assert sympy.simplify(rate - (m * g - d * yd - k * y)) == 0


def test_equations_of_two_masses_are_those_of_the_text():
    eq = bg.load("two-mass").equations
    m1, m2, k1, k2, d, g = symbols("m1 m2 k1 k2 d g")
    y1, y2, v1, v2 = sympy.symbols("y1 y2 v1 v2")
    state = {"wheel.p": m1 * v1, "chassis.p": m2 * v2, "tyre.q": y1, "suspension.q": y2 - y1}
    values = {eq.states[name]: value for name, value in state.items()}
    values |= {eq.inputs["weight1"]: m1 * g, eq.inputs["weight2"]: m2 * g}
    rates = {name: sympy.expand(f.subs(values)) for name, f in zip(eq.states, eq.f, strict=True)}
    assert sympy.expand(rates["wheel.p"] - (k2 * (y2 - y1) + d * (v2 - v1) - k1 * y1 + m1 * g)) == 0
    assert sympy.expand(rates["chassis.p"] - (-k2 * (y2 - y1) - d * (v2 - v1) + m2 * g)) == 0
    assert sympy.expand(rates["tyre.q"] - v1) == 0
    assert sympy.expand(rates["suspension.q"] - (v2 - v1)) == 0


def test_printed_equations_show_the_matrices():
    text = bg.load("mass-spring-damper").equations.text()
    assert "x = [p_mass, q_spring]" in text and "weight = g*m" in text and "A =" in text and "B =" in text
    latex = bg.load("mass-spring-damper").equations.latex()
    assert r"\dot x" in latex and r"\frac{d}{m}" in latex


def test_one_mass_runs_as_the_closed_form_and_the_mechanism():
    r = bg.simulate("mass-spring-damper", 2.0, tolerance=1e-12, samples=400)
    t = np.asarray(r.t)
    assert np.abs(np.asarray(r["spring.q"]) - exact(t)).max() < 1e-9
    m = biela.simulate("mass-spring-damper", 2.0, tolerance=1e-12, samples=400)
    assert np.abs(np.asarray(r["spring.q"]) - np.asarray(m["y"])).max() < 1e-9
    assert np.abs(np.asarray(r["v.flow"]) - np.asarray(m["y.rate"])).max() < 1e-9


def test_two_masses_run_as_the_closed_form_and_the_mechanism():
    g = bg.load("two-mass")
    r = g.simulate(2.0, tolerance=1e-12, samples=200)
    s = g.linear()
    rest = np.linalg.solve(s.A, -s.B @ np.array([50 * 9.8, 250 * 9.8]))
    closed = np.array([rest - expm(s.A * t) @ rest for t in np.asarray(r.t)])
    scale = np.abs(closed).max(axis=0)
    assert (np.abs(r.x - closed).max(axis=0) < 1e-9 * scale).all()
    m = biela.simulate("two-mass-suspension", 2.0, tolerance=1e-12, samples=200)
    assert np.abs(np.asarray(r["tyre.q"]) - np.asarray(m["y1"])).max() < 1e-9
    assert np.abs(np.asarray(r["suspension.q"]) - np.asarray(m["y2"] - m["y1"])).max() < 1e-9


@pytest.mark.parametrize("name", bg.names())
def test_values_of_the_library(name):
    g = bg.load(name)
    for key, value in g.reference.values.items():
        channel, at = key.split(" @ ")
        r = g.simulate(float(at), tolerance=1e-12, samples=2)
        assert float(r[channel][-1]) == pytest.approx(value, abs=1e-9), key


# ------------------------------------------------------------------------------------- the trapezoidal rule
def test_trapezoidal_recursion_step_by_step():
    """004: x'_n = (I - A h/2)^-1 (A x_{n-1} + A h/2 x'_{n-1} + B), and x_n = x_{n-1} + h/2 (x'_{n-1} + x'_n)."""
    h, steps = 0.01, 200
    A = np.array([[-D / M, -K], [1 / M, 0.0]])
    b = np.array([M * GRAVITY, 0.0])
    x, dx = np.zeros(2), b.copy()
    r = bg.simulate("mass-spring-damper", h * steps, integrator="trapezoidal", step=h, samples=steps)
    assert r.trajectory.closed and r.trajectory.steps == steps
    assert (r.x[0] == 0).all()
    for n in range(1, steps + 1):
        fresh = np.linalg.inv(np.eye(2) - A * h / 2) @ (A @ x + A @ dx * h / 2 + b)
        x, dx = x + h / 2 * (dx + fresh), fresh
        assert np.abs(r.x[n] - x).max() < 1e-11 * max(1.0, np.abs(x).max()), n


def test_first_trapezoidal_step_by_hand():
    """One step of h = 0.01 from rest: v = h g / (1 + h d/2m + h^2 k/4m), y = h v / 2."""
    r = bg.simulate("mass-spring-damper", 0.01, integrator="trapezoidal", step=0.01, samples=1)
    v = 0.01 * GRAVITY / (1 + 0.01 * D / (2 * M) + 0.01**2 * K / (4 * M))
    assert float(r["v.flow"][1]) == pytest.approx(v, rel=1e-13)
    assert float(r["spring.q"][1]) == pytest.approx(0.005 * v, rel=1e-13)


def test_trapezoidal_rule_is_of_order_two_and_the_matrix_is_factorised_once(monkeypatch):
    import biela.methods.linear.trapezoid as trapezoid

    calls = []
    real = trapezoid.lu_factor
    monkeypatch.setattr(trapezoid, "lu_factor", lambda *a: calls.append(1) or real(*a))
    errors = []
    for h in (0.02, 0.01, 0.005):
        r = bg.simulate("mass-spring-damper", 1.0, integrator="trapezoidal", step=h, samples=50)
        errors.append(np.abs(np.asarray(r["spring.q"]) - exact(np.asarray(r.t))).max())
    assert len(calls) == 3
    assert 1.9 < np.log2(errors[0] / errors[1]) < 2.1 and 1.9 < np.log2(errors[1] / errors[2]) < 2.1


def test_the_closed_form_is_the_rule_iterated():
    """The same rule by Newton's method, as for non-linear graphs."""
    g = bg.load("mass-spring-damper")
    a = g.simulate(0.5, integrator="trapezoidal", step=0.01, samples=50)
    g.elements = {**g.elements, "damper": {"type": "R", "effort": lambda f: D * f}}
    b = g.simulate(0.5, integrator="trapezoidal", step=0.01, samples=50)
    assert a.trajectory.closed and not b.trajectory.closed
    assert np.abs(a.x - b.x).max() < 1e-9 * np.abs(a.x).max()


@pytest.mark.parametrize(
    "k, acceleration, velocity, position",
    [(15000, 9.1532, 0.1895, 0.002875), (10000, 9.1728, 0.1897, 0.002877)],
)
def test_eulers_steps_of_the_text(k, acceleration, velocity, position):
    """The printed numbers belong to k = 15000 N/m (docs/theory/misprints.md)."""
    g = bg.load("mass-spring-damper").with_parameters(k=k)
    r = g.simulate(0.02, integrator="symplectic-euler", step=0.01, samples=2)
    assert float(r["v.flow"][1]) == pytest.approx(0.098, abs=1e-12)
    assert float(r["spring.q"][1]) == pytest.approx(0.00098, abs=1e-12)
    assert float(r["b2.effort"][1]) / M == pytest.approx(acceleration, abs=5e-5)
    assert float(r["v.flow"][2]) == pytest.approx(velocity, abs=5e-5)
    assert float(r["spring.q"][2]) == pytest.approx(position, abs=5e-7)


ORDERS = {"euler": 1, "symplectic-euler": 1, "rk2": 2, "trapezoidal": 2, "rk4": 4, "ab4": 4, "abm4": 4}


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize("graph", ["mass-spring-damper", "duffing"])
def test_every_integrator_has_its_order(name, graph):
    from biela.methods.registry import INTEGRATORS

    t_end, steps = (0.5, (40, 80)) if graph == "mass-spring-damper" else (2.0, (80, 160))
    best = bg.simulate(graph, t_end, integrator="dop853", tolerance=1e-13, samples=1)
    errors = []
    for n in steps:
        r = bg.simulate(graph, t_end, integrator=name, step=t_end / n, samples=1)
        errors.append(np.abs((r.x[-1] - best.x[-1]) / np.abs(best.x[-1]).max()).max())
    assert ORDERS[name] == INTEGRATORS[name].order
    assert np.log2(errors[0] / errors[1]) == pytest.approx(ORDERS[name], abs=0.5)


@pytest.mark.parametrize("name", ["dopri5", "dop853", "radau"])
def test_error_controlled_integrators_agree(name):
    r = bg.simulate("mass-spring-damper", 1.0, integrator=name, tolerance=1e-10, samples=50)
    assert np.abs(np.asarray(r["spring.q"]) - exact(np.asarray(r.t))).max() < 1e-8
