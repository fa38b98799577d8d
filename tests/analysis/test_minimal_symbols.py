"""Minimal equations in symbols against those in numbers, at random states (001 15.6)."""

from functools import cache, partial
from itertools import product

import numpy as np
import pytest
import sympy

import biela
from biela import MethodError, Model
from biela.analysis.explain.formulas import plain
from biela.analysis.minimal import absolute_angles
from biela.analysis.minimal import independent as dependence
from biela.analysis.minimal.equations import MinimalSymbols
from biela.analysis.minimal.symbols import minimal_equations
from biela.model.resolve import resolve
from biela.system.symbols import symbolic_system
from biela.system.symbols.symbolic_system import parameter_values
from mechanisms import Recipe, build

SMALL = ["rod-pendulum", "simple-pendulum", "double-pendulum", "double-pendulum-spring", "mass-spring-damper",
         "two-mass-suspension", "slider-crank", "four-bar", "folding-four-bar", "double-pendulum-001",
         "double-pendulum-002", "slider-crank-001", "progressive-spring-001", "oscillator-002"]  # fmt: skip


MADE_SHORT = ("rod-pendulum", "simple-pendulum", "mass-spring-damper", "two-mass-suspension", "double-pendulum-001")
"""To make formulas short takes most of the time. It is done with those of the smallest mechanisms, and with all that
are in reference-point coordinates and angles from the ground but for `LONG`; the others are taken as they come."""
LONG = ("four-bar", "folding-four-bar", "double-pendulum-spring")


def as_they_come(patch: pytest.MonkeyPatch) -> None:
    for module in (absolute_angles, dependence):
        patch.setattr(module, "shortened", plain)
    patch.setattr(symbolic_system, "FEW", 0)


@cache
def _equations(name: str, coordinates: str, angles: str) -> MinimalSymbols:
    with pytest.MonkeyPatch.context() as patch:
        usual = (coordinates, angles) == ("reference-point", "absolute") and name not in LONG
        if not usual and name not in MADE_SHORT:
            as_they_come(patch)
        return minimal_equations(name, None, coordinates, angles)


def equations(name: str, coordinates: str = "reference-point", angles: str = "absolute") -> MinimalSymbols:
    """Of a mechanism of the library, for all the tests that look at them."""
    return _equations(name, coordinates, angles)


def agree(model: Model | str, found: MinimalSymbols, t: float = 0.31) -> None:
    """M and Q at a state of the motion."""
    r = biela.simulate(model, t, samples=1, tolerance=1e-11)
    assert r.ok
    numbers = biela.minimal(r, found.names, at="end")
    values = {name: float(r[name][-1]) for name in found.variables}
    rates = [float(x) for x in numbers.rate]
    M, Q = found.function()(values, rates, t)
    scale = max(np.abs(numbers.Q).max(), np.abs(numbers.M).max() * max(np.abs(rates).max(initial=0.0) ** 2, 1.0))
    np.testing.assert_allclose(M, numbers.M, rtol=1e-9, atol=1e-9 * np.abs(numbers.M).max())
    np.testing.assert_allclose(Q, numbers.Q, rtol=1e-8, atol=1e-9 * scale)


@pytest.mark.parametrize("name", SMALL)
def test_symbols_and_numbers_agree(name: str):
    agree(name, equations(name))


OPEN = [("chain", 1, ()), ("chain", 2, ()), ("tree", 2, ()), ("chain", 1, ("prismatic",)),
        ("chain", 1, ("point-on-line",)), ("chain", 1, ("fixed",))]  # fmt: skip


@pytest.mark.parametrize("topology, size, joints, seed", [
    *((*mechanism, seed) for mechanism, seed in product(OPEN, range(2))), ("loop", 2, (), 0),
])  # fmt: skip
def test_random_mechanisms(topology: str, size: int, joints: tuple, seed: int, monkeypatch: pytest.MonkeyPatch):
    """(Formulas whose numbers have sixteen digits take minutes to make short where there are loops: those of the
    library are made short in the other tests, and those of number 0 without loops; these are taken as they come.)"""
    if topology == "loop" or seed:
        as_they_come(monkeypatch)
    model = build(Recipe(topology, size, joints=joints, seed=seed))
    agree(model, minimal_equations(model), 0.11)


def test_the_pendulum_of_the_text():
    """001, example 1: (m l^2/4 + J) phi'' = -(m g l/2) cos phi."""
    found = minimal_equations("rod-pendulum")
    m, l, J, g, phi = (next(s for s in found.M.free_symbols | found.Q.free_symbols if str(s) == n)
                       for n in ("m", "l", "J", "g", "phi"))  # fmt: skip
    assert sympy.simplify(found.M[0] - (m * l**2 / 4 + J)) == 0
    assert sympy.simplify(found.Q[0] + m * g * l / 2 * sympy.cos(phi)) == 0
    assert found.equations() == ["(J + l**2*m/4)*phi'' = -g*l*m*cos(phi)/2"]


