"""Where stops and locks are, before anything is drawn: walls, angular stops, limits of distances, clutches.

A stop limits an expression of coordinates. Drawn are those whose expression is one coordinate (times a number, plus a
number), the difference of two bodies' angles, or linear in one point's coordinates: a straight wall, however inclined.
Others are told in words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..model import expression as ex
from ..model.joints import joint_class
from ..model.resolved import (
    GROUND,
    Direction,
    Place,
    ResolvedCoordinate,
    ResolvedLine,
    ResolvedModel,
    ResolvedStop,
    Span,
)
from ..results.motion import Motion

CLEAR_MASS, CLEAR_BLOCK, CLEAR_BAR = 0.8, 1.05, 0.55
"""half of what strikes, in units of the signs: walls are drawn where its surface is, not its middle"""
ARM = 0.62
"""where along a body its angular stop is drawn"""


@dataclass(frozen=True)
class Wall:
    """A straight limit: a place of a body, the normal towards the side that is forbidden, in the body's axes, and how
    far it reaches across (metres; None: a little)."""

    name: str
    at: Place
    normal: tuple[float, ...]
    reach: tuple[float, float] | None
    clear: float


@dataclass(frozen=True)
class AngleStop:
    """A limit of an angle: about a place, `turn` from a line, at a radius; forbidden is the side +1 (anticlockwise)
    or -1."""

    name: str
    at: Place
    line: ResolvedLine
    turn: float
    radius: float
    side: int
    body: str


@dataclass(frozen=True)
class Reach:
    """A limit of a distance: an arc about the first place, where the second may not be nearer (-1) or farther (+1)."""

    name: str
    ends: tuple[Place, Place]
    radius: float
    side: int


@dataclass(frozen=True)
class Hold:
    """A lock: between two places, or at one; and when it is closed."""

    name: str
    ends: tuple[Place, ...]
    closed: tuple[tuple[float, float], ...]

    def is_closed(self, t: float) -> bool:
        return any(a <= t < b for a, b in self.closed)


Mark = Wall | AngleStop | Reach


def stop_marks(motion: Motion, notes: list[str] | None = None) -> list[Mark]:
    """Everything that can be drawn of the stops of a mechanism of the plane; what cannot is told in `notes`."""
    out: list[Mark] = []
    for stop in motion.system.resolved.stops:
        found = drawn(motion, stop)
        if not found and notes is not None:
            notes.append(not_drawn(stop))
        out += found
    return out


def not_drawn(stop: ResolvedStop) -> str:
    """What a stop does, in words, for those that have no drawing."""
    low, high = (None if x is None else f"{float(x):.4g}" for x in (stop.lower, stop.upper))
    text = (f"{low} <= " if low else "") + ex.to_text(stop.equation) + (f" <= {high}" if high else "")
    return f"stop {stop.name!r} is not drawn: {text} ({stop.unit})"


def drawn(motion: Motion, stop: ResolvedStop) -> list[Any]:
    """The marks of one stop; none where its expression has no drawing."""
    resolved = motion.system.resolved
    form = linear_form(resolved, stop.equation)
    if form is None:
        return []
    factors, constant = form
    limits = [(k, float(x) - constant) for k, x in ((-1, stop.lower), (1, stop.upper)) if x is not None]
    if points := {name.rpartition(".")[0] for name in factors if _component(resolved, name)}:
        if len(points) == 1 and all(_component(resolved, name) for name in factors):
            return _walls(motion, stop.name, points.pop(), factors, limits)
        return []
    if len(factors) == 1:
        (name, factor), = factors.items()  # fmt: skip
        limits = [(int(k * np.sign(factor)), x / factor) for k, x in limits]
        return [m for k, x in limits for m in _of_coordinate(motion, stop.name, resolved.coordinates[name], k, x)]
    return _between_bodies(motion, stop.name, factors, limits)


def linear_form(resolved: ResolvedModel, equation: Any) -> tuple[dict[str, float], float] | None:
    """An expression as factors of its names and a constant; None where it is not linear, or changes with time.

    >>> import biela
    >>> resolved = biela.assemble("bouncing-ball").resolved
    >>> linear_form(resolved, ex.parse("2*P.y - 0.5*P.x + 3", dotted=True))
    ({'P.x': -0.5, 'P.y': 2.0}, 3.0)
    """
    names = sorted(ex.names(equation))
    fixed, free = {}, []
    for name in names:
        owner, _, axis = name.rpartition(".")
        if owner in resolved.ground and axis in ("x", "y", "z"):
            fixed[name] = float(resolved.ground[owner]["xyz".index(axis)])
        elif name in resolved.coordinates or _component(resolved, name):
            free.append(name)
        else:
            return None
    zero = dict.fromkeys(free, 0.0)

    def value(**at: float) -> float:
        return float(ex.evaluate(equation, {**fixed, **zero, **at}))

    try:
        constant = value()
        factors = {name: value(**{name: 1.0}) - constant for name in free}
        for scale in (-0.7, 1.9):  # a plane through three points is linear only if it holds a fourth and a fifth
            trial = {name: scale * (1 + 0.3 * k) for k, name in enumerate(free)}
            guess = constant + sum(factors[n] * x for n, x in trial.items())
            if abs(value(**trial) - guess) > 1e-9 * (1 + abs(guess)):
                return None
    except (ex.ExpressionError, ArithmeticError, ValueError):
        return None
    factors = {name: f for name, f in factors.items() if f}
    return (factors, constant) if factors else None


def _component(resolved: ResolvedModel, name: str) -> bool:
    owner, _, axis = name.rpartition(".")
    return name not in resolved.coordinates and owner in resolved.start and axis in ("x", "y", "z")


# ------------------------------------------------------------------------------------------------- walls
def _walls(motion: Motion, name: str, point: str, factors: dict[str, float], limits: list) -> list[Wall]:
    resolved = motion.system.resolved
    n = np.array([factors.get(f"{point}.{axis}", 0.0) for axis in "xyz"[: resolved.dimension]])
    size = float(np.linalg.norm(n))
    path = np.asarray(motion[point], dtype=float)
    path = path[np.isfinite(path).all(axis=1)]
    out = []
    for side, limit in limits:
        away = side * n / size
        foot = path[0] + (limit / size - path[0] @ n / size) * n / size
        reach = None
        if resolved.dimension == 2:
            along = (path - foot) @ np.array([-away[1], away[0]])
            reach = (float(along.min()), float(along.max()))
        where = Place(GROUND, tuple(foot.tolist()))
        out.append(Wall(name, where, tuple(away.tolist()), reach, _clearance(resolved, point)))
    return out


def _clearance(resolved: ResolvedModel, point: str | None) -> float:
    if point in sliding_points(resolved):
        return CLEAR_BLOCK
    owners = [b for b in resolved.owners.get(point or "", ()) if b != GROUND]
    return CLEAR_MASS if any(resolved.bodies[b].particle for b in owners) else 0.0


def sliding_points(resolved: ResolvedModel) -> dict[str, str]:
    """Points at which a block slides, and the joint that says so."""
    out = {}
    for joint in resolved.joints:
        if joint_class(joint.type, resolved.dimension).sign == "guide":
            block = joint.places[0] if joint.places else joint.lines[-1].through if joint.lines else None
            if block is not None and block.point is not None:
                out[block.point] = joint.name
    return out


# ------------------------------------------------------------------------------------------- coordinates
def _of_coordinate(motion: Motion, name: str, c: ResolvedCoordinate, side: int, limit: float) -> list[Any]:
    resolved = motion.system.resolved
    if resolved.dimension == 3:
        return []
    if c.type == "distance" and len(c.places) == 2:
        return [Reach(name, (c.places[0], c.places[1]), limit, side)] if limit > 0 else []
    if c.type == "position":
        through, body, e = c.lines[0].through, *_constant(c.lines[0].vector)
        if through is None or body is None or through.body != body:
            return []
        at = np.array([float(x) for x in through.local]) + limit * e
        clear = _clearance(resolved, c.places[0].point)
        return [Wall(name, Place(body, tuple(at.tolist())), tuple((side * e).tolist()), None, clear)]
    if c.type != "angle" or len(c.lines) != 2:
        return []
    base, of = c.lines
    pivot = of.through or _pivot(resolved, _body(of), _body(base))
    return [] if pivot is None else [_angle_stop(resolved, name, pivot, base, of, side, limit)]


def _between_bodies(motion: Motion, name: str, factors: dict[str, float], limits: list) -> list[Any]:
    """b.angle - a.angle: the angle of one body against another."""
    resolved = motion.system.resolved
    signs = sorted(factors.items(), key=lambda item: item[1])
    if resolved.dimension == 3 or [f for _, f in signs] != [-1.0, 1.0]:
        return []
    (first, _), (second, _) = signs
    a, b = resolved.coordinates[first], resolved.coordinates[second]
    if a.type != "angle" or b.type != "angle" or a.lines[0] != b.lines[0]:
        return []
    pivot = _pivot(resolved, _body(b.lines[1]), _body(a.lines[1]))
    if pivot is None:
        return []
    return [_angle_stop(resolved, name, pivot, a.lines[1], b.lines[1], side, limit) for side, limit in limits]


def _angle_stop(resolved: ResolvedModel, name: str, pivot: Place, base: ResolvedLine, of: ResolvedLine, side: int,
                limit: float) -> AngleStop:  # fmt: skip
    arm, offset = _arm(resolved, pivot, of)
    return AngleStop(name, pivot, base, limit + offset, ARM * arm, side, _body(base))


def _arm(resolved: ResolvedModel, pivot: Place, of: ResolvedLine) -> tuple[float, float]:
    """How long what turns is, from its pivot to its farthest point, and the angle of that against the line."""
    body, e = _constant(of.vector)
    if body is None or body not in resolved.bodies:
        return (float(of.length) if of.length is not None else 0.0), 0.0
    own = resolved.bodies[body]
    start = own.points.get(pivot.point or "", pivot.local if pivot.body == body else None)
    if start is None:
        return 0.0, 0.0
    start = np.array([float(x) for x in start])
    ends = [np.array([float(x) for x in p]) - start for p in own.points.values()] + [_floats(own.center) - start]
    far = max(ends, key=lambda d: float(np.hypot(*d)))
    length = float(np.hypot(*far))
    if length < 1e-12:
        return wheels(resolved).get(body, 0.0), 0.0
    return length, float(np.arctan2(e[0] * far[1] - e[1] * far[0], e @ far))


def _pivot(resolved: ResolvedModel, body: str, other: str) -> Place | None:
    """Where a body turns against another: the point both have, else the ground's, else its first."""
    if body not in resolved.bodies:
        return None
    own = resolved.bodies[body]
    shared = [p for p in own.points if other in resolved.owners.get(p, ())]
    fixed = [p for p in own.points if p in resolved.ground]
    point = next(iter([*shared, *fixed, *own.points]), None)
    return Place(body, own.center) if point is None else Place(body, own.points[point], point)


