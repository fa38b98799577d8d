"""The figures of the texts: each is drawn by a function that says which figure it draws.

    @figure("000-16", "double pendulum, penalty + trapezoidal: energy", "penalty")
    def energy(plate, method): ...  # gives the picture, and in words what our runs show and where the text differs
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from matplotlib.figure import Figure

Drawn = tuple[Figure, list[str]]


@dataclass(frozen=True)
class Plate:
    """A figure of a text: where it stands, what it shows, which function draws it, and what of."""

    name: str
    shows: str
    function: Callable[..., Drawn]
    arguments: tuple[str, ...] = ()

    def draw(self) -> Drawn:
        return self.function(self, *self.arguments)

    @property
    def number(self) -> str:
        """As in a heading; the pictures of text 003 have no numbers."""
        text, _, rest = self.name.partition("-")
        return f"text {text}, figure {rest}" if rest[0].isdigit() else f"text {text}"

    @property
    def title(self) -> str:
        return f"{self.number}: {self.shows}"


PLATES: dict[str, Plate] = {}
"""by their names, a text's number and the figure's"""
Draw = Callable[..., Drawn]


def figure(name: str, shows: str, *arguments: str) -> Callable[[Draw], Draw]:
    """Register a function that draws a figure; it is called with its plate and these arguments."""

    def register(function: Draw) -> Draw:
        PLATES[name] = Plate(name, shows, function, arguments)
        return function

    return register
