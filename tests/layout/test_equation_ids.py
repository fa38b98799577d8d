"""Every equation has one home: an id cited in code as [F.7] is defined once in docs/theory as **[F.7]**."""

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
ID = r"[A-Z]\.\d+[a-z]?"
CITED = re.compile(rf"\[({ID}(?:\s*[,;]\s*{ID})*)\]")  # [F.7] or [F.7, F.8]
DEFINED = re.compile(rf"\*\*\[({ID})\]\*\*")


def cited(text: str) -> set[str]:
    return {name for group in CITED.findall(text) for name in re.findall(ID, group)}


def test_the_finders_find():
    assert cited('"""Penalty [F.7], see also [J.1, K.2] and [I.3b]."""') == {"F.7", "J.1", "K.2", "I.3b"}
    assert cited("q[0] + x[i.real] - M[F.T] * [1.5] [F7] [see F.7]") == set()
    assert DEFINED.findall("**[F.7]** penalty; **[F.8]** augmented, from [F.7]") == ["F.7", "F.8"]


def test_cited_equations_are_defined_once():
    pages = (ROOT / "docs" / "theory").glob("**/*.md")
    defined = Counter(name for page in pages for name in DEFINED.findall(page.read_text(encoding="utf-8")))
    twice = sorted(name for name, times in defined.items() if times > 1)
    assert not twice, f"defined more than once in docs/theory: {twice}"

    homeless = {
        str(file.relative_to(ROOT)): sorted(missing)
        for file in sorted((ROOT / "src" / "biela").glob("**/*.py"))
        if (missing := cited(file.read_text(encoding="utf-8")) - set(defined))
    }
    assert not homeless, f"cited, but not defined in docs/theory: {homeless}"
