"""Bodies carried by 2 points + 1 vector, 3 points, 1 point + 2 vectors: 000 (37)-(51)."""

import numpy as np
import pytest

import biela
from biela import Model, ModelError
from biela.analysis.assembly.assemble import assemble

CROSSED = ["2 points + 1 vector", "3 points", "1 point + 2 vectors"]


def arm(carrier: str | None, **more) -> Model:
    m = Model(gravity=(0, 0, -9.81)).add_ground("O", 0, 0, 0)
    points = {"O": (0, 0, 0), "P": (2, 0, 0), "Q": (0.4, 1, 0.3)}
    m.add_body("b", points, mass=3, center=(0.7, 0.2, 0.1), inertia=(1.0, 2.0, 2.5), carrier=carrier,
               orientation={"axis": (1, 2, 3), "angle": 0.7}, **more)  # fmt: skip
    return m.start(velocity={"b.wx": 0.8, "b.wy": -1.1, "b.wz": 2.0})


def named(carrier: str | None) -> Model:
    return arm(carrier, directions={"u": (0, 0.6, 0.8), "w": (1, 0, 1)})


@pytest.mark.parametrize("carrier, names", [("3 points", ["P", "Q"]), ("1 point + 2 vectors", ["b.u", "b.w"]),
                                            ("2 points + 1 vector", ["P", "b.u"])])  # fmt: skip
def test_the_variables_are_those_that_were_asked_for(carrier: str, names: list[str]):
    """Six variables (O is fixed) and three rows, where four elements have nine and six."""
    system, whole = assemble(named(carrier), "natural"), assemble(named("1 point + 3 vectors"), "natural")
    assert system.q_names == [f"{name}.{x}" for name in names for x in "xyz"]
    assert (system.n, system.m, whole.n, whole.m) == (6, 3, 9, 6)


@pytest.mark.parametrize("carrier", CROSSED)
def test_velocity_terms_by_differences(carrier: str):
    """Q = Q_0 - M' v + 1/2 d(v^T M v)/dq, with M(q) by differences, at states off the constraints, too."""
    system = assemble(named(carrier), "natural")
    rng = np.random.default_rng(5)
    for _ in range(5):
        q = system.q0 + 0.2 * rng.standard_normal(system.n)
        v, d = rng.standard_normal(system.n), 1e-5
        M = [[system.at(q + s * d * e).M for s in (1, -1)] for e in np.eye(system.n)]
        dM = np.array([(a - b) / (2 * d) for a, b in M])  # by each coordinate
        terms = -np.einsum("kij,k,j->i", dM, v, v) + 0.5 * np.einsum("kij,i,j->k", dM, v, v)
        still, moving = system.at(q, 0 * v), system.at(q, v)
        assert np.abs(dM).max() > 0.1 and moving.Q - still.Q == pytest.approx(terms, abs=1e-7)
        assert 0.5 * v @ moving.M @ v == pytest.approx(moving.kinetic, rel=1e-12)


@pytest.mark.parametrize("carrier", CROSSED)
def test_the_motion_is_the_same(carrier: str):
    runs = [biela.simulate(named(c), 1.0, coordinates="natural", tolerance=1e-10) for c in (None, carrier)]
    assert np.abs(np.asarray(runs[0]["P"]) - np.asarray(runs[1]["P"])).max() < 1e-7
    assert np.abs(np.asarray(runs[0]["O.reaction"]) - np.asarray(runs[1]["O.reaction"])).max() < 1e-4


def test_vectors_that_are_missing_are_made_up():
    system = assemble(arm("1 point + 2 vectors"), "natural")
    assert system.q_names == [f"b.u{k}.{x}" for k in (1, 2) for x in "xyz"]
    assert biela.simulate(arm("1 point + 2 vectors"), 0.2, coordinates="natural").ok


def test_bad():
    m = Model(gravity=(0, 0, 0))
    m.add_body("b", {"P": (0, 0, 0), "Q": (1, 0, 0), "R": (2, 0, 0)}, mass=1, center=(0, 0, 0), inertia=(1, 1, 1),
               carrier="3 points")  # fmt: skip
    with pytest.raises(ModelError, match="span a line, not a plane"):
        biela.simulate(m, 1)
    with pytest.raises(biela.MethodError, match="3 points"):
        biela.simulate(named("3 points"), 1, coordinates="natural", integrator="conserving")
