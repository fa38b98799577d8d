"""Mass, centre and inertia of bodies in space, from their shapes."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ... import items as it
from ... import space_items as si
from ...resolved import Matrix, Number, Vec
from . import vectors as v
from .context import SpaceContext
from .tensor import axial, check_tensor, diagonal


class Weight(NamedTuple):
    """What dynamics needs of a body; the inertia is about the centre of mass, in the body's axes."""

    mass: Number
    center: Vec
    inertia: Matrix


def weight(ctx: SpaceContext, name: str, item: si.Rigid, points: dict[str, Vec]) -> Weight:
    """Mass, centre and inertia of a rigid body whose points are known."""
    zero, nothing = ctx.zero(), diagonal(ctx.zero())
    if isinstance(item, si.SpaceRod):
        return Weight(ctx.scalars.exact(0.0), zero, nothing)
    if isinstance(item, si.SpaceBody):
        return _body(ctx, name, item)
    size = _Sizes(ctx, name, item)
    if isinstance(item, si.SpaceBar):
        return _bar(ctx, item, points, size)
    center = ctx.triple(item.center, f"bodies.{name}.center")
    if isinstance(item, si.Box):
        a, b, c = size.sides(item.size)
        m = size.mass(a * b * c)
        return Weight(m, center, diagonal(((b**2 + c**2) * m / 12, (a**2 + c**2) * m / 12, (a**2 + b**2) * m / 12)))
    if isinstance(item, si.SpacePlate):
        a, b, t = size("width"), size("height"), size("thickness")
        m = size.mass(a * b * t if item.thickness is not None else None)
        return Weight(m, center, diagonal(((b**2 + t**2) * m / 12, (a**2 + t**2) * m / 12, (a**2 + b**2) * m / 12)))
    r, pi = size("radius"), ctx.pi()
    if isinstance(item, si.Sphere):
        m = size.mass(4 * pi * r**3 / 3)
        return Weight(m, center, diagonal((2 * m * r**2 / 5,) * 3))
    axis = ctx.identity()[2]
    if item.axis is not None:
        axis = ctx.direction(item.axis, f"bodies.{name}.axis", f"the axis of {item.type} {name!r}") or axis
    if isinstance(item, si.Cone):
        h = size("height")
        m = size.mass(pi * r**2 * h / 3)
        return Weight(m, center, axial(3 * m * (4 * r**2 + h**2) / 80, 3 * m * r**2 / 10, axis))
    thickness = "thickness" if isinstance(item, si.SpaceDisc) else "length"
    h = size(thickness)
    m = size.mass(pi * r**2 * h if getattr(item, thickness) is not None else None)
    return Weight(m, center, axial(m * (3 * r**2 + h**2) / 12, m * r**2 / 2, axis))


def _body(ctx: SpaceContext, name: str, item: si.SpaceBody) -> Weight:
    where = f"bodies.{name}"
    mass = ctx.scalars.read(item.mass, f"{where}.mass", "mass")
    _not_negative(ctx, name, item.type, mass)
    if item.center is None and ctx.scalars.value(mass) > 0:
        what = f"body {name!r} has a mass but no centre of mass"
        ctx.problems.add(what, where, f"mass = {item.mass}", "add center = [x, y, z], in the body's own axes")
    center = ctx.triple(item.center, f"{where}.center")
    if item.inertia is None:
        return Weight(mass, center, diagonal(ctx.zero()))
    given: Any = item.inertia
    if isinstance(given[0], tuple):
        rows = [ctx.triple(row, f"{where}.inertia, row {k}", "inertia") for k, row in enumerate(given, 1)]
        tensor = rows[0], rows[1], rows[2]
    else:
        tensor = diagonal(ctx.triple(given, f"{where}.inertia", "inertia"))
    check_tensor(ctx, name, tensor, f"{where}.inertia")
    return Weight(mass, center, tensor)


