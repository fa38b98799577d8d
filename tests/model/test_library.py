"""Every mechanism of the library loads, resolves, round-trips and says where it is from."""

import copy
import itertools
import math
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
import sympy

from biela import library
from biela.errors import ModelError
from biela.model.file import load_text, to_toml
from biela.model.model import Model
from biela.model.resolve import resolve

NAMES = library.names()
# Tables in which the user chooses the names of the entries.
NAMED = {"bodies", "joints", "coordinates", "drivers", "forces", "stops", "locks"}


def test_the_mechanisms_of_the_texts_are_there():
    assert set(NAMES) >= {
        "double-pendulum",
        "double-pendulum-spring",
        "simple-pendulum",
        "mass-spring-damper",
        "two-mass-suspension",
        "four-bar",
        "slider-crank",
        "quick-return",
        "kinematics-003-four-bar",
        "kinematics-003-sliding",
        "kinematics-003-six-bar",
        "double-pendulum-001",
        "rod-pendulum",
        "slider-crank-001",
        "progressive-spring-001",
        "progressive-suspension-001",
        "oscillator-002",
        "double-pendulum-002",
        "double-pendulum-002-light",
        "top-002",
        "peaucellier",
        "chebyshev",
        "jansen",
        "double-four-bar",
        "folding-four-bar",
        "n-four-bar",
        "andrews",
        "car-axis",
        "chain",
        "heavy-top",
        "dzhanibekov",
        "steady-precession",
        "bricard",
        "cardan",
        "double-cardan",
        "puma560",
        "spatial-slider-crank",
        "spatial-chain",
    }


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_it_is(name: str):
    model = library.load(name)
    assert model.name == name
    assert model.title and model.reference.source and model.reference.values
    assert model.run.duration and model.run.step
    assert "# " in library.path(name).read_text(encoding="utf-8")


def entries(inertia: Any) -> list:
    """One moment in the plane, a tensor in space."""
    return [x for row in inertia for x in row] if isinstance(inertia, tuple) else [inertia]


