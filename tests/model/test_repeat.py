"""Repeat blocks: what they make, for which parameters, how they are kept, and what is refused."""

import pytest

from biela import library
from biela.errors import ModelError
from biela.model.file import load_text, to_toml
from biela.model.model import Model
from biela.model.repeat import write_index
from biela.model.resolve import resolve
from biela.model.resolve.expansion import without_repeats
from biela.model.toml import line_of

CHAIN = """
[parameters]
n = 3
L = 0.5
[ground]
P0 = [0, 0]
[[repeat]]
index = "i"
from = 1
to = "n"
[repeat.points]
"P{i}" = ["{i}*L", 0]
[repeat.bodies."link{i}"]
type = "bar"
points = ["P{i-1}", "P{i}"]
length = "L"
mass = "2*{i}"
"""
# A second block of every other section there is.
REST = """
[[repeat]]
index = "k"
from = 2
to = "n"
ground = { "G{k}" = ["{k}", 1] }
joints = { "stay{k}" = { type = "distance", points = ["G{k}", "P{k}"] } }
coordinates = { "s{k-1}" = { type = "distance", points = ["G{k}", "P{k-1}"] } }
drivers = { "motor{k}" = { coordinate = "link{k}.angle", law = "{k}*t" } }
forces = { "spring{k}" = { type = "spring", coordinate = "s{k-1}", stiffness = "{10*k}" } }
initial = { velocity = { "link{k}.angle" = "{k} rad/s" } }
"""


def chain(**parameters: object) -> Model:
    return load_text(CHAIN).with_parameters(**parameters)


def refusal(text: str) -> str:
    with pytest.raises(ModelError) as caught:
        resolve(load_text(text))
    assert all(problem.cure for problem in caught.value.problems)
    return str(caught.value)


# --------------------------------------------------------------------------------------------- what it makes
def test_parts_are_made_for_every_value_of_the_index():
    resolved = resolve(chain())
    assert list(resolved.bodies) == ["link1", "link2", "link3"]
    assert [body.mass for body in resolved.bodies.values()] == [2.0, 4.0, 6.0]
    assert list(resolved.bodies["link3"].points) == ["P2", "P3"]
    assert resolved.start == {"P1": (0.5, 0.0), "P2": (1.0, 0.0), "P3": (1.5, 0.0)}


def test_the_count_is_that_of_the_parameters_when_it_is_resolved():
    model = chain(n=40)
    assert len(resolve(model).bodies) == 40
    assert len(resolve(model.with_parameters(n="2*3")).bodies) == 6
    assert len(resolve(chain()).bodies) == 3


def test_the_first_may_be_the_last_and_none_is_possible():
    assert list(resolve(chain(n=1)).bodies) == ["link1"]
    assert resolve(chain(n=0)).bodies == {}


def test_every_section_can_be_repeated():
    resolved = resolve(load_text(CHAIN + REST))
    assert resolved.ground == {"P0": (0.0, 0.0), "G2": (2.0, 1.0), "G3": (3.0, 1.0)}
    assert [joint.name for joint in resolved.joints] == ["stay2", "stay3"]
    assert [c for c in resolved.coordinates if c.startswith("s")] == ["s1", "s2"]
    assert [driver.coordinate for driver in resolved.drivers] == ["link2.angle", "link3.angle"]
    assert [force.law.stiffness for force in resolved.forces] == [20.0, 30.0]
    assert resolved.velocity == {"link2.angle": 2.0, "link3.angle": 3.0}


def test_in_symbols_too():
    resolved = resolve(chain(), symbolic=True)
    assert str(resolved.start["P3"][0]) == "3*L" and list(resolved.bodies) == ["link1", "link2", "link3"]


def test_what_stands_between_braces():
    values = {"i": 3, "n": 10.0}
    assert write_index("P{i}{n-i}", values) == "P37"
    assert write_index("{2*i+1}*L", values) == "7*L"
    assert write_index("a - {i-4}*b", values) == "a - -1*b"
    assert write_index("{i-4}**2", values) == "(-1)**2"
    assert write_index("{i} mm", values) == "3 mm"
    assert write_index("no index", values) == "no index"


def test_built_by_hand():
    link = {"type": "bar", "points": ("P{i-1}", "P{i}"), "mass": "2*{i}", "length": "L"}
    model = Model(parameters={"n": 3, "L": 0.5}).add_ground("P0", 0, 0)
    model.add_repeat("i", 1, "n", points={"P{i}": ("{i}*L", 0)}, bodies={"link{i}": link})
    assert resolve(model) == resolve(chain())
    assert load_text(to_toml(model)) == model
    with pytest.raises(ModelError, match=r"(?s)repeat\[1\]\.bodys.*did you mean 'bodies'"):
        model.add_repeat("i", 1, "n", bodys={})


# ----------------------------------------------------------------------------------------------- as it is kept
def test_a_saved_model_keeps_its_blocks():
    model = load_text(CHAIN + REST)
    text = to_toml(model)
    assert text.count("[[repeat]]") == 2 and '"P{i}"' in text
    assert load_text(text) == model


def test_who_reads_the_parts_sees_them_all():
    model = without_repeats(load_text(CHAIN + REST))
    assert list(model.bodies) == ["link1", "link2", "link3"] and list(model.coordinates) == ["s1", "s2"]
    assert model.repeat == []
    broken = chain(n=-3)
    assert without_repeats(broken) is broken  # `resolve` tells what is wrong
    plain = library.load("four-bar")
    assert without_repeats(plain) is plain


