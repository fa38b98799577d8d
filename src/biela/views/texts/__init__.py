"""The figures of the texts, each redrawn by one function and entered in one line of the table; those that are not
drawn are in `undrawn`."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module

from matplotlib.figure import Figure

from ...errors import BielaError, Problem
from .undrawn import UNDRAWN, Undrawn


@dataclass(frozen=True)
class Plate:
    """A figure of a text: where it stands, what it shows, which function draws it."""

    name: str
    shows: str
    module: str
    function: str
    argument: str = ""

    def draw(self) -> tuple[Figure, list[str]]:
        """The figure, and in words what our runs show and where that differs from the text."""
        function = getattr(import_module(f"biela.views.texts.{self.module}"), self.function)
        return function(self.argument) if self.argument else function()


def _table(*plates: Plate) -> dict[str, Plate]:
    return {plate.name: plate for plate in plates}


PLATES: dict[str, Plate] = _table(
    Plate("000-6", "the double pendulum of a square and a disc", "drawings", "still", "000-6"),
    Plate("000-11", "the double pendulum with a spring", "drawings", "still", "000-11"),
    Plate("000-14", "the double pendulum where it starts", "drawings", "still", "000-14"),
    Plate("000-15", "double pendulum, penalty + trapezoidal: height of the end", "pendulum_000", "height", "penalty"),
    Plate("000-16", "double pendulum, penalty + trapezoidal: energy", "pendulum_000", "energy", "penalty"),
    Plate("000-17", "double pendulum, penalty + trapezoidal: constraints", "pendulum_000", "violation", "penalty"),
    Plate("000-18", "double pendulum, penalty + trapezoidal: multipliers", "pendulum_000", "multipliers", "penalty"),
    Plate("000-19", "double pendulum, augmented + trapezoidal: multipliers", "pendulum_000", "multipliers",
          "augmented"),
    Plate("000-20", "double pendulum: its relative coordinates", "drawings", "angles", "000-20"),
    Plate("000-21", "double pendulum, R matrix + rk2: height of the end", "pendulum_000", "height", "rk2"),
    Plate("000-22", "double pendulum, R matrix + rk2: energy", "pendulum_000", "energy", "rk2"),
    Plate("000-23", "double pendulum, R matrix + rk2: constraints", "pendulum_000", "violation", "rk2"),
    Plate("000-24", "double pendulum, R matrix + abm4: height of the end", "pendulum_000", "height", "abm4"),
    Plate("000-25", "double pendulum, R matrix + abm4: energy", "pendulum_000", "energy", "abm4"),
    Plate("000-26", "double pendulum, R matrix + abm4: constraints", "pendulum_000", "violation", "abm4"),
    Plate("001-15.7", "mass hung from a spring and a damper", "drawings", "still", "001-15.7"),
    Plate("001-15.8", "acceleration of the hung mass: the exact curve", "drop_001", "exact", "001-15.8"),
    Plate("001-15.9", "acceleration of the hung mass: the points that Euler's method finds", "drop_001", "points",
          "001-15.9"),
    Plate("001-15.10", "acceleration of the hung mass", "drop_001", "acceleration", "001-15.10"),
    Plate("001-15.11", "the mass falls and swings until it hangs still", "drop_001", "falling", "001-15.11"),
    Plate("001-15.12", "two masses one above the other", "drawings", "still", "001-15.12"),
    Plate("001-15.13", "what acts on the upper mass", "drawings", "free", "001-15.13"),
    Plate("001-15.14", "what acts on the lower mass", "drawings", "free", "001-15.14"),
    Plate("001-15.20", "a linear and a progressive spring", "drop_001", "springs"),
    Plate("001-15.22", "the double pendulum of two bars", "drawings", "still", "001-15.22"),
    Plate("001-15.23", "what acts on both bars of the double pendulum", "drawings", "free",
          "001-15.23"),
    Plate("001-15.24", "double pendulum: its relative coordinates", "drawings", "angles", "001-15.24"),
    Plate("001-15.27", "the bar that swings about its end", "drawings", "still", "001-15.27"),
    Plate("001-15.28", "the slider-crank", "drawings", "still", "001-15.28"),
    Plate("002-3", "oscillator, both schemes: motion and energies", "oscillator_002", "responses"),
    Plate("002-4", "double pendulum of two point masses", "drawings", "still", "002-4"),
    Plate("002-5", "double pendulum, equal masses: displacements by both schemes", "pendulum_002", "displacements",
          "1"),
    Plate("002-6", "double pendulum, mass ratio 200: oscillations of the conserving scheme", "pendulum_002", "ripples"),
    Plate("002-7", "double pendulum, mass ratio 200: displacements by both schemes", "pendulum_002", "displacements",
          "0.005"),
    Plate("002-8", "double pendulum, mass ratio 200: how the decaying scheme loses energy", "pendulum_002", "decay"),
    Plate("002-9", "the symmetric top", "drawings", "symmetric_top"),
    Plate("002-10", "heavy top, conserving scheme", "top_002", "responses", "conserving"),
    Plate("002-11", "heavy top, decaying scheme", "top_002", "responses", "decaying"),
    Plate("002-12", "heavy top: paths of the centre of mass", "top_002", "paths"),
    Plate("003-loop", "closed loop with the angles theta2 to theta6", "drawings", "still", "003-loop"),
    Plate("003-four-bar", "the four-bar, in all kinds of coordinates", "drawings", "still",
          "003-four-bar"),
    Plate("003-sliding", "rod in a sliding block, in all kinds of coordinates", "drawings", "still",
          "003-sliding"),
    Plate("003-newton", "Newton-Raphson on one curve, converging and not", "newton_003", "sketch"),
    Plate("004-10.1", "mass hung from a spring and a damper", "drawings", "still", "004-10.1"),
    Plate("004-10.2", "acceleration of the hung mass: the exact curve", "drop_001", "exact", "004-10.2"),
    Plate("004-10.3", "acceleration of the hung mass: the points that Euler's method finds", "drop_001", "points",
          "004-10.3"),
    Plate("004-10.4", "acceleration of the hung mass", "drop_001", "acceleration", "004-10.4"),
    Plate("004-10.5", "the mass falls and swings until it hangs still", "drop_001", "falling", "004-10.5"),
)  # fmt: skip


def plates(name: str) -> list[Plate]:
    """The figure of this name, or all those of a text that are drawn.

    >>> [plate.name for plate in plates("004")]
    ['004-10.1', '004-10.2', '004-10.3', '004-10.4', '004-10.5']

    A part of a figure, as 12b is of 12, is drawn with the whole:

    >>> [plate.name for plate in plates("002-12b")]
    ['002-12']
    """
    if name not in every_figure() and name[-1:].isalpha() and name[:-1] in every_figure():
        name = name[:-1]
    found = [plate for plate in PLATES.values() if name in (plate.name, plate.name.split("-")[0])]
    if name in UNDRAWN:
        what, cure = f"figure {name} ({UNDRAWN[name].shows}) is not drawn", "`biela figure --list` shows what is drawn"
        raise BielaError(Problem(what, why=UNDRAWN[name].why, cure=cure))
    if not found:
        close = get_close_matches(name, every_figure(), n=1)
        raise BielaError(
            Problem(f"there is no figure {name!r}", why=f"did you mean {close[0]!r}?" if close else "",
                    cure="`biela figure --list` shows them; a text's number alone means all of its figures")
        )  # fmt: skip
    return found


def every_figure() -> dict[str, Plate | Undrawn]:
    """All figures of the texts, drawn or not, in the order in which they stand there.

    >>> list(every_figure())[:3], len(every_figure()) > 60
    (['000-1', '000-2', '000-3'], True)
    """

    def order(name: str) -> tuple:
        text, _, rest = name.partition("-")
        last = rest.rsplit(".", 1)[-1]
        return text, (0, int(last)) if last.isdigit() else (1, 0)

    known = PLATES | UNDRAWN
    return {name: known[name] for name in sorted(known, key=order)}


__all__ = ["PLATES", "UNDRAWN", "Plate", "every_figure", "plates"]
