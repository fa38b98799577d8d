"""Tables: pieces against SciPy, ends, continuity, and what is refused."""

import math
from typing import get_args

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.interpolate import CubicSpline, PchipInterpolator

from biela.kernels.laws.table import Tables, table_value
from biela.model.interpolation import Interpolation

POINTS = st.lists(
    st.tuples(st.integers(-1000, 1000), st.floats(-10, 10)), min_size=2, max_size=12, unique_by=lambda p: p[0]
).map(lambda points: np.array(sorted((x / 100, y) for x, y in points)).T)


def value(table: Tables, k: int, x: float) -> tuple[float, float, float]:
    return table_value(*table.arrays(), k, x, -1)


@given(POINTS, st.floats(-12, 12))
def test_cubic_is_the_spline_inside_and_held_outside(points, x):
    xs, ys = points
    assume(min(np.diff(xs)) > 0.05)
    tables = Tables()
    k = tables.add(xs, ys)
    inside = xs[0] <= x <= xs[-1]
    spline = CubicSpline(xs, ys)
    expected = [spline(x, order) for order in range(3)] if inside else [ys[0] if x < xs[0] else ys[-1], 0, 0]
    assert_allclose(value(tables, k, x), expected, rtol=1e-8, atol=1e-8)


@given(POINTS, st.floats(-12, 12))
def test_pchip_is_that_of_scipy_and_stays_between_its_points(points, x):
    xs, ys = points
    tables = Tables()
    k = tables.add(xs, ys, "pchip")
    at = min(max(x, xs[0]), xs[-1])
    got = value(tables, k, x)[0]
    assert got == pytest.approx(float(PchipInterpolator(xs, ys)(at)), rel=1e-9, abs=1e-9)
    j = min(max(np.searchsorted(xs, at, side="right") - 1, 0), len(xs) - 2)
    assert min(ys[j], ys[j + 1]) - 1e-9 <= got <= max(ys[j], ys[j + 1]) + 1e-9


@given(POINTS)
def test_pchip_has_continuous_slopes(points):
    xs, ys = points
    assume(min(np.diff(xs)) > 0.05)
    tables = Tables()
    tables.add(xs, ys, "pchip")
    for x in xs[1:-1]:
        before, after = value(tables, 0, np.nextafter(x, -math.inf)), value(tables, 0, x)
        assert_allclose(before[:2], after[:2], rtol=1e-7, atol=1e-7)


@given(POINTS, st.floats(-12, 12))
def test_linear_is_numpy_interp(points, x):
    xs, ys = points
    tables = Tables()
    k = tables.add(xs, ys, "linear")
    y, dy, d2y = value(tables, k, x)
    assert y == pytest.approx(np.interp(x, xs, ys), rel=1e-10, abs=1e-10)
    j = min(max(np.searchsorted(xs, x, side="right") - 1, 0), len(xs) - 2)
    slope = (ys[j + 1] - ys[j]) / (xs[j + 1] - xs[j]) if xs[0] <= x <= xs[-1] else 0.0
    assert dy == pytest.approx(slope, rel=1e-10, abs=1e-10)
    assert d2y == 0.0


@given(POINTS)
def test_passes_through_its_points(points):
    xs, ys = points
    tables = Tables()
    for interpolation in get_args(Interpolation):
        k = tables.add(xs, ys, interpolation)
        for x, y in zip(xs, ys):
            assert value(tables, k, x)[0] == pytest.approx(y, rel=1e-6, abs=1e-6)


@given(POINTS)
def test_cubic_has_continuous_second_derivative(points):
    xs, ys = points
    assume(min(np.diff(xs)) > 0.05)
    tables = Tables()
    tables.add(xs, ys)
    for x in xs[1:-1]:
        before, after = value(tables, 0, np.nextafter(x, -math.inf)), value(tables, 0, x)
        assert_allclose(before, after, rtol=1e-7, atol=1e-5)