def test_lines_of_a_file_with_blocks():
    text = (CHAIN + REST).strip()
    lines = text.splitlines()
    assert lines[line_of(text, ["repeat", 0, "bodies", "link{i}", "mass"]) - 1] == 'mass = "2*{i}"'  # type: ignore
    assert lines[line_of(text, ["repeat", 1, "to"]) - 1] == 'to = "n"'  # type: ignore
    assert line_of(text, ["repeat", 1, "to"]) > line_of(text, ["repeat", 0, "to"])  # type: ignore[operator]


# ------------------------------------------------------------------------------------------------ what is refused
REFUSED: dict[str, tuple[str, str, list[str]]] = {
    "backwards": ("n = 3", "n = -1", ["repeat[1].to", "from 1 to -1", "to = 0"]),
    "not whole": ("n = 3", "n = 2.5", ["repeat[1].to", "2.5", "whole number"]),
    "a length": ('to = "n"', 'to = "3 m"', ["repeat[1].to", "'3 m' is not a number"]),
    "an unknown count": ('to = "n"', 'to = "N"', ["repeat[1].to", "'N'", "did you mean 'n'"]),
    "too many": ("n = 3", "n = 1e9", ["more than 1000000 parts", "repeat[1]", "2000000000"]),
    "unknown index": ('"P{i}" =', '"P{j}" =', ["there is no index 'j'", "repeat[1], i = 1", "use i"]),
    "half an index": ('"{i}*L"', '"{i/2}*L"', ["'{i/2}' is not a whole number", "repeat[1], i = 1", "0.5"]),
    "open braces": ('"{i}*L"', '"{i*L"', ["braces", "'{i*L'", "repeat[1]"]),
    "empty braces": ('"{i}*L"', '"{}*L"', ["'{}' cannot be understood", "{i+1}"]),
    "nonsense in braces": ('"{i}*L"', '"{i+}*L"', ["'{i+}' cannot be understood", "ends too early"]),
    "no index in a name": ('"link{i}"', "link", ["'link' in bodies is made twice", "i = 2", "P{i}"]),
    "collision with the rest": ("P0 = [0, 0]", 'P0 = [0, 0]\nP2 = [1, 1]', ["'P2' is taken twice", "repeat[1], i = 2"]),
    "collision of kinds": ('"link{i}"', '"P{i}"', ["'P1' is taken twice", "bodies.P1 (repeat[1], i = 1)"]),
    "two keys that become one": (
        'points = ["P{i-1}", "P{i}"]',
        'points = {"P{i}" = [0, 0], "P{2*i-1}" = [1, 0]}',
        ["the name 'P1' is made twice", "'P{2*i-1}'"],
    ),
    "a name that is none": ('"P{i}" =', '"{i}P" =', ["'1P' cannot be a name", "repeat[1], i = 1"]),
    "a key inside": ("length =", "lenght =", ["bodies.link1.lenght", "repeat[1], i = 1", "did you mean 'length'"]),
    "a type inside": ('"bar"', '"bra"', ["unknown type 'bra'", "repeat[1], i = 1", "did you mean 'bar'"]),
    "a value inside": ('mass = "2*{i}"', "mass = true", ["bodies.link1.mass", "repeat[1], i = 1", "number"]),
    "mechanics inside": (
        'mass = "2*{i}"', 'mass = "2-{i}"', ["'link2' has no mass", "bodies.link2.mass (repeat[1], i = 2)"],
    ),
    "no such part": ('"P{i-1}"', '"P{i-2}"', ["there is no point 'P-1'", "bodies.link1 (repeat[1], i = 1)"]),
    "index is a parameter": ('index = "i"', 'index = "L"', ["'L'", "parameter as well", "repeat[1].index"]),
    "index is a constant": ('index = "i"', 'index = "pi"', ["'pi'", "repeat[1].index"]),
    "index is no name": ('index = "i"', 'index = "i j"', ["'i j' cannot be an index", "repeat[1].index", "line 7"]),
    "single brackets": ("[[repeat]]", "[repeat]", ["[[repeat]]", "double brackets"]),
    "unknown key": ("[repeat.points]", "[repeat.pionts]", ["repeat[1].pionts", "did you mean 'points'", "line 10"]),
    "no end": ('to = "n"', "", ["'to' is missing", "repeat[1]"]),
    "a date": ('length = "L"', "length = 2020-01-01", ["repeat[1].bodies", "does not fit here"]),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str):
    old, new, told = REFUSED[case]
    assert old in CHAIN
    report = refusal(CHAIN.replace(old, new).strip() if "line" in told[-1] else CHAIN.replace(old, new))
    for text in told:
        assert text in report


def test_velocities_given_twice_are_refused():
    report = refusal(CHAIN + REST.replace('"link{k}.angle" = "{k} rad/s"', '"link2.angle" = 1'))
    assert "'link2.angle' in initial.velocity is made twice" in report and "repeat[2], k = 3" in report


def test_all_that_is_wrong_with_the_blocks_is_told_at_once():
    wrong = CHAIN.replace('"P{i}" =', '"P{j}" =') + REST.replace('to = "n"', "to = 0")
    report = refusal(wrong)
    assert "2 problems" in report and "'j'" in report and "repeat[2].to" in report


def test_a_mistake_made_a_thousand_times_is_not_told_a_thousand_times():
    with pytest.raises(ModelError) as caught:
        resolve(load_text(CHAIN.replace('"2*{i}"', '"-{i}"')).with_parameters(n=5_000))
    assert 100 <= len(caught.value.problems) <= 101
    assert "perhaps more" in caught.value.problems[-1].what
