"""Each graph of the library against equations that were derived in another way."""

from functools import cache

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp

import biela.bondgraph as bg


@cache
def graph(name):
    """Derived once for all tests."""
    return bg.load(name)


def run(name, **options):
    return graph(name).simulate(**{"tolerance": 1e-12, "samples": 200, **options})


def reference(f, y0, t, **options):
    return solve_ivp(f, (0, t[-1]), y0, "DOP853", t, rtol=1e-12, atol=options.get("atol", 1e-14)).y


def test_dc_motor():
    V, Ra, L, K, Jm, bm, n, ks, ds, Jl, bl, Tl = 24, 0.8, 1.2e-3, 0.06, 8e-5, 2e-5, 20, 150, 0.4, 0.05, 0.1, 5

    def f(t, y):
        i, wm, q, wl = y
        rate = wm / n - wl
        T = ks * q + ds * rate
        return [(V - Ra * i - K * wm) / L, (K * i - bm * wm - T / n) / Jm, rate, (T - bl * wl - Tl) / Jl]

    r = run("dc-motor", t_end=0.3)
    i, wm, q, wl = reference(f, [0, 0, 0, 0], np.asarray(r.t))
    pairs = {"current.flow": i, "rotor_speed.flow": wm, "shaft_spring.q": q, "load_speed.flow": wl}
    for name, values in pairs.items():
        assert np.abs(np.asarray(r[name]) - values).max() < 1e-9 * np.abs(values).max(), name
    units = [r.unit(name) for name in ("b1.effort", "current.flow", "rotor.p", "shaft_spring.q", "winding.p")]
    assert units == ["V", "A", "N*m*s", "rad", "Wb"]


def test_dc_motor_in_symbols_by_lagrange():
    """The mechanical half from Lagrange's equations, the electrical one from Kirchhoff's."""
    V, Ra, La, K, Jm, bm, n, ks, ds, Jl, bl, Tl = sympy.symbols("V Ra La K Jm bm n ks ds Jl bl Tl", real=True)
    t = sympy.Symbol("t")
    a, b = (sympy.Function(x)(t) for x in "ab")
    lagrangian = Jm * a.diff(t) ** 2 / 2 + Jl * b.diff(t) ** 2 / 2 - ks * (a / n - b) ** 2 / 2
    i = sympy.Symbol("i")
    slip = a.diff(t) / n - b.diff(t)
    forces = {a: K * i - bm * a.diff(t) - ds * slip / n, b: ds * slip - bl * b.diff(t) - Tl}
    rates = {}
    for q in (a, b):
        rates[q] = forces[q] + lagrangian.diff(q)
    eq = graph("dc-motor").equations
    wm, wl, twist = sympy.symbols("wm wl twist")
    plain = {a.diff(t): wm, b.diff(t): wl, a: n * twist, b: 0}  # only the twist a/n - b matters
    state = {"winding.p": La * i, "rotor.p": Jm * wm, "load.p": Jl * wl, "shaft_spring.q": twist}
    values = {eq.states[k]: v for k, v in state.items()} | {eq.inputs["battery"]: V, eq.inputs["torque"]: -Tl}
    ours = dict(zip(eq.states, (f.subs(values) for f in eq.f), strict=True))
    assert sympy.simplify(ours["rotor.p"] - rates[a].subs(plain)) == 0
    assert sympy.simplify(ours["load.p"] - rates[b].subs(plain)) == 0
    assert sympy.simplify(ours["winding.p"] - (V - Ra * i - K * wm)) == 0


def test_two_tanks():
    A1, A2, rho, g, length, section, loss, valve = 0.5, 0.3, 1000, 9.81, 50, 2e-3, 2e6, 6e6

    def f(t, y):
        V1, flow, V2 = y
        p1, p2 = rho * g * V1 / A1, rho * g * V2 / A2
        return [
            2e-3 * (1 + 0.2 * np.sin(0.05 * t)) - flow,
            (p1 - p2 - loss * flow) / (rho * length / section),
            flow - p2 / valve,
        ]

    r = run("two-tanks", t_end=600)
    V1, flow, V2 = reference(f, [0.4, 0, 0], np.asarray(r.t))
    for name, values in {"tank1.q": V1, "pipe.flow": flow, "tank2.q": V2}.items():
        assert np.abs(np.asarray(r[name]) - values).max() < 1e-9 * np.abs(values).max(), name
    assert r.unit("tank1.q") == "m^3" and r.unit("b2.effort") == "Pa"


