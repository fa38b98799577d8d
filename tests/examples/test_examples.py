"""Every example runs and passes its own check, is short, and shows nothing when imported."""

import importlib.util
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(FOLDER.glob("*.py"))


def test_there_are_examples():
    assert len(EXAMPLES) >= 5
    assert [path.name[:2] for path in EXAMPLES] == [f"{k:02}" for k in range(1, len(EXAMPLES) + 1)]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 60, "an example fits on a page"
    assert "assert" in text and '__name__ == "__main__"' in text
    specification = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    before = set(sys.modules)
    specification.loader.exec_module(module)
    assert not capsys.readouterr().out, "importing an example prints nothing"
    assert "matplotlib.pyplot" not in set(sys.modules) - before, "importing an example opens no window"
    module.main()
    assert not list(tmp_path.iterdir()), "an example leaves no files behind"
