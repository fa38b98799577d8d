"""From a resolved model to flat lists: constraint rows, masses, forces and laws, in any coordinates.

Everything here works on floats and on SymPy expressions alike; `array_table.as_arrays` makes arrays of the former.
The bodies are written *exploded*, each with variables of its own; a set of coordinates says what these become.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ..coordinates.natural.crossed_lists import crossed_lists
from ..coordinates.natural.natural import Natural
from ..coordinates.tree.alias import alias
from ..coordinates.tree.lists import Extra, contraction_lists, mass_pattern, tree_lists
from ..coordinates.tree.spanning import Tree
from ..errors import ModelError, Problem
from ..mechanics.polynomial import Polynomial
from ..mechanics.relative_coordinates import COORDINATES
from ..mechanics.scalars import Functions
from ..mechanics.start import Start
from ..mechanics.user_equation import user_row
from ..model.joints import joint_class
from ..model.joints.primitives import View
from ..model.resolved import (
    GROUND,
    Direction,
    ResolvedForce,
    ResolvedJoint,
    ResolvedLaw,
    ResolvedModel,
)
from .flat_lists import force_lists, heading_lists, mass_lists, merged_lists, pair_lists, row_lists, weight_lists


@dataclass(frozen=True)
class RowInfo:
    """One constraint row: who it belongs to, and its equation in exploded and in final coordinates."""

    name: str
    owner: str
    role: str
    """rigid, joint, coordinate or driver"""
    exploded: Polynomial
    equation: Polynomial
    law: ResolvedLaw | None = None
    type: str = ""
    """type of the joint or coordinate"""


@dataclass(frozen=True)
class ForceInfo:
    """One force element: its law(s) and its vectors in exploded variables."""

    name: str
    kind: str
    """load, or the strain that its law is of: distance, coordinate or angle"""
    law: ResolvedLaw
    law_index: int
    exploded: dict[int, Any] = field(default_factory=dict)
    """load: exploded variable -> polynomial that multiplies the law"""
    vectors: tuple = ()
    """distance: (r_B - r_A,); angle: (u, w), as pairs of exploded polynomials"""
    column: int = -1
    part: str = ""
    """of a load with several components: x, y or z"""


@dataclass
class Equations:
    """The flat description of a system, and what every number in it stands for."""

    resolved: ResolvedModel
    exploded: Any
    """an `Exploded`: `Natural` or `Frames`"""
    tree: Tree | None
    """where the coordinates are those of a tree"""
    q_names: list[str]
    v_names: list[str]
    angular: list[bool]
    """of each velocity: it is an angle's"""
    carried: list[str]
    """relative coordinates that are variables"""
    rows: list[RowInfo]
    dropped: list[RowInfo]
    """rows without variables: identities, or contradictions"""
    masses: dict[str, dict[tuple[int, int], Any]]
    """body -> mass matrix in exploded variables"""
    weights: dict[str, dict[int, Any]]
    """body -> generalised weight in exploded variables"""
    forces: list[ForceInfo]
    laws: list[ResolvedLaw]
    lists: dict[str, Any]
    """what `array_table.as_arrays` takes, but for programs, tables and workspace"""
    variables: dict[str, int] = field(default_factory=dict)
    """relative coordinate -> its place in `lists` among the variables x, carried or a coordinate of the tree itself"""

    @property
    def wound(self) -> list[ForceInfo]:
        """The elements that count whole turns, in the order of the array `wound`."""
        return [f for f in self.forces if f.kind == "angle"]

    def is_angular(self, f: ForceInfo | ResolvedForce) -> bool:
        """Whether an element strains an angle, and so has a moment and not a force."""
        if isinstance(f, ForceInfo):
            f = next(force for force in self.resolved.forces if force.name == f.name)
        return self.resolved.is_angular(f)


def lower_natural(
    resolved: ResolvedModel, natural: Natural, carry: Iterable[str], fn: Functions
) -> Equations:
    """Write the equations in natural coordinates, with the given relative coordinates among the variables."""
    carried = [c for c in resolved.coordinates if c in set(carry)]
    extra = len(natural.copies)
    place_of = {c: extra + k for k, c in enumerate(carried)}
    common = _Common(resolved, natural, list(resolved.joints), place_of, set(), fn)
    q_names = natural.q_names + carried
    n = len(q_names)
    lists = common.lists() | {"n": n, "nq": n}
    if natural.layout.crosses:
        lists |= crossed_lists(natural, common.masses, lists, len(carried))
        lists |= weight_lists(natural, resolved, common.weights, natural.variables + len(carried))
    else:
        lists |= {"jptr": lists["xptr"], "jcol": lists["xcol"]}
        lists |= mass_lists(natural, common.masses, n)
        lists |= weight_lists(natural, resolved, common.weights, n)
    lists |= pair_lists(lists)
    lists["prefer"] = [0] * len(natural.q_names) + _preferred(resolved, carried)
    angular = [False] * len(natural.q_names) + [resolved.coordinates[c].type == "angle" for c in carried]
    lists["angular"] = [int(a) for a in angular]
    places = {c: len(natural.q_names) + k for k, c in enumerate(carried)}
    return common.equations(None, q_names, q_names, angular, carried, lists, places)


