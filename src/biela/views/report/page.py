"""The page of a report: headings, tables, figures, formulas, as HTML."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure

from ...errors import BielaError, so_many

_SIGN = re.compile(r"(?<![\w.)\]°])-(?=\.?\d)|(?<=\d[eE])-(?=\d)")
"""a hyphen that is the sign of a number or of its exponent"""
MOST = 40
"""rows of a table; the rest is counted"""
_NAMES = re.compile(r' id="(?:figure|axes|patch|text|line2d|legend|xtick|ytick|matplotlib\.axis|[A-Z]\w+)_\d+"')


def assembled(title: str, lead: str, source: str, parts: Sequence[tuple[str, str]]) -> str:
    """The whole page."""
    contents = "".join(f'<li><a href="#{_anchor(name)}">{escape(name)}</a></li>' for name, _ in parts)
    body = "".join(
        f'<section aria-labelledby="{_anchor(name)}"><h2 id="{_anchor(name)}">{escape(name)}</h2>{html}</section>\n'
        for name, html in parts
    )
    source = f'<p class="source">{escape(source)}</p>' if source else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_style()}</style>\n</head>\n<body>\n<main>\n"
        f'<header><p class="lead">{lead}</p><h1>{escape(title)}</h1>{source}</header>\n'
        f'<nav aria-label="Contents"><ol>{contents}</ol></nav>\n{body}</main>\n</body>\n</html>\n'
    )


@cache
def _style() -> str:
    return files("biela.views.report").joinpath("report.css").read_text(encoding="utf-8")


def _anchor(name: str) -> str:
    return name.lower().replace(" ", "-")


def paragraph(text: str, kind: str = "") -> str:
    """Plain text.

    >>> paragraph("a < b")
    '<p>a &lt; b</p>'
    """
    text = escape(signed(text))
    return f'<p class="{kind}">{text}</p>' if kind else f"<p>{text}</p>"


def signed(text: str) -> str:
    """Numbers with a true minus, as the curves have it; names and formulas as they are.

    >>> signed("-9.81 and 1e-05, bar-2 in 3-4, -2*x")
    '−9.81 and 1e−05, bar-2 in 3-4, -2*x'
    """
    return " ".join(word if set(word) & set("*/^@") else _SIGN.sub("\N{MINUS SIGN}", word) for word in text.split(" "))


def count(number: int, what: str) -> str:
    """So many of something.

    >>> count(1, "freedom"), count(2, "constraint row")
    ('1 freedom', '2 constraint rows')
    """
    return signed(so_many(number, what))


def reason(error: BielaError | None, others: Sequence[str] = ()) -> str:
    """Why there is nothing here, nor in other sections."""
    if error is None:
        return ""
    said = []
    for p in error.problems:
        rest = "; ".join(x for x in (p.where, p.why) if x)
        said.append(paragraph(f"{p.what} ({rest})" if rest else p.what))
    if others:
        said.append(paragraph(f"For the same reason there is nothing on: {', '.join(others).lower()}."))
    return f'<div class="reason"><p>Not computed for this mechanism:</p>{"".join(said)}</div>'


def notes(lines: Iterable[str]) -> str:
    """Remarks, one below the other."""
    items = "".join(f"<li>{escape(signed(line.removeprefix('note: ')))}</li>" for line in lines)
    return f'<ul class="notes">{items}</ul>' if items else ""


def table(headers: Sequence[str], rows: Iterable[Sequence[Any]], caption: str = "", text: int = 1) -> str:
    """A table; the first `text` columns are words, the others numbers. Long ones are cut, and say so."""
    every = list(rows)
    if not every:
        return ""
    head = "".join(
        f'<th scope="col"{"" if k < text else " class=number"}>{escape(h)}</th>' for k, h in enumerate(headers)
    )
    lines = []
    for row in every[:MOST]:
        cells = [f'<th scope="row">{escape(str(row[0]))}</th>']
        for k, x in enumerate(row[1:], 1):
            cells.append(f"<td{'' if k < text else ' class=number'}>{escape(said(x))}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    if len(every) > MOST:
        lines.append(f'<tr><td colspan="{len(headers)}">... and {len(every) - MOST} more</td></tr>')
    caption = f"<caption>{escape(caption)}</caption>" if caption else ""
    body = f"{caption}<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody>"
    return f'<div class="wide"><table>{body}</table></div>'


def said(x: Any) -> str:
    """A number in six digits; anything else as it is.

    >>> said(0.1234567), said(-3.0), said("pin"), said(None)
    ('0.123457', '−3', 'pin', '')
    """
    if x is None:
        return ""
    if isinstance(x, float):
        return f"{x:.6g}".replace("-", "\N{MINUS SIGN}")
    return signed(str(x))


def picture(figure: Figure, caption: str) -> str:
    """A drawing inside the page."""
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": caption}):
        stream = io.StringIO()
        figure.savefig(stream, format="svg", metadata={"Date": None})
    svg = stream.getvalue()
    svg = _NAMES.sub("", svg[svg.index("<svg") :])
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = svg.replace("<svg", f'<svg role="img" aria-label="{escape(caption)}"', 1)
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"
