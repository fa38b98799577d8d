"""The system: the equations of one mechanism in one set of coordinates, and nothing else.

    q' = H(q) v,    M(q) v' + B^T lam = Q(q, v, t),    Phi(q, t) = 0,    B = Phi_q H

Formulations and integrators see only its arrays. `System` adds names, and access from Python.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..coordinates.natural.crossed_lists import natural_variables
from ..coordinates.natural.plane import Natural
from ..coordinates.natural.plane_layout import lay_out
from ..coordinates.natural.space import SpaceNatural
from ..coordinates.natural.space_layout import lay_out_space
from ..coordinates.tree.spanning import grow
from ..errors import AssemblyError, Problem
from ..kernels.calls_from_python import displaced_by, energies, rows_and_forces
from ..machine.array_table import Arrays, as_arrays
from ..machine.fields import STATE
from ..machine.workspace import ROOM, Workspace, Workspaces, matrices
from ..mechanics.measure import Posture, measure
from ..mechanics.scalars import FLOATS, Functions
from ..model.resolved import ResolvedModel
from .equations import Equations, lower_natural, lower_tree
from .first_guess import first_guess
from .law_lists import UserFunctions, law_lists
from .reference import about_start
from .symbolic_factor import filling_lists
from .symbolic_saddle import saddle_lists

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from ..model.model import Model


@dataclass(eq=False)
class System:
    """A mechanism's equations in chosen coordinates: layout, Phi, Phi_q, gamma, M, Q.

    >>> import biela
    >>> system = biela.assemble("double-pendulum")
    >>> system.q_names
    ['P1.x', 'P1.y', 'P2.x', 'P2.y']
    >>> system.at(system.q0).Phi.round(12).tolist()
    [0.0, 0.0]
    """

    equations: Equations
    coordinates: str
    workspaces: Workspaces
    """the constants of the equations, and for each thread the arrays that it computes in"""
    users: UserFunctions
    q0: np.ndarray
    """coordinates at the start (approximate until assembled)"""
    v0: np.ndarray
    size: float
    """a typical length of the mechanism, m"""
    rank: int = -1
    """independent rows in a regular position, once somebody has looked"""
    starts: dict[str, float] = field(default_factory=dict)
    """angle of a body at the start, whole turns included, where the user gave it"""
    given: dict[str, float] = field(default_factory=dict)
    """relative angles at the start, whole turns included, where initial values or drivers say them"""
    notes: list[str] = field(default_factory=list)
    slack: float = 0.0
    """by how much rows that imply one another may contradict one another where data is rounded; 0 where they fit"""
    model: Model | None = None
    """what it was assembled from: a report of its motion writes the equations from it"""
    _saddle: dict[str, Any] | None = None

    @property
    def workspace(self) -> Workspace:
        """What this thread computes in."""
        return self.workspaces.here

    @property
    def arrays(self) -> Arrays:
        """The constants of the system, and the state of this thread's workspace."""
        return self.workspaces.here.arrays

    @property
    def header(self) -> int:
        """What kernels are called with: the address of the table of this thread's workspace."""
        return self.workspaces.here.header

    @property
    def name(self) -> str:
        return self.equations.resolved.name

    @property
    def resolved(self) -> ResolvedModel:
        return self.equations.resolved

    @property
    def q_names(self) -> list[str]:
        """The coordinates, in order."""
        return self.equations.q_names

    @property
    def v_names(self) -> list[str]:
        """The velocities, in order: one for each coordinate, three for each quaternion."""
        return self.equations.v_names

    @property
    def nq(self) -> int:
        return self.arrays.nq

    @property
    def is_tree(self) -> bool:
        """Relative or reference-point coordinates."""
        return self.equations.tree is not None

    @property
    def is_open_tree(self) -> bool:
        """A tree without loops, drivers or carried coordinates: no constraint rows at all."""
        return self.is_tree and self.m == 0 and not self.equations.carried

    @property
    def unit(self) -> np.ndarray:
        """What counts as one in each velocity: the size of the mechanism for lengths, a radian for angles."""
        return np.where(self.equations.angular, 1.0, self.size)

    @cached_property
    def twins(self) -> list[int]:
        """Sine rows of the angles among the coordinates; the cosine row follows."""
        return [k for k, r in enumerate(self.equations.rows) if r.role == "coordinate" and r.name.endswith(".sine")]

    @property
    def row_names(self) -> list[str]:
        """The constraint rows, in order."""
        return [row.name for row in self.equations.rows]

    @property
    def n(self) -> int:
        return self.arrays.n

    @property
    def m(self) -> int:
        return self.arrays.m

    @property
    def M(self) -> np.ndarray:
        """The mass matrix: constant in natural coordinates, else that of the last state looked at."""
        if not self.arrays.M.size:
            return self.sparse_mass().toarray()
        return self.arrays.M.reshape(self.n, self.n)

    def sparse_mass(self) -> csr_matrix:
        """The mass matrix, its non-zeros only."""
        from scipy.sparse import csr_matrix

        s = self.arrays
        return csr_matrix((s.mval, s.mcol.astype(np.int64), s.mptr.astype(np.int64)), shape=(self.n, self.n))

    def sparse_jacobian(self) -> csr_matrix:
        """Phi_q at the state looked at last, its non-zeros only."""
        from scipy.sparse import csr_matrix

        s, m = self.arrays, self.m
        ptr = s.jptr[: m + 1].astype(np.int64)
        return csr_matrix((s.J[: ptr[-1]].copy(), s.jcol[: ptr[-1]].astype(np.int64), ptr), shape=(m, self.n))

    @property
    def is_large(self) -> bool:
        """Too large for dense matrices: analyses take the sparse ones."""
        return not self.arrays.B.size and self.m > 0

    def lay_dense(self, dense: bool) -> None:
        """Room for methods with dense matrices, or (as at first) the pattern of the sparse factor, if it has one."""
        s, lists = self.arrays, self.equations.lists
        has_whole = s.S.size > 0 or not s.n
        if dense == (not s.fill_ptr.size) and (has_whole or not dense):
            return
        pattern = filling_lists(lists, dense)
        if not dense and "fill_ptr" not in pattern:
            return
        made = pattern | matrices(lists | pattern, dense)
        if has_whole:
            made = {key: value for key, value in made.items() if key not in "BSR"}
        keys = ("fill_ptr", "fill_row", "fill_to", "fill_order")
        new = as_arrays({**dict.fromkeys(keys), **made})
        self.workspace.take(s._replace(**{key: getattr(new, key) for key in (*made, *keys)}))

    def lay_saddle(self) -> bool:
        """Room for the sparse matrix of accelerations and multipliers, found out once, when first asked for; False
        where a dense one is better."""
        here = self.workspace
        if here.saddle is None:
            if self._saddle is None:
                self._saddle = {} if self.is_open_tree else saddle_lists(self.equations.lists)
            made = self._saddle
            here.saddle = bool(made)
            if made:
                new = as_arrays({key: np.array(x) if key in STATE else x for key, x in made.items()})
                here.take(here.arrays._replace(**{key: getattr(new, key) for key in made}))
        return here.saddle

    def make_room(self, size: int) -> None:
        """Room for an integrator that solves the index-3 equations; the table keeps its address."""
        here = self.workspace
        if here.arrays.direct.size != size:
            here.take(here.arrays._replace(direct=np.zeros(size)))

    def look(self, q: Any, v: Any = None, t: float = 0.0) -> float:
        """Evaluate rows and forces at one state, into the arrays; returns the power."""
        s = self.arrays
        s.q[:] = q
        s.v[:] = 0.0 if v is None else v
        return rows_and_forces(self.header, float(t))

    def at(self, q: Any, v: Any = None, t: float = 0.0) -> Point:
        """Everything the equations say at one state."""
        s = self.arrays
        power = self.look(q, v, t)
        B = self.sparse_jacobian().toarray() if self.is_large else s.B[: self.m * self.n].reshape(self.m, self.n).copy()
        kinetic, potential = energies(self.header)
        Phi, Phi_t, Phi_dot, bias = (x[: self.m].copy() for x in (s.Phi, s.Phit, s.Phid, s.bias))
        return Point(Phi, B, Phi_t, Phi_dot, -bias, s.Q.copy(), kinetic, potential, power, self.M.copy())

    def energies_here(self) -> tuple[float, float]:
        """Kinetic and potential energy at the state looked at last."""
        return energies(self.header)

    def energies(self, q: Any, v: Any) -> tuple[float, float]:
        """Kinetic and potential energy at one state, without anything else."""
        self.arrays.q[:], self.arrays.v[:] = q, v
        return energies(self.header)

    def displaced(self, q: np.ndarray, d: np.ndarray) -> np.ndarray:
        """q moved by a displacement given like a velocity: q + d, but for quaternions, which turn."""
        if self.nq == self.n:
            return q + d
        s = self.arrays
        s.q[:] = q
        displaced_by(self.header, np.ascontiguousarray(d, dtype=float))
        return s.q.copy()

    def posture(self, q: Any, v: Any = None, a: Any = None) -> Posture:
        """The exploded variables of all bodies at one state or many, for points, directions and coordinates."""
        q, v, a = (None if y is None else np.atleast_2d(np.asarray(y, dtype=float)) for y in (q, v, a))
        exploded = self.equations.exploded
        size = len(exploded.copies)
        given = [y for y in (q, v, a) if y is not None]
        out = [np.zeros((len(q), size)) for _ in given]  # type: ignore[arg-type]
        if self.equations.tree is None:
            given = [*natural_variables(exploded, *given)]
            for i, copy in enumerate(exploded.copies):
                moving, where = exploded.target(copy)
                for k, y in enumerate(given):
                    if moving:
                        out[k][:, i] = y[:, where]
                    elif k == 0:
                        out[k][:, i] = float(where)
        else:
            from ..kernels.tree.calls import frames_and_accelerations

            s = self.arrays
            for row in range(len(out[0])):
                s.q[:] = q[row]  # type: ignore[index]
                s.v[:] = 0.0 if v is None else v[row]
                s.a[:] = 0.0 if a is None else a[row]
                frames_and_accelerations(self.header)
                for y, x in zip(out, (s.x, s.xd, s.xbias), strict=False):
                    y[row] = x[:size]
        return Posture(exploded, *out)

    def value(self, name: str, q: Any, v: Any = None, a: Any = None) -> tuple:
        """A relative coordinate at one state or many: as the variable that it is, else measured."""
        low = self.equations
        if name in low.carried:
            i, j = low.q_names.index(name), low.v_names.index(name)
            return tuple(None if y is None else np.atleast_2d(y)[:, k] for y, k in ((q, i), (v, j), (a, j)))
        if low.tree is not None and name in low.variables:
            s, k = self.arrays, list(low.variables).index(name)
            scale, offset = s.extra_scale[k], s.extra_offset[k]
            i, j = s.extra_q[k], s.extra_v[k]
            parts = [None if y is None else scale * np.atleast_2d(y)[:, l] for y, l in ((q, i), (v, j), (a, j))]
            return (parts[0] + offset, *parts[1:])  # type: ignore[operator]
        if low.tree is not None and name in low.tree.q_names:
            i, j = low.q_names.index(name), low.v_names.index(name)
            return tuple(None if y is None else np.atleast_2d(y)[:, k] for y, k in ((q, i), (v, j), (a, j)))
        return measure(self.posture(q, v, a), low.resolved.coordinates[name])


