"""Bodies with variables of their own, before any are shared: what every set of coordinates writes them with."""

from __future__ import annotations

from typing import Any

from ..mechanics.polynomial import Polynomial
from ..mechanics.scalars import FLOATS, Functions
from ..model.resolved import GROUND, Direction, Place, ResolvedJoint, ResolvedLine, ResolvedModel, Span
from ..model.vectors import Vec, subtract

Copy = tuple[str, str, int]
"""(body, point or vector of it, axis): one exploded variable"""


class Exploded:
    """The map from places and directions to exploded variables, in which they are linear, and from those to the
    variables x that the equations are solved in."""

    copies: list[Copy]
    q_names: list[str]

    def __init__(self, resolved: ResolvedModel, fn: Functions = FLOATS):
        self.resolved, self.fn, self.dimension = resolved, fn, resolved.dimension

    # ------------------------------------------------------------------------ vectors, as polynomials
    def place(self, p: Place) -> Vec:
        """r_P = C_P x of the body, 000 (61)."""
        return tuple(Polynomial(c) for c in p.local) if p.body == GROUND else self._moving_place(p)

    def direction(self, d: Direction) -> Vec:
        """A vector that turns with its body: A(x) times the local one, 000 (59)."""
        return tuple(Polynomial(c) for c in d.local) if d.body == GROUND else self._turned(d.body, d.local)

    def vector(self, line: ResolvedLine) -> Vec:
        """The vector of a line."""
        if isinstance(line.vector, Span):
            return subtract(self.place(line.vector.end), self.place(line.vector.start))
        return self.direction(line.vector)

    def center(self, name: str) -> Vec:
        """The centre of mass."""
        raise NotImplementedError

    def _moving_place(self, p: Place) -> Vec:
        raise NotImplementedError

    def _turned(self, body: str, local: Vec) -> Vec:
        raise NotImplementedError

    # ------------------------------------------------------------------------------------ body by body
    def rigid_rows(self, name: str) -> list[tuple[str, Polynomial]]:
        """That its points and vectors stay where they are in the body."""
        raise NotImplementedError

    def mass(self, name: str) -> dict[tuple[int, int], Any]:
        """Its mass matrix, in its own variables."""
        raise NotImplementedError

    def spin(self, name: str, moment: tuple) -> dict[int, Any]:
        """Forces on its variables that make a moment."""
        raise NotImplementedError

    def spin_local(self, name: str, axis: int) -> dict[int, Any]:
        """The same for a unit moment about one of the body's own axes."""
        raise NotImplementedError

    def heading(self, name: str) -> Vec:
        """In the plane: a vector whose angle to the x axis tells how often the body has turned."""
        raise NotImplementedError

    def own_x_axis(self, name: str) -> Vec:
        """In the plane: the body's x axis in the axes of `heading`."""
        raise NotImplementedError

    def implied_rows(self, joint: ResolvedJoint) -> set[str]:
        """Rows of a joint that the variables fulfil by themselves and that would not vanish when written."""
        return set()

    # -------------------------------------------------------------------------------------- collapsing
    def target(self, copy: Copy) -> tuple[bool, Any]:
        """Where an exploded variable goes: (True, index in x) or (False, fixed coordinate)."""
        raise NotImplementedError

    def collapse(self, p: Any) -> Polynomial:
        """A polynomial of exploded variables as one of x."""
        raise NotImplementedError
