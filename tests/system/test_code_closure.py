"""Machine code is kept by what a kernel uses: an edit makes anew what it touches, and nothing else."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from biela.machine import code_closure, kept_code

SOURCE = '''
"""Kernels of a test."""
import numpy as np
from numba import njit
LENGTH = 2.0
TABLE = np.array([1.0, 2.0])
PAIR = (1, 2.5)

@njit
def inner(x):
    """The product."""
    return LENGTH * x  # a comment

@njit
def outer(x):
    return inner(x) + TABLE[0] + (1.0 if x in {1.0, 2.0} else 0.0)

@njit
def other(x):
    return PAIR[1] - x

@njit
def again(n):
    return 1 if n == 0 else n * again(n - 1)
'''
NAMES = ("inner", "outer", "other", "again")


def digests(folder: Path, source: str) -> dict[str, str]:
    """Of the functions of a module with this source."""
    path = folder / "kernels_of_a_test.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location("kernels_of_a_test", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return {name: code_closure.closure_digest(getattr(module, name).py_func) for name in NAMES}


@pytest.mark.parametrize(
    ("old", "new", "touched"),
    [
        ("# a comment", "# another one\n\n", ()),
        ("The product.", "Twice as much.", ()),
        ("LENGTH * x", "x * LENGTH + 0", ("inner", "outer")),
        ("LENGTH = 2.0", "LENGTH = 2.5", ("inner", "outer")),
        ("LENGTH = 2.0", "LENGTH = 2", ("inner", "outer")),
        ("np.array([1.0, 2.0])", "np.array([1.0, 3.0])", ("outer",)),
        ("{1.0, 2.0}", "{1.0, 3.0}", ("outer",)),
        ("PAIR = (1, 2.5)", "PAIR = (1, 3.5)", ("other",)),
        ("@njit\ndef inner", "@njit(fastmath=True)\ndef inner", ("outer",)),  # its own options are part of Numba's key
        ("n * again", "2 * n * again", ("again",)),
    ],
)
def test_an_edit_makes_anew_what_it_touches(old, new, touched, tmp_path):
    before, after = digests(tmp_path, SOURCE), digests(tmp_path, SOURCE.replace(old, new))
    changed = tuple(name for name in NAMES if before[name] != after[name])
    assert changed == touched


def test_the_same_in_every_process(tmp_path):
    """Whatever the seed of hashes."""
    (tmp_path / "kernels_of_a_test.py").write_text(SOURCE)
    code = "import sys; sys.path.insert(0, sys.argv[1]); import kernels_of_a_test as k; "
    code += "from biela.machine.code_closure import closure_digest; "
    code += "print(*(closure_digest(getattr(k, n).py_func) for n in sys.argv[2:]))"
    said = {
        subprocess.run([sys.executable, "-c", code, str(tmp_path), *NAMES], capture_output=True, text=True, check=True,
                       env={**os.environ, "PYTHONHASHSEED": seed}).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(said) == 1 and len(said.pop().split()) == len(NAMES)


def test_code_is_made_anew_for_another_closure(tmp_path, monkeypatch):
    """Through Numba: the same function, with another constant. (In a module of its own: code that is read back looks
    for the names of its module.)"""
    (tmp_path / "scaled.py").write_text("FACTOR = 2.0\n\n\ndef scaled(x):\n    return FACTOR * x\n")
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("scaled")

    def run() -> tuple[float, int]:
        code_closure._known.clear()
        function = numba.njit(module.scaled)
        kept_code.kept(function, tmp_path / "code")
        return function(np.float64(3.0)), function._cache_hits.total()  # type: ignore[attr-defined]

    assert run() == (6.0, 0) and run() == (6.0, 1)
    module.FACTOR = 5.0
    assert run() == (15.0, 0) and run() == (15.0, 1)
    module.FACTOR = 2.0
    assert run() == (6.0, 1)


MADE = '''
import sys
from pathlib import Path
from numba import njit
from biela.machine.kept_code import kept

FOLDER = Path(sys.argv[1])


def keep(function):
    made = njit(function)
    kept(made, FOLDER)
    return made


@keep
def double(x):
    return 2.0 * x


@keep
def triple(x):
    return 3.0 * x


def repeated(inner):
    @keep
    def solve(x, count):
        for _ in range(count):
            x = inner(x) if x < 1e6 else inner(inner(inner(x)))
        return x

    return solve


def outer(inner):
    @keep
    def use(x):
        return inner(x, 2) + inner(x + 1.0, 3)

    return use


for name in sys.argv[2:]:
    made = outer(repeated({"double": double, "triple": triple}[name]))
    print(made(1.0), made._cache_hits.total())
'''


def test_what_a_factory_makes(tmp_path):
    """Functions that differ by what they close over alone: each has its own machine code, kept from process to
    process, also where two that were made in different processes meet in a third."""
    path, folder = tmp_path / "made.py", tmp_path / "code"
    path.write_text(MADE)

    def run(*names: str) -> list[str]:
        command = [sys.executable, str(path), str(folder), *names]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    assert run("double") == ["20.0", "0"] and run("triple") == ["63.0", "0"]
    assert run("double", "triple") == ["20.0", "1", "63.0", "1"]
    assert run("triple", "double") == ["63.0", "1", "20.0", "1"]
