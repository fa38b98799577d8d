"""Energies of the jumps of the decaying schemes: K_nj (33), V_nj (35) and c^2 (41) of 002, as channels."""

import numpy as np
import pytest

import biela
from biela import MethodError, Model
from biela.results.channels.jumps import JUMPS
from biela.views.texts.top_002 import top


def spring(k: float = 40.0) -> Model:
    m = Model().add_ground("O", 0, 0).add_point("P", 1, 0).add_mass("m", "P", 2.0)
    m.add_joint("g", "point-on-line", point="P", line={"body": "ground", "through": "O"})
    m.add_coordinate("x", "position", point="P", along={"body": "ground", "through": "O"})
    return m.add_force("k", "spring", coordinate="x", stiffness=k, free=0)


@pytest.mark.parametrize("D", [1.0, 0.4])
@pytest.mark.parametrize("scheme", ["decaying", "decaying-002"])
def test_of_a_spring(scheme: str, D: float):
    """V_nj = 1/2 k (x_j - x_n)^2 with x_j - x_n = -D h/6 (v_n+1 - v_j), and v_j by x_n+1 - x_n = h/2 (v_n+1 + v_j)."""
    h, k = 0.05, 40.0
    r = biela.simulate(spring(k), 3, integrator=scheme, step=h, samples=60, dissipation=D)
    x, v = np.asarray(r["x"]), np.asarray(r["x.rate"])
    after = 2 * np.diff(x) / h - v[1:]
    kinetic = 0.5 * 2.0 * (after - v[:-1]) ** 2
    potential = 0.5 * k * (D * h / 6 * (v[1:] - after)) ** 2
    K, V, c2 = (np.asarray(r[name]) for name in JUMPS)
    assert K[0] == V[0] == c2[0] == 0.0 and c2.sum() > 1e-3
    assert np.abs(K[1:] - kinetic).max() < 1e-13 and np.abs(V[1:] - potential).max() < 1e-12
    assert np.abs(np.diff(0.5 * 2 * v**2 + 0.5 * k * x**2) + c2[1:]).max() < 1e-12


@pytest.mark.parametrize("scheme", ["decaying", "decaying-002"])
def test_of_a_strain(scheme: str):
    """002 6.1: the strain x^2. V_nj = 1/2 (e_j - e_n)(s_j - s_n) = k/2 (x_j^2 - x_n^2)^2."""
    h = 0.1
    r = biela.simulate("oscillator-002", 6, integrator=scheme, step=h, samples=60)
    x, v = np.asarray(r["x"]), np.asarray(r["x.rate"])
    after = 2 * np.diff(x) / h - v[1:]
    xj = x[:-1] - h / 6 * (v[1:] - after)
    _, V, c2 = (np.asarray(r[name]) for name in JUMPS)
    assert np.abs(V[1:] - 0.5 * (xj**2 - x[:-1] ** 2) ** 2).max() < 1e-12 and V.max() > 1e-6
    assert np.abs(np.diff(0.5 * v**2 + 0.5 * x**4) + c2[1:]).max() < 1e-12


@pytest.mark.parametrize("coordinates", ["natural", "mixed", "reference-point"])
def test_of_weights_alone(coordinates: str):
    """The stress of gravity has no jump: V_nj = 0, and all that is lost is kinetic, in every kind of coordinates."""
    r = biela.simulate("double-pendulum", 1, coordinates=coordinates, integrator="decaying-002", step=5e-3, samples=200)
    K, V, c2 = (np.asarray(r[name]) for name in JUMPS)
    lost = -np.diff(np.asarray(r["energy.total"]))
    assert c2.sum() > 0.1 and (K >= 0).all() and (V == 0).all() and np.abs(lost - c2[1:]).max() < 1e-9 * c2.sum()


def test_of_a_top_that_turns():
    """In space the state j follows from two turns: K_nj is the whole loss, to what 2 + 2 turns leave of 16 digits."""
    r = biela.simulate(top(), 0.1, coordinates="reference-point", integrator="decaying-002", step=1e-3, samples=100)
    K, V, c2 = (np.asarray(r[name]) for name in JUMPS)
    lost = -np.diff(np.asarray(r["energy.total"]))
    assert (K[1:] > 0).all() and (V == 0).all()
    assert np.abs(lost - c2[1:]).max() < 1e-7 * c2.max() + 3e-12 * r["energy.kinetic"][0]


def wound() -> Model:
    """A bar on a torsion spring, a damper and a law of the angle, more than a turn; a hard spring pulls at its end."""
    m = Model(gravity=(0, -9.81)).add_ground("O", 0, 0).add_ground("W", 2, 0).add_point("P", 1, 0)
    m.add_body("bar", {"O": (0, 0), "P": (1, 0)}, mass=2.0, center=(0.5, 0), inertia=0.2)
    m.add_force("t", "spring", bodies=("ground", "bar"), stiffness=3.0, free=0.2)
    m.add_force("hard", "spring", points=("W", "P"), potential="20*(x - 1)^2 + 5*(x - 1)^4", damping=0.1)
    m.add_force("law", "actuator", points=("W", "P"), value="-3*x^2 + 0.2*v + sin(t)")
    return m.start(velocity={"P.y": 9.0})


@pytest.mark.parametrize("coordinates", ["natural", "mixed", "reference-point"])
@pytest.mark.parametrize("scheme", ["decaying", "decaying-002"])
@pytest.mark.parametrize("model", ["double-pendulum-spring", "two-mass-suspension", "oscillator-002", "wound"])
def test_they_are_what_the_run_loses(model: str, scheme: str, coordinates: str):
    """Computed from the jumps alone, K_nj + V_nj is what the energy falls by, less the work of the other forces."""
    if scheme == "decaying" and coordinates == "reference-point":
        return
    given = wound() if model == "wound" else model
    r = biela.simulate(given, 1, coordinates=coordinates, integrator=scheme, step=2e-3, samples=500, dissipation=0.7)
    K, V, c2 = (np.asarray(r[name]) for name in JUMPS)
    lost = -np.diff(np.asarray(r["energy.total"]) - r.work)
    assert r.finished and V.sum() > 1e-10 and (K >= 0).all()
    assert np.abs(lost - c2[1:]).max() < 1e-13 * r.energy_scale + 1e-7 * c2.max()


def test_where_there_are_none():
    few = biela.simulate(spring(), 3, integrator="decaying", step=0.05, samples=10)
    with pytest.raises(MethodError, match="samples=60"):
        few["energy.jump"]
    assert not few.channels("energy.jump*")
    other = biela.simulate(spring(), 1, integrator="conserving", step=0.05)
    with pytest.raises(MethodError, match="conserving has no jumps"):
        other["energy.jump.kinetic"]
