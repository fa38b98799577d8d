"""The reading guides of the texts and the table of all their items, from docs/texts/*.toml.

    python docs/reading_guides.py

writes docs/texts/000.md ... 004.md and docs/texts/index.md. tests/texts runs every command and snippet of the items,
checks every number, and fails where a page is not the one that the items make.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "texts"
VERDICTS = {"same": "same", "differs": "differs on purpose", "missing": "missing"}


@dataclass(frozen=True)
class Item:
    """One formula, method, example, table or figure of a text, and where it is in biela."""

    id: str
    section: str
    what: str
    verdict: str
    """same, differs (why says why), missing (why says what is)"""
    command: str = ""
    """a command line, as in `biela explain double-pendulum`; or"""
    python: str = ""
    """some lines of Python that print the result"""
    text: str | tuple[str, ...] = ""
    """what the text has: words, or its numbers as it prints them"""
    biela: str | tuple[str, ...] = ""
    """what biela prints, `...` standing for anything; of a snippet also a list of all the numbers printed"""
    why: str = ""
    equations: str = ""
    """numbered equations of the text that belong to it, as in "9-13, 17" """
    figures: str = ""
    tables: str = ""

    @property
    def label(self) -> str:
        return f"item-{self.id}"


@dataclass(frozen=True)
class Section:
    number: str
    title: str
    says: str
    items: tuple[Item, ...]

    @property
    def heading(self) -> str:
        return f"{self.number} {self.title}".strip()


@dataclass(frozen=True)
class Text:
    name: str
    title: str
    about: str
    setup: str
    """what every snippet of the text takes for granted"""
    equations: tuple[str, ...]
    figures: tuple[str, ...]
    tables: tuple[str, ...]
    sections: tuple[Section, ...]

    @property
    def items(self) -> list[Item]:
        return [item for section in self.sections for item in section.items]


def numbered(ranges: str) -> list[str]:
    """The numbers in a list with ranges.

    >>> numbered("9-11, 17, 15.7")
    ['9', '10', '11', '17', '15.7']
    """
    found = []
    for part in filter(None, (part.strip() for part in ranges.split(","))):
        first, dash, last = part.partition("-")
        head = first[: first.rfind(".") + 1]
        if dash:
            low, high = (int(number.removeprefix(head)) for number in (first, last))
            found += [f"{head}{number}" for number in range(low, high + 1)]
        else:
            found.append(part)
    return found


def item(section: str, entries: dict[str, Any]) -> Item:
    frozen: dict[str, Any] = {key: tuple(x) if isinstance(x, list) else x for key, x in entries.items()}
    return Item(section=section, **frozen)


def read(path: Path) -> Text:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    sections = []
    for section in data.pop("sections"):
        items = tuple(item(section["number"], entries) for entries in section.pop("items", ()))
        sections.append(Section(items=items, **section))
    counted = {kind: tuple(numbered(data.pop(kind, ""))) for kind in ("equations", "figures", "tables")}
    return Text(name=path.stem, sections=tuple(sections), setup=data.pop("setup", ""), **counted, **data)


def texts() -> list[Text]:
    return [read(path) for path in sorted(FOLDER.glob("*.toml"))]


# ---------------------------------------------------------------------------------------------------------- pages
MADE = "% made by docs/reading_guides.py from the items in docs/texts/*.toml: change those, and run it\n"


def words(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else ", ".join(value)


def plain(value: str | tuple[str, ...]) -> str:
    """For a cell of a table."""
    return " ".join(words(value).split()).replace("|", "\\|")


def code(value: str | tuple[str, ...]) -> str:
    cell = plain(value)
    return f"`{cell}`" if cell else ""


def shown(item: Item) -> str:
    """One item of a guide."""
    lines = [f"({item.label})=", f"**{item.id}** · {item.what}", ""]
    if item.text:
        lines += [f"In the text: {words(item.text)}", ""]
    if item.command:
        lines += ["```sh", item.command, "```", ""]
    if item.python:
        lines += ["```py", item.python.strip(), "```", ""]
    if item.biela:
        lines += ["```none", words(item.biela).strip("\n"), "```", ""]
    reason = f": {' '.join(item.why.split())}" if item.why else "."
    lines += [f"*{VERDICTS[item.verdict].capitalize()}*{reason}", ""]
    return "\n".join(lines)


def guide(text: Text) -> str:
    lines = [MADE, f"# Text {text.name}: {text.title}", "", text.about.strip(), ""]
    if text.setup:
        lines += ["The snippets of this page begin with", "", "```py", text.setup.strip(), "```", ""]
    for section in text.sections:
        lines += [f"## {section.heading}", "", section.says.strip(), "", *(shown(item) for item in section.items)]
    return "\n".join(lines).rstrip("\n") + "\n"


def counts(items: list[Item]) -> dict[str, int]:
    found = Counter(item.verdict for item in items)
    return {verdict: found[verdict] for verdict in VERDICTS}


def table(all_texts: list[Text]) -> str:
    lines = [MADE, "# The texts, item by item", "", INTRODUCTION.strip(), ""]
    lines += [f"| text | items | {' | '.join(VERDICTS.values())} |", "|---|---|---|---|---|"]
    for text in all_texts:
        row = counts(text.items)
        lines.append(f"| [{text.name}]({text.name}.md), {text.title} | {len(text.items)} | "
                     f"{' | '.join(map(str, row.values()))} |")  # fmt: skip
    everything = [item for text in all_texts for item in text.items]
    lines += [f"| all | {len(everything)} | {' | '.join(map(str, counts(everything).values()))} |", ""]
    for text in all_texts:
        lines += [f"## Text {text.name}", "", "| item | section | what | how | in the text | biela | verdict |"]
        lines.append("|---|---|---|---|---|---|---|")
        lines += [row_of(item) for item in text.items]
        lines.append("")
    lines += ["```{toctree}", ":hidden:", "", *(text.name for text in all_texts), "```"]
    return "\n".join(lines) + "\n"


def row_of(item: Item) -> str:
    how = code(item.command) if item.command else f"[Python](#{item.label})" if item.python else ""
    verdict = VERDICTS[item.verdict] + (f": {plain(item.why)}" if item.why else "")
    cells = [f"[{item.id}](#{item.label})", item.section, plain(item.what), how, plain(item.text), code(item.biela)]
    return f"| {' | '.join([*cells, verdict])} |"


INTRODUCTION = """
Every method, formula, worked example, table and figure of the five texts, with the command or the lines of Python that
show it in biela, the number that the text prints, and the number that comes out. A test runs all of them and compares.
Numbers agree in the digits that are written; `...` stands for anything. Each text has a guide of its own, in the order
of its sections. *Differs on purpose* says why; what is printed wrongly is on [misprints](../theory/misprints.md).
"""


def pages() -> dict[Path, str]:
    """Every page and what it should hold."""
    found = texts()
    return {FOLDER / "index.md": table(found), **{FOLDER / f"{text.name}.md": guide(text) for text in found}}


def main() -> None:
    for path, content in pages().items():
        path.write_text(content, encoding="utf-8")
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
