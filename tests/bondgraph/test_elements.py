"""Elements one by one: causality by hand, modulated and non-linear laws, loops without a closed form."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import biela.bondgraph as bg


def test_strokes_by_hand():
    """The mass-spring-damper: the mass determines the velocity, everything else an effort."""
    g = bg.load("mass-spring-damper")
    assert g.causality.stroke == {"b1": "v", "b2": "mass", "b3": "v", "b4": "v"}
    g = bg.load("dc-motor")
    stroke = g.causality.stroke
    assert stroke["b4"] == "current" and stroke["b5"] == "rotor_speed"  # gyrator: strokes on both far ends
    assert stroke["b8"] == "rotor_speed" and stroke["b9"] == "gearbox"  # transformer: passes through
    assert g.causality.derivative == [] and g.equations.loops == []


def test_a_flow_source_on_a_mass_gives_derivative_causality():
    g = bg.BondGraph(name="g").add("j", "1").add("s", "Sf", flow="sin(3*t)").add("m", "I", inertia=2)
    g.bond("b1", "s", "j").bond("b2", "j", "m")
    assert g.causality.derivative == ["m"] and not g.equations.states
    r = g.simulate(1.0, integrator="rk4", step=0.01)
    t = np.asarray(r.t)
    assert np.abs(np.asarray(r["m.p"]) - 2 * np.sin(3 * t)).max() < 1e-14
    assert np.abs(np.asarray(r["b2.effort"]) - 6 * np.cos(3 * t)).max() < 1e-14
    assert np.abs(np.asarray(r["b2.energy"]) - np.sin(3 * t) ** 2).max() < 1e-8


@pytest.mark.parametrize(
    "kind, load, efforts, flows",
    [("TF", 3.0, (3.0, 1.0), (1 / 9, 1 / 3)), ("GY", 9.0, (3.0, 9.0), (3.0, 1.0))],
)
def test_transformer_and_gyrator(kind, load, efforts, flows):
    """An effort of 3 on a modulus of 3. TF: f2 = 3 f1, e1 = 3 e2;  GY: e2 = 3 f1, e1 = 3 f2."""
    g = bg.BondGraph(name="g").add("s", "Se", effort=3).add("x", kind, modulus=3).add("j", "1")
    g.add("r1", "R", resistance=1).add("r2", "R", resistance=load - 1)
    g.bond("b1", "s", "x").bond("b2", "x", "j").bond("b3", "j", "r1").bond("b4", "j", "r2")
    r = g.simulate(1.0, integrator="rk4", step=0.5)
    assert [float(r[f"b{k}.effort"][0]) for k in (1, 2)] == pytest.approx(efforts)
    assert [float(r[f"b{k}.flow"][0]) for k in (1, 2)] == pytest.approx(flows)


def test_modulated_transformer():
    """A crank with a modulated transformer: v = -r sin(phi) w moves a mass; phi is the twist of a soft spring."""
    g = bg.BondGraph(name="g", parameters={"r": 0.3, "J": 2, "m": 1.5, "k": 0.7})
    g.add("w", "1").add("wheel", "I", inertia="J").add("phi", "C", stiffness="k")
    g.add("crank", "MTF", modulus="r*cos(phi.q)").add("v", "1").add("spring", "C", stiffness=4).add(
        "loss", "R", resistance=0.2
    )
    g.bond("b1", "w", "wheel").bond("b2", "w", "phi").bond("b3", "w", "crank").bond("b4", "crank", "v")
    g.bond("b5", "v", "spring").bond("b6", "v", "loss").start(wheel=3.0, phi=0.4)
    assert not g.equations.linear and g.network.nodes["crank"].modulated

    def f(t, y):
        p, phi, q = y
        w = p / 2
        v = 0.3 * np.cos(phi) * w
        return [-0.7 * phi - 0.3 * np.cos(phi) * (4 * q + 0.2 * v), w, v]

    r = g.simulate(3.0, tolerance=1e-12, samples=60)
    y = solve_ivp(f, (0, 3), [3.0, 0.4, 0], "DOP853", np.asarray(r.t), rtol=1e-12, atol=1e-13).y
    for name, values in zip(("wheel.p", "phi.q", "spring.q"), y, strict=True):
        assert np.abs(np.asarray(r[name]) - values).max() < 1e-9
    assert np.abs(r["energy.error"]).max() < 1e-9 * r.energy_scale


def test_modulated_transformer_with_derivative_causality():
    """The same with a mass at the end: (J + m r^2 cos^2) w' + ... from Lagrange's equation."""
    g = bg.BondGraph(name="g").add("w", "1").add("wheel", "I", inertia=2).add("phi", "C", stiffness=0.7)
    g.add("crank", "MTF", modulus="0.9*cos(phi.q)").add("v", "1").add("mass", "I", inertia=1.5).add(
        "force", "Se", effort=0.3
    )
    g.bond("b1", "w", "wheel").bond("b2", "w", "phi").bond("b3", "w", "crank").bond("b4", "crank", "v")
    g.bond("b5", "v", "mass").bond("b6", "force", "v").start(wheel=3.0)
    assert g.causality.derivative == ["mass"]

    def f(t, y):
        phi, w = y
        a, da = 0.9 * np.cos(phi), -0.9 * np.sin(phi)  # L = (2 + 1.5 a^2) w^2/2 - 0.35 phi^2, force 0.3 a
        return [w, (0.3 * a - 0.7 * phi - 1.5 * a * da * w**2) / (2 + 1.5 * a**2)]

    r = g.simulate(4.0, tolerance=1e-12, samples=60)
    phi, w = solve_ivp(f, (0, 4), [0, 1.5], "DOP853", np.asarray(r.t), rtol=1e-12, atol=1e-13).y
    assert np.abs(np.asarray(r["phi.q"]) - phi).max() < 1e-9
    assert np.abs(np.asarray(r["w.flow"]) - w).max() < 1e-9


def test_modulated_source_and_resistor():
    """A controller: a force from a velocity and a displacement; a damper that closes with time."""
    g = bg.BondGraph(name="g").add("v", "1").add("m", "I", inertia=2).add("k", "C", stiffness=5)
    g.add("u", "MSe", effort="-3*k.q - 0.5*b1.flow + sin(t)").add("d", "MR", resistance="1/(1 + t)")
    g.bond("b1", "v", "m").bond("b2", "v", "k").bond("b3", "u", "v").bond("b4", "v", "d").start(k=1)

    def f(t, y):
        v = y[0] / 2
        return [-5 * y[1] - 3 * y[1] - 0.5 * v + np.sin(t) - v / (1 + t), v]

    r = g.simulate(3.0, tolerance=1e-12, samples=30)
    p, q = solve_ivp(f, (0, 3), [0, 1], "DOP853", np.asarray(r.t), rtol=1e-12, atol=1e-13).y
    assert np.abs(np.asarray(r["m.p"]) - p).max() < 1e-9 and np.abs(np.asarray(r["k.q"]) - q).max() < 1e-9


def test_a_loop_without_closed_form():
    """A diode in series with a resistor: each determines the other; against a root finder."""
    g = (
        bg.BondGraph(name="g", domain="electric")
        .add("i", "1")
        .add("s", "Se", effort="2*sin(t)")
        .add("r", "R", resistance=100)
    )
    g.add("d", "R", flow="1e-9*(exp(e/0.05) - 1)").bond("b1", "s", "i").bond("b2", "i", "r").bond("b3", "i", "d")
    assert g.equations.unknowns or not g.equations.loops
    r = g.simulate(6.0, integrator="rk4", step=0.05, samples=120)
    for t, e in zip(np.asarray(r.t), np.asarray(r["b3.effort"]), strict=True):
        u = 2 * np.sin(t)
        right = brentq(lambda e, u=u: u - e - 100 * 1e-9 * (np.exp(e / 0.05) - 1), -3, 1, xtol=1e-15)
        assert e == pytest.approx(right, abs=1e-10)


def test_a_loop_of_two_non_linear_resistors():
    g = bg.BondGraph(name="g").add("j", "1").add("s", "Se", effort="1 + cos(t)").add("m", "I", inertia=1)
    g.add("zero", "0").add("r1", "R", effort="f + f^3").add("r2", "R", resistance=2).add("r3", "R", effort="2*f + f^5")
    g.add("j2", "1").add("j3", "1")
    g.bond("b1", "s", "j").bond("b2", "j", "m").bond("b3", "j", "zero")
    g.bond("b4", "zero", "j2").bond("b5", "j2", "r1").bond("b6", "zero", "j3").bond("b7", "j3", "r3")
    g.bond("b8", "j", "r2")
    eq = g.equations
    assert [set(loop.elements) for loop in eq.loops] == [{"r1", "r3"}] and not eq.loops[0].closed
    assert "solved by iteration" in eq.text()

    def f(t, y):
        a = brentq(lambda a: a + a**3 - (2 * (y[0] - a) + (y[0] - a) ** 5), -10, 10, xtol=1e-15)
        return [1 + np.cos(t) - 2 * y[0] - (a + a**3)]

    r = g.simulate(3.0, tolerance=1e-11, samples=30)
    p = solve_ivp(f, (0, 3), [0.0], "DOP853", np.asarray(r.t), rtol=1e-11, atol=1e-12).y[0]
    assert np.abs(np.asarray(r["m.p"]) - p).max() < 1e-8


def test_a_law_turned_round():
    """A diode whose law gives a flow, on a junction whose flow is decided elsewhere."""
    g = bg.BondGraph(name="g").add("j", "1").add("s", "Sf", flow="2*t").add("d", "R", flow="exp(e) - 1")
    g.bond("b1", "s", "j").bond("b2", "j", "d")
    r = g.simulate(1.0, integrator="rk4", step=0.1)
    assert "the law of d on bond b2 inverted, solved by iteration" in g.equations.text()
    assert np.abs(np.asarray(r["b2.effort"]) - np.log(1 + 2 * np.asarray(r.t))).max() < 1e-12
    g.elements = {**g.elements, "s": {"type": "Sf", "flow": "-2*t"}}  # beyond t = 0.5 there is no such effort
    r = g.simulate(1.0, integrator="rk4", step=0.1)
    assert (
        not r.ok and float(r.t[-1]) < 0.51 and "no solution was found" in r.explain() and "d on bond b2" in r.explain()
    )


def test_a_large_linear_loop_is_left_to_numbers():
    """A ladder of resistors, every one in one loop."""
    g = bg.BondGraph(name="ladder", parameters={f"R{k}": 1.0 + k for k in range(7)})
    g.add("s", "Se", effort=1).add("c", "C", stiffness=1)
    last = "s"
    for k in range(7):
        g.add(f"one{k}", "1").add(f"zero{k}", "0").add(f"a{k}", "R", resistance=f"R{k}").add(f"p{k}", "R", resistance=2)
        g.bond(f"i{k}", last, f"one{k}").bond(f"x{k}", f"one{k}", f"a{k}").bond(f"y{k}", f"one{k}", f"zero{k}")
        g.bond(f"z{k}", f"zero{k}", f"p{k}")
        last = f"zero{k}"
    g.add("end", "1").add("r", "R", resistance=3).bond("u1", last, "end").bond("u2", "end", "r").bond("u3", "end", "c")
    eq = g.equations
    assert eq.linear and eq.unknowns
    system = g.linear()
    Z = 3.0 + 0j
    s = 0.2j
    Z += 1 / s
    gain = 1.0
    admittances = []
    for k in reversed(range(7)):
        Z = 1 / (1 / 2 + 1 / Z)
        admittances.append((Z, 1 + k))
        Z = Z + 1 + k
    for shunt, series in reversed(admittances):
        gain = gain * shunt / (shunt + series)
    expected = gain / (3.0 + 1 / s)
    assert system.response("s", "u3.flow", [0.2]).values[0] == pytest.approx(expected, rel=1e-9)
    assert g.simulate(1.0, samples=5).ok


def test_tables_and_python_functions():
    g = bg.BondGraph(name="g").add("v", "1").add("m", "I", inertia=1)
    g.add("k", "C", effort=lambda q: 4 * q).add(
        "s", "Se", effort={"x": [0, 10], "y": [0, 5], "interpolation": "linear"}
    )
    g.bond("b1", "v", "m").bond("b2", "v", "k").bond("b3", "s", "v")
    r = g.simulate(2.0, tolerance=1e-11, samples=20)
    t = np.asarray(r.t)
    assert np.abs(np.asarray(r["k.q"]) - (0.5 * t - 0.25 * np.sin(2 * t)) / 4).max() < 1e-8
    assert g.linear().eigenvalues.imag.max() == pytest.approx(2.0, rel=1e-6)


def test_units_are_converted():
    g = bg.BondGraph(name="g", domain="electric", parameters={"C0": "47 uF", "L0": "2 mH"})
    g.add("i", "1").add("c", "C", capacitance="C0").add("l", "I", inertia="L0").add("r", "R", resistance="0.1 kohm")
    g.bond("b1", "i", "c").bond("b2", "i", "l").bond("b3", "i", "r")
    A = g.linear().A
    assert A == pytest.approx(np.array([[0, 500.0], [-1 / 47e-6, -100 / 2e-3]]))


@pytest.mark.parametrize(
    "text, value",
    [("10 min", 600), ("12 V", 12), ("0.05 N*m/A", 0.05), ("2 L/s", 2e-3), ("3 bar", 3e5), ("5 kN m", 5e3),
     ("30 deg", np.pi / 6), ("1e-3", 1e-3), ("-2.5", -2.5), ("20 mm^2", 2e-5), ("4 1/s", 4), ("2 nF", 2e-9)],
)  # fmt: skip
def test_quantities(text, value):
    from biela.bondgraph.model.domains import quantity

    assert quantity(text).value == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize("text", ["2*k", "k", "V0", "2 V + x", "-k*q", "sin(t)"])
def test_formulas_are_no_quantities(text):
    from biela.bondgraph.model.domains import quantity

    assert quantity(text) is None


def test_straight_formulas_are_linear_laws():
    g = bg.load("mass-spring-damper")
    A = g.equations.A
    g.elements = {
        **g.elements,
        "mass": {"type": "I", "flow": "p/m"},
        "spring": {"type": "C", "effort": "k*q"},
        "damper": {"type": "R", "flow": "e/d"},
    }
    assert g.equations.linear and g.equations.A == A


def test_no_store_at_all():
    g = bg.BondGraph(name="g").add("j", "1").add("s", "Se", effort="sin(t)").add("r", "R", resistance=2)
    g.bond("b1", "s", "j").bond("b2", "j", "r")
    for integrator in (None, "trapezoidal", "radau", "abm4"):
        r = g.simulate(1.0, integrator=integrator, samples=20)
        assert r.ok and np.abs(np.asarray(r["b2.flow"]) - np.sin(np.asarray(r.t)) / 2).max() < 1e-14
        assert float(r["b2.energy"][-1]) == pytest.approx(0.125 * (2 - np.sin(2)), rel=1e-5)
    assert g.linear().response("s", "b2.flow", [1.0]).values[0] == pytest.approx(0.5)


def test_long_chains_in_symbols_stay_short():
    """Twelve masses: 24 states, and each row of their matrix speaks of its neighbours only."""
    g = bg.BondGraph(name="chain", parameters={f"{x}{k}": 1.0 + k for k in range(12) for x in "mk"})
    for k in range(12):
        g.add(f"v{k}", "1").add(f"M{k}", "I", inertia=f"m{k}").add(f"C{k}", "C", stiffness=f"k{k}").add(f"z{k}", "0")
        g.bond(f"a{k}", f"v{k}", f"M{k}").bond(f"b{k}", f"v{k}", f"z{k}").bond(f"c{k}", f"z{k}", f"C{k}")
        if k:
            g.bond(f"d{k}", f"z{k - 1}", f"v{k}")
    g.add("F", "Se", effort=1).bond("f", "F", "v0").add("wall", "Sf", flow=0).bond("w", "z11", "wall")
    A = g.equations.A
    assert A.shape == (24, 24) and sum(entry.count_ops() for entry in A) < 100
    assert sum(entry != 0 for entry in A) == 24 + 22
    assert g.linear().eigenvalues.real == pytest.approx(0, abs=1e-9)


def test_a_causality_that_determines_nothing_is_taken_back():
    """What goes round through j2 cancels: its effort says nothing of the others, though strokes would allow it."""
    g = bg.BondGraph(name="g").add("j0", "0").add("j2", "1")
    for k, inertia in enumerate((1.3, 0.8, 1.0)):
        g.add(f"i{k}", "I", inertia=inertia)
    g.bond("b1", "j0", "i0").bond("b2", "j0", "i1").bond("b3", "j0", "j2").bond("b4", "j2", "j0").bond("b5", "j2", "i2")
    assert g.causality.derivative == ["i1"]
    r = g.start(i0=1.0, i2=2.0).simulate(1.0, samples=5)
    assert np.asarray(r["i2.p"]) == pytest.approx(2.0) and np.asarray(r["i1.p"]) == pytest.approx(-0.8 / 1.3)
