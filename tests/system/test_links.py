"""The recursion over links against M v' = Q, which comes from other routines: every joint, loads, plane and space."""

from __future__ import annotations

import numpy as np
import pytest

import biela
from biela.kernels.tree.space_links import SPACE_ROOM
from biela.library import load
from biela.methods.formulations.recursive import evaluate
from biela.model.resolve import resolve
from biela.system.system import System, build
from mechanisms import build as build_plane
from mechanisms import recipe
from space_mechanisms import build_space, space_recipe

LINKS = ("revolute", "prismatic", "cylindrical", "screw", "universal", "spherical", "planar", "skew-universal")


def state(system: System, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    q, v = rng.uniform(-1, 1, system.nq), rng.uniform(-1, 1, system.n)
    return q, v  # quaternions of any length turn alike


def accelerations(system: System, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    system.arrays.q[:], system.arrays.v[:] = q, v
    assert evaluate(system.header, 0.3) == 0
    return system.arrays.a.copy()


def check(system: System, seed: int) -> None:
    assert system.is_open_tree
    q, v = state(system, seed)
    here = system.at(q, v, 0.3)
    a = accelerations(system, q, v)
    b = np.linalg.solve(here.M, here.Q)
    assert np.abs(a - b).max() < 1e-13 * np.linalg.cond(here.M) * np.abs(b).max() + 1e-11
    assert system.arrays.power[0] == pytest.approx(here.power, rel=1e-9, abs=1e-9)
    assert v @ here.M @ v / 2 == pytest.approx(here.kinetic, rel=1e-11)


@pytest.mark.parametrize("link", LINKS)
def test_every_joint_in_space(link):
    for seed in range(3):
        model = build_space(space_recipe(seed, topology="tree", size=4, links=(link,), joints=(), drivers=(),
                                         coordinates=(), forces=()))  # fmt: skip
        check(build(resolve(model), "relative"), seed)


def test_loads_springs_and_motors_in_space():
    done = 0
    for seed in range(30):
        model = build_space(space_recipe(seed, topology="tree", drivers=(), coordinates=(), joints=()))
        system = build(resolve(model), "relative")
        if system.is_open_tree and system.equations.forces:
            check(system, seed)
            done += 1
    assert done >= 5


def test_trees_in_the_plane():
    done = loaded = 0
    for seed in range(40):
        model = build_plane(recipe(seed, topology="tree", drivers=(), coordinates=()))
        system = build(resolve(model), "relative")
        if system.is_open_tree and np.linalg.cond(system.at(*state(system, seed)).M) < 1e8:
            check(system, seed)
            done += 1
            loaded += bool(system.equations.forces)
    assert done >= 8 and loaded >= 4


@pytest.mark.parametrize("name", ["chain", "spatial-chain"])
def test_long_chains(name):
    check(build(resolve(load(name).with_parameters(n=60)), "relative"), 1)


def test_long_chain_of_balls():
    """Axes carried from link to link stay at right angles: rounding must not grow faster than the chain."""
    m = biela.Model(gravity=[0, 0, -9.81])
    for k in range(100):
        m.add_body(f"b{k}", mass=0.1, center=[0.05, 0, 0.01], inertia=[[2e-4, 0, 0], [0, 1e-4, 0], [0, 0, 2e-4]],
                   position=[0.1 * k, 0, 0])  # fmt: skip
        m.add_joint(f"J{k}", "spherical", bodies=("ground" if k == 0 else f"b{k - 1}", f"b{k}"), at=[0.1 * k, 0, 0])
    system = build(resolve(m), "relative")
    check(system, 5)
    R = system.arrays.link_room.reshape(-1, SPACE_ROOM)[-1, :9].reshape(3, 3)
    assert np.abs(R @ R.T - np.eye(3)).max() < 1e-13


@pytest.mark.parametrize("space", [False, True])
def test_nothing_is_lost_far_from_the_origin(space):
    """A chain a thousand kilometres away moves as it does here: its arms are the same numbers, almost to the last."""
    found = []
    for away in (0.0, 2.0**20):
        where = [away, 0.0] + [0.0] * space
        m = biela.Model(gravity=[0, -9.81] + [0.0] * space).add_ground("P0", *where)
        for k in range(8):
            m.add_point(f"P{k + 1}", away + k + 1, *where[1:])
            m.add_bar(f"b{k}", f"P{k}", f"P{k + 1}", mass=1.0, **({"width": 0.125} if space else {}))
            if space:
                m.add_joint(f"H{k}", "revolute", at=f"P{k}", axis=[0, k % 2, 1 - k % 2])
        system = build(resolve(m), "relative")
        found.append(accelerations(system, *state(system, 3)))
    assert np.abs(found[1] - found[0]).max() < 1e-12 * np.abs(found[0]).max()


def test_a_link_without_inertia_is_reported():
    m = biela.Model(gravity=[0, -9.81]).add_ground("A", 0, 0).add_point("B", 1, 0)
    m.add_rod("rod", "A", "B")
    system = build(resolve(m), "relative")
    system.arrays.q[:], system.arrays.v[:] = 0.0, 0.0
    assert evaluate(system.header, 0.0) != 0
