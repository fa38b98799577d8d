"""The ways back onto the constraints against one another: one factor for all repetitions, or a fresh one each time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import biela
from biela.analysis.check.mobility import mobility
from biela.methods.formulations.shared import CLOSE, FIRMER, project, project_from_here, project_with_factor
from biela.methods.settings import apply, choose
from biela.system.system import System
from loops import loops
from mechanisms import build, recipes


def prepared(system: System, formulation: str) -> System:
    system.rank = mobility(system).rank
    apply(choose(formulation, "rk4", 1e-3), system)
    return system


def put(system: System, off: float, seed: int) -> None:
    """The initial state, moved off the constraints."""
    rng, s = np.random.default_rng(seed), system.arrays
    s.q[:] = system.q0 + off * system.size * rng.standard_normal(system.nq)
    s.v[:] = system.v0 + off * system.size * rng.standard_normal(system.n)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(recipes(), st.sampled_from(["penalty", "augmented"]), st.integers(0, 99))
def test_one_factor_leads_where_fresh_ones_lead(recipe: object, formulation: str, seed: int) -> None:
    system = prepared(biela.assemble(build(recipe), "natural"), formulation)
    s, off = system.arrays, 1e-6
    assume(s.par.reusable_penalty > 0.0 and system.rank == system.m)
    put(system, off, seed)
    start = s.y.copy()
    assert project(system.header, 0.0) == 0
    there = s.y.copy()
    s.y[:] = start
    went = project_from_here(system.header, 0.0)
    if not went:  # then nothing has happened
        assert np.array_equal(s.y, start)
        return
    Phi, rate = np.abs(s.Phi).max(initial=0.0), np.abs(s.Phid).max(initial=0.0)
    fastest = np.abs(start[system.nq : system.nq + system.n]).max(initial=0.0)
    assert Phi <= s.par.position_tolerance and rate <= s.par.position_tolerance / system.size * fastest
    # the way back is as long as the constraints are far, divided by how much they answer; both ways differ by a part
    way = np.abs(there - start).max()
    assert np.abs(s.y - there).max() <= 1e-2 * way + 1e-9 * system.size


def test_a_system_that_is_far_off_is_left_as_it_was() -> None:
    system = prepared(biela.assemble(loops(5), "natural"), "penalty")
    put(system, 0.2, 1)
    start = system.arrays.y.copy()
    assert not project_from_here(system.header, 0.0)
    assert np.array_equal(system.arrays.y, start)


@pytest.mark.parametrize("N", [2, 20, 200])
def test_the_factor_next_to_a_state_serves(N: int) -> None:
    """As after a predictor: matrix and Jacobian of a state, then a displacement, then the return to the constraints."""
    system = prepared(biela.assemble(loops(N), "natural"), "penalty")
    s = system.arrays
    s.q[:], s.v[:] = system.q0, system.v0
    assert project_from_here(system.header, 0.0)
    on = s.y.copy()
    put(system, 1e-9, 3)
    strength = FIRMER * s.par.beta
    assert project_with_factor(system.header, 0.0, strength, CLOSE)
    assert np.abs(s.Phi).max() <= CLOSE * s.par.position_tolerance
    assert 0.0 < np.abs(s.y - on).max() < 1e-6  # back, and not at the very same place