def _body(line: ResolvedLine) -> str:
    return line.vector.body if isinstance(line.vector, Direction) else line.vector.start.body


def _constant(v: Direction | Span) -> tuple[str | None, np.ndarray]:
    """A line's body and its unit vector in that body's axes; no body where it joins two."""
    if isinstance(v, Direction):
        e, body = _floats(v.local), v.body
    else:
        e, body = _floats(v.end.local) - _floats(v.start.local), v.start.body if v.start.body == v.end.body else None
    return body, e / (float(np.linalg.norm(e)) or 1.0)


def _floats(vector: Any) -> np.ndarray:
    return np.array([float(x) for x in vector])


# ---------------------------------------------------------------------------------------------- flywheels
def wheels(resolved: ResolvedModel) -> dict[str, float]:
    """Bodies of the plane that only turn about their centre, and the radius to draw them with: that of a disc of
    their mass and inertia, but never so large that they cover each other."""
    middle = {}
    for name, body in resolved.bodies.items():
        places = [_floats(p) - _floats(body.center) for p in body.points.values()]
        if body.kind == "body" and not body.particle and float(body.inertia) > 0 and len(places) == 1:
            point = next(iter(body.points))
            if float(np.hypot(*places[0])) < 1e-9:
                middle[name] = _floats(resolved.ground.get(point, resolved.start.get(point, (0.0, 0.0))))
    out = {}
    others = [_floats(p) for p in (*resolved.ground.values(), *resolved.start.values())]
    for name, at in middle.items():
        away = [d for p in others if (d := float(np.hypot(*(p - at)))) > 1e-9]
        body = resolved.bodies[name]
        radius = float(np.sqrt(2 * float(body.inertia) / float(body.mass))) if body.mass else np.inf
        radius = min([radius, *(0.4 * d for d in away)])
        out[name] = radius if np.isfinite(radius) else 1.0
    return out


