"""Gears, racks and equations of the user's own: what they mean, in floats and in symbols, and what is refused."""

import pytest
import sympy

from biela.errors import ModelError
from biela.model import expression as ex
from biela.model.file import load_text, to_toml
from biela.model.resolve import resolve

WHEELS = """
[parameters]
k = 2.5
r = 0.2
[ground]
O = [0, 0]
C = [3, 0]
[points]
A = [0, 1]
B = [3, 1]
S = [1, 2]
[bodies]
first = { type = "bar", points = ["O", "A"], mass = 1 }
second = { type = "bar", points = ["C", "B"], mass = 1 }
block = { type = "mass", point = "S", mass = 1 }
[joints.rail]
type = "point-on-line"
point = "S"
line = { body = "ground", through = "O" }
[coordinates.phi]
type = "angle"
of = ["O", "A"]
[coordinates.psi]
type = "angle"
of = ["C", "B"]
[coordinates.s]
type = "distance"
points = ["A", "B"]
"""


def with_joint(joint: str, **changes: str):
    text = WHEELS + "[joints.pair]\n" + joint
    for old, new in changes.items():
        text = text.replace(old, new)
    return load_text(text)


def pair(joint: str, symbolic: bool = False):
    resolved = resolve(with_joint(joint), symbolic)
    return resolved, next(j for j in resolved.joints if j.name == "pair")


# ------------------------------------------------------------------------------------------ gears and racks
def test_a_gear_turns_the_other_way():
    resolved, gear = pair('type = "gear"\ncoordinates = ["phi", "psi"]\nratio = "k"')
    assert gear.type == "gear" and gear.terms == (("phi", 2.5), ("psi", 1.0)) and gear.value is None
    assert resolved.coordinates["phi"].needed and resolved.coordinates["psi"].needed
    assert not resolved.coordinates["s"].needed


def test_an_internal_gear_turns_the_same_way():
    _, gear = pair('type = "gear"\ncoordinates = ["phi", "psi"]\nratio = 3\ninternal = true')
    assert gear.terms == (("phi", -3.0), ("psi", 1.0))


def test_a_gear_in_symbols():
    _, gear = pair('type = "gear"\ncoordinates = ["phi", "psi"]\nratio = "k"', symbolic=True)
    assert gear.terms == (("phi", sympy.Symbol("k", positive=True)), ("psi", 1))


def test_a_gear_takes_angles_that_nobody_declared():
    resolved, gear = pair('type = "gear"\ncoordinates = ["first.angle", "C.angle@second"]\nratio = 2')
    assert [name for name, _ in gear.terms] == ["first.angle", "C.angle@second"]
    assert all(resolved.coordinates[name].needed for name, _ in gear.terms)


def test_rack_and_pinion():
    resolved, rack = pair('type = "rack-and-pinion"\npinion = "phi"\nrack = "rail.position"\nradius = "r"')
    assert rack.type == "rack-and-pinion" and rack.terms == (("rail.position", 1.0), ("phi", -0.2))
    assert resolved.coordinates["rail.position"].needed
    _, rack = pair('type = "rack-and-pinion"\npinion = "phi"\nrack = "s"\nradius = "20 mm"')
    assert rack.terms == (("s", 1.0), ("phi", -0.02))


# ------------------------------------------------------------------------------------- the user's equation
def equation(text: str, symbolic: bool = False) -> str:
    return ex.to_text(pair(f'type = "user"\nequation = "{text}"', symbolic)[1].equation)


def test_an_equation_keeps_its_names_and_knows_its_parameters():
    assert equation("A.x*B.x + A.y*B.y") == "A.x*B.x + A.y*B.y"
    assert equation("A.x*B.x = -A.y*B.y") == "A.x*B.x - -A.y*B.y"
    assert equation("psi - k*phi = 0") == "psi - 2.5*phi"
    assert equation("psi = sin(k*t)") == "psi - sin(2.5*t)"
    assert equation("S.x - C.x*cos(phi)") == "S.x - C.x*cos(phi)"  # a fixed point keeps its name too


def test_an_equation_in_symbols_keeps_its_parameters():
    assert equation("psi - k*phi = 0", symbolic=True) == "psi - k*phi"


def test_its_coordinates_are_needed():
    resolved, _ = pair('type = "user"\nequation = "s*second.angle + A.x + O.angle@first"')
    needed = {name for name, c in resolved.coordinates.items() if c.needed}
    assert needed == {"s", "second.angle", "O.angle@first"}


def test_a_point_that_only_an_equation_names_is_in_use():
    model = with_joint('type = "user"\nequation = "Q.x - A.x"', **{"S = [1, 2]": "S = [1, 2]\nQ = [0, 1]"})
    assert resolve(model).owners["Q"] == ()


