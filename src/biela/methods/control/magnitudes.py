"""What is small, heavy or stiff in a mechanism: the magnitudes that tolerances and penalties are measured by."""

from __future__ import annotations

import numpy as np

from ...system.system import System


def smallest_violation(system: System, squares: np.ndarray) -> float:
    """What |Phi| may be: a motion by 1e-12 of the mechanism. Rows are lengths, or squares of lengths; the squares of
    Phi_q at the start tell. It is never less than rounding, as that of coordinates far from the origin, or of an angle
    in a mechanism of micrometres."""
    s, size = system.arrays, system.size
    if not len(squares):
        return 1e-12 * max(size, size**2)

    def most(scale: np.ndarray) -> float:
        terms = np.append(np.abs(s.J[: len(s.jcol)]) * scale[s.jcol], 0.0)
        return float(np.add.reduceat(terms, s.jptr[:-1]).max(initial=0.0))

    far = np.finfo(float).eps * most(np.abs(system.q0)) if system.nq == system.n else 0.0
    if 1.0 <= size <= 1e3:
        return max(1e-12 * size**2, far)
    length = min(max(float(squares.min()) ** 0.5, min(size, 1.0)), max(size, 1.0))
    return max(1e-12 * size * length, 1e-14 * most(system.unit), far)


def typical_mass(system: System) -> float:
    m = system.sparse_mass().diagonal()
    return float(m[m > 0].mean()) if (m > 0).any() else 1.0


def text_alpha(beta: float) -> float:
    """1e7 as in 000 3.3, kept between 1e6 and 1e10 times mass over row squared, for units far from one."""
    return float(min(max(1e7, 1e6 * beta), 1e10 * beta))
