"""Every snippet of README.md, CONTRIBUTING.md and docs/ runs, in order, each page in its own empty folder.

Executed are `python` blocks (those of one page share their names), the lines of `console` and `bash` blocks
that begin with `$ biela `, and `toml` blocks whose first line is `# NAME.toml`, written to that file.
"""

import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("**/*.md"))]
FENCE = re.compile(r"^([ ]*)(`{3,})(\w+)[ ]*\n(.*?)^[ ]*\2[ ]*$", re.MULTILINE | re.DOTALL)
BIELA = [sys.executable, "-c", "import sys; from biela.cli import main; sys.exit(main())"]


def blocks(text: str):
    """(line number, language, content) of each fenced block."""
    for match in FENCE.finditer(text):
        yield text.count("\n", 0, match.start(4)) + 1, match[3], textwrap.dedent(match[4])


def commands(content: str) -> list[list[str]]:
    """Arguments of each `$ biela ...` line, a backslash at the end of a line continuing it."""
    lines = content.replace("\\\n", " ").splitlines()
    return [shlex.split(line, comments=True)[2:] for line in lines if line.startswith("$ biela ")]


PAGE = r"""# Title

```python
x = 1
```

- item

  ```console
  $ biela run a \
    --step 1e-3  # short
  output
  $ ls
  ```
"""


def test_the_finders_find():
    (python, console) = blocks(PAGE)
    assert python == (4, "python", "x = 1\n")
    assert commands(console[2]) == [["run", "a", "--step", "1e-3"]]
    assert list(blocks("```{toctree}\nindex\n```\n")) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_snippets_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    names = {"__name__": "__main__"}
    for line, language, content in blocks(page.read_text(encoding="utf-8")):
        if language == "python":
            code = "\n" * (line - 1) + content  # so that a traceback shows the page's own line
            exec(compile(code, str(page), "exec"), names)
        elif language in ("console", "bash"):
            for arguments in commands(content):
                done = subprocess.run(BIELA + arguments, capture_output=True, text=True, timeout=300)
                said = f"{page}:{line}: biela {shlex.join(arguments)}\n{done.stdout}{done.stderr}"
                assert done.returncode == 0, said
        elif language == "toml" and (name := re.match(r"#\s*([\w.-]+\.toml)\s*\n", content)):
            Path(name[1]).write_text(content, encoding="utf-8")
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