@dataclass(frozen=True)
class Point:
    """The terms of the equations at one state: B is Phi_q, gamma the right-hand side of Phi_q q'' = gamma."""

    Phi: np.ndarray
    B: np.ndarray
    Phi_t: np.ndarray
    Phi_dot: np.ndarray
    gamma: np.ndarray
    Q: np.ndarray
    kinetic: float
    potential: float
    power: float
    M: np.ndarray


COORDINATES = {
    "natural": "points (and vectors) of the bodies; joints share them",
    "reference-point": "centre of mass and angle (or quaternion) of every body",
    "relative": "coordinates of the joints along a tree; loops closed by equations",
    "mixed": "natural, with all the relative coordinates of the model among them",
}


def build(resolved: ResolvedModel, coordinates: str = "natural", carry: list[str] | None = None,
          firm: bool = False) -> System:  # fmt: skip
    """The system of a resolved model. Relative coordinates that something acts through are always among the
    variables; "mixed" carries them all, `carry` names others. `firm`: with the rows that assembly in space uses."""
    equations = lower(resolved, coordinates, FLOATS, carry=carry, firm=firm)
    size = typical_length(resolved)
    _refuse_contradictions(equations, size)
    users = UserFunctions()
    lists = equations.lists
    names = [f"law {i}" for i in range(len(equations.laws))]
    for force in equations.forces:
        names[force.law_index] = f"force {force.name!r}"
    for row, law in zip(lists["drv_row"], lists["drv_law"], strict=True):
        names[law] = f"driver {equations.rows[row].name!r}"
    kinds = {f.law_index: f.kind for f in equations.forces}
    state = lists["nq"] + lists["n"] + 1
    values = lists | law_lists(equations.laws, set(lists["drv_law"]), kinds, users, names, state)
    pattern, q0 = filling_lists(lists), first_guess(equations)
    large = lists["m"] * lists["n"] > ROOM
    far = large and "tree_calls" not in lists and not equations.carried
    arrays = as_arrays(values | pattern | (about_start(lists, q0, size) if far else {}))
    users.workspaces = workspaces = Workspaces(lists, arrays)
    system = System(equations, coordinates, workspaces, users, q0, np.zeros(arrays.n), size)
    system.arrays.q[:] = q0
    return system


