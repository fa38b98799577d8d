"""A quantity over time, with its name and unit."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..model.units import parse_quantity

PARTS = {2: ("x", "y"), 3: ("x", "y", "z"), 4: ("p0", "p1", "p2", "p3")}
"""what the components of a vector are called, by their number: in the plane, in space, of a quaternion"""


class Channel(np.ndarray):
    """An array over the samples that knows what it is.

    >>> c = Channel.of([0.0, 3.141592653589793], "crank.angle", "rad")
    >>> c.to("deg").round(6).tolist()
    [0.0, 180.0]
    """

    name: str
    unit: str

    @staticmethod
    def of(values: Any, name: str, unit: str) -> Channel:
        """Label values."""
        out = np.asarray(values, dtype=float).view(Channel)
        out.name, out.unit = name, unit
        return out

    def __array_finalize__(self, other: Any) -> None:
        self.name = getattr(other, "name", "")
        self.unit = getattr(other, "unit", "")

    def parts(self) -> dict[str, Channel]:
        """A vector's components, each by its name; a quantity that has none by its own.

        >>> list(Channel.of([[1.0, 0.0, 0.0, 0.0]], "top.quaternion", "1").parts())[:2]
        ['top.quaternion.p0', 'top.quaternion.p1']
        """
        if self.ndim == 1:
            return {self.name: self}
        names = [f"{self.name}.{part}" for part in PARTS[self.shape[1]]]
        return {name: Channel.of(self[:, k], name, self.unit) for k, name in enumerate(names)}

    def to(self, unit: str) -> Channel:
        """The same quantity in another unit ("deg", "mm", "rpm", ...)."""
        wanted, own = parse_quantity(f"1 {unit}"), parse_quantity(f"1 {self.unit}") if self.unit else None
        if wanted is None or own is None or wanted.dimension != own.dimension:
            raise ValueError(f"{self.name} is in {self.unit or 'no unit'}; it cannot be given in {unit}")
        return Channel.of(np.asarray(self) * (own.value / wanted.value), self.name, unit)
