"""A spring, linear or not, with a damper beside it.   000 (74)-(82)"""

from __future__ import annotations

from typing import Literal

from .. import expression as ex
from ..items import Scalar
from ..resolved import Number, ResolvedLaw
from .force import Element, ForceReader


class Spring(Element):
    """A spring, optionally with a damper in parallel: between points, bodies, or on a coordinate.

    A linear one has a `stiffness` k; any other a `potential`, a formula V of x (length or angle): its force is -dV/dx;
    or k and a `strain`, a formula e of x: V = k (e - free)^2 / 2.
    """

    type: Literal["spring"]
    stiffness: Scalar | None = None
    potential: str | None = None
    strain: str | None = None
    free: Scalar | None = None
    damping: Scalar = 0.0

    def law(self, read: ForceReader) -> ResolvedLaw:
        damping = read.damping()
        self._one_of(read)
        if self.potential is not None:
            return self._by_potential(read, damping)
        return self._linear(read, damping) if self.strain is None else self._by_strain(read, damping)

    def _one_of(self, read: ForceReader) -> None:
        """It has a stiffness or a potential."""
        both = self.stiffness is not None and self.potential is not None
        if both or (self.stiffness is None and self.potential is None):
            spring = f"spring {read.name!r}"
            what = f"{spring} has both a stiffness and a potential" if both else f"{spring} has no stiffness"
            cure = "give stiffness = k, or potential = a formula of x such as 'k*x^2/2 + c*x^4/4', and not both"
            read.wrong(what, "", "", cure)
        if self.strain is not None and self.potential is not None:
            what = f"spring {read.name!r} has both a strain and a potential"
            read.wrong(what, "strain", "each follows from the other", "leave one of them out")

    def _linear(self, read: ForceReader, damping: Number) -> ResolvedLaw:
        """F = -k (x - free)."""
        stiffness = self._stiffness(read, read.kinds["k"])
        if self.free is not None:
            free = read.read(self.free, "free", read.kinds["x"])
            if read.value(free) < 0 and read.is_length:
                what = f"the free length of spring {read.name!r} is negative"
                cure = "give free >= 0, or leave it out: the spring is then free at the start"
                read.wrong(what, "free", f"{read.value(free):g} m", cure)
        else:
            start = read.strain_at_start()
            free = read.exact(0.0) if start is None else start
        return ResolvedLaw(stiffness=stiffness, free=free, damping=damping, as_drawn=self.free is None)

    def _stiffness(self, read: ForceReader, kind: str) -> Number:
        """(That there is none is reported already.)"""
        k = read.read(1.0 if self.stiffness is None else self.stiffness, "stiffness", kind)
        if read.value(k) <= 0:
            what, cure = f"the stiffness of spring {read.name!r} is not positive", "give stiffness > 0"
            if self.strain is None:
                cure += "; for another law use an actuator with an expression of x"
            read.wrong(what, "stiffness", f"{read.value(k):g}", cure)
        return k

    def _by_potential(self, read: ForceReader, damping: Number) -> ResolvedLaw:
        """A spring by its potential V(x): the force is -dV/dx, so that no other force could go with it."""
        if self.free is not None:
            what = f"spring {read.name!r} has a potential and a free length"
            read.wrong(what, "free", "the potential says where it is free", "leave `free` out")
        V = self._formula(read, "potential", "energy", "'k*x^2/2 + c*x^4/4'")
        if V is None:
            return ResolvedLaw(damping=damping)
        return ResolvedLaw(damping=damping, expression=ex.Unary("-", ex.differentiate(V, "x")), potential=V)

    def _by_strain(self, read: ForceReader, damping: Number) -> ResolvedLaw:
        """A spring by a strain e(x): V = k (e - e0)^2 / 2, 002 (56). k and e0 are plain numbers, as e has any unit."""
        k = self._stiffness(read, "number")
        free = 0.0 if self.free is None else self.free
        read.read(free, "free", "number")
        e = self._formula(read, "strain", "number", "'x^2'")
        if e is None:
            return ResolvedLaw(damping=damping)
        stiffness = 1.0 if self.stiffness is None else self.stiffness
        V = read.law(f"({stiffness})/2*(({self.strain}) - ({free}))^2", "strain", "energy", ("x",)).expression
        if V is None:
            return ResolvedLaw(damping=damping)
        force = ex.Unary("-", ex.differentiate(V, "x"))
        return ResolvedLaw(damping=damping, expression=force, potential=V, strain=(k, e))

    def _formula(self, read: ForceReader, key: str, kind: str, example: str) -> ex.Node | None:
        """A formula of x."""
        before = read.mistakes()
        found = read.law(getattr(self, key), key, kind, ("x",)).expression
        if found is None and read.mistakes() == before:
            what = f"the {key} of spring {read.name!r} does not depend on x"
            read.wrong(what, key, "", f"give a formula of x, the length or the angle, such as {example}")
        return found
