"""A quantity over time, with its name and unit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from . import unit_rules as rules
from .unit_algebra import angle_factor, factor_to, measured, powers, raised, times, written

PARTS = {2: ("x", "y"), 3: ("x", "y", "z"), 4: ("p0", "p1", "p2", "p3")}
"""what the components of a vector are called, by their number: in the plane, in space, of a quaternion"""


class Catalogue(dict[str, tuple[Callable[[], Any], str]]):
    """Channels by name: how the values of each are computed, and its unit."""

    def vector(
        self, name: str, compute: Callable[[], np.ndarray], unit: str, axes: Iterable[str], parts: str = "",
        norm: bool = False,
    ) -> None:  # fmt: skip
        """A vector and its components, called "name.x" and so on, or by a pattern such as "P.v{}"; its norm."""
        self[name] = (compute, unit)
        for k, axis in enumerate(axes):
            self[(parts or name + ".{}").format(axis)] = (lambda k=k: compute()[:, k], unit)
        if norm:
            self[f"{name}.norm"] = (lambda: np.linalg.norm(compute(), axis=1), unit)


class Channel(np.ndarray):
    """An array over the samples that knows what it is. Arithmetic knows it, too: what is of a known unit is a channel
    with that unit, all else is a plain array. A plain number in a sum is taken to be in the channel's unit.

    >>> c = Channel.of([0.0, 3.141592653589793], "crank.angle", "rad")
    >>> c.to("deg").round(6).tolist()
    [0.0, 180.0]
    >>> v = Channel.of([1.0, 2.0], "P.vx", "m/s")
    >>> (v**2).unit, (v / c).unit, (v - v[0]).unit, type(v + c).__name__
    ('m^2/s^2', 'm/s/rad', 'm/s', 'ndarray')
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

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        units = [x.unit if isinstance(x, Channel) else None for x in inputs]
        plain: list[Any] = [np.asarray(x) if isinstance(x, Channel) else x for x in inputs]
        targets = options.get("out", ())
        if targets:
            options["out"] = tuple(np.asarray(x) if isinstance(x, Channel) else x for x in targets)
        unit: str | None = None
        if method in ("__call__", "outer"):
            unit = _call_unit(ufunc, units, plain)
        elif method in ("reduce", "accumulate", "reduceat") and units[0]:
            unit = rules.of_reduction(ufunc, units[0])
        out = getattr(ufunc, method)(*plain, **options)
        for target in targets:
            if isinstance(target, Channel):
                target.name, target.unit = "", unit or ""
                return target
        return Channel.of(out, "", unit) if unit and isinstance(out, np.ndarray) and out.ndim else out

    def __setitem__(self, where: Any, value: Any) -> None:
        """Values of another channel are brought to the unit of this one.

        >>> y = Channel.of([0.0, 0.0], "B.x", "mm")
        >>> y[:] = Channel.of([0.122, 0.1], "A.x", "m")
        >>> y.tolist(), y.unit
        ([122.0, 100.0], 'mm')
        """
        np.asarray(self)[where] = _in_unit_of(self, value)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        if function in rules.ONE_UNIT and len(args) > 1 and isinstance(args[0], Channel):
            args = (args[0], _in_unit_of(args[0], args[1], function is np.copyto), *args[2:])
        found: list[Channel] = []
        out = function(*(_plain(x, found) for x in args), **{k: _plain(x, found) for k, x in options.items()})
        unit = _function_unit(function, args, options, found)
        return Channel.of(out, "", unit) if unit and isinstance(out, np.ndarray) and out.ndim else out

    def dot(self, other: Any, out: Any = None) -> Any:
        """The product of `numpy.dot`."""
        return np.dot(self, other)

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
        own, wanted = measured(self.unit), measured(unit)
        if not self.unit or own is None or wanted is None or own[1] != wanted[1]:
            raise ValueError(f"{self.name or 'this'} is in {self.unit or 'no unit'}; it cannot be given in {unit}")
        return Channel.of(np.asarray(self) * (own[0] / wanted[0]), self.name, unit)


def _call_unit(ufunc: Any, units: list[str | None], plain: list[Any]) -> str | None:
    """The unit of ufunc(...); what is to be of one unit, or in radians, is brought there first."""
    given = [u for u in units if u is not None]
    floor = ufunc in (np.floor_divide, np.divmod) and len(given) == 2  # of a quotient only wholes are left
    if floor or ufunc in rules.LIKE or ufunc in rules.COMPARE or ufunc is np.arctan2 or ufunc is np.clip:
        factors = [factor_to(u, given[0]) for u in given]
        if None in factors or not given[0]:
            return None if not floor else rules.of_ufunc(ufunc, units, plain[1])
        for k, u in enumerate(units):
            if u is not None and (factor := factor_to(u, given[0])) != 1.0:
                plain[k] = plain[k] * factor
        if ufunc in rules.COMPARE or floor:
            return None
    elif ufunc in rules.OF_ANGLE and units[0] and (factor := angle_factor(units[0])) not in (None, 1.0):
        plain[0] = plain[0] * factor
    return rules.of_ufunc(ufunc, units, plain[1] if len(plain) > 1 else None)


def _in_unit_of(channel: Channel, value: Any, strictly: bool = True) -> Any:
    """Values as they are in the unit of a channel; those of another kind are refused, or compared as numbers."""
    if not isinstance(value, Channel) or not channel.unit or not value.unit or value.unit == channel.unit:
        return value
    factor = factor_to(value.unit, channel.unit)
    if factor is None and not strictly:
        return value
    if factor is None:
        raise ValueError(f"{value.name or 'this'} is in {value.unit}, {channel.name or 'the other'} in {channel.unit}")
    return np.asarray(value) * factor


def _plain(x: Any, found: list[Channel]) -> Any:
    """An argument without units; the channels in it are noted, in order."""
    if isinstance(x, Channel):
        found.append(x)
        return np.asarray(x)
    if isinstance(x, (list, tuple)) and any(isinstance(y, (Channel, list, tuple)) for y in x):
        return type(x)(_plain(y, found) for y in x)
    return x


def _function_unit(function: Any, args: Any, options: Any, found: list[Channel]) -> str | None:
    """The unit of a function of NumPy; None where it is not known."""
    own = [powers(c.unit) for c in found]
    if function in rules.SAME:
        return found[0].unit if own[0] is not None and all(p == own[0] for p in own) else None
    if function in rules.SQUARED:
        return written(raised(own[0], Fraction(2))) if len(own) == 1 else None
    if function is np.interp and len(args) > 2 and isinstance(args[2], Channel):
        rest = [c.unit for c in found if c is not args[2]]
        return args[2].unit if all(factor_to(u, rest[0]) == 1.0 for u in rest) else None
    two = [{} if not isinstance(x, Channel) else powers(x.unit) for x in (*args, *options.values())][:2]
    if function in rules.MULTIPLIED and len(args) + len(options) <= 2:
        return written(times(two[0], two[-1])) if len(two) == 2 else written(two[0])
    if function is np.gradient and len(args) <= 2 and not options:
        return written(times(two[0], two[1], -1)) if len(two) == 2 else written(two[0])
    return None
