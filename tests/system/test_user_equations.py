"""Equations of the user of any degree, with time in their coefficients: derivatives against differences of the formula,
motions against a system of equations written by SymPy, in all coordinates, formulations and integrators."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp

import biela
from biela.mechanics.measure import measure
from biela.methods.registry import FORMULATIONS, INTEGRATORS
from biela.model import expression as ex
from biela.model.resolve import resolve
from biela.system.system import System, build

SETS = ("natural", "mixed", "reference-point", "relative")
PLANE = {
    "cubic": "P.y = 0.2*P.x^3 - 0.1*P.x",
    "time in a coefficient": "P.y = 0.3*(1 + 0.5*sin(2*t))*P.x^2",
    "product of three and time": "P.y + 0.2*P.x*P.y*sin(t)*P.x = 0.1",
    "sine": "P.y = 0.2*sin(3*P.x) + 0.1*cos(2*P.x*P.y)",
    "sine of time and place": "P.y = 0.2*sin(3*P.x - 2*t)",
    "quotient, root, tangent": "P.y = 0.2*sqrt(1 + P.x^2)/(2 + P.x) + 0.1*tan(P.x) + 0.05*P.x^-2",
    "high powers": "P.y = 0.01*P.x^7 + 0.02*P.x^6 - 0.1*P.x^1.5",
    "time below": "P.y*(1 + t) + P.x^3/(2 + t) = 0.2*exp(-t)",
}
SPACE = {
    "surface": "P.z = 0.2*P.x^3 + 0.1*sin(2*P.y)*P.x",
    "waves": "P.z = 0.1*sin(3*P.x - 2*t)*cos(2*P.y)",
    "breathing": "(1 + 0.2*t)*P.x^2*P.y + P.z^3 = 0.3*t + 0.1",
}


def bead(equation: str, space: bool = False) -> biela.Model:
    """A point mass that an equation holds, beside a bar that hangs on it."""
    m = biela.Model(name="bead", dimension=3 if space else 2, gravity=(0, 0, -9.81) if space else (0, -9.81))
    m.add_point("P", 0.6, 0.3, 0.2) if space else m.add_point("P", 0.6, 0.05)
    m.add_mass("bead", "P", 1.5)
    return m.add_joint("curve", "user", equation=equation).start(velocity={"P.x": 0.4})


@cache
def reference(equation: str, space: bool = False, duration: float = 0.4) -> np.ndarray:
    """The end of the motion of a single mass from  m a + f_q lam = m g,  f_q a = -(v f_qq v + 2 f_qt v + f_tt)."""
    left, right = equation.split("=")
    names = "xyz"[: 3 if space else 2]
    t, q = sympy.Symbol("t"), sympy.symbols(list(names))
    text = f"({left}) - ({right})".replace("P.", "").replace("^", "**")
    f = sympy.sympify(text, {"t": t, **dict(zip(names, q, strict=True))})
    v = sympy.symbols([f"v{n}" for n in names])
    slope = [sympy.diff(f, x) for x in q]
    bias = sum(sympy.diff(f, a, b) * c * d for a, c in zip(q, v) for b, d in zip(q, v))
    bias += 2 * sum(sympy.diff(f, x, t) * c for x, c in zip(q, v)) + sympy.diff(f, t, 2)
    compute = sympy.lambdify([t, *q, *v], [f, sympy.diff(f, t), bias, *slope])
    mass, n = 1.5, len(q)

    def rate(time: float, y: np.ndarray) -> np.ndarray:
        _, _, second, *g = compute(time, *y)
        g, pull = np.array(g, dtype=float), np.zeros(n)
        pull[-1] = -9.81
        lam = mass * (g @ pull + second) / (g @ g)
        return np.concatenate([y[n:], pull - g * lam / mass])

    start = biela.assemble(bead(equation, space), "natural")
    y0 = np.concatenate([start.q0[:n], start.v0[:n]])
    value, moved, _, *g = compute(0.0, *y0)
    assert abs(value) < 1e-12 and abs(moved + np.array(g) @ y0[n:]) < 1e-10  # it starts on the curve, and along it
    return solve_ivp(rate, (0, duration), y0, method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]


def fill_terms(system: System, q: np.ndarray, t: float) -> np.ndarray:
    """q with the carried coordinates at what they stand for."""
    q = q.copy()
    here, resolved = system.posture(q), system.resolved
    values = {"t": t} | {f"P.{x}": float(here.place(resolved.place("P"))[0][0][k])
                         for k, x in enumerate("xyz"[: resolved.dimension])}  # fmt: skip
    for name in system.equations.carried:
        q[system.q_names.index(name)] = ex.evaluate(resolved.coordinates[name].formula, values)
    return q


def condensed(system: System, q: np.ndarray, v: np.ndarray, t: float) -> tuple[np.ndarray, float, float, float]:
    """Phi_q, Phi_t, gamma and Phi of the equation itself, its terms eliminated by their own rows."""
    rows, low = system.row_names, system.equations
    own = [k for k, r in enumerate(low.rows) if r.type == "term"]
    columns = [system.v_names.index(c) for c in low.carried]
    others = [i for i in range(system.n) if i not in columns]
    k = rows.index("curve.equation")
    at = system.at(q, v, t)
    assert np.abs(at.Phi[own]).max(initial=0.0) < 1e-13  # each term is what it stands for
    v = v.copy()
    if columns:
        v[columns] = np.linalg.solve(at.B[np.ix_(own, columns)], -at.Phi_t[own] - at.B[np.ix_(own, others)] @ v[others])
        at = system.at(q, v, t)
    share = np.linalg.solve(at.B[np.ix_(own, columns)].T, at.B[k, columns]) if columns else np.zeros(0)
    return (at.B[k, others] - share @ at.B[np.ix_(own, others)], at.Phi_t[k] - share @ at.Phi_t[own],
            at.gamma[k] - share @ at.gamma[own], at.Phi[k])  # fmt: skip


def by_differences(f, h: float) -> tuple[float, float]:
    a, b, c, d, e = (f(k * h) for k in (-2, -1, 0, 1, 2))
    return (a - 8 * b + 8 * d - e) / (12 * h), (-a + 16 * b - 30 * c + 16 * d - e) / (12 * h * h)


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("name", [*PLANE, *SPACE])
def test_derivatives_against_differences_of_the_formula(name: str, coordinates: str) -> None:
    """Phi, Phi_q, Phi_t and gamma (with Phi_qq, Phi_qt, Phi_tt) of the equation, at random places off the curve."""
    equation, space = (PLANE | SPACE)[name], name in SPACE
    system = build(resolve(bead(equation, space)), coordinates)
    node = next(j.equation for j in system.resolved.joints if j.name == "curve")
    rng = np.random.default_rng(5)
    carried = [system.q_names.index(c) for c in system.equations.carried]
    others = [i for i in range(system.n) if i not in carried]

    def formula(place: np.ndarray, time: float) -> float:
        at = system.posture(place).place(system.resolved.place("P"))[0][0]
        return ex.evaluate(node, {"t": time, **{f"P.{x}": float(y) for x, y in zip("xyz", at, strict=False)}})

    def along(q: np.ndarray, v: np.ndarray, t: float, rate: float, h: float) -> tuple[float, float]:
        return by_differences(lambda s: formula(q + s * v, t + s * rate), h)

    for t in (0.0, 0.7):
        q, v = system.q0.copy(), rng.standard_normal(system.n)
        q[others] = rng.uniform(0.2, 1.2, len(others))
        v[carried] = 0.0
        B, Phi_t, gamma, Phi = condensed(system, fill_terms(system, q, t), v, t)
        assert Phi == pytest.approx(formula(q, t), abs=1e-13)
        for k, i in enumerate(others):
            assert B[k] == pytest.approx(along(q, np.eye(system.n)[i], t, 0.0, 1e-3)[0], abs=1e-8)
        assert Phi_t == pytest.approx(along(q, 0 * v, t, 1.0, 1e-3)[0], abs=1e-8)
        assert -gamma == pytest.approx(along(q, v, t, 1.0, 2e-3)[1], abs=1e-5, rel=1e-6)


def test_the_mixed_derivative_is_there() -> None:
    """Phi_qt of  y = a(t) x^2: Phi_q at two times differs, and gamma has 2 Phi_qt v."""
    system = build(resolve(bead(PLANE["time in a coefficient"])), "natural")
    q = system.q0
    early, late = (condensed(system, fill_terms(system, q, t), np.zeros(system.n), t)[0] for t in (0.0, 0.5))
    expected = -0.3 * 2 * q[0] * 0.5 * np.sin(1.0)
    assert late[0] - early[0] == pytest.approx(expected, rel=1e-12) and abs(expected) > 0.1


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("name", [*PLANE, *SPACE])
def test_motions_in_all_coordinates(name: str, coordinates: str) -> None:
    equation, space = (PLANE | SPACE)[name], name in SPACE
    end = reference(equation, space)
    r = biela.simulate(bead(equation, space), 0.4, coordinates=coordinates, tolerance=1e-10)
    n = len(end) // 2
    assert np.asarray(r["P.position"])[-1] == pytest.approx(end[:n], abs=2e-7)
    assert np.asarray(r["P.velocity"])[-1] == pytest.approx(end[n:], abs=2e-6)


ROUGH = {"euler": 3e-3, "symplectic-euler": 3e-3}
HARD = ("product of three and time", "sine of time and place")


@pytest.mark.parametrize("name, integrator", [(HARD[k % len(HARD)], name) for k, name in enumerate(INTEGRATORS)])
def test_every_integrator(name: str, integrator: str) -> None:
    """Those of index 3 among them; second order at least leaves 2e-5 at this step."""
    end = reference(PLANE[name])
    r = biela.simulate(bead(PLANE[name]), 0.4, integrator=integrator, step=1e-3)
    assert r.ok and np.asarray(r["P.position"])[-1] == pytest.approx(end[:2], abs=ROUGH.get(integrator, 2e-5))
    assert float(np.asarray(r["violation.position"]).max()) < 1e-4


@pytest.mark.parametrize("coordinates", ["natural", "reference-point"])
@pytest.mark.parametrize("formulation", list(FORMULATIONS))
@pytest.mark.parametrize("name", HARD)
def test_every_formulation(name: str, formulation: str, coordinates: str) -> None:
    end = reference(PLANE[name])
    r = biela.simulate(bead(PLANE[name]), 0.4, coordinates=coordinates, formulation=formulation, integrator="rk4",
                       step=5e-4)  # fmt: skip
    near = 2e-4 if formulation == "penalty" else 2e-7
    assert r.ok and np.asarray(r["P.position"])[-1] == pytest.approx(end[:2], abs=near)


# ------------------------------------------------------------------------------------- of angles and slides
def cam(duration: float) -> biela.Model:
    """A shaft and a slide, tied by an equation of their coordinates: s = 0.5 + 0.2 sin(phi)^3 cos(2 t) - 0.05 phi^3."""
    m = biela.Model(name="cam", gravity=(0, 0), run={"duration": duration})
    m.add_ground("O", 0, 0).add_point("A", 1, 0.1).add_point("S", 0.5, 1).add_point("T", 0.7, 1)
    m.add_bar("crank", "O", "A", mass=1, length=1).add_bar("block", "S", "T", mass=1, length=0.2)
    m.add_joint("s1", "user", equation="S.y = 1").add_joint("s2", "user", equation="T.y = 1")
    m.add_coordinate("phi", "angle", of=["O", "A"])
    m.add_joint("curve", "user", equation="S.x = 0.5 + 0.2*sin(phi)^3*cos(2*t) - 0.05*phi^3")
    return m.add_driver("motor", "phi", "0.1 + 2*t + t^2")


@pytest.mark.parametrize("coordinates", SETS)
def test_kinematics_of_a_cam(coordinates: str) -> None:
    r = biela.kinematics(cam(2.0), count=41, coordinates=coordinates)
    t = sympy.Symbol("t")
    phi = sympy.Rational(1, 10) + 2 * t + t**2
    s = sympy.Rational(1, 2) + sympy.sin(phi) ** 3 * sympy.cos(2 * t) / 5 - phi**3 / 20
    for part, order in (("S.x", 0), ("S.vx", 1), ("S.ax", 2)):
        exact = sympy.lambdify(t, sympy.diff(s, t, order) if order else s)(np.asarray(r.t))
        assert np.asarray(r[part]) == pytest.approx(exact, abs=1e-9 * max(1.0, np.abs(exact).max())), part


@pytest.mark.parametrize("coordinates", SETS)
def test_what_the_equation_does_to_the_bodies(coordinates: str) -> None:
    """The curve pushes the block by m s'', and takes from the motor that force times ds/dphi."""
    r = biela.kinematics(cam(1.0), count=11, coordinates=coordinates)
    force = np.asarray(r.reaction("curve").on("block").force)[:, 0]
    assert force == pytest.approx(1.0 * np.asarray(r["S.ax"]), abs=1e-8)
    phi, t = np.asarray(r["phi"]), np.asarray(r.t)
    slope = 0.6 * np.sin(phi) ** 2 * np.cos(phi) * np.cos(2 * t) - 0.15 * phi**2
    moment = np.asarray(r.reaction("curve").on("crank").moment)
    needed = force * slope + np.asarray(r["phi.acceleration"]) / 3
    assert np.asarray(r["motor.effort"]) == pytest.approx(needed, abs=1e-7)
    assert moment == pytest.approx(-force * slope, abs=1e-7)


def test_measured_rates_of_terms_are_those_of_the_variables() -> None:
    m = bead("P.y = 0.2*sin(3*P.x)*P.x^3")
    r = biela.simulate(m, 0.2, coordinates="natural")
    for name in r.system.equations.carried:
        found = measure(r.posture, r.system.resolved.coordinates[name])
        for part, y in zip(("", ".rate", ".acceleration"), found, strict=True):
            assert np.asarray(r[f"{name}{part}"]) == pytest.approx(y, abs=1e-7), (name, part)
        assert r.unit(name) == "1"


# --------------------------------------------------------------------------------------- a body that turns
def tilted() -> biela.Model:
    """A body on a ball whose axis is tied by a cubic of its direction, a sine of a point, and time."""
    m = biela.Model(name="tilted", dimension=3, gravity=(0, 0, -9.81)).add_ground("O", 0, 0, 0)
    m.add_body("a", {"O": (0, 0, 0), "P": (0.8, 0.1, 0)}, mass=2, center=(0.4, 0, 0), inertia=(0.1, 0.2, 0.25),
               directions={"u": (1, 0, 0)}, position=(0, 0, 0))  # fmt: skip
    m.add_joint("ball", "spherical", bodies=["ground", "a"], at="O")
    m.add_joint("curve", "user", equation="a.u.z + 0.3*a.u.x^3 + 0.2*sin(2*P.y)*(1 + t) = 0.25")
    return m


def test_a_body_in_space() -> None:
    ends = [np.asarray(biela.simulate(tilted(), 0.5, coordinates=c, tolerance=1e-10)["P.position"])[-1] for c in SETS]
    for end in ends[1:]:
        assert end == pytest.approx(ends[0], abs=1e-6)
    assert np.abs(ends[0] - (0.8, 0.1, 0)).max() > 0.1  # it has moved
    for coordinates in SETS:
        system = biela.assemble(tilted(), coordinates)
        rng = np.random.default_rng(1)
        v, t = rng.standard_normal(system.n), 0.3
        at = system.at(system.q0, v, t)

        def rows(h: float, system: System = system, v: np.ndarray = v, t: float = t) -> np.ndarray:
            return system.at(system.displaced(system.q0, h * v), None, t + h).Phi

        first, second = by_differences(rows, 1e-3)
        assert at.Phi_dot == pytest.approx(first, abs=1e-8) and -at.gamma == pytest.approx(second, abs=1e-5)


def test_rest_and_modes() -> None:
    """On  y = x^2 - 2 x + 0.3 (x - 1)^4 + sin(x - 1)^4  a bead rests at x = 1, and swings with w^2 = 2 g."""
    m = bead("P.y = P.x^2 - 2*P.x + 0.3*(P.x - 1)^4 + sin(P.x - 1)^4")
    rest = biela.equilibrium(m)
    assert float(rest["P.x"][0]) == pytest.approx(1.0, abs=1e-8)
    modes = biela.linearise(m, at="equilibrium").modes()
    assert [2 * np.pi * mode.frequency for mode in modes] == pytest.approx([np.sqrt(2 * 9.81)], rel=1e-6)


def test_inverse_dynamics_of_a_recorded_motion() -> None:
    """The motion of the driven cam, prescribed by itself, needs the same efforts in other coordinates."""
    r = biela.kinematics(cam(1.0), count=11)
    back = biela.inverse(cam(1.0), coordinates="reference-point", samples=11)
    assert np.asarray(back["motor.effort"])[-1] == pytest.approx(np.asarray(r["motor.effort"])[-1], rel=1e-6)


# ------------------------------------------------------------------------------------------- what is refused
@pytest.mark.parametrize("text, why", [
    ("P.y = exp(P.x)", "exp of something that moves"),
    ("P.y = abs(P.x)", "abs of something that moves"),
    ("P.y = P.x^P.y", "a power that changes"),
    ("P.y = P.x^0.3", "a power 0.3 of something that moves"),
    ("P.y = P.x^100", "a power 100 of something that moves"),
    ("P.y = (P.x > 1)*P.x", "a comparison (>) of something that moves"),
])  # fmt: skip
def test_refused(text: str, why: str) -> None:
    with pytest.raises(biela.ModelError) as error:
        biela.assemble(bead(text))
    assert why in str(error.value) and "joints.curve.equation" in str(error.value) and "sin, cos" in str(error.value)


def test_terms_are_nobodys_names(tmp_path) -> None:
    """Nothing of the user's can speak of a term, and files and defaults leave them out."""
    with pytest.raises(biela.ModelError, match=r"there is no coordinate 'curve.term1'"):
        biela.assemble(bead(PLANE["cubic"]).add_driver("d", "curve.term1", "t"))
    r = biela.simulate(bead(PLANE["cubic"]), 0.1)
    r.to_csv(tmp_path / "r.csv")
    assert "term" not in (tmp_path / "r.csv").read_text().splitlines()[0]


def test_in_symbols() -> None:
    m = biela.Model(name="bead", parameters={"k": 0.2}, gravity=(0, -9.81)).add_point("P", 0.6, 0.05)
    m.add_mass("bead", "P", 1.5).add_joint("curve", "user", equation="P.y = k*P.x^3*(1 + sin(t))")
    told = biela.explain(m)
    assert "x_P**2" in told.text() and "curve.term1" in told.text()
    system, shown = biela.assemble(m, "natural"), told.symbolic
    rng = np.random.default_rng(2)
    q, v, t = rng.standard_normal(system.n), rng.standard_normal(system.n), 0.4
    values = dict(zip([*shown.q, *shown.v], [*q, *v], strict=True)) | {shown.t: t}
    at = system.at(q, v, t)
    for formula, number in ((shown.Phi, at.Phi), (shown.Phi_q, at.B.ravel()), (shown.bias, -at.gamma)):
        k = next(x for x in shown.Phi.free_symbols if x.name == "k")
        found = [float(e.subs(values | {k: 0.2})) for e in formula]
        assert found == pytest.approx(list(number), abs=1e-12)
