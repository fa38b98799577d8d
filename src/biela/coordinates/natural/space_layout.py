"""Natural coordinates in space, the decisions: points and vectors that carry variables, what joints share (000 2.2).

A joint that keeps a point or an axis of two bodies together lets them share it: a revolute joint between basic
elements costs no equation. Each body is then carried by one point and three vectors from it, each of them a unit
vector or the vector to another point: 1 point + 3 vectors, 2 + 2, 3 + 1 or 4 points, with a constant mass matrix.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from ...errors import ModelError, Problem
from ...mechanics.scalars import FLOATS, Functions
from ...model.groups import Groups
from ...model.joints import joint_class
from ...model.resolved import GROUND, Frame, ResolvedModel
from ...model.vectors import IDENTITY, cross, dot, scale, subtract
from .layout import CROSS, POINT, VECTOR, Carrier, Element, Layout, bare_points

CROSSED = ("2 points + 1 vector", "3 points", "1 point + 2 vectors")
"""carriers whose third vector is the cross product of the two others"""


def lay_out_space(resolved: ResolvedModel, fn: Functions = FLOATS) -> Layout:
    """Choose the natural coordinates of a spatial mechanism."""
    layout = Layout(bare=bare_points(resolved))
    pool: dict[str, list[Element]] = {b: [] for b in (GROUND, *resolved.bodies)}
    same: Groups[Element] = Groups()

    def element(body: str, kind: str, local: tuple, name: str) -> Element:
        for e in pool[body]:
            if e.kind == kind and near(e.local, local, fn):
                return e
        fresh = Element(body, kind, tuple(local), name)
        pool[body].append(fresh)
        same.add(fresh)
        return fresh

    shared: set[Element] = set()
    for j in resolved.joints:
        if not j.frames:
            continue
        (i_frame, j_frame), kind = j.frames, joint_class(j.type, 3)
        pairs = []
        if kind.shares_point:
            name = i_frame.place.point or j_frame.place.point or j.name
            pairs.append(tuple(element(f.body, POINT, _local(resolved, f), f.place.point or name) for f in j.frames))
        solid = not any(f.body != GROUND and resolved.bodies[f.body].particle for f in j.frames)
        for axis in kind.shared_axes if solid else ():
            pairs.append(tuple(element(f.body, VECTOR, getattr(f, axis), f"{j.name}.{axis}") for f in j.frames))
            layout.shared_axes.setdefault(j.name, set()).add(axis)
        for a, b in pairs:
            shared |= {a, b}
            ra, rb = same.leader(a), same.leader(b)
            same.join(rb, ra) if rb.body == GROUND else same.join(ra, rb)
    for name in resolved.bodies:
        layout.carriers[name] = _carrier(resolved, name, pool[name], element, shared, fn)
    layout.same = {e: same.leader(e) for e in same} | {e: e for e in layout.bare}
    used = {same.leader(e) for c in layout.carriers.values() for e in c.elements}
    moving = tuple(e for e in same if e in used and e.body != GROUND)
    layout.order = (*(e for e in moving if e.kind != CROSS), *layout.bare)
    layout.crosses = tuple(e for e in moving if e.kind == CROSS)
    return layout


def near(a: tuple, b: tuple, fn: Functions) -> bool:
    """Whether two places or directions are one but for rounding."""
    pairs = zip(fn.values(a), fn.values(b), strict=True)
    return all(abs(x - y) < 1e-9 * (1 + abs(x)) for x, y in pairs)


def _local(resolved: ResolvedModel, f: Frame) -> tuple:
    if f.body != GROUND and resolved.bodies[f.body].particle:
        return (0.0, 0.0, 0.0)
    return f.place.local


def _carrier(resolved: ResolvedModel, name: str, pool: list[Element], element, shared: set[Element],
             fn: Functions) -> Carrier:  # fmt: skip
    body = resolved.bodies[name]
    if body.particle:
        point = next(iter(body.points), name)
        if not pool:
            element(name, POINT, (0.0, 0.0, 0.0), point)
        return Carrier(name, (pool[0],), (0,))
    common = [e for e in pool if e in shared]
    points = [e for e in common if e.kind == POINT]
    for p, local in body.points.items():  # named points stand by, after those that joints share
        if not any(e.kind == POINT and near(e.local, local, fn) for e in points):
            points.append(Element(name, POINT, tuple(local), p))
    if not points:
        points.append(Element(name, POINT, tuple(body.center), f"{name}.o"))
    vectors = [e for e in common if e.kind == VECTOR]
    vectors += [Element(name, VECTOR, tuple(d), f"{name}.{u}") for u, d in body.directions.items()
                if not any(near(e.local, d, fn) for e in vectors)]  # fmt: skip
    if body.carrier in CROSSED:
        return _crossed(body, points, vectors, common, element, shared, fn)
    basis = [points[0]]
    wanted = int(body.carrier[0]) - 1 if body.carrier and body.carrier[0].isdigit() else None
    span = np.zeros((0, 3))

    def unit_of(e: Element) -> np.ndarray:
        w = fn.values(e.local) - (fn.values(basis[0].local) if e.kind == POINT else 0.0)
        return w / max(float(np.linalg.norm(w)), 1e-300)

    def take(candidates: list[Element], most: int) -> None:
        """The candidates that leave the present span farthest, best first, those that joints share before others."""
        nonlocal span
        taken = 0
        while len(span) < 3 and taken < most:
            rest = [(e, _outside(span, unit_of(e))) for e in candidates if e not in basis]
            rest = [(e, out) for e, out in rest if out > 0.05]
            if not rest:
                return
            rest.sort(key=lambda eo: (eo[0] not in shared, -round(eo[1], 6)))
            basis.append(rest[0][0])
            span = np.vstack([span, unit_of(rest[0][0])])
            taken += 1

    if wanted is None:
        take([e for e in points + vectors if e in shared], 3)
        take(points[1:], 1 if len(basis) == 1 else 0)
        take(vectors, 3)
    else:
        take(points[1:], wanted)
        if len(basis) - 1 < wanted:
            raise ModelError(
                Problem(
                    f"body {name!r} cannot be carried by {body.carrier}",
                    where=f"bodies.{name}.carrier",
                    why=f"only {len(basis)} of its points span different directions",
                    cure="give the body more points, not in one line or plane, or leave the carrier out",
                )
            )
        take(vectors, 3)
    while len(span) < 3:  # what is missing is made up: unit vectors normal to what there is
        spanned = [subtract(e.local, basis[0].local) if e.kind == POINT else e.local for e in basis[1:]]
        made = Element(name, VECTOR, _normal(spanned, fn), f"{name}.{_unused(body.directions, len(span) + 1)}")
        basis.append(made)
        span = np.vstack([span, unit_of(made)])
    elements = list(basis) + [e for e in common if e not in basis]
    known = [element(name, e.kind, e.local, e.name) for e in elements]
    return Carrier(name, tuple(known), tuple(range(4)))


def _crossed(body: Any, points: list[Element], vectors: list[Element], common: list[Element], element,
             shared: set[Element], fn: Functions) -> Carrier:  # fmt: skip
    """A point and two vectors from it, unit vectors or vectors to other points; the third is their cross product."""
    name, carrier = body.name, str(body.carrier)
    if carrier == "1 point + 2 vectors":
        vectors = _two_vectors(body, vectors, fn)
    every = {
        "2 points + 1 vector": ((a, b, u) for a, b in combinations(points, 2) for u in vectors),
        "3 points": combinations(points, 3),
        "1 point + 2 vectors": ((a, u, v) for a in points for u, v in combinations(vectors, 2)),
    }[carrier]
    best = max(
        (abu for abu in every if _sine(abu, fn) > 0.05),
        key=lambda abu: (sum(e in shared for e in abu), _sine(abu, fn)),
        default=None,
    )
    if best is None:
        needed = {"2 points + 1 vector": "two points and a direction (of its own, or the axis of a joint) across them",
                  "3 points": "three points that span a plane"}[carrier]  # fmt: skip
        raise ModelError(
            Problem(
                f"body {name!r} cannot be carried by {carrier}",
                where=f"bodies.{name}.carrier",
                why=f"it has no {needed}",
                cure=f"name {needed.split(' (')[0]} of the body, or leave the carrier out",
            )
        )
    local = cross(_vector_from(best[0], best[1]), _vector_from(best[0], best[2]))
    label = "cross" if f"{name}.cross" not in [u.name for u in vectors] else "crossed"
    made = Element(name, CROSS, local, f"{name}.{label}")
    elements = [*best, made] + [e for e in common if e not in best]
    known = [element(name, e.kind, e.local, e.name) for e in elements]
    return Carrier(name, tuple(known), (0, 1, 2, 3))


def _two_vectors(body: Any, vectors: list[Element], fn: Functions) -> list[Element]:
    """The vectors of a body, and where no two of them lead apart those that are missing: made up, as anywhere."""
    span, spanned = np.zeros((0, 3)), []
    for u in vectors:
        if len(span) < 2 and _outside(span, fn.values(u.local)) > 0.05:
            span, spanned = np.vstack([span, fn.values(u.local)]), [*spanned, u.local]
    out = list(vectors)
    while len(spanned) < 2:
        spanned.append(_normal(spanned, fn))
        out.append(Element(body.name, VECTOR, spanned[-1], f"{body.name}.{_unused(body.directions, len(spanned))}"))
    return out


def _vector_from(a: Element, e: Element) -> Any:
    """A unit vector itself, or what leads from the first point to another."""
    return subtract(e.local, a.local) if e.kind == POINT else e.local


def _sine(elements: tuple[Element, ...], fn: Functions) -> float:
    """Of the angle between the vectors from a point, by two others or by unit vectors."""
    a, b, c = elements
    e, u = fn.values(_vector_from(a, b)), fn.values(_vector_from(a, c))
    across = float(np.linalg.norm(np.cross(e, u)))
    return across / max(float(np.linalg.norm(e)) * float(np.linalg.norm(u)), 1e-300)


def _outside(span: np.ndarray, w: np.ndarray) -> float:
    """Length of what a unit vector has outside a span."""
    if not len(span):
        return float(np.linalg.norm(w))
    q, _ = np.linalg.qr(span.T)
    return float(np.linalg.norm(w - q @ (q.T @ w)))


def _unused(names: Any, number: int) -> str:
    """A name for a vector that is made up: u1, u2, u3, but not one of the user's."""
    label = f"u{number}"
    while label in names:
        label += "_"
    return label


def _normal(spanned: list[tuple], fn: Functions) -> tuple:
    """A unit vector normal to two vectors or fewer: to one of them in the plane of the axis farthest from it.

    It has a definite sign (its largest component is positive) and no rounding dust.
    """
    if len(spanned) == 2:
        across = cross(*spanned)
    else:
        sizes = np.abs(fn.values(spanned[0])) if spanned else np.ones(3)
        axis = IDENTITY[int(np.argmin(np.round(sizes, 9)))]
        share = dot(axis, spanned[0]) / dot(spanned[0], spanned[0]) if spanned else 0
        across = subtract(axis, scale(share, spanned[0])) if spanned else axis
    values = fn.values(across)
    length = fn.sqrt(dot(across, across)) * (1 if values[np.argmax(np.abs(values))] > 0 else -1)
    tiny = 1e-14 * float(np.abs(values).max())
    return tuple(0 if abs(size) < tiny else fn.short(x / length) for x, size in zip(across, values, strict=True))
