"""Machine code on disk: what is damaged is made anew, with a note; and nobody but the user can put any there."""

import os
import shutil
import stat
import tempfile
from pathlib import Path

import numba
import numpy as np
import pytest

from biela.machine import kept_code

posix = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners and modes are those of POSIX")


def area(a, b):
    return a * b


def twice(x):
    return 2 * x


def run(folder: Path) -> tuple[int, list[str]]:
    """What another process would do: make three pieces of machine code, or find them in the folder."""
    first, second = numba.njit(area), numba.njit(twice)
    for function in (first, second):
        kept_code.kept(function, folder)
    assert (first(3.0, 4.0), second(1.5), second(1)) == (12.0, 3.0, 2)
    hits = sum(f._cache_hits.total() for f in (first, second))  # type: ignore[attr-defined]
    return hits, told()


def told() -> list[str]:
    out = kept_code.notes()
    kept_code._told.clear()
    return out


@pytest.fixture(autouse=True)
def nothing_told():
    told()
    yield
    told()


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flip(data: bytes) -> bytes:
    at = len(data) - 200
    return data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :]


def empty(data: bytes) -> bytes:
    return b""


def garbage(data: bytes) -> bytes:
    return np.random.default_rng(0).bytes(len(data))


@pytest.mark.parametrize("kind", ["*.nbi", "*.nbc"])
@pytest.mark.parametrize("change", [cut, flip, empty, garbage])
def test_damaged_files_are_made_anew(change, kind, tmp_path):
    assert run(tmp_path) == (0, []) and run(tmp_path) == (3, [])
    for file in tmp_path.rglob(kind):
        file.write_bytes(change(file.read_bytes()))
    hits, notes = run(tmp_path)
    assert hits == 0 and len(notes) == 1 and "damaged; it was compiled again" in notes[0]
    assert run(tmp_path) == (3, [])


def test_missing_files_are_made_anew(tmp_path):
    run(tmp_path)
    for file in sorted(tmp_path.rglob("*.nb?"))[::2]:
        file.unlink()
    assert run(tmp_path)[1] == [] and run(tmp_path) == (3, [])


def test_code_of_another_signature_under_this_name_is_not_run(tmp_path):
    """As two processes could leave it that write at once."""
    run(tmp_path)
    codes = sorted(f for f in tmp_path.rglob("*.nbc") if "twice" in f.name)
    assert len(codes) == 2
    shutil.copy(codes[0], codes[1])
    assert run(tmp_path) == (2, [])  # and its results are right


def test_a_folder_that_goes_away_does_no_harm(tmp_path):
    function = numba.njit(area)
    kept_code.kept(function, tmp_path / "gone")
    (tmp_path / "gone").mkdir()
    shutil.rmtree(tmp_path / "gone")
    (tmp_path / "gone").write_text("a file in its place")
    assert function(1.0, 2.0) == 2.0
    assert ["could not be kept" in note for note in told()] == [True]
    assert run(tmp_path / "gone")[0] == 0


# ------------------------------------------------------------------------------------------------------- the folder
@pytest.fixture
def places(tmp_path, monkeypatch):
    """The user's cache folder and the temporary one."""
    cache, temporary = tmp_path / "cache", tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("BIELA_CACHE", str(cache))
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    return cache, temporary


def mode(folder: Path) -> int:
    return stat.S_IMODE(folder.stat().st_mode)


@posix
def test_the_folder_is_the_users_alone(places):
    cache, temporary = places
    folder = kept_code.private_folder("x")
    assert folder == cache / "biela" / "x" and mode(folder) == mode(folder.parent) == 0o700 and told() == []
    for lax, why in ((folder, "others may write to it"), (folder.parent, "others may write to"), (cache, "others")):
        before = mode(lax)
        lax.chmod(0o777)
        other = kept_code.private_folder("x")
        assert other == temporary / f"biela-{os.getuid()}" / "x" and mode(other) == mode(other.parent) == 0o700
        assert [why in note and str(other) in note for note in told()] == [True]
        lax.chmod(before)
    assert kept_code.private_folder("x") == folder


@posix
@pytest.mark.parametrize("taken", ["lax", "link", "file"])
def test_a_name_that_is_taken_in_the_temporary_folder_is_not_used(places, taken):
    cache, temporary = places
    cache.write_text("no folder")
    own, stranger = temporary / f"biela-{os.getuid()}", temporary / "stranger"
    stranger.mkdir(mode=0o700)
    if taken == "link":
        own.symlink_to(stranger)
    elif taken == "file":
        own.write_text("")
    else:
        own.mkdir()
        own.chmod(0o777)
    folder = kept_code.private_folder("x")
    assert folder.parent == temporary and folder not in (own, stranger) and mode(folder) == 0o700
    assert not list(stranger.iterdir()) and len(told()) == 1
    shutil.rmtree(folder)


@posix
def test_whose_folder_it_is(tmp_path, monkeypatch):
    folder = tmp_path / "biela" / "x"
    folder.mkdir(parents=True, mode=0o700)
    assert kept_code._not_private(folder) == ""
    monkeypatch.setattr(os, "geteuid", lambda: os.stat(folder).st_uid + 1)
    assert kept_code._not_private(folder) == "it belongs to another user"
