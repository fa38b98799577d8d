"""Checkpoints that are damaged, or made by somebody else: refused in words, or a harmless state of their run."""

import io
import json
import zipfile

import numpy as np
import pytest

import biela
from biela import BielaError
from biela.analysis.simulate import checkpoint_file
from biela.analysis.simulate.checkpoint_file import read
from biela.machine.records import CLASSES, RECORDS
from biela.model.write import to_toml

METHODS = {
    "rk4": ("double-pendulum", {"integrator": "rk4", "step": 1e-4}),
    "projection": ("four-bar", {"formulation": "projection", "integrator": "ab4", "step": 1e-4}),
    "gauss": ("double-pendulum", {"integrator": "gauss", "step": 1e-3}),
    "dopri8": ("four-bar", {"integrator": "dopri8", "tolerance": 1e-12, "coordinates": "relative"}),
}


FILES = ["projection", "dopri8"]
"""what a file may say is looked through one by one for a method of fixed steps and one of variable steps: the file is
read in the same way whatever the method (`./fuzz --kind checkpoints` draws all methods)"""


@pytest.fixture(scope="module", params=list(METHODS))
def real(request, tmp_path_factory):
    """The contents of a checkpoint that a run has left, for every method."""
    return left(request.param, tmp_path_factory)


@pytest.fixture(scope="module", params=FILES)
def file(request, tmp_path_factory):
    """The same, for two of them."""
    return left(request.param, tmp_path_factory)


def left(method: str, tmp_path_factory) -> bytes:
    from biela.methods import run

    name, options = METHODS[method]
    file = tmp_path_factory.mktemp("real") / "c.npz"

    def stop(fraction, steps):
        raise KeyboardInterrupt

    patch = pytest.MonkeyPatch()
    patch.setattr(run, "_first_chunk", lambda system: 40)
    end = 500 * options["step"] if "step" in options else 1.0
    half = biela.simulate(name, end, samples=20, checkpoint=file, progress=stop, **options)
    patch.undo()
    assert half.status.name == "interrupted"
    return file.read_bytes()


def refused(data: bytes, folder) -> str:
    """Why a file is refused; nothing if it can go on, and then it does, to some end."""
    file = folder / "forged.npz"
    file.write_bytes(data)
    try:
        read(file)
    except BielaError as error:
        return str(error)
    biela.resume(file)
    return ""


@pytest.fixture
def put_together_once(monkeypatch):
    """The model in a file, which is read a hundred times with another array changed: its system is checked against and
    not run, so one is enough."""
    systems = {}

    def assembled(model, coordinates):
        key = (to_toml(model), coordinates)
        if key not in systems:
            systems[key] = assemble(model, coordinates)
            checked_mobility(systems[key])
        return systems[key]

    assemble, checked_mobility = checkpoint_file.assemble, checkpoint_file.checked_mobility
    monkeypatch.setattr(checkpoint_file, "assemble", assembled)
    monkeypatch.setattr(checkpoint_file, "checked_mobility", lambda system: None)


def unpacked(data: bytes) -> tuple[dict[str, np.ndarray], dict]:
    arrays = dict(np.load(io.BytesIO(data)))
    return arrays, json.loads(str(arrays.pop("about")))


def packed(arrays: dict[str, np.ndarray], about, save=np.savez) -> bytes:
    out = io.BytesIO()
    save(out, about=np.array(about if isinstance(about, str) else json.dumps(about)), **arrays)
    return out.getvalue()


def test_what_is_unchanged_goes_on(real, tmp_path):
    assert refused(packed(*unpacked(real)), tmp_path) == ""


def test_a_file_holds_neither_addresses_nor_structure(real, tmp_path):
    arrays, about = unpacked(real)
    others = {name.removeprefix("array.") for name, x in arrays.items() if x.dtype != np.float64}
    assert others == {"run", "piv", "free", "left_out", "head_below", "piece_kept"}
    for name in ("tree_calls", "user_address", "jptr", "M", "c", "par", "opt"):
        if f"array.{name}" not in arrays:
            forged = {**arrays, f"array.{name}": np.full(5, 0x414141414141, dtype=np.int64)}
            assert "not those of the equations" in refused(packed(forged, about), tmp_path), name


def test_truncated_at_any_byte(real, tmp_path):
    for length in [*range(0, 200, 13), *np.linspace(200, len(real) - 1, 25).astype(int)]:
        assert "not a checkpoint" in refused(real[:length], tmp_path), length


def test_bytes_changed_anywhere(real, tmp_path):
    rng = np.random.default_rng(1)
    for _ in range(40):
        data = bytearray(real)
        for at in rng.integers(0, len(data), rng.integers(1, 4)):
            data[at] = rng.integers(0, 256)
        refused(bytes(data), tmp_path)


def test_arrays_of_other_shapes_and_kinds(file, tmp_path, put_together_once):
    arrays, about = unpacked(file)
    for name in arrays:
        x = arrays[name]
        others = [np.append(x.ravel(), x.ravel()[:1]), x.ravel()[:-1], x[None], np.array(3.0)]
        others += [x.astype(t) for t in (np.complex128, ">c16", "V8", "S8")]
        for other in others[:: 1 + len(name) % 3]:
            if other.shape != x.shape or other.dtype != x.dtype:
                assert refused(packed({**arrays, name: other}, about), tmp_path), (name, other.dtype, other.shape)
        assert refused(packed({k: y for k, y in arrays.items() if k != name}, about), tmp_path), name
    assert refused(packed({**arrays, "array.more": np.zeros(3)}, about), tmp_path)