def test_derivative_causality():
    """(J + m r^2) w' = T - r k x - b w: one freedom, though two elements store momentum."""
    J, m, radius, b, k, T0 = 0.02, 3, 0.04, 0.05, 500, 2
    g = graph("rack")
    assert g.causality.derivative == ["rack"] and list(g.equations.states) == ["wheel.p", "spring.q"]

    def f(t, y):
        w, x = y
        return [(T0 * np.sin(6 * t) - radius * k * x - b * w) / (J + m * radius**2), radius * w]

    r = run("rack", t_end=3)
    w, x = reference(f, [0, 0], np.asarray(r.t))
    assert np.abs(np.asarray(r["w.flow"]) - w).max() < 1e-9 * np.abs(w).max()
    assert np.abs(np.asarray(r["spring.q"]) - x).max() < 1e-9 * np.abs(x).max()
    assert np.abs(np.asarray(r["rack.p"]) - m * radius * w).max() < 1e-9
    # what the rack takes is m v', found from the other elements
    acceleration = np.array([f(t, y)[0] for t, y in zip(np.asarray(r.t), np.array([w, x]).T, strict=True)])
    assert np.abs(np.asarray(r["b6.effort"]) - m * radius * acceleration).max() < 1e-7
    assert np.abs(r["energy.error"]).max() < 1e-9 * r.energy_scale
    assert any("derivative causality: I rack on bond b6" in note for note in r.notes)


def test_algebraic_loop():
    """The bridge by mesh currents in SymPy."""
    g = graph("bridge")
    eq = g.equations
    assert [sorted(loop.elements) for loop in eq.loops] == [["r1", "r2"], ["r3", "r4"]]
    assert all(loop.closed for loop in eq.loops) and not eq.unknowns
    V, R1, R2, R3, R4, R5, L5 = sympy.symbols("V R1 R2 R3 R4 R5 L5", real=True)
    i, left, right = sympy.symbols("i left right")
    nodes = [(V - left) / R1 - left / R2 - i, (V - right) / R3 - right / R4 + i]  # Kirchhoff's currents
    voltages = sympy.solve(nodes, [left, right])
    rate = voltages[left] - voltages[right] - R5 * i
    values = {eq.states["coil.p"]: L5 * i, eq.inputs["source"]: V}
    assert sympy.simplify(eq.f[0].subs(values) - rate) == 0
    numbers = dict(zip((V, R1, R2, R3, R4, R5, L5), (10, 100, 200, 150, 120, 50, 0.2), strict=True))
    slope = float(sympy.diff(rate.subs(numbers), i) / 0.2)
    end = float(-rate.subs(numbers).subs(i, 0) / sympy.diff(rate.subs(numbers), i))
    r = run("bridge", t_end=0.005)
    assert np.abs(np.asarray(r["diagonal.flow"]) - end * (1 - np.exp(slope * np.asarray(r.t)))).max() < 1e-9 * end


def test_non_linear_spring():
    r = run("duffing", t_end=10)
    y, v = reference(
        lambda t, y: [y[1], -0.3 * y[1] + y[0] - y[0] ** 3 + 0.5 * np.cos(1.2 * t)], [1, 0], np.asarray(r.t)
    )
    assert np.abs(np.asarray(r["spring.q"]) - y).max() < 1e-9
    assert np.abs(np.asarray(r["v.flow"]) - v).max() < 1e-9
    energy = -0.5 * y**2 + 0.25 * y**4
    assert np.abs(np.asarray(r["spring.energy"]) - energy).max() < 1e-9
    assert np.abs(r["energy.error"]).max() < 1e-8 * r.energy_scale


@pytest.mark.parametrize("name", bg.names())
@pytest.mark.parametrize("integrator", ["rk4", "trapezoidal", None])
def test_energy_balances_at_every_junction(name, integrator):
    g = graph(name)
    duration = g.run.duration / 5
    r = g.simulate(duration, samples=50, integrator=integrator, step=duration / 100)
    assert r.ok
    for node in g.network.of("0", "1", "TF", "GY"):
        for what in ("power", "energy"):
            terms = [b.sign(node.name) * np.asarray(r[f"{b.name}.{what}"]) for b in node.bonds]
            size = max(float(np.abs(x).max()) for x in terms) or 1.0
            assert np.abs(sum(terms)).max() <= 1e-12 * size, (node.name, what)