# -------------------------------------------------------------------------------------------------- locks
def holds(motion: Motion) -> list[Hold]:
    """The locks of a mechanism, where what they hold is, and when they are closed."""
    out = []
    resolved = motion.system.resolved
    for lock in resolved.locks:
        ends: list[Place] = []
        for name in dict.fromkeys(n for e in lock.equations for n in sorted(ex.names(e))):
            place = _place_of(resolved, name)
            if place is not None and all((p.body, p.point) != (place.body, place.point) for p in ends):
                ends.append(place)
        if ends:
            out.append(Hold(lock.name, tuple(ends[:2]), _closed(motion, lock)))
    return out


def _place_of(resolved: ResolvedModel, name: str) -> Place | None:
    if _component(resolved, name):
        return resolved.place(name.rpartition(".")[0])
    c = resolved.coordinates.get(name)
    if c is None:
        return None
    if c.joint is not None:
        joint = next((j for j in resolved.joints if j.name == c.joint), None)
        if joint is not None and joint.frames:
            return joint.frames[1].place if joint.frames[1].body != GROUND else joint.frames[0].place
    if c.places:
        return c.places[-1]
    of = c.lines[-1]
    return of.through or _pivot(resolved, _body(of), _body(c.lines[0]))


def _closed(motion: Motion, lock: Any) -> tuple[tuple[float, float], ...]:
    """Spans of time; of a motion without events, what the model says of its start."""
    start = lock.closes is None or (lock.closes.time is not None and float(lock.closes.time) <= 0)
    spans, since = [], 0.0 if start else None
    for e in getattr(motion, "events", ()):
        if e.name != lock.name:
            continue
        if e.kind == "close":
            since = e.t if since is None else since
        elif e.kind == "open" and since is not None:
            spans.append((since, e.t))
            since = None
    return tuple(spans + ([(since, 1e300)] if since is not None else []))