def test_the_slider_crank_keeps_its_velocity_terms():
    """What example 2 of 001 loses: Q depends on theta'^2."""
    found = equations("slider-crank")
    assert found.names == ["theta"]
    rate = found.rates[0]
    full = found.Q[0].subs(list(reversed(found.short.items())))
    assert sympy.diff(full, rate, 2) != 0
    assert found.Phi.shape == (1, 1)


def test_any_coordinate_of_the_model_can_be_independent(monkeypatch: pytest.MonkeyPatch):
    as_they_come(monkeypatch)
    for name, independent in (("four-bar", "rocker.angle"), ("slider-crank", "rod.angle")):
        agree(name, minimal_equations(name, [independent], "relative"))


def test_a_driven_mechanism():
    m = Model(gravity=(0, -9.81)).add_ground("O", 0, 0).add_point("A", 1, 0).add_point("B", 2, 0.2)
    m.add_bar("a", "O", "A", mass=1).add_bar("b", "A", "B", mass=2)
    m.add_coordinate("phi", "angle", of=("O", "A")).add_driver("d", "phi", "0.5*sin(3*t)")
    agree(m, minimal_equations(m, ["b.angle"]))


def test_latex_and_text():
    found = equations("four-bar")
    assert r"\ddot" in found.latex() and "where the other variables follow from" in found.text()


@pytest.mark.parametrize("model, independent, word", [
    ("quick-return", None, "nothing is left free"), ("bricard", None, "too large"),
    ("jansen", None, "too large"), ("four-bar", ["nothing"], "cannot be an independent"),
    ("four-bar", ["crank.angle", "rocker.angle"], "2 independent coordinates for 1 freedom"),
])  # fmt: skip
def test_refusals(model: str, independent: list[str] | None, word: str):
    with pytest.raises(MethodError, match=word):
        minimal_equations(model, independent)


# ------------------------------------------------------------------------- S and S' of whole sets of coordinates
def agree_whole(model: Model | str, coordinates: str, angles: str = "absolute", t: float = 0.21) -> MinimalSymbols:
    """M and Q, S, and S' z' + b' against those in numbers, in the same velocities, at a state of the motion."""
    make = equations if isinstance(model, str) else partial(minimal_equations, independent=None)
    found = make(model, coordinates=coordinates, angles=angles)
    r = biela.simulate(model, t, samples=1, tolerance=1e-11, coordinates=coordinates)
    assert r.ok
    numbers = biela.minimal(r, found.names, at="end")
    if set(found.variables) <= set(r.system.q_names):
        values = {n: float(r.q[-1][r.system.q_names.index(n)]) for n in found.variables}
    else:
        values = {n: float(r[n][-1]) for n in found.variables}
    rates = [float(x) for x in numbers.rate]
    M, Q = found.function()(values, rates, t)
    np.testing.assert_allclose(M, numbers.M, rtol=1e-9, atol=1e-9 * np.abs(numbers.M).max())
    np.testing.assert_allclose(Q, numbers.Q, rtol=1e-8, atol=1e-9 * max(1.0, np.abs(numbers.Q).max()))
    w = found.whole
    known = parameter_values(resolve(found.model, symbolic=True), resolve(found.model))
    for y, name in zip(found.variables.values(), found.variables, strict=True):
        known[y] = values[name]
    known |= dict(zip(found.rates, rates, strict=True)) | {sympy.Symbol("t", real=True): t}
    assert w.names == r.system.v_names
    S, S_dot, b, b_dot = (np.array(x.subs(known), dtype=float) for x in (w.S, w.S_dot, w.b, w.b_dot))
    np.testing.assert_allclose(S, numbers.S, rtol=0, atol=1e-9 * np.abs(numbers.S).max())
    np.testing.assert_allclose(b[:, 0], numbers.b, rtol=0, atol=1e-8)
    c = S_dot @ np.array(rates) + b_dot[:, 0]
    np.testing.assert_allclose(c, numbers.c, rtol=0, atol=1e-8 * max(1.0, np.abs(numbers.c).max()))
    return found


@pytest.mark.parametrize("name, coordinates", [
    *product(["rod-pendulum", "double-pendulum", "slider-crank"], ["natural", "mixed", "reference-point", "relative"]),
    # longer formulas of the same kinds of rows
    *product(["four-bar", "double-pendulum-001", "slider-crank-001"], ["reference-point"]),
])  # fmt: skip
def test_S_of_whole_sets(name: str, coordinates: str):
    agree_whole(name, coordinates)


