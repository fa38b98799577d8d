"""Quantities as text: values, dimensions, and what is refused."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import biela
from biela.model.resolve import resolve
from biela.model.units import (
    ALL_DOMAINS,
    EXPECTED,
    Dimension,
    UnitError,
    compatible,
    describe,
    parse_quantity,
    unit_names,
    unit_of_name,
)

SMALL = st.integers(-9, 9)


@pytest.mark.parametrize(
    ("text", "value", "dimension"),
    [
        ("30 deg", math.pi / 6, Dimension(rad=1)),
        ("12 mm", 0.012, Dimension(m=1)),
        ("1500 rpm", 50 * math.pi, Dimension(s=-1, rad=1)),
        ("2.5 kg*m^2", 2.5, Dimension(kg=1, m=2)),
        ("2.5 kg m**2", 2.5, Dimension(kg=1, m=2)),
        ("200 N/m", 200.0, Dimension(kg=1, s=-2)),
        ("9.81 m/s^2", 9.81, Dimension(m=1, s=-2)),
        ("0.1 N*m*s/rad", 0.1, Dimension(kg=1, m=2, s=-1, rad=-1)),
        ("5 N/(mm/s)", 5000.0, Dimension(kg=1, s=-1)),
        ("5 N/mm/s", 5000.0, Dimension(kg=1, s=-3)),
        ("(", None, None),
        ("-2 rev/min", -math.pi / 15, Dimension(s=-1, rad=1)),
        ("2 1/min", 2 / 60, Dimension(s=-1)),
        ("3 s^-1", 3.0, Dimension(s=-1)),
        ("1 turn", 2 * math.pi, Dimension(rad=1)),
        ("1 lbf", 4.4482216152605, Dimension(kg=1, m=1, s=-2)),
        ("1 lb*ft^2", 0.45359237 * 0.3048**2, Dimension(kg=1, m=2)),
        ("1 kW*h", 3.6e6, Dimension(kg=1, m=2, s=-2)),
        ("1 mJ/mN", 1.0, Dimension(m=1)),
        ("1e3 um", 1e-3, Dimension(m=1)),
        (".5in", 0.0127, Dimension(m=1)),
        ("7", 7.0, Dimension()),
        (" +7. ", 7.0, Dimension()),
        ("1e-999999999 m", 0.0, Dimension(m=1)),
    ],
)
def test_values(text, value, dimension):
    quantity = parse_quantity(text)
    if value is None:
        assert quantity is None
    else:
        assert quantity is not None
        assert quantity.value == pytest.approx(value, rel=1e-15)
        assert quantity.dimension == dimension


@pytest.mark.parametrize(
    "text", ["", "x", "mm", "2*x", "2 - x", "3 mm + x", "2(x)", "deg*3", "infinite", "1,5 m"]
)
def test_other_text_is_left_to_expressions(text):
    assert parse_quantity(text) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3 metre", "unknown unit 'metre'"),
        ("3 KG", "did you mean 'kg'"),
        ("3 degrees", "did you mean 'deg'"),
        ("3 Nm", r"did you mean 'N\*m'"),
        ("50 Hz", "rev/s or rad/s"),
        ("1 N/m s", "ambiguous 's'"),
        ("1 m^0.5", "exponent '0.5'"),
        ("1 m^x", "exponent 'x'"),
        ("1 m^99", "exponent '99'"),
        ("1 m^", "exponent ''"),
        ("1 m*", "missing at the end"),
        ("1 m)", r"unexpected '\)'"),
        ("1 N/(m", r"missing '\)'"),
        ("1 m*2", "expected a unit, found '2'"),
        ("5 mm/m", "cancel"),
        ("nan", "finite"),
        ("nan mm", "finite"),
        ("-inf kg", "finite"),
        ("Infinity", "finite"),
        ("1e999 m", "too large"),
        ("1e308 km", "too large"),
        ("1" * 101 + " m", "too many digits"),
        ("1 m/" + "(" * 50, "too many parentheses"),
        ("1 km*" + "(" * 15 + "km" + "^9)" * 15, "too many factors"),
    ],
)
def test_refused(text, message):
    with pytest.raises(UnitError, match=message):
        parse_quantity(text)


@given(st.decimals(-1000, 1000, places=4), st.sampled_from([("mm", 3), ("um", 6), ("g", 3), ("ms", 3)]))
def test_decimal_prefixes_are_exact(number, unit):
    name, shift = unit
    quantity = parse_quantity(f"{number} {name}")
    assert quantity is not None and quantity.value == float(f"{number}e-{shift}")


@given(st.builds(Dimension, SMALL, SMALL, SMALL, SMALL, SMALL))
def test_description_reads_back(dimension):
    text = f"3 {describe(dimension)}" if dimension != Dimension() else "3"
    quantity = parse_quantity(text, ALL_DOMAINS)
    assert quantity is not None and quantity.value == 3.0 and quantity.dimension == dimension


@given(st.text(alphabet="0123456789.eE+-*/^() mkgsradNx_\u00b5", max_size=20))
def test_any_text_gives_a_finite_quantity_or_none_or_an_error(text):
    try:
        quantity = parse_quantity(text)
    except UnitError:
        return
    assert quantity is None or math.isfinite(quantity.value)


GOOD = {
    "length": ["3 mm", "5 mm/rev"],
    "angle": ["3 deg", "1 rad"],
    "mass": ["2 t"],
    "inertia": ["1 kg*m^2"],
    "time": ["3 ms"],
    "velocity": ["3 km/h"],
    "angular velocity": ["3 rpm", "2 deg/s"],
    "acceleration": ["9.81 m/s^2"],
    "force": ["3 kN", "1 kg*m/s^2"],
    "moment": ["3 N*m", "3 J"],
    "energy": ["3 kJ"],
    "stiffness": ["3 N/mm"],
    "torsional stiffness": ["3 N*m/rad", "3 N*m", "2 N*m/deg"],
    "damping": ["3 N*s/m"],
    "torsional damping": ["3 N*m*s/rad", "3 N*m*s"],
    "density": ["3 g/cm^3"],
    "volume": ["3 cm^3"],
    "load per length": ["3 kN/m"],
    "load per area": ["3 N/mm^2"],
    "load per volume": ["3 N/m^3"],
    "number": ["3"],
}


def test_compatible_tells_all_kinds_apart():
    assert set(GOOD) == set(EXPECTED)
    # N*m is a moment, with or without /rad a torsional stiffness, and a J; N/m loads a line or strains a spring
    alike = {("moment", "torsional stiffness"), ("moment", "energy"), ("energy", "torsional stiffness"),
             ("stiffness", "load per length")}  # fmt: skip
    for kind, texts in GOOD.items():
        for text in texts:
            quantity = parse_quantity(text)
            assert quantity is not None
            fits = {other for other in EXPECTED if compatible(quantity.dimension, other)}
            if text == "3":  # no unit: SI wherever it stands
                assert fits == set(EXPECTED)
                continue
            twins = {b if a == kind else a for a, b in alike if kind in (a, b)}
            # By the rule on rad an angle also passes for a number.
            twins |= {"number"} if kind == "angle" else set()
            assert fits == {kind} | twins, text


@pytest.mark.parametrize(
    ("text", "kind"), [("3 1/s", "angular velocity"), ("3 mm", "angle"), ("3 deg", "length")]
)
def test_angles_must_say_so(text, kind):
    quantity = parse_quantity(text)
    assert quantity is not None and not compatible(quantity.dimension, kind)


def test_unknown_kind():
    with pytest.raises(ValueError, match="unknown kind of quantity 'lenght'"):
        compatible(Dimension(), "lenght")


def pushed(law: str, **parameters) -> biela.Model:
    m = biela.Model(name="pushed", gravity=(0, 0)).add_ground("O", 0, 0).add_point("P", 1, 0).add_mass("p", "P", 1.0)
    m.parameters.update(parameters)
    m.add_force("f", "force", point="P", value=[law, 0])
    return m


@pytest.mark.parametrize("law", ["60 rpm*t", "3 kN/s*t", "5 t*m/s^2", "2 N*t", "5 t"])
def test_the_time_is_no_tonne(law):
    with pytest.raises(biela.BielaError, match="has the variable 't' where units stand"):
        resolve(pushed(law))


def test_what_was_meant_is_offered_as_a_formula_that_works():
    with pytest.raises(biela.BielaError) as refused:
        resolve(pushed("3 kN/s*t"))
    assert "'3000*t'" in str(refused.value)
    assert biela.simulate(pushed("3000*t"), 1.0)["P.vx"][-1] == pytest.approx(1500.0, rel=1e-9)


@pytest.mark.parametrize("unit", sorted(unit_names()))
def test_every_unit_that_is_also_a_parameter_of_its_kind_is_refused_in_a_product(unit):
    from biela.model.units import mixed_up

    dimension = unit_of_name(unit)
    assert mixed_up(f"2 N*{unit}", (), {unit: dimension}) is not None
    assert mixed_up(f"2 {unit}", (), {unit: dimension}) is None  # a number and its unit: nothing else can be meant
    assert mixed_up(f"2 N*{unit}", (), {unit: Dimension(kg=7)}) is None
    assert (mixed_up(f"2 N*{unit}", ("t", "x", "v"), {}) is None) == (unit not in ("t", "x", "v"))


def test_tonnes_are_tonnes_where_no_law_stands():
    m = biela.Model(name="heavy").add_ground("O", 0, 0).add_point("P", 1, 0).add_mass("p", "P", "2 t")
    assert resolve(m).bodies["p"].mass == 2000.0
