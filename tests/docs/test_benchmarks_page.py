"""The page of benchmarks is what the saved results say, and names no machine."""

import json
import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"


def page():
    spec = spec_from_file_location("benchmarks_page", BENCHMARKS / "page.py")
    assert spec and spec.loader
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_page_and_results_agree():
    assert page().text() == (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8"), "python benchmarks/page.py"


def test_every_picture_is_there():
    text = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    pictures = re.findall(r"\(_static/(bench_[^)]+)\)", text)
    assert pictures
    for name in pictures:
        assert (ROOT / "docs" / "_static" / name).read_bytes() == (
            BENCHMARKS / "results" / name.removeprefix("bench_")
        ).read_bytes()


@pytest.mark.parametrize("file", sorted((BENCHMARKS / "results").glob("*.json")), ids=lambda f: f.stem)
def test_results_are_whole(file):
    data = json.loads(file.read_text())
    assert not re.search(r"/(home|root|tmp|work)/|hostname", file.read_text()), "no paths, no host names"
    for row in data.get("rows", []):
        if "cpu" in row:
            assert row["cpu"] > 0 and {"position", "energy", "gap"} <= set(row)
