"""The compiled loop allocates nothing: a hundred thousand steps ask for as little memory as a hundred do."""

import tracemalloc

import pytest
from numba.core.runtime import _nrt_python, rtsys

import biela
from biela.methods.evaluation import functions
from biela.methods.loops import loop_calls
from biela.methods.registry import INTEGRATORS
from biela.methods.settings import apply, choose

LOOPS = [
    ("double-pendulum", "natural", "penalty", "trapezoidal"),
    ("double-pendulum", "natural", "augmented", "abm4"),
    ("double-pendulum", "relative", "augmented", "ab6"),
    ("double-pendulum", "natural", "augmented", "abm8"),
    ("double-pendulum", "natural", "projection", "rk2"),
    ("double-pendulum", "relative", "augmented", "rk4"),
    ("double-pendulum", "natural", None, "ali3"),
    ("four-bar", "natural", "lagrange", "rk4"),
    ("quick-return", "natural", "lagrange", "rk4"),
    ("heavy-top", "relative", "augmented", "rk4"),
    ("mass-spring-damper", "natural", "augmented", "radau5"),
    ("heavy-top", "relative", "augmented", "radau5"),
]


@pytest.fixture
def counting():
    """Numba's own count of what its runtime allocates; off again afterwards, for it costs time."""
    was = _nrt_python.memsys_stats_enabled()
    _nrt_python.memsys_enable_stats()
    yield rtsys.get_allocation_stats
    if not was:
        _nrt_python.memsys_disable_stats()


def allocations(count, system, settings, steps: int) -> tuple[int, int, int]:
    """Of Numba, and of Python in bytes, in one call of the loop; and how many steps were taken."""
    header = system.header
    apply(settings, system)
    f, settle = functions(settings, system)
    advance = settings.integrator.step()
    from biela.methods.loops.stepper import sample_tables as _tables

    tables = _tables(system, 3)
    loop_calls.begin(header, f, settle, 0.0)
    tracemalloc.start()
    before, python = count().alloc, tracemalloc.get_traced_memory()[0]
    status, taken = loop_calls.march(header, advance, f, settle, 0.0, 1e-5, 0, steps, steps, steps, *tables)
    after, held = count().alloc, tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert status == 0
    return after - before, held - python, taken


@pytest.mark.parametrize("name, coordinates, formulation, integrator", LOOPS)
def test_no_step_allocates(counting, name, coordinates, formulation, integrator):
    assert integrator in INTEGRATORS
    system = biela.assemble(name, coordinates)
    system.rank = system.m
    settings = choose(formulation, integrator, 1e-5)
    allocations(counting, system, settings, 10)  # compiles
    few, _, _ = allocations(counting, system, settings, 100)
    many, held, taken = allocations(counting, system, settings, 20_000)
    assert taken == 20_000
    assert many == few, "per step, not only on entering"
    assert held < 20_000  # bytes: what entering leaves, less than one per step


def test_the_count_would_notice(counting):
    import numba
    import numpy as np

    @numba.njit
    def careless(steps):
        total = 0.0
        for i in range(steps):
            total += np.full(3, float(i)).sum()
        return total

    careless(1)
    before = counting().alloc
    careless(1000)
    assert counting().alloc - before >= 1000
