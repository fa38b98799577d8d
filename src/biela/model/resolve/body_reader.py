"""What a body asks for while its mass, centre and inertia are found: sizes, sections and tensors by its keys.

Whatever is wrong is reported, with the name of the body and the key.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from .. import vectors as v
from ..bodies import PointMass, diagonal
from ..resolved import Matrix, Number, ResolvedBody, Vec
from .context import TINY, Context, Reader


class Bar(NamedTuple):
    """The straight line between the two points of a bar."""

    length: Number
    axis: Vec
    middle: Vec


class BodyReader(Reader):
    """One body of a model, whose points are known in its own axes."""

    table = "bodies"

    def __init__(self, ctx: Context, name: str, item: Any, points: dict[str, Vec]):
        super().__init__(ctx, name, item)
        self.points, self.kind = points, item.type
        self.zero, self.pi = ctx.zero, ctx.pi
        self.no_inertia = diagonal(self.zero) if ctx.in_space else self.zero[0]

    # ----------------------------------------------------------------------------------------------------- sizes
    def bar(self) -> Bar:
        """Between its two points."""
        a, b = (self.points[p] for p in self.item.points)
        line = v.subtract(b, a)
        axis = self.ctx.unit(line) or self.ctx.identity[0]
        return Bar(self.ctx.scalars.length(line), axis, v.scale(self.ctx.scalars.exact(0.5), v.add(a, b)))

    def size(self, key: str) -> Number:
        """A positive length by its key; one that is not given is zero."""
        return self.zero[0] if getattr(self.item, key) is None else self._positive(getattr(self.item, key), key, key)

    def sides(self) -> list[Number]:
        """The three of the key `size`."""
        return [self._positive(side, "size", f"side {axis}") for side, axis in zip(self.item.size, "xyz")]

    def _positive(self, given: float | str, key: str, called: str, kind: str = "length", unit: str = "m") -> Number:
        number = self.ctx.scalars.read(given, self._at(key), kind)
        if (value := self.value(number)) <= 0:
            what = f"the {called} of {self.kind} {self.name!r} is not positive"
            self.wrong(what, key, f"{value:g} {unit}", f"give {key} > 0")
        return number

    def axis(self) -> Vec:
        """The unit vector of the key `axis`, by default z."""
        z = self.ctx.identity[2]
        if self.item.axis is None:
            return z
        return self.ctx.direction(self.item.axis, self._at("axis"), f"the axis of {self.kind} {self.name!r}") or z

    def center(self, default: Vec | None = None) -> Vec:
        """The key `center`; by default the origin."""
        given = self.item.center
        return default if given is None and default is not None else self.ctx.vector(given, self._at("center"))

    # ------------------------------------------------------------------------------------------------------ mass
    def mass(self) -> Number:
        """The key `mass`. Only a body of type "body" may have none."""
        mass = self.ctx.scalars.read(self.item.mass, self._at("mass"), "mass")
        value = self.value(mass)
        if value < 0:
            self.wrong(f"the mass of {self.kind} {self.name!r} is negative", "mass", f"{value:g} kg",
                       "give a positive mass")  # fmt: skip
        elif value == 0 and self.kind != "body":
            cure = {
                "bar": "use a rod for a massless bar (type = 'rod')",
                "mass": "leave the point mass out, or give it a positive mass",
            }.get(self.kind, "use type = 'body' for a massless rigid body")
            self.wrong(f"{self.kind} {self.name!r} has no mass", "mass", "mass = 0", cure)
        return mass

    def mass_and_center(self) -> Number:
        """The mass of what says where its centre is, if it has one."""
        mass = self.mass()
        if self.item.center is None and self.value(mass) > 0:
            what = f"body {self.name!r} has a mass but no centre of mass"
            cure = f"add center = [{', '.join(self.ctx.axes)}], in the body's own axes"
            self.wrong(what, "", f"mass = {self.item.mass}", cure)
        return mass

    def mass_or_density(self, volume: Number | None) -> Number:
        """The mass, as given or from the density; `volume` is None if the shape has none."""
        item = self.item
        if (item.mass is None) == (item.density is None):
            both = item.mass is not None
            what = f"{self.kind} {self.name!r} has {'both a mass and a density' if both else 'no mass'}"
            why = f"mass = {item.mass} and density = {item.density}" if both else "it gives neither mass nor density"
            self.wrong(what, "", why, "give one of mass = ... (kg) and density = ... (kg/m^3)")
            if not both:
                return math.nan
        if item.mass is not None:
            return self.mass()
        density = self._positive(item.density, "density", "density", "density", "kg/m^3")
        if volume is None:
            keys = "a width or a radius" if self.kind == "bar" else "a thickness"
            what = f"the density of {self.kind} {self.name!r} gives no mass"
            self.wrong(what, "density", "it has no volume", f"add {keys}, or give its mass instead")
            return math.nan
        mass, value = density * volume, self.value(density * volume)
        text = f"density times volume = {value:g} kg"
        ordinary = math.isnan(value) or self.ctx.scalars.ordinary(value, text, self._at("density"))
        return mass if ordinary else math.nan

    # --------------------------------------------------------------------------------------------------- inertia
    def moment_of_inertia(self) -> Number:
        """In the plane: the key `inertia`."""
        inertia = self.ctx.scalars.read(self.item.inertia, self._at("inertia"), "inertia")
        if self.value(inertia) < 0:
            cure = "give the moment of inertia about the centre of mass, >= 0"
            why = f"{self.value(inertia):g} kg m^2"
            self.wrong(f"the inertia of {self.name!r} is negative", "inertia", why, cure)
        return inertia

    def inertia_tensor(self) -> Matrix:
        """In space: the key `inertia`, by default none."""
        given: Any = self.item.inertia
        if given is None:
            return diagonal(self.zero)
        where = self._at("inertia")
        if isinstance(given[0], tuple):
            tensor = tuple(self.ctx.vector(row, f"{where}, row {k}", "inertia") for k, row in enumerate(given, 1))
        else:
            tensor = diagonal(self.ctx.vector(given, where, "inertia"))
        self._check_tensor(tensor)
        return tensor

    def _check_tensor(self, tensor: Matrix) -> None:
        """Report a tensor that no distribution of mass has: not symmetric, negative, or against the triangle.

        Each principal moment is a sum of two second moments of mass, so it is at most the sum of the others.
        """
        values = [self.ctx.scalars.vector(row) for row in tensor]
        if not all(math.isfinite(x) for row in values for x in row):
            return  # reported already
        size = max(abs(x) for row in values for x in row)
        for k, l in ((0, 1), (0, 2), (1, 2)):
            if abs(values[k][l] - values[l][k]) > TINY * size:
                names = f"I{'xyz'[k]}{'xyz'[l]}", f"I{'xyz'[l]}{'xyz'[k]}"
                why = f"{names[0]} = {values[k][l]:g}, {names[1]} = {values[l][k]:g}"
                cure = "give the same product of inertia (with its sign) on both sides"
                return self.wrong(f"the inertia of {self.name!r} is not symmetric", "inertia", why, cure)
        import numpy as np

        small, middle, large = (float(x) for x in np.linalg.eigvalsh(np.array(values)))
        told = f"its principal moments are {small:g}, {middle:g} and {large:g} kg m^2"
        if small < -TINY * size:
            cure = "give the tensor about the centre of mass; off the diagonal Ixy = -(integral of x y dm)"
            self.wrong(f"the inertia of {self.name!r} is negative about some axis", "inertia", told, cure)
        elif small + middle < large * (1 - TINY):
            why = f"{told}, and {large:g} > {small:g} + {middle:g}"
            cure = "each moment is at most the sum of the other two: check the numbers"
            self.wrong(f"no body has the inertia of {self.name!r}", "inertia", why, cure)


def resolved_body(ctx: Context, name: str, item: Any, points: dict[str, Vec]) -> ResolvedBody:
    """The finished body: its points, named directions, mass, centre and inertia."""
    directions: dict[str, Vec] = {}
    for key, vector in (getattr(item, "directions", None) or {}).items():
        found = ctx.direction(vector, f"bodies.{name}.directions.{key}", f"direction {key!r} of {name!r}")
        directions[key] = found or ctx.identity[0]
    carrier = getattr(item, "carrier", None)
    if carrier is not None:
        _check_carrier(ctx, name, carrier, points)
    mass, center, inertia = item.mass_properties(BodyReader(ctx, name, item, points))
    particle = isinstance(item, PointMass)
    return ResolvedBody(name, item.type, points, mass, center, inertia, particle, directions, carrier)


def _check_carrier(ctx: Context, name: str, carrier: str, points: dict[str, Vec]) -> None:
    """Report a carrier whose points span less than they should: two a line, three a plane, four space."""
    needed = int(carrier[0]) - 1  # dimensions that its points span
    places = [ctx.scalars.vector(xyz) for xyz in points.values()]
    if needed == 0 or any(x != x for xyz in places for x in xyz):
        return
    import numpy as np

    spread = np.array(places).reshape(-1, 3)
    sizes = np.linalg.svd(spread - spread[:1], compute_uv=False) if len(places) else np.zeros(1)
    spanned = int(np.sum(sizes > TINY * max(sizes[0], 1e-300)))
    if spanned < needed:
        shapes = ("a point", "a line", "a plane", "space")
        what = f"body {name!r} cannot be carried by {carrier!r}"
        why = f"its {len(places)} points span {shapes[spanned] if places else 'nothing'}, not {shapes[needed]}"
        cure = "give it more points, or another carrier: '1 point + 3 vectors' carries any body"
        ctx.problems.add(what, f"bodies.{name}.carrier", why, cure)