@pytest.mark.parametrize(
    "joint",
    [
        'type = "gear"\ncoordinates = ["phi", "psi"]\nratio = 2\ninternal = true',
        'type = "rack-and-pinion"\npinion = "phi"\nrack = "s"\nradius = "r"',
        'type = "user"\nequation = "A.x*B.x + A.y*B.y = 0"',
    ],
)
def test_they_are_saved(joint: str):
    model = with_joint(joint)
    again = load_text(to_toml(model))
    assert again == model and resolve(again) == resolve(model)


# ------------------------------------------------------------------------------------------ what is refused
GEAR = 'type = "gear"\ncoordinates = ["phi", "psi"]\nratio = 2'
RACK = 'type = "rack-and-pinion"\npinion = "phi"\nrack = "s"\nradius = 1'
USER = 'type = "user"\nequation = "{}"'
REFUSED: dict[str, tuple[str, list[str]]] = {
    "unknown angle": (GEAR.replace("psi", "pis"), ["'pis'", "did you mean 'psi'", "joints.pair.coordinates"]),
    "itself": (GEAR.replace("psi", "phi"), ["'phi' with itself", "two wheels"]),
    "a distance in a gear": (GEAR.replace("psi", "s"), ["needs an angle", "'s' is a distance", "rack-and-pinion"]),
    "a point in a gear": (GEAR.replace("psi", "A.x"), ["a point's coordinate", "'A.x'"]),
    "no ratio": (GEAR.replace("ratio = 2", "ratio = 0"), ["ratio", "not positive", "internal"]),
    "negative ratio": (GEAR.replace("ratio = 2", "ratio = -2"), ["joints.pair.ratio", "-2", "internal"]),
    "a length for a ratio": (GEAR.replace("ratio = 2", 'ratio = "2 m"'), ["'2 m' is not a number"]),
    "missing ratio": (GEAR.replace("ratio = 2", ""), ["'ratio' is missing", "internal"]),
    "an angle for a rack": (RACK.replace('"s"', '"psi"'), ["needs a position or distance", "'psi' is an angle"]),
    "a distance for a pinion": (RACK.replace('"phi"', '"s"'), ["joints.pair.pinion", "needs an angle"]),
    "no radius": (RACK.replace("radius = 1", "radius = -1"), ["joints.pair.radius", "the other way"]),
    "unknown point": (USER.format("AA.x*B.x"), ["there is no 'AA.x'", "did you mean 'A.x'", "joints.pair.equation"]),
    "unknown names, all of them": (USER.format("Z.x + W.y + A.x"), ["'Z.x'", "'W.y'", "2 problems"]),
    "unknown parameter": (USER.format("A.x - kk"), ["there is no 'kk'", "did you mean 'k'"]),
    "unknown part": (USER.format("A.z"), ["there is no 'A.z'", "did you mean 'A.y'"]),
    "two equals": (USER.format("A.x = B.x = 1"), ["3 sides", "A.x = B.x = 1"]),
    "half an equation": (USER.format("A.x ="), ["cannot be understood", "empty expression"]),
    "nonsense": (USER.format("A.x *"), ["cannot be understood", "ends too early", "l.x*b.x"]),
    "nothing": (USER.format(""), ["cannot be understood", "empty expression"]),
    "nothing that moves": (USER.format("C.x - 3*k + t"), ["holds nothing", "can move"]),
    "no value": (USER.format("1/A.x"), ["no value where the mechanism starts", "1/A.x"]),
    "angle of a mass": (USER.format("block.angle"), ["point mass 'block'"]),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str):
    joint, told = REFUSED[case]
    with pytest.raises(ModelError) as caught:
        resolve(with_joint(joint))
    assert all(problem.cure for problem in caught.value.problems)
    for text in told:
        assert text in str(caught.value)


@pytest.mark.parametrize("name, kind", [("k", "a parameter"), ("e", "a constant"), ("t", "the time")])
def test_a_name_with_two_meanings_is_refused(name: str, kind: str):
    model = with_joint(USER.format(f"A.x - {name}"), **{"coordinates.s]": f"coordinates.{name}]"})
    with pytest.raises(ModelError, match=f"'{name}' means two things") as caught:
        resolve(model)
    assert kind in str(caught.value) and "rename" in str(caught.value)


# --------------------------------------------------------------------------------------- names with dots
def test_dots_are_read_where_they_are_allowed():
    node = ex.parse("body.u.x^2 + P.angle@crank - 2.5", dotted=True)
    assert ex.names(node) == {"body.u.x", "P.angle@crank"}
    assert ex.to_text(node) == "body.u.x^2 + P.angle@crank - 2.5"
    assert ex.to_text(ex.differentiate(node, "body.u.x")) == "2*body.u.x"
    for text in ("P.x", "P@b"):
        with pytest.raises(ex.ExpressionError, match="unexpected character"):
            ex.parse(text)
    for text in ("P.", ".x", "P..x", "P.2", "P@", "sin.x(2)"):
        with pytest.raises(ex.ExpressionError):
            ex.parse(text, dotted=True)
