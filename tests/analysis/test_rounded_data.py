"""Overconstrained mechanisms whose dimensions are given with 6 to 9 decimals move as the exact ones do."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import biela
from biela.analysis.check.mobility import mobility
from biela.model.file import load_text
from overconstrained import KINDS, rounded

DECIMALS = (6, 7, 8, 9)
CASES = [(kind, decimals, 10 * k + decimals) for k, kind in enumerate(KINDS) for decimals in DECIMALS[k % 2 :: 2]]
"""each with the fewest or the most of them, and one between"""


def both(kind: str, decimals: int, seed: int) -> tuple[biela.Model, biela.Model, str, list[str]]:
    data, coordinate, points = KINDS[kind](np.random.default_rng(seed))
    return biela.Model(**data), biela.Model(**rounded(data, decimals)), coordinate, points


def places(result: object, points: list[str]) -> np.ndarray:
    return np.concatenate([np.asarray(result[p]) for p in points])  # type: ignore[index]


@pytest.mark.parametrize(("kind", "decimals", "seed"), CASES)
def test_mobility_and_kinematics_are_those_of_the_exact_mechanism(kind, decimals, seed):
    exact, given, coordinate, points = both(kind, decimals, seed)
    for coordinates in ("natural", "relative", "reference-point"):
        m, n = (mobility(biela.assemble(x, coordinates)) for x in (exact, given))
        assert (m.freedom, m.redundant) == (n.freedom, n.redundant) == (1, m.redundant)
    start = 0.0 if kind != "parallel cranks" else None
    stop = 0.2 if start == 0.0 else 1.0
    r, s = (biela.kinematics(x, coordinate, start, stop, count=5) for x in (exact, given))
    assert r.ok and s.ok
    assert places(s, points) == pytest.approx(places(r, points), abs=30 * 10.0**-decimals)


@pytest.mark.parametrize("coordinates", ["natural", "relative", "reference-point"])
@pytest.mark.parametrize("kind", KINDS)
def test_motion_and_reactions_are_those_of_the_exact_mechanism(kind, coordinates):
    exact, given, _, points = both(kind, 7, 5)
    options = {"coordinates": coordinates, "formulation": "lagrange", "samples": 5, "tolerance": 1e-10}
    r, s = (biela.simulate(x, 0.1, **options) for x in (exact, given))
    assert s.ok, s.message
    assert places(s, points) == pytest.approx(places(r, points), abs=1e-5)
    names = r.channels("*.reaction")
    forces, size = [np.concatenate([np.asarray(x[n]) for n in names]) for x in (s, r)], 9.81 * len(exact.bodies)
    assert forces[0] == pytest.approx(forces[1], abs=1e-4 * size)


def test_the_note_says_where_it_does_not_fit():
    exact, given, *_ = both("bennett", 6, 3)
    (note,) = [n for n in biela.assemble(given).notes if "decimals" in n]
    assert "6 decimals" in note and "misses by about" in note and "J" in note
    assert not any("decimals" in n for n in biela.assemble(exact).notes)


def test_what_does_not_fit_is_still_refused():
    data, *_ = KINDS["bennett"](np.random.default_rng(3))
    data["bodies"]["link1"]["points"]["O2"][0] += 0.03
    for decimals in (6, 9, None):
        with pytest.raises(biela.AssemblyError, match="cannot"):
            biela.assemble(biela.Model(**rounded(data, decimals)))
    four = {"name": "f", "ground": {"A": [0, 0], "D": [1.123456, 0]}, "points": {"B": [0.1, 0.2], "C": [0.5, 0.4]},
            "bodies": {n: {"type": "bar", "points": e, "length": 0.364485, "mass": 1.0} for n, e in
                       (("a", ["A", "B"]), ("b", ["B", "C"]), ("c", ["C", "D"]))}}  # fmt: skip
    with pytest.raises(biela.AssemblyError, match="cannot close"):
        biela.assemble(biela.Model(**four))


@pytest.mark.parametrize("coordinates", ["natural", "mixed", "reference-point", "relative"])
def test_six_decimals_and_a_velocity(coordinates: str) -> None:
    """The rate asked for is the rate it starts with, in all coordinates, and the motion is that of all digits."""
    text = (Path(__file__).parents[1] / "data" / "bennett.toml").read_text()
    short = re.sub(r"-?\d+\.\d{4,}(e-\d+)?", lambda x: f"{float(x.group()):.6f}", text)
    model, whole = (load_text(x).start(velocity={"J1.angle": 2.0}) for x in (short, text))
    r, truth = biela.simulate(model, 0.5, coordinates=coordinates), biela.simulate(whole, 0.5)
    assert float(r["J1.angle.rate"][0]) == pytest.approx(2.0, abs=1e-5)
    assert float(r["J1.angle"][-1]) == pytest.approx(float(truth["J1.angle"][-1]), abs=1e-4)
    assert any("6 decimals" in note for note in r.notes)
