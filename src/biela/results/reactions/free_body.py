"""Free body: one body by itself at one instant, all that acts on it, its inertia, and their sum, which must vanish."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...coordinates.tree.from_poses import three_components
from ...errors import MethodError, Problem
from ...model.resolved import GROUND
from ...viewing import views
from ..geometry.body_point import ORIGIN, pivot
from .elements import Element, elements
from .free_bodies import FreeBodies

if TYPE_CHECKING:
    from ..motion import Motion

BALANCED = 1e-10
"""of the largest force: what may be left over before the accelerations are solved for anew"""
SUPPORT = "support"
"""kind of what holds the ground"""
ROUND_OFF = 1e-11
"""beside the largest force: shown as nothing"""


@dataclass(frozen=True)
class Act:
    """One force and moment on a body, in ground axes, with three components."""

    name: str
    kind: str
    by: tuple[str, ...]
    """the bodies it comes from"""
    where: str
    """name of the place that `point` is"""
    point: np.ndarray
    force: np.ndarray
    moment: np.ndarray
    """about the point"""
    about_centre: np.ndarray
    """moment about the centre of mass; on the ground about its origin"""

    def moment_about(self, x: np.ndarray) -> np.ndarray:
        """Moment about any point of space."""
        return self.moment + np.cross(self.point - x, self.force)


@dataclass(frozen=True)
class FreeBody:
    """What acts on a body at one instant, and the inertia that balances it.

    >>> import biela
    >>> r = biela.simulate("four-bar", 0.5)
    >>> body = r.free_body("coupler", t=0.25)
    >>> [act.name for act in body.acts], body.error < 1e-9
    (['weight', 'A', 'B', 'inertia'], True)
    """

    model: str
    body: str
    t: float
    dimension: int
    mass: float
    centre: np.ndarray
    acceleration: np.ndarray
    spin: np.ndarray
    """angular velocity"""
    spin_rate: np.ndarray
    """angular acceleration"""
    size: float
    """of the mechanism, m: by which moments are compared with forces"""
    acts: list[Act]
    largest: float
    """of the forces in the whole mechanism, and of the moments over its size, N: what round-off is compared with"""
    motion: Motion
    sample: int
    notes: list[str] = field(default_factory=list)
    about: str | None = None
    """another point that moments are taken about"""
    pivot: np.ndarray | None = None
    """where that is"""

    @property
    def of_ground(self) -> bool:
        """Whether it is the ground: what it carries, and what holds it."""
        return self.body == GROUND

    @property
    def centre_name(self) -> str:
        """What the moments of `about_centre` are about."""
        return ORIGIN if self.of_ground else "G"

    @property
    def load(self) -> tuple[np.ndarray, np.ndarray]:
        """Force, and moment about the centre (of the ground: about its origin), of all but the inertia and what holds
        the ground: the load on it."""
        acting = [a for a in self.acts if a.kind not in ("inertia", SUPPORT)]
        force, moment = np.zeros(3), np.zeros(3)
        for a in acting:
            force, moment = force + a.force, moment + a.about_centre
        return force, moment

    def moment_about(self, x: np.ndarray) -> np.ndarray:
        """Sum of all moments about any point of space, the inertia's among them."""
        return np.sum([a.moment_about(x) for a in self.acts], axis=0)

    @property
    def force(self) -> np.ndarray:
        """Sum of all forces, the inertia's among them."""
        return np.sum([a.force for a in self.acts], axis=0)

    @property
    def moment(self) -> np.ndarray:
        """Sum of all moments about the centre of mass."""
        return np.sum([a.about_centre for a in self.acts], axis=0)

    @property
    def error(self) -> float:
        """What is left over, beside the largest."""
        left = max(float(np.abs(self.force).max()), float(np.abs(self.moment).max()) / self.size)
        return left / self.largest if self.largest else 0.0

    def data(self) -> dict[str, Any]:
        """Everything as numbers, lists and texts."""
        d = self.dimension

        def turn(x: np.ndarray) -> Any:
            return x.tolist() if d == 3 else float(x[2])

        acts = [
            {
                "name": a.name, "kind": a.kind, "from": list(a.by), "at": a.where, "point": a.point[:d].tolist(),
                "force": a.force[:d].tolist(), "moment": turn(a.moment), "moment_about_centre": turn(a.about_centre),
                **({} if self.pivot is None else {"moment_about": turn(a.moment_about(self.pivot))}),
            }
            for a in self.acts
        ]  # fmt: skip
        about = {}
        if self.pivot is not None:
            total = turn(self.moment_about(self.pivot))
            about = {"about": {"name": self.about, "point": self.pivot[:d].tolist(), "sum": total}}
        if self.of_ground:
            about["load"] = {"force": self.load[0][:d].tolist(), "moment": turn(self.load[1])}
        return {
            "model": self.model, "body": self.body, "t": self.t, "mass": self.mass,
            "centre": self.centre[:d].tolist(), "acceleration": self.acceleration[:d].tolist(),
            "angular_acceleration": turn(self.spin_rate), "acts": acts,
            "sum": {"force": self.force[:d].tolist(), "moment": turn(self.moment), "relative": self.error},
            "notes": list(self.notes), **about,
        }  # fmt: skip

    def text(self) -> str:
        """A table for people: forces in N, moments in N m, in the axes of the ground."""
        return _table(self)

    def __str__(self) -> str:
        return self.text()

    def plot(self, path: str | Path | None = None, **options: Any) -> Any:
        """Draw it: the body alone, an arrow for every force; gives a matplotlib figure, and writes it if a path is
        given."""
        return views().free_body(self, path, **options)