def lower(resolved: ResolvedModel, coordinates: str, functions: Functions, numbers: ResolvedModel | None = None,
          carry: list[str] | None = None, firm: bool = False) -> Equations:  # fmt: skip
    """The flat description of a resolved model in one set of coordinates, in floats or in formulas."""
    carry = resolved.carried(coordinates == "mixed") if carry is None else carry
    if coordinates in ("relative", "reference-point"):
        return lower_tree(resolved, grow(resolved, coordinates == "relative", functions), carry, functions, firm)
    return lower_natural(resolved, natural_of(resolved, functions, numbers), carry, functions)


def natural_of(
    resolved: ResolvedModel, functions: Functions, numbers: ResolvedModel | None = None
) -> Natural | SpaceNatural:
    """Bodies in natural coordinates; in the plane decisions are taken on `numbers` where `resolved` is in symbols."""
    if resolved.dimension == 3:
        return SpaceNatural.of(resolved, lay_out_space(resolved, functions), functions)
    return Natural.of(resolved, lay_out(numbers or resolved), functions.sqrt)


def hold_relations(system: System, q: np.ndarray) -> None:
    """Gears and racks keep the sum of their coordinates at this position."""
    low = system.equations
    for j in low.resolved.joints:
        if j.keeps_start:
            total = sum(float(f) * float(system.value(name, q)[0][0]) for name, f in j.terms)
            row = next((k for k, r in enumerate(low.rows) if r.owner == j.name and r.role == "joint"), None)
            if row is not None:
                system.arrays.c[row] = -total


