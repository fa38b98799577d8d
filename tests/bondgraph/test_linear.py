"""Eigenvalues, transfer functions, frequency response: against SciPy, symbols, and a run."""

import numpy as np
import pytest
import sympy

import biela
import biela.bondgraph as bg


def test_modes_of_one_mass():
    (mode,) = bg.load("mass-spring-damper").linear().modes
    assert mode.frequency == pytest.approx(np.sqrt(10000 / 250)) and mode.states == ("mass.p", "spring.q")
    assert mode.damping == pytest.approx(1500 / (2 * np.sqrt(10000 * 250)))
    assert mode.eigenvalue == pytest.approx(-3 + 1j * np.sqrt(31))


def test_transfer_function_of_one_mass():
    system = bg.load("mass-spring-damper").linear()
    num, den = system.transfer_function("weight", "spring.q")
    assert num == pytest.approx([1 / 250]) and den == pytest.approx([1, 6, 40])
    num, den = system.transfer_function("weight", "b2.effort")  # the force on the mass: s^2 / (s^2 + 6 s + 40)
    assert num == pytest.approx([1, 0, 0], abs=1e-12)
    m, k, d = sympy.symbols("m k d", real=True)
    s = sympy.Symbol("s")
    found = system.symbolic_transfer_function("weight", "b2.effort")
    assert sympy.simplify(found - m * s**2 / (m * s**2 + d * s + k)) == 0


def by_hand(w, V, T):
    """Amplitudes at a frequency, from the equations of the motor: i, wm, q, wl."""
    Ra, L, K, Jm, bm, n, ks, ds, Jl, bl = 0.8, 1.2e-3, 0.06, 8e-5, 2e-5, 20, 150, 0.4, 0.05, 0.1
    s = 1j * w
    shaft = ks + ds * s
    M = np.array(
        [[Ra + L * s, K, 0, 0], [-K, Jm * s + bm, shaft / n, 0], [0, -1 / n, s, 1], [0, 0, -shaft, Jl * s + bl]]
    )
    i, _, q, wl = np.linalg.solve(M, [V, 0, 0, T])
    return {"b14.flow": wl, "shaft_spring.q": q, "b12.effort": ds * s * q, "current.flow": i}


@pytest.mark.parametrize(
    "source, output", [("battery", "b14.flow"), ("torque", "shaft_spring.q"), ("battery", "b12.effort")]
)
def test_dc_motor_by_hand_and_in_symbols(source, output):
    system = bg.load("dc-motor").linear()
    omega = np.geomspace(1, 1e4, 25)
    ours = system.response(source, output, omega).values
    exact = np.array([by_hand(w, source == "battery", source == "torque")[output] for w in omega])
    assert np.abs(ours - exact).max() < 1e-10 * np.abs(exact).max()
    num, den = system.transfer_function(source, output)
    rational = np.polyval(num, 1j * omega) / np.polyval(den, 1j * omega)
    assert np.abs(ours - rational).max() < 1e-8 * np.abs(ours).max()
    symbolic = system.symbolic_transfer_function(source, output).subs(system.eq.network.numbers)
    s = sympy.Symbol("s")
    some = np.array([complex(symbolic.subs(s, 1j * w)) for w in omega[::8]])
    assert np.abs(ours[::8] - some).max() < 1e-9 * np.abs(ours).max()


def test_a_source_that_acts_through_its_rate():
    """A flow source moves a mass (derivative causality) beside a spring: the effort has a term s u."""
    g = (
        bg.BondGraph(name="g")
        .add("j", "1")
        .add("s", "Sf", flow="sin(t)")
        .add("m", "I", inertia=2)
        .add("k", "C", stiffness=5)
    )
    g.bond("b1", "s", "j").bond("b2", "j", "m").bond("b3", "j", "k")
    system = g.linear()
    num, den = system.transfer_function("s", "b1.effort")  # 2 s + 5/s
    assert num == pytest.approx([2, 0, 5]) and den == pytest.approx([1, 0])
    s = sympy.Symbol("s")
    assert sympy.simplify(system.symbolic_transfer_function("s", "b1.effort") - (2 * s + 5 / s)) == 0
    assert system.response("s", "b1.effort", [3.0]).values[0] == pytest.approx(6j + 5 / 3j)


def test_response_is_what_a_run_settles_to():
    w = 4.0
    g = bg.load("mass-spring-damper")
    g.elements = {**g.elements, "weight": {"type": "Se", "effort": f"sin({w}*t)"}}
    r = g.simulate(12.0, tolerance=1e-11, samples=2400)
    late = np.asarray(r.t) > 8
    t, q = np.asarray(r.t)[late], np.asarray(r["spring.q"])[late]
    (a, b), *_ = np.linalg.lstsq(np.stack([np.sin(w * t), np.cos(w * t)], axis=1), q, rcond=None)
    assert complex(a, b) == pytest.approx(complex(g.linear().response("weight", "spring.q", [w]).values[0]), rel=1e-6)


def test_linearised_where_it_is_asked():
    """Duffing's spring at rest at y = 1: k + 3 k3 = 2 N/m; at 0: -1 N/m, unstable."""
    g = bg.load("duffing")
    assert g.linear().A == pytest.approx(np.array([[-0.3, -2.0], [1.0, 0.0]]))
    there = g.linear({"spring.q": 0.0})
    assert there.A == pytest.approx(np.array([[-0.3, 1.0], [1.0, 0.0]])) and there.eigenvalues.real.max() > 0
    with pytest.raises(biela.MethodError, match="no state"):
        g.linear({"spring": 0.0})


def test_plot_of_a_response(tmp_path):
    response = bg.load("dc-motor").linear().response("battery", "b14.flow")
    figure = response.plot(tmp_path / "bode.png")
    assert (tmp_path / "bode.png").stat().st_size > 10_000
    assert [axes.get_ylabel() for axes in figure.axes] == ["magnitude [dB]", "phase [deg]"]
    assert np.abs(np.diff(response.phase)).max() < 90