@pytest.mark.parametrize("name, coordinates", [
    ("double-pendulum", "reference-point"), ("double-pendulum", "relative"), ("slider-crank", "relative"),
    ("slider-crank", "reference-point"), ("slider-crank", "natural"), ("two-mass-suspension", "relative"),
])  # fmt: skip
def test_relative_angles(name: str, coordinates: str):
    """001 (28)-(32): the same in the angles of the joints."""
    agree_whole(name, coordinates, "relative")


def test_in_space():
    agree_whole("heavy-top", "relative", t=0.02)


def test_S_of_a_top_in_reference_point_coordinates():
    """S^T M S of the frame of the top is the mass matrix about its pivot, at any unit quaternion."""
    found = minimal_equations("heavy-top", coordinates="reference-point")
    names = resolve(found.model, symbolic=True).parameters
    values = parameter_values(resolve(found.model, symbolic=True), resolve(found.model))
    known = values | dict(zip(found.variables.values(), (0.1, -0.7, 0.5, 0.5), strict=True))
    assert found.whole.names == ["top.x", "top.y", "top.z", "top.wx", "top.wy", "top.wz"]
    S, M = (np.array(x.subs(known), dtype=float) for x in (found.whole.S, found.M))
    m = values[names["m"]]
    np.testing.assert_allclose(S.T @ np.diag([m, m, m, 0.234375, 0.46875, 0.234375]) @ S, M, rtol=1e-12, atol=1e-12)


def arm() -> Model:
    """Two hinges in space, one across the other."""
    m = Model(name="arm", gravity=(0, 0, "-g"), parameters={"m": 2, "a": 0.4, "b": 0.5, "J": 0.1, "g": 9.81})
    m.add_ground("O", 0, 0, 0)
    m.add_body("post", {"O": (0, 0, 0), "P": ("a", 0, 0)}, mass="m", center=("a/2", 0, 0), inertia=("J", "J", "J"))
    m.add_body("fore", {"P": (0, 0, 0), "T": ("b", 0, 0)}, mass="m", center=("b/2", 0, 0), inertia=("J", "J", "J"),
               position=("a", 0, 0))  # fmt: skip
    m.add_joint("swivel", "revolute", bodies=("ground", "post"), at="O", axis="z")
    m.add_joint("elbow", "revolute", bodies=("post", "fore"), at="P", axis="y")
    return m


@pytest.mark.parametrize("coordinates", ["relative", "reference-point", "natural"])
def test_an_arm_in_space(coordinates: str, monkeypatch: pytest.MonkeyPatch):
    if coordinates != "relative":
        as_they_come(monkeypatch)
    found = agree_whole(arm(), coordinates)
    assert found.names == ["swivel.angle", "elbow.angle"]


@pytest.mark.parametrize("angles", ["absolute", "relative"])
def test_the_bars_without_their_reactions(angles: str):
    """001 (27): equations of the accelerations of the bodies; with v' = S z'' + S' z' they are the least number."""
    found = equations("double-pendulum-001", angles=angles)
    lines = found.whole.without_reactions()
    assert len(lines) == 3 and "001 (27)" in lines[0]
    second = sympy.Matrix(sympy.symbols("a b", real=True))
    v_dot = found.whole.S * second + found.whole.S_dot * sympy.Matrix(found.rates)
    known = {str(s): s for s in found.M.free_symbols | found.Q.free_symbols | set(found.rates) | set(found.z)}
    names = {f"{name}''": sympy.Symbol(f"w{k}") for k, name in enumerate(found.whole.names)}

    def read(text: str):
        for spelt, short in [*names.items(), *((n, s) for n, s in known.items() if "'" in n)]:
            text = text.replace(spelt, f"__{short}".replace("'", "_dot"))
        spelled = {f"__{s}".replace("'", "_dot"): s for s in [*names.values(), *known.values()]}
        return sympy.sympify(text, locals=spelled | {n: s for n, s in known.items() if "'" not in n})

    for k, line in enumerate(lines[1:]):
        left, right = map(read, line.split(" = "))
        least = (found.M * second - found.Q)[k]
        put = left.subs(dict(zip(names.values(), v_dot, strict=True))) - right
        assert sympy.simplify(put - least) == 0
    assert minimal_equations("rod-pendulum", None, "natural").whole.without_reactions() == []


