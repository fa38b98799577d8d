"""Rows of a large mechanism about its starting position, so that no digits are lost far from the origin.

(x - a)^2 - L^2 with a = 10^5 L has a constant of 10^10 L^2; about x_ref = x_0 every term is of the order of L^2.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

FAR = 50.0
"""sizes of the mechanism from the origin from which on it matters"""


def about_start(lists: dict[str, Any], q: np.ndarray, size: float) -> dict[str, Any]:
    """The constants c and b of the rows about q, and q; nothing where the mechanism is near the origin."""
    if float(np.abs(q).max(initial=0.0)) < FAR * size:
        return {}
    xptr, xcol, aptr, acol, aval = (lists[key] for key in ("xptr", "xcol", "aptr", "acol", "aval"))
    ref = [Fraction(float(x)) for x in q]
    c, b = [], list(map(float, lists["b"]))
    for k in range(len(lists["c"])):
        total = Fraction(float(lists["c"][k]))
        for e in range(xptr[k], xptr[k + 1]):
            slope = sum((Fraction(float(aval[l])) * ref[acol[l]] for l in range(aptr[e], aptr[e + 1])), Fraction(0))
            linear = Fraction(float(lists["b"][e]))
            total += (linear + slope / 2) * ref[xcol[e]]
            b[e] = float(linear + slope)
        c.append(float(total))
    return {"c": c, "b": b, "ref": np.array(q, dtype=float), "away": np.zeros(len(q))}
