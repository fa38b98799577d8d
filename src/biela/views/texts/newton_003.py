"""The sketch of Newton-Raphson in text 003, on one equation with one unknown: the iterates of `biela.newton` itself.

The mechanism is a crank of length one whose end is to lie on a line at a height: Phi(q) = sin q - height, q its angle.
"""

from __future__ import annotations

from math import asin

import numpy as np

from ...analysis.assembly.newton import NewtonTrace, newton
from ...model.model import Model
from ..style import COLOURS, GREY, INK, heading, new_figure, style
from .registry import Drawn, Plate, figure

ANGLE = "O.angle@crank"
CASES = ((0.6, 1.25, 3), (1.1, 0.6, 4))
"""height of the line, guess of the angle, steps that are drawn: one converges; of the other there is no position"""


def watched(height: float, guess: float) -> NewtonTrace:
    """Whole steps from a guess, as 003 (5) has them."""
    m = Model(name="crank", title="A crank whose end lies on a line").add_ground("O", 0, 0).add_ground("H", 0, height)
    m.add_point("A", float(np.cos(guess)), float(np.sin(guess)))
    m.add_bar("crank", "O", "A", length=1, mass=1)
    m.add_joint("line", "point-on-line", point="A", line={"body": "ground", "through": "H"})
    return newton(m, coordinates="relative", guess={ANGLE: guess}, damped=False, iterations=30)


@figure("003-newton", "Newton-Raphson on one curve, converging and not")
def sketch(plate: Plate) -> Drawn:
    """The curve, and at each iterate its tangent down to the next."""
    notes = []
    with style():
        drawn = new_figure(11.0, 4.8)
        for axes, letter, (height, guess, most) in zip(drawn.subplots(1, 2), "ab", CASES, strict=True):
            trace = watched(height, guess)
            q = trace.q[: most + 1, 0]
            low, high = q.min() - 0.15, q.max() + 0.15
            angles = np.linspace(low, high, 400)
            axes.axhline(0.0, color=GREY, lw=1.0)
            axes.plot(angles, np.sin(angles) - height, color=INK, lw=1.8, label="Φ(q)")
            for k, at in enumerate(q):
                Phi = np.sin(at) - height
                axes.plot([at, at], [0.0, Phi], color=GREY, lw=1.0, ls=(0, (3, 3)))
                axes.plot([at], [Phi], "o", color=COLOURS[0], markersize=5)
                if k < len(q) - 1:
                    axes.plot([at, q[k + 1]], [Phi, 0.0], color=COLOURS[0], lw=1.2, label="" if k else "tangents")
                if k < 3 or not trace.converged:
                    axes.annotate(f"$q_{k}$", (at, 0.0), (0, 7 if Phi < 0 else -14), textcoords="offset points",
                                  ha="center")  # fmt: skip
            axes.set_xlabel("q [rad]")
            axes.set_ylabel("Φ")
            axes.set_title(f"({letter}) " + ("converges" if trace.converged else "does not converge"), pad=8)
            axes.legend()
            there = f"q = {asin(height):.6f}" if height <= 1 else "no position: the line is out of reach"
            notes.append(f"({letter}) sin q = {height:g} from q = {guess:g}: {trace.verdict}; {there}")
        heading(drawn, f"{plate.number}: Newton-Raphson on one curve", "a crank of length 1 and a line at a height")
    return drawn, notes
