"""Broken models: good ones with a mistake put in. biela says what is wrong, or runs; it never raises or hangs."""

from __future__ import annotations

import copy
import tomllib
import warnings
from typing import Any

import numpy as np

import biela
from biela import BielaError, library
from biela.model.file import load_text
from biela.model.write import to_toml
from biela.system.system import COORDINATES
from fuzz import mechanisms_of
from fuzz.case import Case, plain
from fuzz.finding import Finding, Tally
from fuzz.motions import patience
from fuzz.stops import candidates

NASTY: tuple[Any, ...] = (
    0, -1, 1e-300, 1e300, -1e300, 1e16, float("nan"), float("inf"), True, "", "x", "t", "1e999", "2 kgs", "3 m/0", "-",
    "sin(", "nan", "1/0", "exp(exp(exp(exp(t))))", "sqrt(-1)", "((((((((1))))))))", "ground", [], {}, [0], [0, 0, 0, 0],
    ["ground", "ground"], "a" * 70, "30 deg", "1 kg", "2*r", -0.0, 5e-324, 2**70, "\u0000", "π", "..", "b.angle", "P.x",
)  # fmt: skip
"""what is put in the place of a value"""
KEYS = ("mass", "type", "points", "x", "", "lenght", "t", "angle", "value", "a b", "ground", "axis", "at")
CUT = 0.1
"""share of the cases whose text is cut or stirred, not their data"""


def draw(kind: str, seed: int) -> Case:
    """A mechanism of the library or a random one, with one to three mistakes."""
    rng = np.random.default_rng([seed, 13])
    if rng.random() < 0.3:
        data = tomllib.loads(to_toml(biela.load(str(rng.choice(library.names())))))
    else:
        data = mechanisms_of.draw(
            str(rng.choice(["plane open", "plane loops", "space open", "redundant", "drivers"])), seed
        ).model
    data = copy.deepcopy(plain(data))
    if rng.random() < 0.3:
        what = str(rng.choice(candidates(data) or ["t"]))
        data.setdefault("stops", {})["stop"] = {"coordinate": what, "lower": float(rng.normal())}
    for _ in range(int(rng.choice([1, 1, 1, 2, 3]))):
        spoil(data, rng)
    text = written(data)
    if rng.random() < CUT:
        text = stirred(text, rng)
    return Case(kind, seed, {}, {"text": text, "coordinates": str(rng.choice(list(COORDINATES)))})


def spoil(data: Any, rng: np.random.Generator) -> None:
    """One mistake anywhere in it."""
    places = list(walk(data))
    if not places:
        return
    numbers = [(t, k) for t, k in places if isinstance(t[k], float) and "x" not in t]
    if numbers and rng.random() < 0.6:
        places = numbers
    where, key = places[int(rng.integers(len(places)))]
    how, old = rng.random(), where[key]
    if how < 0.5 and isinstance(old, float | int) and not isinstance(old, bool):  # a number that may pass
        where[key] = float(
            old * rng.choice([-1.0, 0.0, 1e-12, 1e-3, 1e3, 1e9, 1e30]) + rng.choice([0.0, 0.0, 1.0, 1e16])
        )
    elif how < 0.7:
        where[key] = copy.deepcopy(NASTY[int(rng.integers(len(NASTY)))])
    elif how < 0.8:
        del where[key]
    elif how < 0.85 and isinstance(where, dict):
        where[str(rng.choice(KEYS))] = where.pop(key)
    else:  # what stands elsewhere: of the same type, so that it fits
        alike = [(t, k) for t, k in places if type(t[k]) is type(old)]
        there, other = alike[int(rng.integers(len(alike)))]
        where[key] = copy.deepcopy(there[other])


def walk(value: Any) -> Any:
    """Every (container, key) in it."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield value, key
        yield from walk(inner)


def written(data: dict[str, Any]) -> str:
    """TOML, whatever is in it."""
    import tomlkit

    try:
        return tomlkit.dumps(data)
    except (ValueError, TypeError, AttributeError, OverflowError, tomlkit.exceptions.TOMLKitError):
        return f"name = {data!r}"


def stirred(text: str, rng: np.random.Generator) -> str:
    """Cut, doubled or with signs changed."""
    k = int(rng.integers(max(len(text), 1)))
    how = rng.integers(4)
    if how == 0:
        return text[:k]
    if how == 1:
        return text[:k] + str(rng.choice(list('"[]{}=.,\n\\#\u00e9\U0001f600'))) + text[k:]
    if how == 2:
        return text + text
    return text[:k] + text[k + int(rng.integers(1, 40)) :]


def examine(case: Case, tally: Tally) -> list[Finding]:
    """Read, checked, run a little, and asked for all it can say."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = load_text(case.more["text"], title="broken")
            biela.check(model)
            r = biela.simulate(model, 0.02, coordinates=case.more["coordinates"], samples=3, progress=patience(10.0))
        except BielaError as error:
            tally.refused(error)
            return silent(error)
        tally.add("runs")
        if not r.ok:
            tally.add("stopped")
            return [] if r.message else [Finding("broken: stopped without a word", r.quality())]
        bad = [name for name in r.channels() if not np.isfinite(np.asarray(r[name], dtype=float)).all()]
    if bad:
        return [Finding(f"broken: {bad[0].rpartition('.')[2]} is not finite", f"{bad[:5]} of a run that finished")]
    return []


def silent(error: BielaError) -> list[Finding]:
    """A refusal says what is wrong."""
    if any(not p.what.strip() for p in error.problems) or not error.problems:
        return [Finding("broken: refused without a word", repr(error.problems))]
    return []
