"""Matrices of formulas in plain characters: rows in brackets, or entry by entry where they are too wide for a line."""

from __future__ import annotations

from typing import Any

WIDEST = 160
"""characters of a row; a wider matrix is written entry by entry"""
LONGEST_ENTRY = 400
"""operations of an entry, some two thousand characters; of a longer one only its size is printed"""


def table(matrix: Any, labels: list[str] | None = None, column: list[str] | None = None) -> list[str]:
    """The lines of a matrix, with a label to each row; `column`: its entries, where they are written already."""
    cells = [[written_entry(matrix[i, j]) for j in range(matrix.cols)] for i in range(matrix.rows)]
    if column is not None:
        cells = [[text] for text in column]
    width = [max((len(row[j]) for row in cells), default=0) for j in range(matrix.cols)]
    if sum(width) > WIDEST:
        return _entries(cells, matrix.cols > 1 and matrix.is_square and _symmetric(cells), labels)
    lines = []
    for i, row in enumerate(cells):
        text = "  ".join(c.rjust(w) for c, w in zip(row, width, strict=True))
        label = f"   {labels[i]}" if labels and i < len(labels) else ""
        lines.append(f"  [ {text} ]{label}")
    return lines or ["  [ ]"]


def too_long(e: Any) -> bool:
    """Whether an entry is too long to be read."""
    return e.count_ops() > LONGEST_ENTRY if e.args else False


def written_entry(e: Any) -> str:
    """In plain characters; only the size of what is too long."""
    from .squares import written

    return f"... {e.count_ops()} operations ..." if too_long(e) else written(e)


def _symmetric(cells: list[list[str]]) -> bool:
    return all(cells[i][j] == cells[j][i] for i in range(len(cells)) for j in range(i))


def _entries(cells: list[list[str]], symmetric: bool, labels: list[str] | None) -> list[str]:
    """What is not zero, one entry a line."""
    which = "symmetric; entries on and above the diagonal that are" if symmetric else "entries that are"
    lines = [f"  {which} not 0:"]
    for i, row in enumerate(cells):
        for j, text in enumerate(row):
            if text != "0" and (j >= i or not symmetric):
                place = f"[{i + 1}, {j + 1}]" if len(row) > 1 else f"[{i + 1}]"
                lines.append(f"  {place}  {text}" + (f"   {labels[i]}" if labels else ""))
    return lines
