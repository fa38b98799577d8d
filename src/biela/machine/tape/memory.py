"""The arrays of a system, filled with recorded numbers: what a kernel reads of its state is an input of the tape, what
it leaves there is an output.

Constants of the system are plain numbers, and become part of the program. Arrays that share memory share it here, too.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from ..array_table import Arrays
from ..fields import FIELDS, SADDLE_FIELDS, STATE, TREE_FIELDS
from ..records import CLASSES, RECORDS
from .tape import Recorded, Tape

KINDS = {
    name: RECORDS[name].kind if name in RECORDS else kind
    for name, (kind, _) in (FIELDS | TREE_FIELDS | SADDLE_FIELDS).items()
}
"""name -> n = integer, i = indexes, j = signed integers, f = numbers; records are arrays, too"""
OF_THE_INTEGRATOR = ("k", "direct")
"""arrays that no evaluation speaks of: they are empty here"""


class Cell(NamedTuple):
    """A place of memory: an entry of an array of the system."""

    array: str
    index: int


class Memory:
    """Arrays of recorded numbers beside those of a system."""

    def __init__(self, tape: Tape, arrays: Arrays, constant: Collection[str] = ()):
        """`constant`: arrays of the state that nothing changes here."""
        self.tape, self.cells = tape, dict[str, np.ndarray]()
        values: dict[str, Any] = {name: int(getattr(arrays, name)) for name, kind in KINDS.items() if kind == "n"}
        values |= dict.fromkeys(OF_THE_INTEGRATOR, np.empty(0, dtype=object))
        state = [name for name in KINDS if name in STATE and name not in values and name not in constant]
        owners = _owners(arrays, state)
        for owner in sorted(owners, key=state.index):  # (where in memory they lie differs from run to run)
            members, real = owners[owner], getattr(arrays, owner)
            cells = np.empty(len(real), dtype=object)
            cells[:] = [tape.input(Cell(owner, i), x.item()) for i, x in enumerate(real)]
            self.cells[owner] = cells
            for name in members:
                array = getattr(arrays, name)
                begin = (array.ctypes.data - real.ctypes.data) // real.itemsize
                part = cells[begin : begin + len(array)]
                values[name] = part.view(CLASSES[name]) if name in RECORDS else part
        for name in KINDS:
            if name not in values:
                values[name] = getattr(arrays, name).tolist()
        self.arrays = Arrays(**values)

    def outputs(self, scratch: Collection[str] = ()) -> dict[Any, int]:
        """What has changed: place -> value."""
        out: dict[Any, int] = {}
        for owner, cells in self.cells.items():
            if owner in scratch:
                continue
            for i, x in enumerate(cells):
                if not (isinstance(x, Recorded) and self.tape.operations[x.number].key == Cell(owner, i)):
                    out[Cell(owner, i)] = self.tape.number(x)
        return out


def _owners(arrays: Arrays, names: list[str]) -> dict[str, list[str]]:
    """Arrays that contain others -> these and themselves."""
    spans = []
    for name in names:
        array = getattr(arrays, name)
        spans.append((array.ctypes.data, -array.nbytes, name))
    owners: dict[str, list[str]] = {}
    owner, end = "", -1
    for begin, less, name in sorted(spans):
        if less == 0:
            owners[name] = [name]
        elif begin < end:
            if begin - less > end:
                raise ValueError(f"{name} overlaps with {owner}, and is no part of it")
            owners[owner].append(name)
        else:
            owner, end = name, begin - less
            owners[owner] = [owner]
    return owners
