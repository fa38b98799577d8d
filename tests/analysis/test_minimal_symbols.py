"""Minimal equations in symbols against those in numbers, at random states (001 15.6)."""

import numpy as np
import pytest
import sympy

import biela
from biela import MethodError, Model
from biela.analysis.minimal_symbols import MinimalSymbols, minimal_equations
from mechanisms import Recipe, build

SMALL = ["rod-pendulum", "simple-pendulum", "double-pendulum", "double-pendulum-spring", "mass-spring-damper",
         "two-mass-suspension", "slider-crank", "four-bar", "folding-four-bar"]  # fmt: skip


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
    agree(name, minimal_equations(name))


@pytest.mark.parametrize("topology, size, joints", [
    ("chain", 1, ()), ("chain", 2, ()), ("tree", 2, ()), ("loop", 2, ()), ("chain", 1, ("prismatic",)),
    ("chain", 1, ("point-on-line",)), ("chain", 1, ("fixed",)),
])  # fmt: skip
@pytest.mark.parametrize("seed", range(2))
def test_random_mechanisms(topology: str, size: int, joints: tuple, seed: int):
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
    found = minimal_equations("slider-crank", ["theta"])
    rate = found.rates[0]
    full = found.Q[0].subs(list(reversed(found.short.items())))
    assert sympy.diff(full, rate, 2) != 0
    assert found.Phi.shape == (1, 1)


def test_any_coordinate_of_the_model_can_be_independent():
    for independent in (["rocker.angle"], ["coupler.angle"]):
        agree("four-bar", minimal_equations("four-bar", independent))


def test_a_driven_mechanism():
    m = Model(gravity=(0, -9.81)).add_ground("O", 0, 0).add_point("A", 1, 0).add_point("B", 2, 0.2)
    m.add_bar("a", "O", "A", mass=1).add_bar("b", "A", "B", mass=2)
    m.add_coordinate("phi", "angle", of=("O", "A")).add_driver("d", "phi", "0.5*sin(3*t)")
    agree(m, minimal_equations(m, ["b.angle"]))


def test_latex_and_text():
    found = minimal_equations("four-bar")
    assert r"\ddot" in found.latex() and "where the other variables follow from" in found.text()


@pytest.mark.parametrize("model, independent, word", [
    ("quick-return", None, "nothing is left free"), ("bricard", None, "plane"),
    ("jansen", None, "too large"), ("four-bar", ["nothing"], "cannot be an independent"),
    ("four-bar", ["crank.angle", "rocker.angle"], "2 independent coordinates for 1 freedom"),
])  # fmt: skip
def test_refusals(model: str, independent: list[str] | None, word: str):
    with pytest.raises(MethodError, match=word):
        minimal_equations(model, independent)
