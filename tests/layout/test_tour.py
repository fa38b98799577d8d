"""The tour of the house in docs/design.md is that of the code."""

import ast
import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tour():
    spec = importlib.util.spec_from_file_location("tour", ROOT / "docs" / "tour.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_shows_the_packages_as_they_are(tour):
    """Their order, what they are and what they build on. (Lines are counted when the page is made.)"""

    def without_lines(text: str) -> list[str]:
        return [row.rsplit("|", 2)[0] if row.startswith("| ") else row for row in text.splitlines()]

    text = tour.PAGE.read_text()
    assert without_lines(tour.page(text)) == without_lines(text), "run: python docs/tour.py"


def test_every_package_says_what_it_is(tour):
    silent = [str(file.parent.relative_to(tour.SOURCE)) for file in tour.SOURCE.rglob("__init__.py")
              if not tour.title(file.parent)]  # fmt: skip
    assert not silent


def test_what_a_package_builds_on_comes_before_it(tour):
    names = tour.layers()
    upward = {name: [other for other in tour.imports(name) if names.index(other) > names.index(name)] for name in names}
    assert not any(upward.values()), upward


def test_nothing_above_is_imported_by_a_text(tour):
    """`import_module("biela.views...")` hides an import from the check of the layers; results ask `biela.viewing`."""
    names = tour.layers()
    upward = [
        f"{file.relative_to(tour.SOURCE)}: {node.value}"
        for k, name in enumerate(names)
        for file in (tour.SOURCE / name).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("biela.")
        and node.value.split(".")[1] in names[k + 1 :]
    ]  # fmt: skip
    assert not upward


def test_no_folder_is_a_heap(tour):
    """Thirty modules side by side show no architecture."""
    heaps = {str(f.relative_to(tour.SOURCE)): n for f in tour.SOURCE.rglob("*") if f.is_dir()
             and (n := len(list(f.glob("*.py")))) > 30}  # fmt: skip
    assert not heaps
