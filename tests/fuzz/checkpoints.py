"""Checkpoints: a run goes on bit for bit from a sound one; a damaged or forged one is refused in words."""

from __future__ import annotations

import io
import json
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import biela
from biela import BielaError
from biela.methods.registry import INTEGRATORS
from fuzz import mechanisms_of
from fuzz.case import Case
from fuzz.finding import Finding, Tally

HOW = ("sound", "bytes", "cut", "array", "shape", "integers", "about", "another", "missing")
OWN = [name for name, i in INTEGRATORS.items() if not i.scipy]


def draw(kind: str, seed: int) -> Case:
    """A short run that is interrupted, and what is done to its file."""
    rng = np.random.default_rng([seed, 23])
    base = mechanisms_of.draw(str(rng.choice(["plane open", "plane loops", "space open"])), seed)
    more = {
        "integrator": str(rng.choice(OWN)),
        "how": str(rng.choice(HOW)),
        "duration": 0.3,
        "number": int(rng.integers(2**31)),
    }
    return Case(kind, seed, base.model, more)


def examine(case: Case, tally: Tally) -> list[Finding]:
    """Interrupted, its file spoilt, and resumed."""
    model, name = case.build(), case.more["integrator"]
    steps = {} if INTEGRATORS[name].adaptive else {"step": 1e-5}
    options: dict[str, Any] = {"integrator": name, "samples": 5, **steps}

    def impatient(fraction: float, _: int) -> None:
        if fraction > 0.2:
            raise KeyboardInterrupt

    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder) / "run.npz"
        try:
            half = biela.simulate(model, case.more["duration"], progress=impatient, checkpoint=path, **options)
            tally.add("runs")
        except BielaError as error:  # a method that does not do for this mechanism: no checkpoint to speak of
            tally.refused(error)
            return []
        try:
            if half.status.name != "interrupted" or not path.exists():
                return []
            sound = path.read_bytes()
            path.write_bytes(spoilt(sound, case.more["how"], np.random.default_rng(case.more["number"])))
            again = biela.resume(path)
            tally.add("runs")
        except BielaError as error:
            tally.refused(error)
            return [Finding("checkpoint: a sound one is refused", str(error))] if case.more["how"] == "sound" else []
    if case.more["how"] == "sound":
        whole = biela.simulate(model, case.more["duration"], **options)
        tally.add("compared")
        if again.ok != whole.ok or not np.array_equal(again.q[-1], whole.q[-1]):
            return [Finding("checkpoint: resumed to another end", f"{name}: {again.quality()}\n{whole.quality()}")]
    return []


def spoilt(data: bytes, how: str, rng: np.random.Generator) -> bytes:
    """The file, damaged or forged."""
    if how == "sound":
        return data
    if how == "bytes":
        out = bytearray(data)
        for _ in range(int(rng.integers(1, 20))):
            out[int(rng.integers(len(out)))] = int(rng.integers(256))
        return bytes(out)
    if how == "cut":
        return data[: int(rng.integers(len(data)))]
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        values = {name: file[name] for name in file.files}
    names = [n for n in values if n != "about"]
    name = str(rng.choice([n for n in names if values[n].size]))
    x = values[name]
    if how == "array":
        values[name] = x + x.dtype.type(rng.choice([1, 7, 99])) if x.dtype.kind in "iu" else np.full_like(x, np.nan)
    elif how == "integers":
        for n in names:
            if values[n].dtype.kind in "iu" and rng.random() < 0.3:
                values[n] = rng.integers(0, 2**31, values[n].shape).astype(values[n].dtype)
    elif how == "shape":
        values[name] = np.zeros(tuple(int(k) for k in rng.integers(0, 50, max(x.ndim, 1))), dtype=x.dtype)
    elif how == "missing":
        del values[name]
    elif how == "another":
        values[f"array.{rng.choice(['tree_calls', 'header', 'q', 'x y', '__class__', 'jcol', 'M'])}"] = rng.integers(
            0, 2**40, 5
        )
    else:
        about = json.loads(str(values["about"]))
        key = str(rng.choice(list(about)))
        about[key] = [None, -1, "x", 1e300, {}, [], "../x", {"t": 5}][int(rng.integers(8))]
        values["about"] = np.array(json.dumps(about))
    out = io.BytesIO()
    np.savez(out, allow_pickle=False, **values)
    return out.getvalue()
