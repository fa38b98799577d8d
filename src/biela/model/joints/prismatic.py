"""A slide."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ..items import Line, Scalar
from ..resolved import ResolvedJoint
from ..space_vectors import Axis
from .joint import JointReader, Path, PlaneJoint, SpaceJoint
from .primitives import Equations, Side, View, constant_angle, on_axis, on_line, parallel, same_axes, unturned
from .steps import X, slide


class Prismatic(PlaneJoint):
    """A slide: the line of one body stays on the line of another, without turning against it."""

    type: Literal["prismatic"]
    line: Line
    slider: Line = Field(description="The line of the other body that stays on it.")
    angle: Scalar = 0.0

    freedoms = (slide("position", X),)
    axis_in = (0, 1)
    turns_with_lines = True
    sign = "guide"

    def resolve(self, read: JointReader) -> ResolvedJoint | None:
        rail = read.line(self.line, "line", needs_start=True)
        slider = read.line(self.slider, "slider", needs_start=True)
        angle = read.scalar("angle", "angle")
        lines = read.apart(rail, slider)
        return read.joint(lines=lines, value=angle) if lines else None

    @staticmethod
    def equations(j: ResolvedJoint, see: View) -> Equations:
        line, slider = j.lines
        assert line.through is not None and slider.through is not None
        u, v = see.vector(line), see.vector(slider)
        rows = on_line(see.place(slider.through), see.place(line.through), u)
        return rows + constant_angle(u, v, see.fn.cos(j.value), see.fn.sin(j.value))

    @staticmethod
    def path(j: ResolvedJoint) -> Path | None:
        line, slider = j.lines
        if line.through is None or slider.through is None:
            return None
        return Path(line.through, slider.through, line, (line, slider, j.value))


class SpacePrismatic(SpaceJoint):
    """A slide: the second body moves along the axis without turning."""

    type: Literal["prismatic"]
    axis: Axis

    freedoms = (slide("position"),)
    axis_in = (0, 1)
    shared_axes = ("e1", "e2", "e3")
    sign = "slide"

    @staticmethod
    def equations(i: Side, j: Side, *_: object) -> Equations:
        return parallel(i, j) + on_axis(i, j) + unturned(i, j)

    @classmethod
    def assembly_equations(cls, i: Side, j: Side, *_: object) -> Equations:
        return on_axis(i, j) + same_axes(i, j, 0, 2)