@pytest.mark.parametrize("name", NAMES)
def test_it_resolves_in_floats_and_in_symbols(name: str):
    model = library.load(name)
    floats, formulas = resolve(model), resolve(model, symbolic=True)
    values = {symbol: floats.parameters[key] for key, symbol in formulas.parameters.items() if symbol.is_Symbol}
    for body, other in zip(floats.bodies.values(), formulas.bodies.values()):
        pairs = [(body.mass, other.mass), *zip(entries(body.inertia), entries(other.inertia))]
        pairs += [*zip(body.center, other.center)]
        pairs += [pair for p in body.points for pair in zip(body.points[p], other.points[p])]
        for number, formula in pairs:
            assert isinstance(formula, sympy.Expr) and not formula.has(sympy.Float)
            assert float(formula.xreplace(values)) == pytest.approx(number, rel=1e-12, abs=1e-15)
    for point, xy in floats.start.items():
        assert [float(c.xreplace(values)) for c in formulas.start[point]] == pytest.approx(xy, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("name", NAMES)
def test_it_round_trips(name: str):
    model = library.load(name)
    again = load_text(to_toml(model))
    assert again == model
    assert resolve(again) == resolve(model)


@pytest.mark.parametrize("name", NAMES)
def test_its_reference_values_speak_of_things_that_exist(name: str):
    model = library.load(name)
    resolved = resolve(model)
    for key in model.reference.values:
        match = re.fullmatch(r"(?P<channel>\S+) @ (?P<time>[0-9.]+)", key)
        assert match, key
        channel = match["channel"].removesuffix(".rate")
        part, _, axis = channel.rpartition(".")
        of_point = part in resolved.owners and axis in tuple("xyz")[: resolved.dimension]
        of_body = part in resolved.bodies and axis in ("p0", "p1", "p2", "p3", "wx", "wy", "wz")
        assert channel in resolved.coordinates or of_point or of_body, key
        assert float(match["time"]) <= float(resolved.duration)


@pytest.mark.parametrize("name", NAMES)
def test_it_starts_near_where_its_lengths_want_it(name: str):
    """The starting positions are rough, but not so rough that assembly could end elsewhere."""
    resolved = resolve(library.load(name))
    place = {**resolved.ground, **resolved.start}
    for body in resolved.bodies.values():
        points = list(body.points)
        for a, b in itertools.pairwise(points):
            want = math.dist(body.points[a], body.points[b])
            assert math.dist(place[a], place[b]) == pytest.approx(want, rel=0.1)


def test_double_pendulum_is_that_of_the_text():
    m, r, g = sympy.symbols("m r g", positive=True)
    resolved = resolve(library.load("double_pendulum"), symbolic=True)
    assert resolved.gravity == (0, -g)
    square, disc = resolved.bodies["square"], resolved.bodies["disc"]
    assert square.center == (r, r) and square.inertia + 2 * m * r**2 == sympy.Rational(8, 3) * m * r**2
    assert disc.center == (r, 0) and disc.inertia + m * r**2 == sympy.Rational(3, 2) * m * r**2
    assert resolved.coordinates["phi1"].lines[0].vector.local == (0, -1)
    assert not any(c.needed for c in resolved.coordinates.values())


def test_spring_acts_through_s():
    (force,) = resolve(library.load("double-pendulum-spring"), symbolic=True).forces
    k, r = sympy.symbols("k r", positive=True)
    assert force.coordinate == "s" and force.law.stiffness == k and force.law.free == 3 * r


def test_unknown_names():
    for name in ("doble-pendulum", "no-such-mechanism", ""):
        with pytest.raises(ModelError, match="double-pendulum"):
            library.load(name)
    for file in ("../library/four-bar", "a/b", "four-bar-that-is-not-there.toml"):
        with pytest.raises(ModelError, match=file.split("/")[-1]):
            library.load(file)
    with pytest.raises(ModelError, match="did you mean 'double-pendulum'"):
        library.load("doble-pendulum")


# ------------------------------------------------------------------------------------------ mutations
def keys(data: Any, path: tuple = ()) -> Iterator[tuple]:
    """The path of every key in the data."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield (*path, key)
            yield from keys(value, (*path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from keys(value, (*path, index))


def is_free_name(path: tuple) -> bool:
    """Whether a key is a name of the user's own choice that nothing else needs to mention."""
    if path[0] == "repeat" and len(path) > 2:
        path = path[2:]  # the same tables, inside a block
    if path[0] in NAMED and len(path) == 2:
        return True
    if path[0] == "bodies" and len(path) == 4 and path[2] == "points":
        return True  # a body may have points of its own; what pins bodies together is named elsewhere too
    return path[:2] == ("reference", "values") and len(path) == 3


def misspellings(key: str) -> list[str]:
    return [key + "q", "_" + key, key[:1] + "_" + key[1:]]


def renamed(data: Any, path: tuple, new: str) -> dict:
    result = copy.deepcopy(data)
    here = result
    for part in path[:-1]:
        here = here[part]
    # In place, so that only the name changes and not the order.
    items = [(new if key == path[-1] else key, value) for key, value in here.items()]
    here.clear()
    here.update(items)
    return result


@pytest.mark.parametrize("name", NAMES)
def test_no_key_can_be_misspelt(name: str):
    data = tomllib.loads(library.path(name).read_text(encoding="utf-8"))
    tried = 0
    for path in keys(data):
        if is_free_name(path):
            continue
        for new in misspellings(path[-1]):
            wrong = renamed(data, path, new)
            with pytest.raises(ModelError) as caught:
                resolve(Model.model_validate(wrong))
                pytest.fail(f"{'.'.join(map(str, path))} written {new!r} passes in silence")
            assert all(problem.cure for problem in caught.value.problems)
            tried += 1
    assert tried > 30


# Things that do not belong where they are put; the last is nothing at all.
ODD: list[Any] = [
    -1,
    1e308,
    True,
    "",
    "t",
    "1/0",
    "2 m",
    "ground",
    [],
    ["A", "A"],
    [0, 0],
    {},
    {"body": "x"},
    None,
]


@pytest.mark.parametrize("name", ["double-pendulum-spring", "four-bar", "quick-return", "kinematics-003-sliding"])
def test_anything_anywhere_is_understood_or_refused(name: str):
    """No value in any place makes anything but a model or a `ModelError` with a cure for each problem."""
    data = tomllib.loads(library.path(name).read_text(encoding="utf-8"))
    for path in keys(data):
        for value in ODD:
            wrong = copy.deepcopy(data)
            here = wrong
            for part in path[:-1]:
                here = here[part]
            if value is None:
                del here[path[-1]]
            else:
                here[path[-1]] = value
            try:
                resolve(Model.model_validate(wrong))
            except ModelError as error:
                assert all(problem.what and problem.cure for problem in error.problems)
