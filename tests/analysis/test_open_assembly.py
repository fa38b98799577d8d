"""Open trees that fit as declared are seated at once: the same start as by closing all their points and vectors."""

from __future__ import annotations

import numpy as np
import pytest

import biela
from biela.analysis.assembly import assemble as assembly
from biela.analysis.assembly.declared import start_as_declared
from biela.library import load
from mechanisms import build, recipe
from space_mechanisms import build_space, space_recipe


def both_ways(model: biela.Model, monkeypatch: pytest.MonkeyPatch) -> tuple:
    """The system seated as declared, and by the general way."""
    short = biela.assemble(model, "relative")
    assert start_as_declared(short) is not None
    with monkeypatch.context() as m:
        m.setattr(assembly, "start_as_declared", lambda system: None)
        return short, biela.assemble(model, "relative")


def agree(a: biela.System, b: biela.System) -> None:
    assert np.abs(a.q0 - b.q0).max(initial=0.0) < 1e-9
    assert np.abs(a.v0 - b.v0).max(initial=0.0) < 1e-7 * max(1.0, np.abs(b.v0).max(initial=0.0))
    assert np.allclose(a.arrays.extra_offset, b.arrays.extra_offset, atol=1e-9)
    assert a.given.keys() == b.given.keys() and a.starts.keys() == b.starts.keys()
    assert all(abs(a.given[k] - b.given[k]) < 1e-9 for k in a.given)
    assert all(abs(a.starts[k] - b.starts[k]) < 1e-9 for k in a.starts)


@pytest.mark.parametrize("name", ["chain", "spatial-chain"])
def test_library_chains(name, monkeypatch):
    agree(*both_ways(load(name).with_parameters(n=7), monkeypatch))


def test_one_rate_alone_leaves_the_others_the_least_energy(monkeypatch):
    m = biela.Model(gravity=[0, 0, -9.81]).add_ground("P0", 0, 0, 0)
    for k, axis in enumerate(([0, 0, 1], [0, 1, 1], [0, 1, 0])):
        m.add_point(f"P{k + 1}", k + 1, 0, 0)
        m.add_bar(f"b{k}", f"P{k}", f"P{k + 1}", mass=1.0, width=0.1)
        m.add_joint(f"H{k}", "revolute", at=f"P{k}", axis=axis)
    m.start(velocity={"H1.angle": 2.0})
    short, general = both_ways(m, monkeypatch)
    agree(short, general)
    assert np.count_nonzero(np.abs(short.v0) > 1e-3) == 3


def test_random_trees_start_alike(monkeypatch):
    """Wherever the short way is taken at all."""
    taken = 0
    models = [build(recipe(seed, topology="tree", drivers=())) for seed in range(12)]
    models += [build_space(space_recipe(seed, topology="tree", drivers=(), coordinates=())) for seed in range(8)]
    for model in models:
        system = biela.assemble(model, "relative")
        if system.is_open_tree and start_as_declared(system) is not None:
            taken += 1
            agree(*both_ways(model, monkeypatch))
    assert taken >= 5


def test_a_start_that_does_not_fit_is_closed_in_the_general_way():
    m = biela.Model(gravity=[0, -9.81]).add_ground("A", 0, 0)
    m.add_point("B", 1.3, 0.1)  # the bar is shorter than that
    m.add_bar("bar", "A", "B", length=1.0, mass=1.0)
    s = biela.assemble(m, "relative")
    assert start_as_declared(s) is None
    assert s.posture(s.q0).place(s.resolved.place("B"))[0][0] == pytest.approx(
        np.array([1.3, 0.1]) / np.hypot(1.3, 0.1)
    )
