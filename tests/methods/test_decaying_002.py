"""The decaying scheme as text 002 prints it, (29) with Phi_j = 0, against its equations in plain Python."""

import numpy as np
import pytest
from scipy.optimize import fsolve

import biela
from biela import MethodError
from biela.results.channels.jumps import JUMPS
from biela.views.texts.pendulum_002 import run
from biela.views.texts.top_002 import top
from text_002_top import integrate


def pendulum_69(steps: int, h: float, m1: float, m2: float, g: float = 9.81) -> np.ndarray:
    """002 (69), with the sign of (62) and y1 in (67): positions of both masses, step by step."""
    M = np.diag([m1, m1, m2, m2])
    weight = np.array([0, m1 * g, 0, m2 * g])

    def Phi(x):
        return np.array([x[0] ** 2 + x[1] ** 2 - 1, (x[2] - x[0]) ** 2 + (x[3] - x[1]) ** 2 - 1])

    def B(x):
        d = x[2:] - x[:2]
        return np.array([[2 * x[0], 2 * x[1], 0, 0], [*(-2 * d), *(2 * d)]])

    x, v, out = np.array([1.0, 0, 1, 1]), np.zeros(4), [np.array([1.0, 0, 1, 1])]
    unknown = np.concatenate([x, x, np.zeros(4)])
    for _ in range(steps):

        def equations(u, x=x, v=v):
            xj, x1, lam_g, lam_j = u[:4], u[4:8], u[8:10], u[10:]
            g_, j_ = B((xj + x1) / 2).T @ lam_g, B((x + xj) / 2).T @ lam_j
            return np.concatenate([
                M @ ((x1 - xj) - 2 * (xj - x)) - h * M @ v + h * h * (weight + g_),
                M @ ((x1 - xj) + 4 * (xj - x)) - h * M @ v - h * h / 3 * (g_ - j_),
                Phi(xj), Phi(x1),
            ])  # fmt: skip

        unknown = fsolve(equations, np.concatenate([x, x + h * v, unknown[8:]]), xtol=1e-13)
        xj, x1 = unknown[:4], unknown[4:8]
        x, v = x1, ((x1 - xj) - 2 * (xj - x)) / h
        out.append(x)
    return np.array(out)


def test_the_double_pendulum_by_69():
    by_text = pendulum_69(60, 0.01, 1.0, 1.0)
    r = run(1.0, "decaying-002", 0.6, step=0.01)
    at = np.array([np.concatenate([r["P1"][k], r["P2"][k]]) for k in range(len(r.t))])
    assert np.abs(at - by_text).max() < 1e-9 and np.ptp(at[:, 0]) > 0.2


def test_the_top_by_90():
    """Euler parameters, momenta of (55): the spin grows while the energy falls, as figure 11 shows it."""
    by_text = integrate(0.36, 1e-3, mean=False, printed=False)
    r = biela.simulate(top(), 0.36, coordinates="reference-point", integrator="decaying-002", step=1e-3, samples=360)
    lean, spin, total = np.arccos(np.asarray(r["G.z"])), np.asarray(r["top.wz"]), np.asarray(r["energy.total"])
    assert np.abs(lean - by_text["lean"]).max() < 1e-9 and np.abs(spin - by_text["spin"]).max() < 1e-9
    assert np.abs(np.diff(total) - np.diff(by_text["total"])).max() < 1e-9
    assert np.diff(total).max() < 0 and spin[-1] - 50 > 1e-4


@pytest.mark.parametrize("coordinates", ["natural", "mixed", "reference-point"])
@pytest.mark.parametrize("name", ["double-pendulum-spring", "four-bar"])
def test_energy_never_grows(name: str, coordinates: str):
    r = biela.simulate(name, 1, coordinates=coordinates, integrator="decaying-002", step=2e-3, samples=500)
    K, V, c2 = (np.asarray(r[channel]) for channel in JUMPS)
    assert r.finished and r.trajectory.violation < 1e-10
    assert K.min() >= 0 and V.min() > -1e-9 * c2.sum() and c2.min() > -1e-10 * c2.sum()


@pytest.mark.parametrize("coordinates", ["natural", "reference-point"])
def test_it_is_of_first_order(coordinates: str):
    """Both states on the constraints make the velocity across them jump: 3.4 J of the double pendulum at 1 ms, half of
    it at half the step; biela's own rows lose 3.5e-6 J."""
    lost = []
    for h in (2e-3, 1e-3):
        r = biela.simulate("double-pendulum", 1, coordinates=coordinates, integrator="decaying-002", step=h)
        lost.append(r.trajectory.energy_error)
    assert lost[0] / lost[1] == pytest.approx(2, abs=0.1)
    if coordinates == "natural":
        whole = biela.simulate("double-pendulum", 10, coordinates="natural", integrator="decaying-002", step=1e-3)
        own = biela.simulate("double-pendulum", 10, coordinates="natural", integrator="decaying", step=1e-3)
        assert whole.trajectory.energy_error == pytest.approx(3.36, abs=0.01) and own.trajectory.energy_error < 4e-6


def test_where_it_works():
    with pytest.raises(MethodError, match="natural, mixed, reference-point"):
        biela.simulate("double-pendulum", 1, coordinates="relative", integrator="decaying-002")


def test_what_works_in_these_coordinates_is_named():
    with pytest.raises(MethodError, match="one of natural, mixed; or integrator = 'decaying-002'"):
        biela.simulate("top-002", 0.01, integrator="decaying", coordinates="reference-point")
    with pytest.raises(MethodError) as refused:  # nothing of its kind does
        biela.simulate("double-pendulum", 0.01, integrator="decaying", coordinates="relative")
    assert "integrator =" not in str(refused.value)


@pytest.mark.parametrize("samples", [1.5, "2.5", float("nan"), float("inf")])
def test_half_a_sample(samples):
    with pytest.raises(MethodError, match="not a whole number"):
        biela.simulate("double-pendulum", 0.01, samples=samples)