def free_body(r: Motion, body: str, t: float | None = None, about: str | None = None) -> FreeBody:
    """The free body of a motion at the sample nearest to t (by default the last); moments also about a point."""
    return free_bodies(r, [body], t, about=about)[0]


def free_bodies(
    r: Motion, bodies: list[str], t: float | None = None, solve: bool = False, about: str | None = None
) -> list[FreeBody]:
    """Several bodies, the ground among them, at one instant; `solve`: with the accelerations of the equations of motion
    in any case. `about`: the point of `pivot` that moments are taken about, too."""
    resolved = r.system.resolved
    for body in bodies:
        if body not in (GROUND, *resolved.bodies):
            cure = f"one of: {', '.join(resolved.bodies)}, {GROUND}"
            raise MethodError(Problem(f"there is no body {body!r}", cure=cure))
    k = sample_at(r, t)
    place = None if about is None else pivot(r, about)[k]
    free, notes = balanced(r, k, solve)
    if abs(float(r.t[k]) - (float(r.t[k]) if t is None else t)) > 1e-9 * max(abs(float(r.t[-1])), 1e-300):
        notes.append(f"note: t = {float(r.t[k]):.9g} s is the sample nearest to {t:g} s")
    forces = {name: (e, free.on_bodies(e.force(free))) for name, e in elements(resolved).items()}
    largest = _largest(free)
    found = [_free_body(r, k, free, body, forces, largest, notes) for body in bodies]
    return found if place is None else [replace(body, about=about, pivot=place) for body in found]


def sample_at(r: Motion, t: float | None) -> int:
    """The sample nearest to a time."""
    times = np.asarray(r.t)
    if t is None:
        return len(times) - 1
    low, high = float(times.min()), float(times.max())
    slack = 1e-9 * max(abs(high), 1.0)
    if not low - slack <= t <= high + slack:
        why = f"the motion is from {low:g} s to {high:g} s"
        raise MethodError(Problem(f"the motion has no sample at t = {t:g} s", why=why, cure="give a time within it"))
    return int(np.argmin(np.abs(times - t)))


def balanced(r: Motion, k: int, solve: bool = False) -> tuple[FreeBodies, list[str]]:
    """All that acts at a sample; where the accelerations of the run do not balance it (a penalty lets the joints give
    way, a still picture has none), with those of the equations of motion at the same positions and velocities."""
    free = FreeBodies(r, [k])
    if solve:
        free.solve_accelerations()
        return free, []
    left = _left_over(free)
    if left <= BALANCED:
        return free, []
    off = free.solve_accelerations()
    note = (
        "note: the accelerations are those of the equations of motion at this position and velocity; those of the "
        f"motion itself leave {left:.1e} of the largest force over, and are {off:.1e} off"
    )
    return free, [note]


def _left_over(free: FreeBodies) -> float:
    """What rows and forces do not balance, beside the largest."""
    weight = np.where(free.system.equations.angular, 1.0 / free.system.size, 1.0)
    big = _largest(free)
    return float(np.abs(free.left_over * weight).max(initial=0.0)) / big if big else 0.0