def _bar(ctx: SpaceContext, item: si.SpaceBar, points: dict[str, Vec], size: _Sizes) -> Weight:
    """Slender, or a prism with a square or a round section; about its line and across it."""
    a, b = (points[p] for p in item.points)
    line = v.sub(b, a)
    length = ctx.scalars.length(line)
    axis = ctx.unit(line) or ctx.identity()[0]
    width, radius = size("width"), size("radius")
    if item.width is not None and item.radius is not None:
        what = f"bar {size.name!r} has two sections"
        ctx.problems.add(what, f"bodies.{size.name}", "it gives a width and a radius", "give one of them")
    sectioned = item.width is not None or item.radius is not None
    m = size.mass((width**2 + ctx.pi() * radius**2) * length if sectioned else None)
    # of the section: m b^2/6 for a square, m r^2/2 for a circle; half of it across
    about = m * (width**2 / 6 + radius**2 / 2)
    center = v.scale(ctx.scalars.exact(0.5), v.add(a, b))
    if item.center is not None:
        center = ctx.triple(item.center, f"bodies.{size.name}.center")
    return Weight(m, center, axial(m * length**2 / 12 + about / 2, about, axis))


def _not_negative(ctx: SpaceContext, name: str, kind: str, mass: Number) -> None:
    if ctx.scalars.value(mass) < 0:
        what = f"the mass of {kind} {name!r} is negative"
        ctx.problems.add(what, f"bodies.{name}.mass", f"{ctx.scalars.value(mass):g} kg", "give a positive mass")


def particle_mass(ctx: SpaceContext, name: str, item: it.PointMass) -> Number:
    mass = ctx.scalars.read(item.mass, f"bodies.{name}.mass", "mass")
    _not_negative(ctx, name, "mass", mass)
    if ctx.scalars.value(mass) == 0:
        cure = "leave the point mass out, or give it a positive mass"
        ctx.problems.add(f"mass {name!r} has no mass", f"bodies.{name}.mass", "mass = 0", cure)
    return mass


class _Sizes:
    """Reads the sizes of a shape, all of them positive, and its mass."""

    def __init__(self, ctx: SpaceContext, name: str, item: si.Shape | si.SpaceBar) -> None:
        self.ctx, self.name, self.item = ctx, name, item
        self.kind: str = getattr(item, "type", "")

    def __call__(self, key: str) -> Number:
        """A size by its key; one that is not given is zero."""
        given = getattr(self.item, key)
        return self.ctx.scalars.exact(0.0) if given is None else self._read(given, key, key)

    def sides(self, given: tuple[float | str, ...]) -> list[Number]:
        return [self._read(value, "size", f"side {axis}") for value, axis in zip(given, "xyz")]

    def _read(self, given: float | str, key: str, called: str, expected: str = "length", unit: str = "m") -> Number:
        where = f"bodies.{self.name}.{key}"
        number = self.ctx.scalars.read(given, where, expected)
        value = self.ctx.scalars.value(number)
        if value <= 0:
            what = f"the {called} of {self.kind} {self.name!r} is not positive"
            self.ctx.problems.add(what, where, f"{value:g} {unit}", f"give {key} > 0")
        return number

    def _ordinary(self, mass: Number, where: str) -> Number:
        value = self.ctx.scalars.value(mass)
        text = f"density times volume = {value:g} kg"
        return mass if math.isnan(value) or self.ctx.scalars.ordinary(value, text, where) else math.nan

    def mass(self, volume: Number | None) -> Number:
        """The mass, as given or from the density; `volume` is None if the shape has none."""
        item, where, problems = self.item, f"bodies.{self.name}", self.ctx.problems
        if (item.mass is None) == (item.density is None):
            both = item.mass is not None
            what = f"{self.kind} {self.name!r} has {'both a mass and a density' if both else 'no mass'}"
            why = f"mass = {item.mass} and density = {item.density}" if both else "it gives neither mass nor density"
            problems.add(what, where, why, "give one of mass = ... (kg) and density = ... (kg/m^3)")
            if not both:
                return math.nan
        if item.mass is None:
            assert item.density is not None
            density = self._read(item.density, "density", "density", "density", "kg/m^3")
            if volume is None:
                keys = "a width or a radius" if self.kind == "bar" else "a thickness"
                what = f"the density of {self.kind} {self.name!r} gives no mass"
                problems.add(what, f"{where}.density", "it has no volume", f"add {keys}, or give its mass instead")
                return math.nan
            return self._ordinary(density * volume, f"{where}.density")
        mass = self.ctx.scalars.read(item.mass, f"{where}.mass", "mass")
        _not_negative(self.ctx, self.name, self.kind, mass)
        if self.ctx.scalars.value(mass) == 0:
            massless = "a rod for a massless bar (type = 'rod')" if self.kind == "bar" else "type = 'body' for that"
            problems.add(f"{self.kind} {self.name!r} has no mass", f"{where}.mass", "mass = 0", f"use {massless}")
        return mass