@pytest.mark.parametrize("name, angles", [
    ("slider-crank-001", "absolute"), ("slider-crank-001", "relative"), ("four-bar", "absolute"),
    ("double-pendulum-spring", "relative"), ("folding-four-bar", "absolute"),
])  # fmt: skip
def test_they_hold_in_closed_loops(name: str, angles: str):
    """S^T M v' = S^T Q against M, Q and S of the system in numbers, and with the accelerations of its motion."""
    found = equations(name, angles=angles)
    assert found.whole.balance is not None and len(found.whole.without_reactions()) == len(found.z) + 1
    start = resolve(found.model)
    r = biela.simulate(name, 0.4, coordinates="reference-point", tolerance=1e-11, samples=4)
    t, parameters = sympy.Symbol("t", real=True), parameter_values(resolve(found.model, symbolic=True), start)
    assert found.whole.names == r.system.v_names
    for k in range(len(r.t)):
        numbers = biela.minimal(r, found.names, at=float(r.t[k]))
        known = {y: float(r[n][k]) for n, y in found.variables.items()} | {t: float(r.t[k])} | parameters
        known |= dict(zip(found.rates, map(float, numbers.rate), strict=True))
        for name_, e in found.short.items():
            known[name_] = float(sympy.sympify(e).subs(known))
        masses, loads = (np.array(x.subs(known), dtype=float) for x in
                         (found.whole.balance.masses, found.whole.balance.loads))  # fmt: skip
        here = r.system.at(r.q[k], r.v[k], float(r.t[k]))
        size = np.abs(numbers.S).max() * np.abs(here.Q).max()
        np.testing.assert_allclose(masses, numbers.S.T @ here.M, rtol=0, atol=1e-9 * np.abs(masses).max())
        np.testing.assert_allclose(loads[:, 0], numbers.S.T @ here.Q, rtol=0, atol=1e-9 * size)
        np.testing.assert_allclose(masses @ r.a[k], loads[:, 0], rtol=0, atol=1e-9 * size)


def test_the_slider_crank_without_its_reactions():
    """001 15.6, example 2: weights and accelerations of crank, rod and slider, and no reaction; one line is enough."""
    for angles in ("absolute", "relative"):
        text = equations("slider-crank-001", angles=angles).text()
        _, _, last = text.partition("S^T M v' = S^T Q, without the reactions of the joints:   001 (27)\n")
        assert len(last.splitlines()) == 1 and "slider.x''" in last and "slider.y''" not in last
        assert max(map(len, text.partition("S' =")[2].partition("S^T M")[0].splitlines())) < 250


def test_example_1_line_by_line():
    """001 15.6, example 1: S, S' and the equation."""
    found = minimal_equations("rod-pendulum")
    l = resolve(found.model, symbolic=True).parameters["l"]
    phi, rate = found.z[0], found.rates[0]
    assert found.whole.names == ["bar.x", "bar.y", "bar.angle"]
    assert list(found.whole.S) == [-l * sympy.sin(phi) / 2, l * sympy.cos(phi) / 2, 1]
    assert list(found.whole.S_dot * rate) == [-l * sympy.cos(phi) / 2 * rate**2, -l * sympy.sin(phi) / 2 * rate**2, 0]


def test_example_2_line_by_line():
    """001 15.6, example 2: S as printed; S' of the text has phi_3' = -phi_2' in place of the ratio of the two."""
    found = equations("slider-crank")
    names = resolve(found.model, symbolic=True).parameters
    l2, l3, p2, p3 = names["L1"], names["L2"], found.z[0], found.variables["rod.angle"]
    sin, cos = sympy.sin, sympy.cos
    along = l2 * sin(p3) * cos(p2) / cos(p3)
    printed = [-l2 / 2 * sin(p2), l2 / 2 * cos(p2), 1, -l2 * sin(p2) + along / 2, l2 / 2 * cos(p2),
               -l2 * cos(p2) / (l3 * cos(p3)), -l2 * sin(p2) + along]  # fmt: skip
    assert found.whole.names[:7] == ["crank.x", "crank.y", "crank.angle", "rod.x", "rod.y", "rod.angle", "slider.x"]
    assert all(sympy.simplify(e - f) == 0 for e, f in zip(list(found.whole.S)[:7], printed, strict=True))
    text = l2 * (cos(p3) * sin(p2) + cos(p2) * sin(p3)) / (l3 * cos(p3) ** 2)  # of phi_3'', times phi_2'^2
    true = sympy.diff(printed[5], p2) + sympy.diff(printed[5], p3) * printed[5]
    assert sympy.simplify(found.whole.S_dot[5] / found.rates[0] - true) == 0
    assert sympy.simplify(text - sympy.diff(printed[5], p2) + sympy.diff(printed[5], p3)) == 0
    assert sympy.simplify(text - true) != 0


@pytest.mark.parametrize("how, word", [
    ({"coordinates": "nonsense"}, "no coordinates"), ({"angles": "nonsense"}, "no angles"),
    ({"angles": "relative", "independent": ["theta"]}, "not one of the relative velocities"),
])  # fmt: skip
def test_more_refusals(how: dict, word: str):
    with pytest.raises(MethodError, match=word):
        minimal_equations("slider-crank", **how)
