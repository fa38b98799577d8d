"""What every joint declares. One file a joint: its keys in a model file are the fields of its class, and the rest of
what anybody needs to know about it stands beside them, once.

    keys        what a user may write; the docstring is its description in lists and in the schema
    resolve     from names to places and lines, with every mistake told
    equations   its rows, on points and directions; whoever chooses the coordinates says what these are
    freedoms    what it leaves free: the way of a tree from body to body, and the names of its coordinates
    facts       in which bodies it has an axis, what natural coordinates share, how it is drawn
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from ..items import Item, SpaceItem
from ..resolved import Number, Place, ResolvedJoint, ResolvedLine
from ..space_vectors import At
from .primitives import Equations, Side, View, constant_sum
from .steps import SLIDE, Step, Z

if TYPE_CHECKING:
    from ..resolve.joint_reader import CouplingReader, JointReader
    from ..resolve.space_joint_reader import Ends, SpaceReader
else:  # what a joint is handed while it is resolved: names for annotations, as these files import the joints
    CouplingReader = JointReader = SpaceReader = Ends = Any


class Joint(Item):
    """Base of all joints."""

    freedoms: ClassVar[tuple[Step, ...] | None] = None
    """what it leaves free, in the order of a tree; None: a tree cannot follow it, and it closes a loop there"""
    axis_in: ClassVar[tuple[int, ...]] = ()
    """in which of its bodies, 0 and 1, its axis or line is fixed"""
    turning: ClassVar[tuple[bool, bool]] = (False, False)
    """whether it needs the axes of each body, or a point alone; those of `axis_in` if nothing is said"""
    as_drawn: ClassVar[str] = ""
    """its key that is as in the drawing if it is not given: "length" or "angle" """
    sign: ClassVar[str] = ""
    """how it is drawn: a word that the views know; "": not at all"""
    pins: ClassVar[bool] = False
    """in the plane: its two places become one point, which natural coordinates share"""
    turns_with_lines: ClassVar[bool] = False
    """in the plane: it keeps the angle between its lines: a moment acts between their bodies"""
    in_ground_axes: ClassVar[bool] = False
    """its rows speak of components in the ground's axes: they change when everything is moved alike"""
    is_rod: ClassVar[bool] = False
    """it stands for a rod without mass between its two places"""

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        if "turning" not in vars(cls) and "axis_in" in vars(cls):
            cls.turning = (0 in cls.axis_in, 1 in cls.axis_in)

    @classmethod
    def rows(cls, joint: ResolvedJoint, see: View, for_assembly: bool = False) -> Equations:
        """Its equations. `for_assembly`: those for putting a mechanism together."""
        raise NotImplementedError(cls.__name__)

    @classmethod
    def slides(cls) -> bool:
        """Whether its place on the second body moves on the first."""
        return any(step.kind == SLIDE for step in cls.freedoms or ())

    @classmethod
    def slides_along(cls) -> bool:
        """Whether its place on the second body may lie anywhere along the axis."""
        return any(step.kind == SLIDE and step.axis == Z for step in cls.freedoms or ())

    @classmethod
    def freedom_names(cls) -> tuple[str, ...]:
        """The names of what it leaves free, in order: its own coordinates are called by them."""
        return tuple(step.name for step in cls.freedoms or () if step.name)

    @classmethod
    def is_pin(cls) -> bool:
        """Whether it leaves its second body free to turn about a point of the first."""
        return cls.pins and cls.freedoms != ()

    @classmethod
    def slide_axes(cls) -> dict[str, str]:
        """The axis of the first triad that each of its positions is measured along."""
        slides = [step for step in cls.freedoms or () if step.kind == SLIDE]
        return {step.name: f"e{step.axis.index(1) + 1}" for step in slides}

    @classmethod
    def guides_a_point(cls) -> bool:
        """Whether it holds no more of the second body than a point, on a line or a plane."""
        return cls.slides() and not cls.turning[1]


class Path(NamedTuple):
    """How a joint of the plane leads from its first body to its second."""

    first: Place
    second: Place
    along: ResolvedLine | None = None
    """the line that it slides along"""
    keeps: tuple[ResolvedLine, ResolvedLine, Number] | None = None
    """lines of both bodies, and the angle between them that stays"""


class PlaneJoint(Joint):
    """Base of the joints in the plane."""

    def resolve(self, read: JointReader) -> ResolvedJoint | None:
        """From names to places and lines; None if something is wrong, which is reported."""
        raise NotImplementedError(type(self).__name__)

    @staticmethod
    def equations(j: ResolvedJoint, see: View) -> Equations:
        raise NotImplementedError

    @classmethod
    def rows(cls, joint: ResolvedJoint, see: View, for_assembly: bool = False) -> Equations:
        return cls.equations(joint, see)

    @staticmethod
    def path(j: ResolvedJoint) -> Path | None:
        """From body to body; None where a tree cannot go, or there are no freedoms at all."""
        return None


class SpaceJoint(Joint, SpaceItem):
    """Base of the joints in space. Each has a frame on either body: a point and a triad, e3 the axis of the joint."""

    bodies: tuple[str, str] | None = None
    at: At | None = None

    shares_point: ClassVar[bool] = False
    """both bodies have its point in common"""
    shared_axes: ClassVar[tuple[str, ...]] = ()
    """axes of its triad that both bodies have in common"""
    anywhere: ClassVar[bool] = False
    """it need not say where it is"""
    meets: ClassVar[bool] = True
    """its two places lie together, or slide along each other"""

    def resolve(self, read: SpaceReader) -> ResolvedJoint | None:
        """From names to frames; None if something is wrong, which is reported."""
        return read.framed()

    @staticmethod
    def equations(i: Side, j: Side, joint: ResolvedJoint, see: View) -> Equations:
        raise NotImplementedError

    @classmethod
    def assembly_equations(cls, i: Side, j: Side, joint: ResolvedJoint, see: View) -> Equations:
        """For putting a mechanism together: scalar products vanish for axes that point the wrong way, too."""
        return cls.equations(i, j, joint, see)

    @classmethod
    def rows(cls, joint: ResolvedJoint, see: View, for_assembly: bool = False) -> Equations:
        i, j = (Side(frame, see) for frame in joint.frames)
        return cls.assembly_equations(i, j, joint, see) if for_assembly else cls.equations(i, j, joint, see)

    @classmethod
    def steps(cls, joint: ResolvedJoint, fn: Any) -> tuple[tuple[Step, ...] | None, Any]:
        """What a tree follows; and the second triad in the first (columns) where that is zero, None if alike."""
        return cls.freedoms, None

    @staticmethod
    def seen(joint: ResolvedJoint, see: View) -> Any:
        """The length of what an angle of it is measured by, across the axis."""
        return 1

    @classmethod
    def keeps_turned(cls) -> bool:
        """Whether no turn is left free."""
        return cls.freedoms is not None and all(step.kind == SLIDE for step in cls.freedoms)


class Coupling(Joint):
    """Base of the joints between coordinates, the same in the plane and in space: a sum of them stays what it is at the
    start, unless the joint says otherwise."""

    @classmethod
    def rows(cls, joint: ResolvedJoint, see: View, for_assembly: bool = False) -> Equations:
        return constant_sum(joint, see)

    def resolve(self, read: CouplingReader) -> ResolvedJoint | None:
        """From the names of coordinates to themselves; None if something is wrong, which is reported."""
        raise NotImplementedError(type(self).__name__)