def lower_tree(
    resolved: ResolvedModel, tree: Tree, carry: Iterable[str], fn: Functions, for_assembly: bool = False
) -> Equations:
    """Write the equations in the coordinates of a tree: relative, or reference-point where every body floats.

    A relative coordinate that is one of the tree's own costs nothing; the others are carried, as in mixed coordinates.
    `for_assembly`: with the redundant rows of joints that serve to put a mechanism together.
    """
    frames = tree.frames
    wanted = [c for c in resolved.coordinates if c in set(carry)]
    own = {c: alias(tree, resolved.coordinates[c]) for c in wanted}
    carried = [c for c in wanted if own[c] is None]
    nq, nd = len(tree.q_names), len(tree.freedoms)
    extras = [own[c] or Extra(c, nq + carried.index(c), nd + carried.index(c)) for c in wanted]
    place_of = {c: len(frames.copies) + k for k, c in enumerate(wanted)}
    common = _Common(resolved, frames, tree.cut, place_of, {c for c in wanted if own[c] is not None}, fn, for_assembly)
    lists = common.lists() | tree_lists(tree, carried)
    grounded = [r.type == "term" or (r.role == "joint" and joint_class(r.type, resolved.dimension).in_ground_axes)
                for r in common.rows]  # fmt: skip
    grounded += [False] * (len(lists["xptr"]) - 1 - len(grounded))  # merged rows of angles
    lists |= contraction_lists(tree, lists, extras, grounded)
    lists |= pair_lists(lists) | mass_pattern(tree, lists["n"])
    lists |= weight_lists(frames, resolved, common.weights, len(frames.copies) + len(wanted))
    lists["prefer"] = [1] * nd + _preferred(resolved, carried)
    angular = tree.angular + [resolved.coordinates[c].type == "angle" for c in carried]
    lists["angular"] = [int(a) for a in angular]
    return common.equations(tree, tree.q_names + carried, tree.v_names + carried, angular, carried, lists, place_of)


def _preferred(resolved: ResolvedModel, carried: list[str]) -> list[int]:
    """Relative coordinates describe a motion well; parts of a user's equation need not."""
    return [int(resolved.coordinates[c].type != "term") for c in carried]


class _Common:
    """What all coordinates have in common: rows, masses, weights and forces of the exploded bodies."""

    def __init__(self, resolved: ResolvedModel, exploded: Any, joints: list[ResolvedJoint], place_of: dict[str, int],
                 own: set[str], fn: Functions, for_assembly: bool = False):  # fmt: skip
        self.resolved, self.exploded, self.place_of = resolved, exploded, place_of
        self.laws: list[ResolvedLaw] = []
        start = Start(resolved, fn)
        see = View(exploded.place, exploded.vector, exploded.direction, start.distance, start.angle, start.vector,
                   lambda c: Polynomial.variable(place_of[c]), user_row, resolved, fn)  # fmt: skip
        self.rows, self.dropped = _rows(exploded, resolved, joints, see, place_of, own, for_assembly)
        self.masses = {name: exploded.mass(name) for name in resolved.bodies}
        self.weights = {name: _weight(exploded, resolved, name) for name in resolved.bodies}
        self.forces = [f for force in resolved.forces for f in _force(exploded, force, place_of, self.laws)]

    def lists(self) -> dict[str, Any]:
        out: dict[str, Any] = {"m": len(self.rows)}
        out |= row_lists(self.rows, self.laws)
        out |= merged_lists(self.rows, out)
        out |= force_lists(self.exploded, self.forces)
        out |= heading_lists(self.exploded, self.resolved)
        out["group"] = [int(k >= len(self.rows) or self.rows[k].role == "coordinate") for k in out["active"]]
        return out

    def equations(self, tree: Any, q_names: list[str], v_names: list[str], angular: list[bool], carried: list[str],
                lists: dict[str, Any], variables: dict[str, int]) -> Equations:  # fmt: skip
        return Equations(
            self.resolved, self.exploded, tree, q_names, v_names, angular, carried, self.rows, self.dropped,
            self.masses, self.weights, self.forces, self.laws, lists, variables,
        )  # fmt: skip


