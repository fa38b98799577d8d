"""Linear models in time: order two, one factorisation, the same as bond graphs and as the mechanism itself."""

import numpy as np
import pytest

import biela
import biela.bondgraph as bg
from biela import MethodError


def quarter_car():
    return biela.linearise("two-mass-suspension", inputs=["P2.y"], outputs=["y2", "P2.ay"])


def exact(lin, t: np.ndarray, w: float, force: float, output: int) -> np.ndarray:
    """x' = A x + B f sin(w t) from rest, by eigenvectors."""
    values, V = np.linalg.eig(lin.A.astype(complex))
    b = np.linalg.solve(V, lin.B[:, 0] * force)
    # of z' = s z + b sin(w t): (w e^(s t) - w cos w t - s sin w t)/(s^2 + w^2)
    s, time = values[:, None], t[None, :]
    z = b[:, None] * (w * np.exp(s * time) - w * np.cos(w * time) - s * np.sin(w * time)) / (s * s + w * w)
    x = (V @ z).real
    return lin.C[output] @ x + lin.D[output, 0] * force * np.sin(w * t)


@pytest.mark.parametrize("output", [0, 1])
def test_order_two(output: int):
    lin, errors = quarter_car(), []
    for h in (2e-3, 1e-3):
        m = lin.respond(2.0, h, {"P2.y": "100*sin(7*t)"})
        errors.append(np.abs(m.y[:, output] - exact(lin, m.t, 7.0, 100.0, output)).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.02)


def test_one_factorisation(monkeypatch):
    from biela.methods.linear import trapezoid

    calls = []
    monkeypatch.setattr(trapezoid, "lu_factor", lambda A: calls.append(A) or lu_factor(A))
    from scipy.linalg import lu_factor

    quarter_car().respond(1.0, 1e-3, {"P2.y": 1.0})
    assert len(calls) == 1


def test_the_same_as_the_bond_graph():
    """The mass of 001 let go: the linear model starts as far above rest as the spring will stretch."""
    lin = biela.linearise("mass-spring-damper", inputs=["y"], outputs=["y"])
    rest = 250 * 9.8 / 10000
    m = lin.respond(2.0, 0.01, start={lin.state_names[0]: -rest})
    graph = bg.simulate("mass-spring-damper", 2.0, integrator="trapezoidal", step=0.01, samples=200)
    np.testing.assert_allclose(m.t, graph.t, atol=1e-12)
    # the graph has the weight as a source; its displacement is that of the spring
    np.testing.assert_allclose(m["y"] + rest, np.asarray(graph["spring.q"]), atol=1e-10 * rest)


def test_the_same_as_the_mechanism_for_small_motions():
    model = biela.load("simple-pendulum")
    lin = biela.linearise(model, outputs=["P.x"])
    small = 1e-4
    m = lin.respond(3.0, 1e-3, start={lin.state_names[0]: small})
    w = np.sqrt(-lin.A[1, 0])
    scale = m["P.x"][0]
    np.testing.assert_allclose(m["P.x"], scale * np.cos(w * m.t), atol=2e-5 * abs(scale))


def test_a_driver_moves_the_ground():
    """A driver's signal is its value; its rate and acceleration follow, and the states start with them."""
    from biela import Model

    m = Model(gravity=(0, 0)).add_ground("O", 0, 0).add_point("A", 0, 0).add_point("P", 1, 0)
    m.add_mass("cart", "A", 1).add_mass("load", "P", 2)
    for name in "AP":
        m.add_joint(f"guide{name}", "point-on-line", point=name, line={"body": "ground", "through": "O"})
    m.add_coordinate("s", "position", point="A", along={"body": "ground", "through": "O"})
    m.add_driver("move", "s", "0")
    m.add_force("k", "spring", points=("A", "P"), stiffness=50, free=1, damping=1)
    lin = biela.linearise(m, inputs=["move"], outputs=["P.x"])
    out = lin.respond(4.0, 1e-3, {"move": "0.01*sin(3*t)"})
    np.testing.assert_allclose(out["move"], 0.01 * np.sin(3 * out.t), atol=1e-6)
    # 2 x'' = -50 (x - u) - (x' - u')
    from scipy.integrate import solve_ivp

    def rate(t, y):
        u, du = 0.01 * np.sin(3 * t), 0.03 * np.cos(3 * t)
        return y[1], (-50 * (y[0] - u) - (y[1] - du)) / 2

    truth = solve_ivp(rate, (0, 4), (0, 0), t_eval=out.t, rtol=1e-10, atol=1e-13).y[0]
    np.testing.assert_allclose(out["P.x"], truth, atol=2e-6)


def test_functions_files_and_refusals(tmp_path):
    lin = quarter_car()
    one = lin.respond(1.0, 1e-3, {"P2.y": lambda t: 100 * np.sin(7 * t)})
    two = lin.respond(1.0, 1e-3, {"P2.y": "100*sin(7*t)"})
    np.testing.assert_allclose(one.y, two.y, atol=1e-12)
    two.to_csv(tmp_path / "a.csv")
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 1002
    two.plot(tmp_path / "a.png")
    for arguments, word in (
        ((0.0, 1e-3), "t_end = 0 s is not possible"),
        ((1.0, 2.0), "does not suit a run"),
        ((1.0, 1e-3, {"P3.y": 1.0}), "is not an input"),
        ((1.0, 1e-3, {"P2.y": "1 +"}), "cannot be understood"),
        ((1.0, 1e-3, {"P2.y": "x"}), "cannot be understood"),
        ((1.0, 1e-3, {}, {"nothing": 1.0}), "is not a state"),
    ):
        with pytest.raises(MethodError, match=word):
            lin.respond(*arguments)
    with pytest.raises(MethodError, match="not an equilibrium"):
        biela.linearise("double-pendulum", "start").respond(1.0, 1e-3)
