"""What the compiled loop of `prescribed` works with and remembers (apart from it: the loop is compiled when it is first
used)."""

from __future__ import annotations

from typing import Any, NamedTuple

SIGN, LARGEST = 0, 1
"""places in `seen`: of the determinant, its value at the position before (0: not known), the largest so far"""


class PrescribedWorkspace(NamedTuple):
    """Vectors, and their lengths."""

    W: Any  # the factor of the rows, in units and divided by their lengths, above the idle spins
    tau: Any
    x0: Any  # the position before, and the one predicted
    guess: Any
    length: Any  # of the rows
    b: Any  # right-hand sides, then solutions: velocities and multipliers; accelerations
    c: Any
    spins: Any  # the idle spins at the position before
    rates: Any  # of the angles whose turns are counted


def lengths(m: int, n: int, idle: int, torsions: int) -> PrescribedWorkspace:
    """How long the vectors are, of m rows, n coordinates, idle spins and elements that count turns."""
    rows = m + idle
    return PrescribedWorkspace(rows * n, n, n, n, rows, rows, rows, idle * n, torsions)


def workspace_length(m: int, n: int, idle: int, torsions: int) -> int:
    """Numbers needed in all."""
    return sum(lengths(m, n, idle, torsions))