def test_numbers_that_lead_out_of_the_arrays(real, tmp_path):
    arrays, about = unpacked(real)
    forged = [("piv", 2**31), ("piv", 10_000), ("free", 2), ("left_out", -1), ("head_below", 7), ("run", -(2**60)),
              ("y", np.nan), ("y", np.inf), ("ctl", np.nan), ("margin", np.nan), ("mon", np.nan)]  # fmt: skip
    for name, value in forged:
        x = arrays[f"array.{name}"].copy()
        if len(x):
            x[-1 if name == "run" else 0] = value
            assert "cannot come from a run" in refused(packed({**arrays, f"array.{name}": x}, about), tmp_path), name


def test_any_floats_lead_nowhere(real, tmp_path):
    """What a run remembers beside its state, as factors and the rows that were exchanged in them, may be anything."""
    arrays, about = unpacked(real)
    for value in (1e9, -1e300, np.nan):
        changed = {k: np.full_like(x, value) for k, x in arrays.items() if k.endswith((".direct", ".k", ".A", ".S"))}
        forged = arrays | changed
        refused(packed(forged, about), tmp_path)


def test_a_place_in_the_loop_beyond_the_samples(file, tmp_path):
    arrays, about = unpacked(file)
    for key in about["loop"]:
        for value in (-1, 1e9, 2**62, 0.5, float("nan"), float("inf"), None, "1", [1], True):
            forged = {**about, "loop": {**about["loop"], key: value}}
            if key in ("done", "stride", "row") or value not in (0.5, -1):
                assert refused(packed(arrays, forged), tmp_path), (key, value)
    for loop in ({}, [], None, {**about["loop"], "more": 1}):
        assert refused(packed(arrays, {**about, "loop": loop}), tmp_path)


def test_what_it_says_about_itself(file, tmp_path):
    arrays, about = unpacked(file)
    for key in about:
        assert refused(packed(arrays, {k: x for k, x in about.items() if k != key}), tmp_path), key
        for value in (None, -1, 1e308, float("nan"), "x" * 50, [], {}, True):
            assert refused(packed(arrays, {**about, key: value}), tmp_path), (key, value)
    for key, now in about["settings"].items():
        for value in (None, -1, 1e308, float("nan"), "x" * 50, [], {}):
            if value != now:
                refused(packed(arrays, {**about, "settings": {**about["settings"], key: value}}), tmp_path)
    for text in ("", "{", "[]", "3", "null", "[" * 100_000, '"' + "x" * 1000):
        assert refused(packed(arrays, text), tmp_path), text[:20]
    more = about["model"] + "\n[bodies.more]"
    for model in ("", "a = ", "[ground]\nO = [0, 0]", "x" * 10**6, "[elements]\n[bonds]", more):
        assert refused(packed(arrays, {**about, "model": model}), tmp_path), model[:20]


def test_archives_that_promise_more_than_they_hold(real, tmp_path):
    arrays, about = unpacked(real)
    assert "compressed" in refused(packed(arrays, about, np.savez_compressed), tmp_path)
    small, objects = io.BytesIO(), io.BytesIO()
    np.lib.format.write_array_header_1_0(small, {"descr": "<f8", "fortran_order": False, "shape": (10**15,)})
    np.save(objects, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    for content in (small.getvalue(), small.getvalue() + b"\0" * 64, objects.getvalue(), b"", b"\x93NUMPY\x09\x09"):
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(real)) as old, zipfile.ZipFile(out, "w") as new:
            for x in old.infolist():
                new.writestr(x.filename, content if x.filename == "array.y.npy" else old.read(x))
        assert "not a checkpoint" in refused(out.getvalue(), tmp_path)


def test_every_number_of_a_state_is_finite(file, tmp_path, put_together_once):
    arrays, about = unpacked(file)
    for name, x in arrays.items():
        if name.startswith("array.") and x.dtype == np.float64 and x.size:
            for value in (np.nan, -np.nan) if name.endswith(("ctl", "mon", "margin")) else (np.nan, np.inf):
                forged = x.copy()
                forged.flat[-1] = value
                told = refused(packed({**arrays, name: forged}, about), tmp_path)
                if value != value or not name.endswith(("side_kept", "greatest", "switching")):
                    assert "cannot come from a run" in told, (name, value)


@pytest.mark.parametrize("value", [-1, 7777777, 10**12])
def test_what_the_settings_say_is_not_taken_from_a_file(file, tmp_path, put_together_once, value):
    arrays, about = unpacked(file)
    for name in (name for name, record in RECORDS.items() if record.is_setting):
        forged = {**arrays, f"array.{name}": np.full(len(RECORDS[name].fields), value)}
        assert f"array.{name}" not in arrays
        assert "not those of the equations" in refused(packed(forged, about), tmp_path)
    run = arrays["array.run"]
    told = refused(packed({**arrays, "array.run": np.full_like(run, value)}, about), tmp_path)
    assert "counters" in told
    for k, name in enumerate(RECORDS["run"].fields):
        forged = run.copy()
        forged[k] = value
        if value != 7777777:
            told = refused(packed({**arrays, "array.run": forged}, about), tmp_path)
            assert "counters" in told or (forged == run).all() or name == "projection", name


def test_small_counters_that_no_such_run_comes_to(file, tmp_path):
    """A method of several steps would take what it has never written for its memory."""
    arrays, about = unpacked(file)
    run, mon = (arrays[f"array.{name}"].view(CLASSES[name]) for name in ("run", "mon"))
    tried = int(about["loop"].get("done", 0)) + int(abs(mon.rejected) + abs(mon.steps))
    for name, value in (("history", tried + 1), ("rechoices", run.settle_calls + 1)):
        forged = run.copy()
        setattr(forged, name, value)
        assert "counters" in refused(packed({**arrays, "array.run": forged.view(np.ndarray)}, about), tmp_path), name
