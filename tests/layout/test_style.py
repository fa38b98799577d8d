"""The shape of the repository: small files, one concept each, and no paths of anybody's machine."""

import shutil
import statistics
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CEILING, MEDIAN = 400, 150  # lines
DRAWERS = {"utils.py", "helpers.py", "misc.py"}
MACHINE_PATHS = [f"/{folder}/" for folder in ("work", "root")]  # not spelt out: this file is checked too


def sources() -> dict[str, int]:
    """Path and number of lines of every module."""
    return {
        str(file.relative_to(ROOT)): len(file.read_text(encoding="utf-8").splitlines())
        for file in sorted((ROOT / "src").glob("**/*.py"))
    }


def repository_files() -> list[Path]:
    """Files that are, or would be, under version control."""
    if not shutil.which("git") or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def test_no_file_is_too_long():
    long = {name: lines for name, lines in sources().items() if lines > CEILING}
    assert not long, f"above {CEILING} lines; give each concept its own file: {long}"


def test_files_are_short():
    lines = sources().values()
    assert not lines or statistics.median(lines) <= MEDIAN


def test_no_drawers():
    drawers = [str(file) for file in repository_files() if file.name in DRAWERS]
    assert not drawers, f"name the concept instead: {drawers}"


def test_one_browser_for_all_tests():
    """A second driver in one process is refused, so that the order of the tests would decide whether they pass."""
    starts = "sync_" + "playwright("  # not spelt out: this file is checked too
    found = [str(f.relative_to(ROOT)) for f in (ROOT / "tests").glob("**/*.py") if starts in f.read_text("utf-8")]
    assert found == ["tests/browser.py"], f"take the fixture `browser` of tests/conftest.py: {found}"


def test_no_machine_paths():
    found = []
    for file in repository_files():
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture
        found += [f"{file.relative_to(ROOT)}: {path}" for path in MACHINE_PATHS if path in text]
    assert not found, found