def _largest(free: FreeBodies) -> float:
    """The largest force in the mechanism, or moment over its size, N."""
    weight = np.where(free.system.equations.angular, 1.0 / free.system.size, 1.0)
    each = [free.row(k) for k, row in enumerate(free.system.equations.rows) if row.role != "coordinate"]
    each += [free.applied(f) for f in free.system.equations.forces]
    each += [free.generalised({b: w}) for b in free.bodies for w in (free.weight(b), free.inertia(b))]
    return max([float(np.abs(free.on_bodies(g) * weight).max(initial=0.0)) for g in each] + [_of_motion(free)])


def _of_motion(free: FreeBodies) -> float:
    """Size of w x J w over the bodies, N, which balances J alpha in a body that turns freely; at least a millionth of
    |J| w^2 and of m v^2: one that turns about a principal axis, or glides along a straight line, needs no force."""
    out, size = 0.0, free.system.size
    for b, body in free.system.resolved.bodies.items():
        v, w, J = free.motion.body_motion(b).p[1][0], free.motion.rotation(b)[0][0], free.motion.inertia_tensor(b)[0]
        out = max(out, 1e-6 * float(body.mass) * float(v @ v))
        out = max(out, float(np.linalg.norm(np.cross(w, J @ w))), 1e-6 * float(np.abs(J).max()) * float(w @ w))
    return out / size


def _free_body(
    r: Motion, k: int, free: FreeBodies, body: str, forces: dict[str, tuple[Element, np.ndarray]], largest: float,
    notes: list[str],
) -> FreeBody:  # fmt: skip
    resolved, own = r.system.resolved, r.system.resolved.bodies.get(body)
    motion = free.motion.body_motion(body)
    G, zero, middle = free.centre(body)[0], np.zeros(3), "G" if own else ORIGIN
    acts = []
    if own and own.mass and any(resolved.gravity):
        acts.append(Act("weight", "weight", ("gravity",), "G", G, free.weight(body)[0][0], zero, zero))
    for name, (e, g) in forces.items():
        if body not in e.bodies:
            continue
        force, moment = (x[0] for x in free.wrench(g, body))
        place = e.acts_at(body)
        at = G if place is None else three_components(free.motion.posture.place(place)[0][0])
        where = middle if place is None else place.point or name
        if own and own.particle:
            at, where = G, next(iter(own.points), "G")
        by = tuple(b for b in e.bodies if b != body) if e.kind not in ("load",) else ()
        acts.append(Act(name, e.kind, by, where, at, force, moment - np.cross(at - G, force), moment))
    if own:
        force, moment = (x[0] for x in free.inertia(body))
        acts.append(Act("inertia", "inertia", (), "G", G, force, moment, moment))
    else:
        force, moment = _support(free, forces)
        acts.append(Act("held", SUPPORT, (), ORIGIN, G, force, moment, moment))
    spin, rate = (x[0] for x in free.motion.rotation(body))
    return FreeBody(
        resolved.name, body, float(r.t[k]), resolved.dimension, float(own.mass) if own else 0.0, G,
        np.asarray(motion.p[2][0]), spin, rate, r.system.size, acts, largest, r, k, list(notes),
    )  # fmt: skip


