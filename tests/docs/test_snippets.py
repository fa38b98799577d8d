"""Every snippet of README.md, CONTRIBUTING.md and docs/ runs, in order, each page in its own empty folder.

Executed are `python` blocks (those of one page share their names), the lines of `console` and `bash` blocks
that begin with `$ biela `, and `toml` blocks whose first line is `# NAME.toml`, written to that file.

What a page shows as output is what comes out: a `text` block right after a `python` block is what that block
prints, and the lines after a `$ biela` line are what the command prints. Spaces do not count, `...` stands for
anything, and a number agrees if it agrees in the digits that are written.

The first run of README.md is a process of its own; the other commands run in this process (a process costs a second
or two before it begins), with the registries as a new process would find them.
"""

import contextlib
import io
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from typer.testing import CliRunner

from biela.cli import machine_code
from biela.cli.app import app
from biela.views import style

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("**/*.md"))]
FENCE = re.compile(r"^([ ]*)(`{3,})(\w+)[ ]*\n(.*?)^[ ]*\2[ ]*$", re.MULTILINE | re.DOTALL)
BIELA = [sys.executable, "-c", "import sys; from biela.cli import main; sys.exit(main())"]
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]*\w)")


# ------------------------------------------------------------------------------------------------ finding
def blocks(text: str):
    """(line number, language, content) of each fenced block; `text` becomes `output` right after `python`."""
    before, end = "", 0
    for match in FENCE.finditer(text):
        language = match[3]
        if language == "text" and before == "python" and not text[end : match.start()].strip():
            language = "output"
        yield text.count("\n", 0, match.start(4)) + 1, language, textwrap.dedent(match[4])
        before, end = match[3], match.end()


def commands(content: str) -> list[tuple[list[str], str]]:
    """Arguments and shown output of each `$ biela ...` line, a backslash at the end of a line continuing it."""
    found: list[tuple[list[str], str]] = []
    ours = False
    for line in content.replace("\\\n", " ").splitlines():
        if line.startswith("$ "):
            ours = line.startswith("$ biela ")
            if ours:
                found.append((shlex.split(line, comments=True)[2:], ""))
        elif ours:
            found[-1] = (found[-1][0], found[-1][1] + line + "\n")
    return found


# ---------------------------------------------------------------------------------------------- comparing
def agrees(shown: str, printed: str) -> bool:
    """Whether a page shows what was printed."""
    pattern, numbers = "", []
    for part in re.split(r"(\.\.\.)", " ".join(shown.split())):
        if part == "...":
            pattern += ".*?"
            continue
        at = 0
        for match in NUMBER.finditer(part):
            pattern += re.escape(part[at : match.start()]) + f"({NUMBER.pattern})"
            numbers.append(match[0])
            at = match.end()
        pattern += re.escape(part[at:])
    match = re.fullmatch(pattern, " ".join(printed.split()))
    return match is not None and all(
        abs(float(a) - float(b)) <= unit(a) for a, b in zip(numbers, match.groups(), strict=True)
    )


def unit(number: str) -> float:
    """One in the last written digit; nothing for a whole number."""
    digits, _, exponent = number.lower().partition("e")
    if "." not in digits and not exponent:
        return 0.0
    return 1.01 * 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))


# ------------------------------------------------------------------------------------------------- testing
PAGE = r"""# Title

```python
x = 1
```

```text
1
```

- item

  ```console
  $ biela run a \
    --step 1e-3  # short
  output
  $ ls
  a file
  ```
"""


def test_the_finders_find():
    (python, output, console) = blocks(PAGE)
    assert python == (4, "python", "x = 1\n")
    assert output == (8, "output", "1\n")
    assert commands(console[2]) == [(["run", "a", "--step", "1e-3"], "output\n")]
    assert list(blocks("```{toctree}\nindex\n```\n")) == []


def test_the_comparison_compares():
    assert agrees("P1 is at  1.23\n", "P1 is at 1.2345")
    assert agrees("... done in ... s", "all done in 5.1 s")
    assert agrees("error 6.4e-03, 12 steps", "error 6.38e-03, 12 steps")
    assert not agrees("1.23", "1.25")
    assert not agrees("12 steps", "13 steps")
    assert not agrees("P1", "P2")


@pytest.fixture
def registries():
    """What a page registers is forgotten after it."""
    from biela.methods.registry import FORMULATIONS, INTEGRATORS
    from biela.model.forces import FORCES
    from biela.model.joints import PLANE, SPACE

    tables: list[dict] = [FORMULATIONS, INTEGRATORS, PLANE, SPACE, FORCES]

    def exchange(contents: list[dict]) -> list[dict]:
        before = [dict(table) for table in tables]
        for table, kept in zip(tables, contents, strict=True):
            table.clear()
            table.update(kept)
        return before

    @contextlib.contextmanager
    def untouched():
        own = exchange(before)
        yield
        exchange(own)

    before = [dict(table) for table in tables]
    yield untouched
    exchange(before)


def called(arguments: list[str], own_process: bool) -> tuple[int, str, str]:
    """Exit code, output and errors of a command."""
    if own_process:
        done = subprocess.run(BIELA + arguments, capture_output=True, text=True, timeout=1200)
        return done.returncode, done.stdout, done.stderr
    ended = CliRunner().invoke(app, arguments, prog_name="biela")
    assert ended.exception is None or isinstance(ended.exception, SystemExit), repr(ended.exception)
    return ended.exit_code, ended.stdout, ended.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_snippets_run(page, tmp_path, monkeypatch, registries):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setattr(style, "DPI", 40)  # nobody looks at the pictures
    monkeypatch.setattr(machine_code, "compile_everything", lambda tell: None)  # see tests/cli/test_commands.py
    names = {"__name__": "__main__"}
    printed = ""
    for line, language, content in blocks(page.read_text(encoding="utf-8")):
        if language == "python":
            code = "\n" * (line - 1) + content  # so that a traceback shows the page's own line
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(code, str(page), "exec"), names)
            printed = out.getvalue()
        elif language == "output":
            assert agrees(content, printed), f"{page}:{line}: the page shows\n{content}\nbut this comes out\n{printed}"
        elif language in ("console", "bash"):
            for arguments, shown in commands(content):
                with registries():
                    first = page.name == "README.md" and "four-bar.csv" in arguments
                    code, out, err = called(arguments, own_process=first)
                said = f"{page}:{line}: biela {shlex.join(arguments)}\n{out}{err}"
                assert code == 0, said
                assert not shown.strip() or agrees(shown, out), f"the page shows\n{shown}\nbut {said}"
        elif language == "toml" and (name := re.match(r"#\s*([\w.-]+\.toml)\s*\n", content)):
            Path(name[1]).write_text(content, encoding="utf-8")
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
