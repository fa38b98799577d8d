"""The figures of the texts, each drawn anew by one function. A line of the table is all that makes one known."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module

from matplotlib.figure import Figure

from ...errors import BielaError, Problem


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
    Plate("000-15", "double pendulum, penalty + trapezoidal: height of the end", "pendulum_000", "height", "penalty"),
    Plate("000-16", "double pendulum, penalty + trapezoidal: energy", "pendulum_000", "energy", "penalty"),
    Plate("000-17", "double pendulum, penalty + trapezoidal: constraints", "pendulum_000", "violation", "penalty"),
    Plate("000-18", "double pendulum, penalty + trapezoidal: multipliers", "pendulum_000", "multipliers", "penalty"),
    Plate("000-19", "double pendulum, augmented + trapezoidal: multipliers", "pendulum_000", "multipliers",
          "augmented"),
    Plate("000-20", "double pendulum: its relative coordinates", "drawings", "angles"),
    Plate("000-21", "double pendulum, R matrix + rk2: height of the end", "pendulum_000", "height", "rk2"),
    Plate("000-22", "double pendulum, R matrix + rk2: energy", "pendulum_000", "energy", "rk2"),
    Plate("000-23", "double pendulum, R matrix + rk2: constraints", "pendulum_000", "violation", "rk2"),
    Plate("000-24", "double pendulum, R matrix + abm4: height of the end", "pendulum_000", "height", "abm4"),
    Plate("000-25", "double pendulum, R matrix + abm4: energy", "pendulum_000", "energy", "abm4"),
    Plate("000-26", "double pendulum, R matrix + abm4: constraints", "pendulum_000", "violation", "abm4"),
    Plate("001-15.10", "acceleration of the hung mass", "drop_001", "acceleration"),
    Plate("001-15.11", "the mass falls and swings until it hangs still", "drop_001", "falling"),
    Plate("002-3", "oscillator, both schemes: motion and energies", "oscillator_002", "responses"),
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
)  # fmt: skip


def plates(name: str) -> list[Plate]:
    """The figure of this name, or all those of a text.

    >>> [plate.name for plate in plates("001")]
    ['001-15.10', '001-15.11']
    """
    found = [plate for plate in PLATES.values() if name in (plate.name, plate.name.split("-")[0])]
    if not found:
        close = get_close_matches(name, PLATES, n=1)
        raise BielaError(
            Problem(f"there is no figure {name!r}", why=f"did you mean {close[0]!r}?" if close else "",
                    cure="`biela figure --list` shows them; a text's number alone means all of its figures")
        )  # fmt: skip
    return found
