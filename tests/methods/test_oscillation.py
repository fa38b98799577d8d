"""Stability and errors of the integrators on an oscillation, by their formulas and by running them; 000 4.1."""

from math import pi, sqrt

import numpy as np
import pytest

import biela
from biela import Model
from biela.methods.control.oscillation import Oscillation
from biela.methods.registry import INTEGRATORS, integrator

FIXED = [name for name, i in INTEGRATORS.items() if not (i.adaptive or i.scipy)]


def spring(start: float = 1.0, mass: float = 1.0, k: float = 1.0) -> Model:
    """q'' = -k/m q along a line, about a place away from the spring's other end."""
    m = Model().add_ground("O", 0, 0).add_point("P", start, 0).add_mass("m", "P", mass)
    m.add_joint("g", "point-on-line", point="P", line={"body": "ground", "through": "O"})
    m.add_coordinate("x", "position", point="P", along={"body": "ground", "through": "O"})
    return m.add_force("k", "spring", coordinate="x", stiffness=k, free=0)


@pytest.mark.parametrize("name", FIXED)
def test_amplitude_and_period_are_those_of_a_run(name: str):
    """Twenty steps a period; of the Adams methods of high order a hundred, as their other roots grow with twenty."""
    i, count, per = integrator(name), 10, 100 if name in ("ab6", "abm8") else 20
    options = {} if i.direct else {"formulation": "lagrange"}
    if i.iterates:
        options["tolerance"] = 1e-14
    h = 2 * pi / per
    r = biela.simulate(spring(), count * per * h, integrator=name, step=h, samples=count * per, **options)
    assert r.finished and len(r.t) == count * per + 1
    x, v = np.asarray(r["x"]), np.asarray(r["x.rate"])
    o = Oscillation.of(i)
    root = o.root(h)
    assert root is not None and o.errors(per) is not None
    # each is a sum of root^n and its conjugate, once the other roots of a multistep method have died away
    n = np.arange(120, len(x))
    basis = np.array([(root**n).real, (root**n).imag]).T
    for series in (x[120:], v[120:]):
        fit, *_ = np.linalg.lstsq(basis, series, rcond=None)
        assert np.abs(basis @ fit - series).max() < 1e-9 * np.abs(series).max(), name


def test_closed_forms():
    """Trapezoidal rule: tan(angle / 2) = z / 2; rk2 grows by sqrt(1 + z^4 / 4); limits of Euler (004) and rk4."""
    amplitude, period = Oscillation.of(integrator("trapezoidal")).errors(10) or (0, 0)
    z = 2 * pi / 10
    assert period == pytest.approx(z / (2 * np.arctan(z / 2)) - 1, rel=1e-12) and abs(amplitude) < 1e-13
    assert abs(Oscillation.of(integrator("rk2")).root(z) or 0) == pytest.approx(sqrt(1 + z**4 / 4), rel=1e-13)
    assert Oscillation.of(integrator("symplectic-euler")).limit == pytest.approx(2, rel=1e-6)
    assert Oscillation.of(integrator("rk4")).limit == pytest.approx(2 * sqrt(2), rel=1e-6)


@pytest.mark.parametrize("name", ["ab4", "ab6", "abm8", "symplectic-euler"])
def test_where_steps_become_unstable(name: str):
    """A run with steps a little shorter than the limit stays, one with a little longer ones does not."""
    i = integrator(name)
    limit = Oscillation.of(i).limit or 0.0
    most = []
    for share in (0.93, 1.07):
        h = share * limit
        r = biela.simulate(spring(), 1000 * h, integrator=name, formulation="lagrange", step=h, samples=1000)
        most.append(np.abs(np.asarray(r["x"])).max() if r.finished else np.inf)
    assert most[0] < 3 and most[1] > 30


