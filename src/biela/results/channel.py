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

    @property
    def norm(self) -> Channel:
        """Length of a vector at each sample; of a quantity without components its size.

        >>> Channel.of([[3.0, 4.0]], "A.reaction", "N").norm.tolist()
        [5.0]
        """
        size = np.abs(np.asarray(self)) if self.ndim == 1 else np.linalg.norm(np.asarray(self), axis=1)
        return Channel.of(size, f"{self.name}.norm", self.unit)

    @property
    def x(self) -> Channel:
        """First component of a vector."""
        return self._component("x")

    @property
    def y(self) -> Channel:
        """Second component of a vector."""
        return self._component("y")

    @property
    def z(self) -> Channel:
        """Third component of a vector in space."""
        return self._component("z")

    def _component(self, axis: str) -> Channel:
        k = "xyz".index(axis)
        if self.ndim != 2 or self.shape[1] not in (2, 3) or k >= self.shape[1]:
            raise AttributeError(f"{self.name or 'a channel'} has no component {axis}")
        stem, _, frame = self.name.partition(" in ")
        return Channel.of(np.asarray(self)[:, k], f"{stem}.{axis}" + (f" in {frame}" if frame else ""), self.unit)

    def to(self, unit: str) -> Channel:
        """The same quantity in another unit ("deg", "mm", "rpm", ...)."""
        wanted, own = parse_quantity(f"1 {unit}"), parse_quantity(f"1 {self.unit}") if self.unit else None
        if wanted is None or own is None or wanted.dimension != own.dimension:
            raise ValueError(f"{self.name} is in {self.unit or 'no unit'}; it cannot be given in {unit}")
        return Channel.of(np.asarray(self) * (own.value / wanted.value), self.name, unit)
