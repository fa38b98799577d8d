"""What every force declares. One file a force: its keys in a model file are the fields of its class, and how it becomes
loads on points and bodies, or the law of a strain.

    keys        what a user may write; the docstring is its description in lists and in the schema
    resolve     a load: from names to places and laws of time, with every mistake told
    law         an element that is strained: its law of time, strain and rate

Whatever knows loads and laws of strains knows the force then: all coordinates and methods, energies, free bodies,
drawings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..items import Bearers, Item
from ..resolved import ResolvedForce, ResolvedLaw

if TYPE_CHECKING:
    from ..resolve.force_reader import ForceReader
else:  # what a force is handed while it is resolved: a name for annotations, as that file imports the forces
    ForceReader = Any


class Force(Item):
    """Base of all forces."""

    type: str

    def resolve(self, read: ForceReader) -> list[ResolvedForce]:
        """What it comes to: nothing if something is wrong, which is reported."""
        raise NotImplementedError(type(self).__name__)

    def components(self) -> int | None:
        """How many components its vectors have: two in the plane, three in space; None if it fits both."""
        return None


class Element(Force):
    """Base of what acts between two points (along their line), between two bodies, or on a coordinate."""

    points: tuple[str, str] | None = None
    bodies: tuple[str, str] | None = None
    coordinate: str | None = None
    on: Bearers | None = None

    def law(self, read: ForceReader) -> ResolvedLaw:
        """Its law; `read.kinds` are the quantities, of lengths and forces or of angles and moments."""
        raise NotImplementedError(type(self).__name__)

    def resolve(self, read: ForceReader) -> list[ResolvedForce]:
        ends = read.ends()
        found = self.law(read)  # without valid ends the numbers are still checked, as far as that makes sense
        return [] if ends is None else [read.element(found)]