def typical_length(resolved: ResolvedModel) -> float:
    """Mean of the greatest distances within the bodies, else between the points."""
    spans = []
    for body in resolved.bodies.values():
        p = np.array(list(body.points.values()), dtype=float)
        if len(p) > 1:
            spans.append(max(float(np.linalg.norm(a - b)) for a in p for b in p))
    if spans:
        return float(np.mean(spans))
    p = np.array([*resolved.ground.values(), *resolved.start.values()], dtype=float).reshape(-1, resolved.dimension)
    reach = float(np.ptp(p, axis=0).max()) if len(p) else 0.0
    return reach if reach > 0 else 1.0


def _refuse_contradictions(equations: Equations, size: float) -> None:
    """A row without variables must hold by itself."""
    problems = []
    for row in equations.dropped:
        gap = abs(float(row.equation.constant))
        if row.law is None and gap > 1e-9 * size * max(size, 1.0):
            what, why = f"{row.owner!r} cannot fit between fixed points", f"its equation is off by {gap:.6g}"
            cure = "change its length or move the ground points"
            problems.append(Problem(what, where=row.name, why=why + " and nothing in it can move", cure=cure))
        elif row.law is not None:
            cure = "drive a moving point"
            problems.append(Problem(f"driver {row.name!r} drives something fixed", where=row.name, cure=cure))
    if problems:
        raise AssemblyError(problems, title=f"model {equations.resolved.name!r}")