def _rows(exploded: Any, resolved: ResolvedModel, joints: list[ResolvedJoint], see: View, place_of: dict[str, int],
          own: set[str], for_assembly: bool) -> tuple[list[RowInfo], list[RowInfo]]:  # fmt: skip
    space = resolved.dimension == 3
    found: list[tuple[str, str, str, str, Any, ResolvedLaw | None]] = []
    for name in resolved.bodies:
        found += [(f"{name}.{w}", name, "rigid", "", e, None) for w, e in exploded.rigid_rows(name)]
    for j in joints:
        implied = exploded.implied_rows(j)
        for what, e, *law in joint_class(j.type, resolved.dimension).rows(j, see, for_assembly):
            if what in implied:
                continue
            found.append((f"{j.name}.{what}", j.name, "joint", j.type, e, law[0] if law else None))
    ties = COORDINATES[resolved.dimension]
    for name, index in place_of.items():
        if name not in own:
            c = resolved.coordinates[name]
            for what, e, *law in ties[c.type](c, index, see):
                found.append((f"{name}.{what}", name, "coordinate", c.type, e, law[0] if law else None))
    for d in resolved.drivers:
        e = exploded.place(d.place)[d.axis] if d.place else Polynomial.variable(place_of[d.coordinate])
        found.append((d.name, d.name, "driver", "", e, d.law))
    rows: list[RowInfo] = []
    dropped: list[RowInfo] = []
    seen: set[Any] = set()
    for name, owner, role, kind, whole, law in found:
        row = RowInfo(name, owner, role, whole, exploded.collapse(whole), law, kind)
        key = _key(row.equation) if space and role == "rigid" else None
        if key is not None and key in seen:
            continue  # two bodies share these vectors: their length is said once
        seen.add(key)
        (rows if row.equation.variables() else dropped).append(row)
    return rows, dropped


def _key(p: Polynomial) -> Any:
    """An equation in a form in which equal ones are equal."""

    def tidy(x: Any) -> Any:
        return round(x, 12) if isinstance(x, float) else x

    terms = [(i, tidy(c)) for i, c in p.linear.items()] + [(ij, tidy(c)) for ij, c in p.quadratic.items()]
    return tidy(p.constant), frozenset(terms)


def _weight(exploded: Any, resolved: ResolvedModel, name: str) -> dict[int, Any]:
    """C_G^T m g, 000 (70)."""
    r, m = exploded.center(name), resolved.bodies[name].mass
    out: dict[int, Any] = {}
    for component, g in zip(r, resolved.gravity, strict=True):
        for i, c in component.linear.items():
            out[i] = out.get(i, 0) + c * m * g
    return {i: c for i, c in out.items() if c != 0}


def _force(exploded: Any, f: ResolvedForce, place_of: dict[str, int], laws: list[ResolvedLaw]) -> list[ForceInfo]:
    def law(which: ResolvedLaw) -> int:
        laws.append(which)
        return len(laws) - 1

    dimension = exploded.dimension
    given = [(k, x) for k, x in enumerate((f.law, f.law_y, f.law_z)) if x is not None and x != ResolvedLaw()]
    out: list[ForceInfo] = []
    if f.type == "force":
        r = exploded.place(f.places[0])
        for axis, which in given:
            way = exploded.direction(Direction(f.axes, tuple(int(k == axis) for k in range(dimension))))
            on: dict[int, Any] = {}
            for k in range(dimension):
                for i, c in r[k].linear.items():
                    on[i] = on.get(i, Polynomial()) + way[k] * c
            out.append(ForceInfo(f.name, "load", which, law(which), on, part="xyz"[axis]))
        return out
    if f.type == "moment":
        for axis, which in given if dimension == 3 else [(0, f.law)]:
            on = {}
            for sign, body in zip((1, -1), f.bodies, strict=False):
                if body != GROUND:
                    on |= {i: p * sign for i, p in _moment(exploded, f, body, axis).items()}
            out.append(ForceInfo(f.name, "load", which, law(which), on, part="xyz"[axis] if dimension == 3 else ""))
        return out
    if f.type == "distance":
        a, b = (exploded.place(p) for p in f.places)
        d = tuple(y - x for x, y in zip(a, b, strict=True))
        return [ForceInfo(f.name, "distance", f.law, law(f.law), vectors=(d,))]
    if f.type == "angle":
        ways = tuple(exploded.direction(Direction(b, (1, 0))) for b in f.bodies)
        return [ForceInfo(f.name, "angle", f.law, law(f.law), vectors=ways)]
    assert f.coordinate is not None
    return [ForceInfo(f.name, "coordinate", f.law, law(f.law), column=place_of[f.coordinate])]


def _moment(exploded: Any, f: ResolvedForce, body: str, axis: int) -> dict[int, Any]:
    """A unit moment about an axis of the ground, or of the body itself."""
    if exploded.dimension == 2:
        return exploded.spin(body, (1,))
    if f.axes == GROUND:
        return exploded.spin(body, tuple(int(k == axis) for k in range(3)))
    if f.axes == body:
        return exploded.spin_local(body, axis)
    raise ModelError(
        Problem(
            f"moment {f.name!r} acts on {body!r} about axes of {f.axes!r}",
            where=f"forces.{f.name}",
            why="a moment between two bodies needs an axis that both share",
            cure="put an actuator on the coordinate of the joint between them, or give the moment in ground axes",
        )
    )