def _support(free: FreeBodies, forces: dict[str, tuple[Element, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """What must hold the ground, about its origin: against the weights, the loads from outside and the inertia of all
    bodies together, 001 (1)-(4). The elements between bodies and ground have no part in it, so that the sum of the
    ground's free body is a check of them."""
    force, moment = np.zeros(3), np.zeros(3)
    outside = [g for e, g in forces.values() if not _inner(e)]
    for body in free.bodies:
        G = free.centre(body)[0]
        for f, m in (free.weight(body), free.inertia(body), *(free.wrench(g, body) for g in outside)):
            force, moment = force - f[0], moment - m[0] - np.cross(G, f[0])
    return force, moment


def _inner(e: Element) -> bool:
    """Whether an element acts between bodies (or a body and the ground), so that it has an opposite."""
    return e.kind != "load" and len(e.bodies) > 1


# ------------------------------------------------------------------------------------------------- as text
def _table(body: FreeBody) -> str:
    """All that acts, one line each; forces in N, moments in N m, in the axes of the ground."""
    space = body.dimension == 3
    axes = "xyz" if space else "xy"
    turn = [f"M{x}" for x in axes] if space else ["M"]
    head = ["", "from", "at", *(f"F{x} [N]" for x in axes), *(f"{m} [N m]" for m in turn)]
    centre = body.centre_name
    same = body.pivot is not None and body.about == centre and np.allclose(body.pivot, body.centre)
    pivot = None if same else body.pivot  # moments about the centre are there in any case
    head += [f"{m} about {centre} [N m]" if not space else f"{m}_{centre}" for m in turn]
    if pivot is not None:
        head += [f"{m} about {body.about} [N m]" if not space else f"{m}_{body.about}" for m in turn]
    tiny = ROUND_OFF * body.largest
    lines = [head]
    for a in body.acts:
        label = a.name if a.kind in (a.name, "inertia") else f"{a.kind} {a.name}"
        by = ", ".join(a.by) or "outside"
        if a.kind == "inertia":
            by = "-m a_G, -d(Jw)/dt" if space else "-m a_G, -I alpha"
        if a.kind == SUPPORT:
            label, by = a.name, "its support"
        forces = [_number(x, tiny) for x in a.force[: body.dimension]]
        moments = [a.moment, a.about_centre, *([] if pivot is None else [a.moment_about(pivot)])]
        moments = [_number(x, tiny * body.size) for m in moments for x in (m if space else m[2:])]
        lines.append([label, by, a.where, *forces, *moments])
    left = [f"{x:.1e}" for x in (*body.force[: body.dimension],)]
    sums = [body.moment, *([] if pivot is None else [body.moment_about(pivot)])]
    turned = [f"{x:.1e}" for m in sums for x in (m if space else m[2:])]
    lines.append(["sum", "", centre if pivot is None else "", *left, *([""] * len(turn)), *turned])
    return "\n".join([*_head(body), "", *_columns(lines), "", *_load(body), _verdict(body), *body.notes])


def _load(body: FreeBody) -> list[str]:
    """Of the ground: what it carries altogether."""
    if not body.of_ground:
        return []
    d, (force, moment) = body.dimension, body.load
    turn = _vector(moment) if d == 3 else _number(float(moment[2]), ROUND_OFF * body.largest * body.size)
    return [f"load on the ground: {_vector(force[:d])} N, its moment about the origin {turn} N m"]


def _head(body: FreeBody) -> list[str]:
    d = body.dimension
    place = [] if body.pivot is None else [f"{body.about} at {_vector(body.pivot[:d])} m"]
    if body.of_ground:
        head = f"{body.model}: free body of the ground at t = {body.t:.6g} s"
        return [head, "; ".join(["what acts on it, and what must hold it", *place])]
    out = [f"{body.model}: free body of {body.body!r} at t = {body.t:.6g} s"]
    facts = [f"mass {body.mass:.6g} kg", f"G at {_vector(body.centre[:d])} m"]
    facts.append(f"a_G = {_vector(body.acceleration[:d])} m/s^2")
    if not body.motion.system.resolved.bodies[body.body].particle:
        alpha = _vector(body.spin_rate) if d == 3 else f"{body.spin_rate[2]:.6g}"
        facts.append(f"alpha = {alpha} rad/s^2")
    return [*out, "; ".join(facts + place)]


def _verdict(body: FreeBody) -> str:
    beside = f"the largest force in the mechanism ({body.largest:.6g} N; moments over {body.size:.3g} m)"
    return f"left over: {body.error:.1e} of {beside}"


def _number(x: float, tiny: float) -> str:
    return "0" if abs(x) <= tiny else f"{x:.6g}"


def _vector(x: np.ndarray) -> str:
    size = float(np.abs(x).max(initial=0.0))
    return "(" + ", ".join(_number(float(c), 1e-12 * size) for c in x) + ")"


def _columns(lines: list[list[str]]) -> list[str]:
    """Texts to the left, numbers to the right."""
    width = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    out = []
    for line in lines:
        cells = [text.ljust(w) if k < 3 else text.rjust(w) for k, (text, w) in enumerate(zip(line, width, strict=True))]
        out.append("  ".join(cells).rstrip())
    return out
