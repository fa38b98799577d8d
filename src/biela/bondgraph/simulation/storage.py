"""Energy in stores: from their laws, in closed form for linear ones, by quadrature for others."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import sympy

from ..equations.element_laws import P, Q
from ..equations.symbols import FUNCTIONS
from ..model.network import Network, Node


def energy_function(network: Network, node: Node) -> Callable[[np.ndarray], np.ndarray]:
    """Energy as a function of the momentum or displacement: the integral of the law from zero. [B.3]"""
    law, variable = (node.laws["flow"], P) if node.kind == "I" else (node.laws["effort"], Q)
    law = law.xreplace(network.numbers)
    if node.linear:
        slope = float(sympy.diff(law, variable))
        return lambda x: 0.5 * slope * np.square(x)
    f = sympy.lambdify([variable], law, modules=[network.python, FUNCTIONS, "math"])
    nodes, weights = np.polynomial.legendre.leggauss(24)

    def energy(x: np.ndarray) -> np.ndarray:
        out = np.zeros(len(x))
        for k, end in enumerate(np.asarray(x, dtype=float)):
            edges = np.linspace(0.0, end, 9)
            for a, b in pairwise(edges):
                points = 0.5 * (b - a) * nodes + 0.5 * (a + b)
                out[k] += 0.5 * (b - a) * sum(w * f(point) for w, point in zip(weights, points, strict=True))
        return out

    return energy