def test_the_examples_of_the_text():
    """000 4.1: the trapezoidal rule is A-stable, the method of Hilber, Hughes and Taylor L-stable, the mid-point rule
    B-stable; explicit methods are never stable whatever the step."""
    kind = {name: Oscillation.of(i).kind for name, i in INTEGRATORS.items()}
    assert (kind["trapezoidal"], kind["hht"], kind["midpoint"]) == ("A", "L", "B")
    explicit = ("euler", "symplectic-euler", "rk2", "rk4", "ab4", "ab6", "abm8", "dopri5", "dopri8", "dop853")
    assert {kind[name] for name in explicit} == {"conditional"}
    assert Oscillation.of(integrator("hht"), rho=1.0).kind == "A"  # no damping: the trapezoidal rule
    for rho in (0.0, 0.5, 0.9):  # the largest root of an infinitely fast oscillation is what was asked for
        o = Oscillation.of(integrator("generalized-alpha"), rho=rho)
        assert o.matrix is not None
        assert np.abs(np.linalg.eigvals(o.matrix(1e6))).max() == pytest.approx(rho, abs=2e-3)


@pytest.mark.parametrize("name", FIXED)
def test_who_keeps_the_angular_momentum(name: str):
    """A mass on a spring, free in the plane: B-stable methods keep its angular momentum whatever the step."""
    m = Model(gravity=(0, 0)).add_ground("O", 0, 0).add_point("P", 1, 0).add_mass("m", "P", 1)
    m.add_force("k", "spring", points=("O", "P"), stiffness=1, free=0.3)
    m.start(velocity={"P.y": 0.6})
    i = integrator(name)
    options = {} if i.direct else {"formulation": "lagrange"}
    if i.iterates:
        options["tolerance"] = 1e-14
    r = biela.simulate(m, 20, integrator=name, step=0.1, coordinates="natural", samples=200, **options)
    P, v = np.asarray(r["P"]), np.asarray(r["P.velocity"])
    L = P[:, 0] * v[:, 1] - P[:, 1] * v[:, 0]
    assert (np.abs(L - L[0]).max() < 1e-11) == i.keeps_momentum, (name, np.abs(L - L[0]).max())


def test_notes_on_long_steps():
    """(114), (115): T = 2 pi / 100 s. rk4 is stable to T/2.22 = 28.3 ms; 10 ms is T/6.3, too long to follow it."""
    model = spring(k=1e4)
    stable = biela.simulate(model, 1.0, integrator="rk4", formulation="lagrange", step=2e-3)
    long = biela.simulate(model, 1.0, integrator="rk4", formulation="lagrange", step=1e-2)
    wild = biela.simulate(model, 1.0, integrator="rk4", formulation="lagrange", step=3e-2)
    assert not any("period" in note for note in stable.notes)
    (note,) = [note for note in long.notes if "period" in note]
    assert "T = 0.06283 s" in note and "T/6.28" in note and "(115)" in note
    (note,) = [note for note in wild.notes if "period" in note]
    assert "rk4 is unstable beyond T/2.22 = 0.0283 s (000 (114))" in note
    x = np.abs(np.asarray(wild["x"]))
    assert x[-1] > 10 and np.abs(np.asarray(long["x"])).max() <= 1.0  # it does explode, and it does not


def test_compare_tells_stability():
    ways = ["lagrange+rk4", "hht[rho=0.5]", "conserving"]
    c = biela.compare(spring(k=1e4), ways, steps=[2e-3], duration=0.1, repeats=1)
    lines = {line.split()[0]: line.split() for line in c.stability().splitlines()[4:8] if line}
    assert lines["rk4"][1:4] == ["h", "<=", "T/2.22"] and lines["hht[rho=0.5]"][1] == "L-stable"
    assert lines["conserving"][1] == "B-stable" and float(lines["conserving"][5]) == pytest.approx(3.2, abs=0.05)
    assert c.period == pytest.approx(2 * pi / 100, rel=1e-6) and "T = 0.062832 s" in c.stability()
