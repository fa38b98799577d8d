"""Arithmetic on channels: the unit that comes out is that of the numbers that come out, or there is none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import biela
from biela.model.units import unit_names
from biela.results.channels.channel import Channel
from biela.results.channels.unit_algebra import measured

UNITS = ["1", "m", "mm", "s", "m/s", "m/s^2", "rad", "deg", "rad/s", "rpm", "N", "kN", "N*m", "J", "W", "kg*m^2/s"]
BINARY = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "max": np.maximum, "hypot": np.hypot,
    "atan2": np.arctan2, "mod": np.remainder, "<": np.less,
}  # fmt: skip
UNARY = {
    "-": np.negative, "abs": np.abs, "sqrt": np.sqrt, "cbrt": np.cbrt, "square": np.square, "1/": np.reciprocal,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "exp": np.exp, "log": np.log, "atan": np.arctan, "tanh": np.tanh,
    "isfinite": np.isfinite, "sign": np.sign, "var": np.var, "cumsum": np.cumsum, "diff": np.diff, "mean": np.mean,
    "prod": np.prod, "gradient": np.gradient, "cumprod": np.cumprod,
}  # fmt: skip
values = st.lists(st.floats(0.25, 3.0), min_size=4, max_size=4)


def in_si(x) -> np.ndarray:
    """The numbers of a result in SI units; a plain array says nothing."""
    known = measured(x.unit)
    assert known is not None, x.unit
    return np.asarray(x) * known[0]


@given(values, values, st.sampled_from(UNITS), st.sampled_from(UNITS), st.sampled_from(sorted(BINARY)))
def test_two_channels(a, b, own, other, name):
    x, y, f = Channel.of(a, "x", own), Channel.of(b, "y", other), BINARY[name]
    out, right = f(x, y), f(in_si(x), in_si(y))
    same = measured(own)[1][:3] == measured(other)[1][:3]
    if name in "*/":
        assert isinstance(out, Channel)
    elif name != "<":
        assert isinstance(out, Channel) == same, "a sum of different things has no unit"
    if isinstance(out, Channel):
        assert out.name == ""
        np.testing.assert_allclose(in_si(out), right, rtol=1e-12, atol=1e-12)
    elif name == "<" and same:
        np.testing.assert_array_equal(out, right)


@given(values, st.sampled_from(UNITS), st.sampled_from(sorted(UNARY)))
def test_one_channel(a, own, name):
    x, f = Channel.of(a, "x", own), UNARY[name]
    out = f(x)
    assert not isinstance(out, Channel) or out.shape
    if isinstance(out, Channel):
        np.testing.assert_allclose(in_si(out), f(in_si(x)), rtol=1e-12, atol=1e-12)
    else:
        np.testing.assert_array_equal(out, f(np.asarray(x)))


@given(values, st.sampled_from(UNITS), st.sampled_from([-2, -1, 0, 0.5, 1, 1.5, 2, 3]))
def test_powers(a, own, power):
    x = Channel.of(a, "x", own)
    out = x**power
    if isinstance(out, Channel):
        np.testing.assert_allclose(in_si(out), in_si(x) ** power, rtol=1e-12)
    else:
        assert power in (0.5, 1.5)


@given(values, values, st.sampled_from(UNITS), st.sampled_from(UNITS))
def test_functions_of_two(a, b, own, other):
    x, y = Channel.of(a, "x", own), Channel.of(np.cumsum(b), "y", other)
    slope, scale = np.gradient(in_si(x), in_si(y)), np.abs(in_si(x)).max() / np.abs(in_si(y)).min()
    np.testing.assert_allclose(in_si(np.gradient(x, y)), slope, rtol=1e-9, atol=1e-12 * scale)
    np.testing.assert_allclose(in_si(np.outer(x, y)), np.outer(in_si(x), in_si(y)), rtol=1e-12)
    np.testing.assert_allclose(in_si(np.interp(y[:2], y, x)), np.interp(in_si(y)[:2], in_si(y), in_si(x)), rtol=1e-12)
    joined = np.concatenate([x, y])
    assert isinstance(joined, Channel) == (measured(own) == measured(other) and (own == other)), (own, other)
    assert not isinstance(x.dot(y), Channel) and not isinstance(np.linalg.solve(np.eye(4), x), Channel)


@pytest.mark.parametrize("unit", [u for u in unit_names() if u not in ("rev", "turn")])
def test_a_plain_number_in_a_sum_is_in_the_unit_and_in_a_product_a_number(unit):
    x = Channel.of([1.0, 2.0], "x", unit)
    assert (x - 1).unit == (1 + x).unit == (2 * x).unit == (x / 2).unit == x[:1].unit == x.round(3).unit == unit
    assert (x / x).unit == "1" and (1 / x).unit == f"1/{unit}" and (x * x).unit == f"{unit}^2"
    x *= Channel.of([1.0, 2.0], "y", "s")
    assert x.unit != unit


def test_units_of_other_domains_are_kept_by_their_names():
    volts, amperes = Channel.of([1.0, 2.0], "u", "V"), Channel.of([1.0, 2.0], "i", "A")
    assert (volts * amperes).unit == "V*A" and (volts + volts).unit == "V"
    assert not isinstance(volts + amperes, Channel) and not isinstance(volts + Channel.of([1, 2], "t", "s"), Channel)


def test_a_result_s_own_channels():
    r = biela.simulate("simple-pendulum", 0.5, samples=20)
    assert (r["P.vx"] ** 2).unit == "m^2/s^2" and np.sqrt(r["P.vx"] ** 2 + r["P.vy"] ** 2).unit == "m/s"
    assert (r["P.vx"] / r.t[1]).unit == "m/s" and np.gradient(r["P.x"], r.t).unit == "m/s"
    assert np.trapezoid(r["P.vx"], r.t) == pytest.approx(float(r["P.x"][-1] - r["P.x"][0]), abs=1e-3)
    assert not isinstance(r["P.x"] + r.t, Channel)


def test_values_put_into_a_channel_are_brought_to_its_unit() -> None:
    metres = Channel.of([0.122, 0.1, 0.05], "A.x", "m")
    mm = metres.to("mm") * 0.0
    mm[:] = metres
    assert mm.tolist() == pytest.approx([122.0, 100.0, 50.0]) and mm.unit == "mm"
    mm[1:] = metres[:2]
    assert mm.tolist() == pytest.approx([122.0, 122.0, 100.0])
    np.copyto(mm, metres)
    assert mm.tolist() == pytest.approx([122.0, 100.0, 50.0])
    mm[0] = 3.0
    assert mm[0] == 3.0
    with pytest.raises(ValueError, match="m/s"):
        mm[:] = Channel.of([1.0, 2.0, 3.0], "A.vx", "m/s")


def test_comparisons_and_wholes_of_quotients() -> None:
    metres = Channel.of([0.125, 0.25], "A.x", "m")
    mm = metres.to("mm")
    assert np.allclose(mm, metres) and np.isclose(metres, mm).all() and np.array_equal(mm, metres)
    assert (metres // mm).tolist() == [1.0, 1.0] and divmod(mm, metres)[0].tolist() == [1.0, 1.0]
