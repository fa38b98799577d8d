"""Bounds of formulas on intervals: what a formula gives for values within bounds lies within what is said."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from biela.kernels.laws.intervals import bounds
from biela.kernels.laws.program import FREE, compile_program, needed_stack, run_program
from biela.model.expression import parse
from formulas import EXAMPLES, TREES

BOX = st.tuples(st.floats(-5, 5), st.floats(0, 3)).map(lambda p: (p[0], p[0] + p[1]))
PART = st.floats(0, 1)


def both(node, box, parts) -> tuple[float, float, float]:
    """Lower and upper bound, and a value within."""
    ops, constants = compile_program(node)
    size = needed_stack(ops)
    low, high = bounds(ops, 0, len(ops), constants, *box[0], *box[1], *box[2], FREE, np.empty(size), np.empty(size))
    at = [a + p * (b - a) for (a, b), p in zip(box, parts)]
    return low, high, run_program(ops, 0, len(ops), constants, *at, FREE, np.empty(size))


@settings(max_examples=EXAMPLES)
@given(TREES, st.tuples(BOX, BOX, BOX), st.tuples(PART, PART, PART))
def test_values_lie_within_the_bounds(node, box, parts):
    low, high, value = both(node, box, parts)
    if math.isfinite(value):
        slack = 1e-9 * max(1.0, abs(value))
        assert low - slack <= value <= high + slack


def test_a_narrow_bump_is_seen_in_a_wide_interval_and_nowhere_else():
    node, point = parse("exp(-((x - 50.3)/1e-6)^2)"), (0.0, 0.0)
    assert both(node, (point, (0.0, 100.0), point), (0, 0, 0))[:2] == (0.0, 1.0)
    assert both(node, (point, (0.0, 50.2), point), (0, 0, 0))[:2] == (0.0, 0.0)


def test_bounds_are_sharp_where_each_variable_stands_once():
    low, high, _ = both(parse("3*x - sin(t)*2"), ((0.0, math.pi), (1.0, 2.0), (0.0, 0.0)), (0, 0, 0))
    assert (low, high) == (1.0, 6.0)
