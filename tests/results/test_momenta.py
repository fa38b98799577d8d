"""Momenta: the theorems of the centre of mass and of angular momentum, and what is conserved (001 15.2-15.4)."""

import numpy as np
import pytest

import biela
from biela import Model
from biela.results.reactions.elements import elements


def arr(x) -> np.ndarray:
    return np.asarray(x)


def wide(x) -> np.ndarray:
    x = arr(x)
    return x if x.shape[1] == 3 else np.concatenate([x, np.zeros((len(x), 1))], axis=1)


def external(r) -> tuple[np.ndarray, np.ndarray]:
    """Force, and moment about the origin, of gravity, of the ground and of loads on the whole mechanism."""
    resolved, free = r.system.resolved, r.free_bodies
    force, moment = np.zeros((len(r.t), 3)), np.zeros((len(r.t), 3))
    for b in resolved.bodies:
        w = free.weight(b)[0]
        force += w
        moment += np.cross(free.centre(b), w)
    for e in elements(resolved).values():
        f, m = free.wrench(e.force(free), "ground")  # on the ground: the opposite of what comes from it
        force -= f
        moment -= m
    return force, moment


NAMES = ["four-bar", "quick-return", "slider-crank", "two-mass-suspension", "peaucellier", "bricard", "cardan",
         "heavy-top", "puma560", "spatial-slider-crank"]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_theorems_of_momentum(name: str):
    """M a_C = sum of the external forces, d L_O / dt = sum of their moments; L by the spline through its samples."""
    from scipy.interpolate import CubicSpline

    duration = {"heavy-top": 0.02}.get(name, 0.1)
    r = biela.simulate(name, duration, samples=200, tolerance=1e-11)
    force, moment = external(r)
    mass = sum(float(b.mass) for b in r.system.resolved.bodies.values())
    big = max(np.abs(force).max(), np.abs(moment).max() / r.system.size)
    np.testing.assert_allclose(mass * wide(r["center_of_mass.acceleration"]), force, atol=1e-8 * big)
    P, L = r["momentum"], arr(r["angular_momentum"])
    np.testing.assert_allclose(mass * arr(r["center_of_mass.velocity"]), P, atol=1e-9 * max(np.abs(P).max(), 1.0))
    rate = CubicSpline(arr(r.t), P)(arr(r.t), 1)[5:-5]
    np.testing.assert_allclose(rate, force[5:-5, : rate.shape[1]], atol=2e-4 * big)
    turn = CubicSpline(arr(r.t), L)(arr(r.t), 1)[5:-5]
    np.testing.assert_allclose(turn, (moment if L.ndim == 2 else moment[:, 2])[5:-5], atol=2e-4 * np.abs(moment).max())


def test_units_and_names():
    r = biela.simulate("four-bar", 0.1, samples=3)
    assert r["momentum"].unit == "kg*m/s" and r["angular_momentum"].unit == "kg*m^2/s"
    assert r["crank.momentum.x"].shape == (4,) and r["center_of_mass.x"].unit == "m"
    np.testing.assert_array_equal(r["center_of_mass"], r["center_of_mass.position"])
    assert r["momentum"].to("kg*m/s") is not None
    total = sum(arr(r[f"{b}.momentum"]) for b in r.system.resolved.bodies)
    np.testing.assert_allclose(total, r["momentum"], atol=1e-12)


def test_a_particle_under_gravity():
    m = Model(gravity=(0, -9.81)).add_point("P", 0, 0).add_mass("stone", "P", 2.0)
    m.initial = {"velocity": {"P.x": 3.0, "P.y": 4.0}}  # type: ignore[assignment]
    r = biela.simulate(m, 1.0, tolerance=1e-11)
    t = arr(r.t)
    np.testing.assert_allclose(r["P"], np.stack([3 * t, 4 * t - 4.905 * t * t], 1), atol=1e-8)
    np.testing.assert_allclose(r["momentum.y"], 2 * (4 - 9.81 * t), atol=1e-8)
    np.testing.assert_allclose(r["stone.angular_momentum"], 0)
    x, y = arr(r["P"]).T
    np.testing.assert_allclose(r["angular_momentum"], 2 * (x * arr(r["P.vy"]) - y * arr(r["P.vx"])), atol=1e-10)
    body = r.free_body("stone", t=0.5)
    assert [a.name for a in body.acts] == ["weight", "inertia"] and body.error < 1e-9


@pytest.mark.parametrize("dimension", [2, 3])
def test_particles_on_springs_keep_their_momenta(dimension: int):
    rng = np.random.default_rng(4)
    m = Model() if dimension == 2 else Model(dimension=3, gravity=(0, 0, 0))
    names = [f"P{k}" for k in range(5)]
    velocity = {}
    for k, name in enumerate(names):
        m.add_point(name, *(float(x) for x in rng.normal(size=dimension)))
        m.add_mass(f"m{k}", name, 1.0 + k)
        velocity |= {f"{name}.{x}": float(v) for x, v in zip("xyz", rng.normal(size=dimension))}
    for i, a in enumerate(names):
        for b in names[:i]:
            m.add_force(f"{a}{b}", "spring", points=(a, b), stiffness=5.0, free=0.5)
    m.initial = {"velocity": velocity}  # type: ignore[assignment]
    r = biela.simulate(m, 2.0, tolerance=1e-12)
    for name in ("momentum", "angular_momentum", "angular_momentum_about_center"):
        x = arr(r[name])
        assert np.abs(x - x[0]).max() < 1e-7 * max(np.abs(x).max(), 1.0), name
        assert np.abs(x).max() > 0.1
    assert np.abs(r["center_of_mass.acceleration"]).max() < 1e-9
    assert np.ptp(arr(r["m0.momentum.x"])) > 0.1


def test_a_free_rigid_body():
    """A flat plate thrown without gravity, and a body in space: L about the centre stays, energy too."""
    r = biela.simulate("dzhanibekov", 2.0, tolerance=1e-11)
    L = arr(r["angular_momentum_about_center"])
    assert np.abs(L - L[0]).max() < 1e-7 * np.linalg.norm(L[0])
    body = next(iter(r.system.resolved.bodies))
    np.testing.assert_allclose(r[f"{body}.angular_momentum"], L, atol=1e-12)
    assert np.ptp(arr(r[f"{body}.wx"])) > 0.1  # it tumbles all the same
    m = Model().add_point("P", 0, 0).add_body("plate", {"P": (0.3, 0.1)}, mass=2.0, center=(0, 0), inertia=0.4)
    m.initial = {"velocity": {"plate.angle": 5.0, "P.x": 1.0, "P.y": 0.0}}  # type: ignore[assignment]
    r = biela.simulate(m, 1.0, tolerance=1e-11)
    for name in ("momentum", "angular_momentum"):
        assert np.abs(arr(r[name]) - arr(r[name])[0]).max() < 1e-8
    np.testing.assert_allclose(r["plate.angular_momentum"], 2.0, atol=1e-8)


def test_a_body_called_momentum_comes_first():
    m = Model().add_point("momentum", 1, 2).add_mass("m", "momentum", 1.0)
    r = biela.simulate(m, 0.1, samples=2)
    assert arr(r["momentum"])[0].tolist() == [1.0, 2.0]
