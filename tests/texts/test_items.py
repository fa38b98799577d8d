"""Every item of the five texts: its command or snippet runs, and prints what the guides say (docs/texts/*.toml).

The verdicts are held to the numbers: "same" means that each number of the text agrees with biela's in the digits that
the text prints, "differs" that one does not. And nothing is left out: each numbered equation, figure and table of a
text belongs to an item.
"""

import contextlib
import io
import re
import shlex
import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from matplotlib.figure import Figure
from typer.testing import CliRunner

from biela.cli.app import app

ROOT = Path(__file__).parents[2]


def module(path: Path):
    spec = spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    found = module_from_spec(spec)
    sys.modules[path.stem] = found  # its dataclasses look themselves up there
    spec.loader.exec_module(found)
    return found


guides = module(ROOT / "docs" / "reading_guides.py")
snippets = module(ROOT / "tests" / "docs" / "test_snippets.py")
TEXTS = {text.name: text for text in guides.texts()}
ITEMS = [item for text in TEXTS.values() for item in text.items]
RUN = [item for item in ITEMS if item.command or item.python]


@pytest.fixture(scope="module", autouse=True)
def empty_folder(tmp_path_factory):
    """Pictures and tables that commands write go there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("texts"))
        patch.setenv("MPLBACKEND", "Agg")
        patch.setenv("COLUMNS", "200")
        # figures are made here and drawn in views/test_texts.py: that is Matplotlib's work, and takes a second for each
        patch.setattr(Figure, "savefig", lambda figure, path, **options: Path(path).touch())
        yield


@cache
def command(line: str) -> str:
    words = shlex.split(line)
    assert words[0] == "biela"
    done = CliRunner().invoke(app, words[1:])
    assert done.exit_code == 0, f"{line}\n{done.stdout}{done.stderr}"
    return done.stdout


@cache
def python(setup: str, code: str) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(setup + "\n" + code, "snippet", "exec"), {"__name__": "__main__"})
    return out.getvalue()


def printed(item) -> str:
    return command(item.command) if item.command else python(TEXTS[item.id[:3]].setup, item.python)


def shows(wanted: str, out: str) -> bool:
    """Whether the parts of `wanted` between its "..." are printed one after the other, with the digits written."""
    out, at = " ".join(out.split()), 0
    for part in wanted.split("..."):
        at = found(" ".join(part.split()), out, at)
        if at < 0:
            return False
    return True


def found(part: str, out: str, at: int) -> int:
    """Where the first place from `at` on that shows this part ends; -1 if there is none."""
    pattern, last, values = "", 0, []
    for match in snippets.NUMBER.finditer(part):
        pattern += re.escape(part[last : match.start()]) + f"({snippets.NUMBER.pattern})"
        values.append(match[0])
        last = match.end()
    whole = re.compile(pattern + re.escape(part[last:]))
    while match := whole.search(out, at):
        if all(abs(float(a) - float(b)) <= snippets.unit(a) for a, b in zip(values, match.groups(), strict=True)):
            return match.end()
        at = match.start() + 1
    return -1


def numbers(text) -> list[str]:
    return list(text) if isinstance(text, tuple) else [match[0] for match in snippets.NUMBER.finditer(text)]


def agree(text: str, ours: str) -> bool:
    """Whether two written numbers are the same in the digits of the one with fewer."""
    return abs(float(text) - float(ours)) <= 0.51 * max(last_digit(text), last_digit(ours)) + 1e-300


def last_digit(number: str) -> float:
    digits, _, exponent = number.lower().partition("e")
    return 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))


# -------------------------------------------------------------------------------------------------------- the items
@pytest.mark.parametrize("item", RUN, ids=lambda item: item.id)
def test_item(item):
    out = printed(item)
    said = f"{item.id}: {item.command or item.python}\nshould print\n{item.biela}\nand prints\n{out}"
    if isinstance(item.biela, tuple):
        found = [match[0] for match in snippets.NUMBER.finditer(out)]
        assert len(found) == len(item.biela), said
        for wanted, number in zip(item.biela, found, strict=True):
            assert abs(float(wanted) - float(number)) <= 0.51 * last_digit(wanted), said
    else:
        assert shows(item.biela, out), said


def test_verdicts_follow_the_numbers():
    for item in ITEMS:
        if not isinstance(item.text, tuple) or item.verdict == "missing":
            continue
        ours = numbers(item.biela)
        assert len(ours) == len(item.text), f"{item.id}: {item.text} beside {ours}"
        same = all(agree(a, b) for a, b in zip(item.text, ours, strict=True))
        assert same == (item.verdict == "same"), f"{item.id}: {item.text} beside {ours} is not '{item.verdict}'"


def test_what_is_shown_is_found():
    assert shows("a 1.23 ... b 4", "x a 1.5 a 1.2345 y b 3 b 4 z")
    assert not shows("a 1.23 ... b 4", "b 4 a 1.23") and not shows("a 1.23", "a 1.25") and not shows("4 b", "5 b")


def test_agreement_of_written_numbers():
    assert agree("0.1895", "0.18953") and agree("2e-3", "0.0016") and agree("39.24", "39.24")
    assert not agree("9.1532", "9.1728") and not agree("2e-3", "6.4e-3") and not agree("12", "13")


def test_items_are_whole():
    assert len({item.id for item in ITEMS}) == len(ITEMS)
    for name, text in TEXTS.items():
        for item in text.items:
            assert item.id.startswith(f"{name}-") and item.verdict in guides.VERDICTS, item.id
            assert not (item.command and item.python), item.id
            assert bool(item.why) == (item.verdict != "same"), f"{item.id}: {item.verdict}, why = {item.why!r}"
            if item.verdict != "missing":
                assert item.command or item.python, f"{item.id}: what shows it?"
                assert re.search(r"\w", guides.words(item.biela)), f"{item.id}: what does it print?"


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("kind", ["equations", "figures", "tables"])
def test_nothing_of_a_text_is_left_out(text, kind):
    covered = {number for item in text.items for number in guides.numbered(getattr(item, kind))}
    assert covered == set(getattr(text, kind))


def test_the_pages_are_made_from_the_items():
    for path, content in guides.pages().items():
        said = f"{path.name} is not what its items make: run python docs/reading_guides.py"
        assert path.read_text(encoding="utf-8") == content, said


def test_misprints_that_items_speak_of_are_listed():
    listed = (ROOT / "docs" / "theory" / "misprints.md").read_text(encoding="utf-8")
    for item in ITEMS:
        for name in re.findall(r"misprint of (\d{3} \([\d.]+\))", item.why):
            assert name in listed, f"{item.id} speaks of a misprint that misprints.md does not have: {name}"
