"""The tour of the house, made from the code: packages in the order of the data, what each is, and what it builds on.

    python docs/tour.py        writes it into docs/design.md; a test asks whether that was done
"""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE, PAGE = ROOT / "src" / "biela", ROOT / "docs" / "design.md"
BEGIN, END = "<!-- tour: made by docs/tour.py -->", "<!-- end of the tour -->"


def layers() -> list[str]:
    """Packages from the user's words to the screen: the order in which imports may point."""
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]
    names = [name.removeprefix("biela.") for name in contract["layers"] if not name.startswith("(")]
    return [name for name in reversed(names) if (SOURCE / name).is_dir()]


def title(folder: Path) -> str:
    """The first sentence of a package's docstring."""
    doc = ast.get_docstring(ast.parse((folder / "__init__.py").read_text())) or ""
    return " ".join(doc.split("\n\n")[0].split())


def imports(package: str) -> list[str]:
    """Other packages that it imports from, at the head of its files or within functions."""
    found = set()
    for file in (SOURCE / package).rglob("*.py"):
        here = file.relative_to(SOURCE).parts
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level == len(here):  # up to biela itself
                found |= {node.module.split(".")[0]} if node.module else {alias.name for alias in node.names}
    return [name for name in layers() if name in found and name != package]


def lines_of(folder: Path) -> int:
    return sum(len(file.read_text().splitlines()) for file in folder.rglob("*.py"))


def drawing(names: list[str]) -> list[str]:
    """Each package on a line, with a stroke under those it builds on."""
    width = max(map(len, names))
    out = ["```none"]
    for k, name in enumerate(names):
        used = imports(name)
        marks = "".join(" o" if other == name else " |" if other in used else " ." for other in names[: k + 1])
        out.append(f"{name:>{width}}{marks}")
    return [*out, "```"]


def tour() -> str:
    """The text between the two marks."""
    names = layers()
    out = [BEGIN, "", "Each line builds on the columns that are struck (`|`), and on nothing below it:", ""]
    out += [*drawing(names), "", "| package | what it is | files | lines |", "|---|---|---|---|"]
    for name in names:
        folder = SOURCE / name
        count = len(list(folder.rglob("*.py")))
        out.append(f"| **`{name}/`** | {title(folder)} | {count} | {lines_of(folder):,} |")
        for inner in sorted(p.parent for p in folder.rglob("*/__init__.py")):
            inside = inner.relative_to(SOURCE).as_posix()
            out.append(f"| `{inside}/` | {title(inner)} | {len(list(inner.rglob('*.py')))} | {lines_of(inner):,} |")
    return "\n".join([*out, "", END])


def page(text: str) -> str:
    """The page with the tour as it is now."""
    before, _, rest = text.partition(BEGIN)
    return before + tour() + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
