"""Reference numbers that come with the tests: the files of `tests/data`, whose README says where they are from."""

import csv
from pathlib import Path

import numpy as np

DATA = Path(__file__).parent / "data"
SETS = ("natural", "reference-point", "relative")
"""sets of coordinates in which every problem must come out the same"""


def table(name: str) -> dict[str, np.ndarray]:
    """Column -> values."""
    with open(DATA / f"{name}.csv", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    return dict(zip(head, np.array(rows, dtype=float).T, strict=True))


def columns(data: dict[str, np.ndarray], *names: str) -> np.ndarray:
    """Columns side by side."""
    return np.column_stack([data[name] for name in names])