def test_two_and_three_points():
    tables = Tables()
    line, parabola = tables.add([1, 3], [2, 6]), tables.add([0, 1, 3], [0, 1, 9])
    assert_allclose(value(tables, line, 2.0), (4, 2, 0), atol=1e-14)
    assert_allclose(value(tables, parabola, 2.0), (4, 4, 2), atol=1e-14)
    assert_allclose(value(tables, parabola, 0.5), (0.25, 1, 2), atol=1e-14)


def test_cubic_reproduces_a_cubic():
    xs = np.array([0.0, 0.4, 1.0, 1.7, 2.0])
    tables = Tables()
    k = tables.add(xs, xs**3 - xs)
    for x in np.linspace(0, 2, 23):
        assert_allclose(value(tables, k, x), (x**3 - x, 3 * x**2 - 1, 6 * x), atol=1e-12)


def test_outside():
    tables = Tables()
    hold = tables.add([0, 1, 2], [0, 1, 4])
    extend = tables.add([0, 1, 2], [0, 1, 4], outside="linear")
    assert_allclose(value(tables, hold, -1.0), (0, 0, 0))
    assert_allclose(value(tables, hold, 3.0), (4, 0, 0))
    assert_allclose(value(tables, extend, -1.0), (0, 0, 0), atol=1e-14)
    assert_allclose(value(tables, extend, 3.0), (8, 4, 0), atol=1e-14)
    # The ends themselves belong to the table.
    assert_allclose(value(tables, hold, 0.0), (0, 0, 2), atol=1e-14)
    assert_allclose(value(tables, hold, 2.0), (4, 4, 2), atol=1e-14)
    assert math.isnan(value(tables, hold, math.nan)[0])


def test_many_tables_do_not_mix():
    tables = Tables()
    for k in range(20):
        assert tables.add([0, 1, 2 + k], [k, k + 1, k], "linear") == k
    assert len(tables) == 20
    ptr, breaks, coefficients = tables.arrays()
    assert ptr[-1] == len(breaks) == len(coefficients) / 4
    for k in range(20):
        for x, y in ((-5.0, k), (0.5, k + 0.5), (1.0, k + 1), (100.0, k)):
            assert table_value(ptr, breaks, coefficients, k, x, -1)[0] == y


def test_no_tables():
    ptr, breaks, coefficients = Tables().arrays()
    assert ptr.tolist() == [0] and ptr.dtype == np.int64
    assert breaks.shape == (0,) and coefficients.shape == (0,)


def test_the_given_arrays_are_copied():
    xs, ys = np.array([0.0, 1.0]), np.array([0.0, 1.0])
    tables = Tables()
    tables.add(xs, ys)
    xs[1] = ys[1] = 7.0
    assert value(tables, 0, 0.5)[0] == 0.5


@pytest.mark.parametrize(
    ("x", "y", "options", "message"),
    [
        ([0], [0], {}, "at least 2 points, not 1"),
        ([], [], {}, "at least 2 points, not 0"),
        ([0, 1, 1], [0, 1, 2], {}, r"after x\[1\] = 1.0 comes 1.0"),
        ([0, 2, 1], [0, 1, 2], {}, r"after x\[1\] = 2.0 comes 1.0"),
        ([0, 1], [0, 1, 2], {}, "same length"),
        ([[0, 1]], [[0, 1]], {}, "same length"),
        ([0, math.nan], [0, 1], {}, r"x\[1\] = nan is not finite"),
        ([0, math.inf], [0, 1], {}, r"x\[1\] = inf is not finite"),
        ([0, 1], [math.nan, 1], {}, r"y\[0\] = nan is not finite"),
        ([-1.7e308, 1.7e308], [0, 1], {}, "too far apart"),
        ([0, 5e-324], [0, 1], {"interpolation": "linear"}, "too close"),
        ([0, 1], [0, 1], {"interpolation": "quintic"}, "'quintic' is not one of 'pchip', 'cubic', 'linear'"),
        ([0, 1], [0, 1], {"outside": "wrap"}, "'wrap' is not one of 'hold', 'linear'"),
    ],
)
def test_refused(x, y, options, message):
    tables = Tables()
    with pytest.raises(ValueError, match=message):
        tables.add(x, y, **options)
    assert len(tables) == 0
