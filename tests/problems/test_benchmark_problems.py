"""The problems of benchmarks/ are those of the references: what the peers are judged by must be right."""

import sys
from pathlib import Path

import numpy as np
import pytest

import biela

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
from problems import andrews, double_pendulum, heavy_top, n_four_bar


def test_the_n_four_bar_has_the_published_end():
    """A02, values of the benchmark's own exact reduction."""
    assert n_four_bar.exact(2, 10.0) == pytest.approx(
        [0.32845811153586, 0.94451853818033, 1.42305147019577, -0.49486884547478], abs=1e-9
    )
    assert n_four_bar.exact(40, 10.0)[:2] == pytest.approx([0.18051222668365, 0.98357274058288], abs=1e-9)


@pytest.mark.parametrize(
    "make, limit",
    [
        (double_pendulum.problem, 1e-6),
        (andrews.problem, 1e-6),
        (heavy_top.problem, 1e-6),
        (lambda: n_four_bar.problem(2, 1.0), 1e-6),
    ],
)
def test_a_fine_motion_has_small_errors(make, limit):
    """biela's library mechanism and the bare numbers that the peers get are the same thing."""
    problem = make()
    model = biela.library.load(problem.mechanism)
    model = model.with_parameters(**problem.parameters) if problem.parameters else model
    r = biela.simulate(model, problem.duration, tolerance=1e-10, samples=20)
    errors = problem.errors(problem.motion_of_biela(r), problem.duration)
    assert errors["position"] < limit
    assert errors["gap"] < 1e-9
    scale = r.energy_scale
    assert errors["energy"] < 1e-6 * scale


def test_a_tree_gives_back_the_bodies():
    """Relative angles to bodies and back, with loops left open."""
    problem = n_four_bar.problem(3)
    order = problem.order()
    motion = problem.from_relative(np.zeros((1, 7)), problem.relative_start(order)[None], order)
    assert motion[0] == pytest.approx(problem.start(), abs=1e-12)
    assert len(problem.tree()[2]) == 3


def test_errors_are_noticed():
    problem = double_pendulum.problem()
    motion = problem.start()[None].copy()
    motion[0, 1, 0] += 0.01
    motion[0, 0, 3] = 1.0
    errors = problem.errors(motion, 10.0)
    assert errors["gap"] == pytest.approx(0.01) and errors["energy"] == pytest.approx(0.5)
    assert errors["position"] > 1.0


def test_andrews_starts_closed():
    assert np.abs(andrews.constraints(andrews.START)).max() < 1e-14
