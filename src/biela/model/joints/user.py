"""An equation of the user's own."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ..resolved import ResolvedJoint
from .joint import Coupling, CouplingReader
from .primitives import Equations, View


class UserJoint(Coupling):
    """An equation of your own, of coordinates, "P.x", "P.y", parameters and t: what must vanish, or "lhs = rhs"."""

    type: Literal["user"]
    equation: str = Field(
        description="A formula of coordinates, 'P.x', 'P.y', parameters and t that must vanish, or 'lhs = rhs'."
    )

    in_ground_axes = True

    def resolve(self, read: CouplingReader) -> ResolvedJoint | None:
        node = read.equation(self.equation)
        return None if node is None else read.joint(equation=node)

    @classmethod
    def rows(cls, joint: ResolvedJoint, see: View, for_assembly: bool = False) -> Equations:
        """Of degree two at most but for its terms.   [K.12]"""
        node = joint.equation if joint.reduced is None else joint.reduced
        return [see.formula("equation", joint.name, node, see)]
