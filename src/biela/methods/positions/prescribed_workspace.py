"""What the compiled loop of `prescribed` works with and remembers."""

SIGN, LARGEST = 0, 1
"""places in `seen`: of the determinant, its value at the position before (0: not known), the largest so far"""


def room(m: int, n: int, idle: int, torsions: int) -> int:
    """Numbers that it works with, of m rows, n coordinates, idle spins and elements that count turns."""
    rows = m + idle
    return rows * n + 3 * n + 3 * rows + idle * n + torsions
