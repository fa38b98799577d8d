"""Assembly: from a model to a system whose starting position and velocity satisfy the joints (003, section 2)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from ..errors import AssemblyError, MethodError, Problem
from ..methods.closing import Closed, Targets, close
from ..model.meaning import GROUND, Direction, Meaning, Place
from ..model.model import Model
from ..model.resolve import resolve
from ..system.coordinates.spanning import grow
from ..system.idle import hold_idle_spins
from ..system.measure import affine, local_direction
from ..system.system import COORDINATES, System, build, hold_relations
from ..system.tree.seating import seat


def as_model(model: Model | str | Path) -> Model:
    """A model as it is, or by library name or file."""
    if isinstance(model, Model):
        return model
    from ..library import load

    return load(model)


def assemble(model: Model | str | Path, coordinates: str | None = None) -> System:
    """The equations of a mechanism, put together: consistent positions and velocities at t = 0.

    >>> import biela
    >>> s = biela.assemble("four-bar")
    >>> bool(abs(s.at(s.q0).Phi).max() < 1e-12)
    True
    """
    if coordinates not in (None, "auto", *COORDINATES):
        raise MethodError(
            Problem(f"there are no coordinates {coordinates!r}", cure=f"one of: auto, {', '.join(COORDINATES)}")
        )
    meaning = resolve(as_model(model))
    return put_together(meaning, automatic(meaning) if coordinates in (None, "auto") else coordinates)


def put_together(meaning: Meaning, wanted: str) -> System:
    """The same for a resolved model, in coordinates of this name."""
    meaning, idle = hold_idle_spins(meaning)
    # initial conditions may name any relative coordinate, so they are met with all of them present
    full = build(_plainly_carried(meaning), "mixed")
    if not full.n:
        raise AssemblyError(
            Problem(
                "nothing in this model can move",
                where=meaning.name,
                why="there is no body with a moving point",
                cure="add bodies and points that are not fixed to the ground",
            ),
            title=f"model {meaning.name!r}",
        )
    q = start_position(full, meaning)
    v = start_velocity(full, meaning, q)
    starts = given_angles(full, meaning, q)
    if idle:
        line = "its own line" if len(idle) == 1 else "their own lines"
        full.notes.append(f"note: {', '.join(idle)} can spin about {line}, without inertia or effect; held at zero")
    if wanted == "mixed" and full.meaning is meaning:
        full.coordinates, full.starts = "mixed", starts
        return _started(full, q, v)
    system = build(meaning, wanted)
    system.starts = starts
    system.notes += full.notes
    if system.is_tree:
        return _seated(system, full, q, v)
    if full.meaning is not meaning:
        return _carried_otherwise(system, full, q, v)
    pick = [full.q_names.index(name) for name in system.q_names]
    hold_relations(system, q[pick])
    return _started(system, q[pick], v[pick])


MANY = 20
"""bodies of an open chain beyond which the O(n) recursion of relative coordinates is the choice of `auto`"""


def automatic(meaning: Meaning) -> str:
    """Natural coordinates, but relative ones for open trees in space or of many bodies: those need no equations."""
    if meaning.dimension == 2 and len(meaning.bodies) <= MANY:
        return "natural"
    tree = grow(meaning, relative=True)
    needed = any(c.needed and c.name not in tree.q_names for c in meaning.coordinates.values())
    return "natural" if tree.cut or needed or meaning.drivers else "relative"


def _plainly_carried(meaning: Meaning) -> Meaning:
    """The same mechanism with constant mass matrices: points stay linear in the coordinates until it is put together."""
    if not any(b.carrier == "2 points + 1 vector" for b in meaning.bodies.values()):
        return meaning
    return replace(meaning, bodies={name: replace(b, carrier=None) for name, b in meaning.bodies.items()})


def _carried_otherwise(system: System, full: System, q: np.ndarray, v: np.ndarray) -> System:
    """The same position and velocity where bodies are carried by other points and vectors."""
    here, natural = full.posture(q, v), system.lowered.exploded
    q0, v0 = np.zeros(system.n), np.zeros(system.n)
    for k, e in enumerate(natural.layout.order):
        local = (0.0, 0.0, 0.0) if system.meaning.bodies[e.body].particle else e.local
        point = e.kind == "point"
        x, xd, _ = here.place(Place(e.body, local)) if point else here.vector(full.lowered.exploded.direction(
            Direction(e.body, local)))  # fmt: skip
        q0[3 * k : 3 * k + 3], v0[3 * k : 3 * k + 3] = x[0], xd[0]
    for name in system.lowered.carried:
        value, rate, _ = full.value(name, q, v)
        i = system.q_names.index(name)
        q0[i], v0[i] = float(value[0]), float(rate[0])
    hold_relations(system, q0)
    return _started(system, q0, v0)


def _seated(system: System, full: System, q: np.ndarray, v: np.ndarray) -> System:
    """The same position and velocity in the coordinates of a tree."""
    tree_q, tree_v, _ = seat(system, full.posture(q, v))
    q0, v0 = tree_q[0], tree_v[0]
    low = system.lowered
    for k, name in enumerate(low.variables):  # relative coordinates keep their whole turns
        value, rate, _ = full.value(name, q, v)
        i, j = system.arrays.extra_q[k], system.arrays.extra_v[k]
        scale, offset = system.arrays.extra_scale[k], system.arrays.extra_offset[k]
        exact = (float(value[0]) - offset) / scale
        if name in low.carried:
            q0[i], v0[j] = exact, float(rate[0]) / scale
        elif low.meaning.coordinates[name].type == "angle":
            q0[i] += 2 * np.pi * np.round((exact - q0[i]) / (2 * np.pi))
    hold_relations(system, q0)
    if system.m:  # what the change of coordinates has rounded
        q0 = close(system, q0, 0.0).q
        at = system.at(q0, v0, 0.0)
        v0 = v0 - np.linalg.lstsq(at.B, at.Phi_dot, rcond=1e-10)[0]
    return _started(system, q0, v0)


def _started(system: System, q: np.ndarray, v: np.ndarray) -> System:
    system.q0, system.v0 = q, v
    system.arrays.q[:], system.arrays.v[:] = q, v
    return system


def given_angles(system: System, meaning: Meaning, q: np.ndarray) -> dict[str, float]:
    """Angles of bodies that initial values or drivers fix, with their whole turns (positions alone do not tell)."""
    given = set(meaning.position) | {d.coordinate for d in meaning.drivers}
    out: dict[str, float] = {}
    for name in system.lowered.carried if meaning.dimension == 2 else ():
        c = meaning.coordinates[name]
        if name not in given or c.type != "angle":
            continue
        (base, zero), (body, local) = (local_direction(line) for line in c.lines)
        if base == GROUND and body != GROUND:
            turn = np.arctan2(float(zero[1]), float(zero[0])) - np.arctan2(float(local[1]), float(local[0]))
            out[body] = float(q[system.q_names.index(name)] + turn)
    return out


def target_rows(system: System, names: list[str]) -> np.ndarray:
    """Each name ("phi", "P.x") as a row over q."""
    rows = np.zeros((len(names), system.n))
    natural, meaning = system.lowered.exploded, system.meaning
    for k, name in enumerate(names):
        if name in system.q_names:
            rows[k, system.q_names.index(name)] = 1.0
            continue
        point, axis = name.rsplit(".", 1)
        row, _ = affine(natural, natural.place(meaning.place(point))["xyz".index(axis)])
        rows[k, : len(row)] = row
    return rows


def target_offsets(system: System, names: list[str]) -> np.ndarray:
    """The constants that go with `target_rows` (points that are not variables have one)."""
    natural, meaning = system.lowered.exploded, system.meaning
    out = np.zeros(len(names))
    for k, name in enumerate(names):
        if name not in system.q_names:
            point, axis = name.rsplit(".", 1)
            out[k] = affine(natural, natural.place(meaning.place(point))["xyz".index(axis)])[1]
    return out


def velocity_rows(system: System, names: list[str], q: np.ndarray) -> np.ndarray:
    """Each name as a row over v at a position; "body.wx" is the angular velocity about the body's own x axis."""
    spins = [k for k, name in enumerate(names) if _spin(system, name)]
    rows = np.zeros((len(names), system.n))
    plain = [k for k in range(len(names)) if k not in spins]
    rows[plain] = target_rows(system, [names[k] for k in plain])
    natural, here = system.lowered.exploded, system.posture(q)
    for k in spins:
        body, part = names[k].rsplit(".", 1)
        i = "xyz".index(part[1])
        j, l = (i + 1) % 3, (i + 2) % 3
        unit = [natural.direction(Direction(body, tuple(int(r == c) for r in range(3)))) for c in range(3)]
        third = here.vector(unit[l])[0][0]  # w_i = a_l . a_j'
        for axis in range(3):
            row, _ = affine(natural, unit[j][axis])
            rows[k, : len(row)] += third[axis] * row
    return rows


def _spin(system: System, name: str) -> bool:
    body, _, part = name.rpartition(".")
    return system.meaning.dimension == 3 and part in ("wx", "wy", "wz") and body in system.meaning.bodies


def start_position(system: System, meaning: Meaning) -> np.ndarray:
    """Close the mechanism near the given positions, at the given values of coordinates."""
    names = list(meaning.position)
    values = np.array([float(meaning.position[k]) for k in names])
    q = system.q0.copy()
    for name, value in zip(names, values, strict=True):
        if name in system.q_names:
            q[system.q_names.index(name)] = value
    _count_driven_turns(system, q)
    hold_relations(system, q)  # gears mesh as the start says
    targets = Targets(target_rows(system, names), values - target_offsets(system, names))
    closed = close(system, q, 0.0, targets)
    for parts in (8, 64):
        if closed.converged and not mirrored(system, closed.q):
            return closed.q
        again = approach(system, targets, parts)
        closed = again if again.converged else closed
    if closed.converged and mirrored(system, closed.q):
        raise AssemblyError(
            Problem(
                f"{', '.join(mirrored(system, closed.q))} would have to be mirrored to fit",
                where=meaning.name,
                why="the joints close only with a body turned inside out",
                cure="check the points and axes of these bodies, or start nearer to an assembled position",
            ),
            title=f"model {meaning.name!r} cannot be assembled",
        )
    if not closed.converged:
        raise AssemblyError(_why_open(system, closed, names), title=f"model {meaning.name!r} cannot be assembled")
    return closed.q


def _count_driven_turns(system: System, q: np.ndarray) -> None:
    """A driven angle starts with the whole turns that its law has at t = 0."""
    at = system.at(q, None, 0.0)
    for k, row in enumerate(system.lowered.rows):
        c = next((d.coordinate for d in system.meaning.drivers if d.name == row.name), "") if row.role == "driver" else ""
        if c in system.lowered.carried and system.meaning.coordinates[c].type == "angle":
            q[system.q_names.index(c)] -= 2 * np.pi * np.round(at.Phi[k] / (2 * np.pi))


def mirrored(system: System, q: np.ndarray) -> list[str]:
    """Bodies in space whose axes have come out left-handed: natural coordinates keep lengths and angles, not hands."""
    if system.meaning.dimension == 2:
        return []
    here, exploded = system.posture(q), system.lowered.exploded
    out = []
    for name, body in system.meaning.bodies.items():
        if not body.particle:
            axes = [here.vector(exploded.direction(Direction(name, tuple(int(i == k) for i in range(3)))))[0][0]
                    for k in range(3)]  # fmt: skip
            if np.linalg.det(np.array(axes)) < 0:
                out.append(name)
    return out


def approach(system: System, targets: Targets, parts: int) -> Closed:
    """From the start as it is to the values asked for and driven, in small parts, each closed before the next."""
    rows = system.lowered.rows
    driven = [k for k, r in enumerate(rows) if r.role == "driver"]
    keep = np.array([r.role != "driver" for r in rows], dtype=bool)
    here = close(system, system.q0, 0.0, keep=keep)
    at = system.at(here.q, None, 0.0)
    R = np.vstack([targets.rows, at.B[driven]])
    end = np.concatenate([targets.values, at.B[driven] @ here.q - at.Phi[driven]])
    begin = R @ here.q
    for k in range(1, parts + 1):
        here = close(system, here.q, 0.0, Targets(R, begin + (end - begin) * k / parts), keep)
        if not here.converged:
            return here
    return close(system, here.q, 0.0, targets)


def _least_energy(system: System, M: np.ndarray, J: np.ndarray, f: np.ndarray) -> np.ndarray:
    """v with J v = f (as nearly as it goes) and the least kinetic energy: the same in any coordinates."""
    from scipy.linalg import cholesky, solve_triangular

    unit = system.unit
    weight = M * unit[:, None] * unit
    top = max(float(np.abs(np.diag(weight)).max(initial=0.0)), 1e-300)
    L = cholesky(weight / top + 1e-9 * np.eye(system.n), lower=True)  # coordinates without mass count a little
    G = J * unit
    scale = np.linalg.norm(G, axis=1)
    scale[scale == 0.0] = 1.0
    G = solve_triangular(L, (G / scale[:, None]).T, lower=True).T
    y = np.linalg.lstsq(G, f / scale, rcond=1e-11)[0]
    return solve_triangular(L.T, y, lower=False) * unit


def start_velocity(system: System, meaning: Meaning, q: np.ndarray) -> np.ndarray:
    """Phi_q v = -Phi_t with the given rates; freedoms that nobody mentioned take the least kinetic energy."""
    at = system.at(q, None, 0.0)
    names = list(meaning.velocity)
    rows = velocity_rows(system, names, q)
    J = np.vstack([at.B, rows])
    f = np.concatenate([-at.Phi_t, [float(meaning.velocity[k]) for k in names]])
    if not f.any():
        return np.zeros(system.n)
    v = _least_energy(system, at.M, J, f)
    error = np.abs(J @ v - f)
    size = max(float(np.abs(f).max(initial=0.0)), 1e-12)
    bad = [k for k in np.argsort(-error) if error[k] > 1e-8 * size]
    if bad:
        labels = system.row_names + [f"initial.velocity.{k}" for k in names]
        culprits = [f"initial.velocity.{k}" for k in names] or [
            r.name for r in system.lowered.rows if r.role == "driver"
        ]
        raise AssemblyError(
            Problem(
                "the velocities asked for contradict the joints",
                where=", ".join(culprits) or labels[bad[0]],
                why=f"{labels[bad[0]]} misses by {error[bad[0]]:.4g}; the mechanism has fewer freedoms than this",
                cure="give rates only to as many coordinates as the mechanism has freedoms, or drive another one",
            ),
            title=f"model {meaning.name!r}",
        )
    return v


def _why_open(system: System, closed: Closed, names: list[str]) -> list[Problem]:
    """Which parts do not reach, in lengths and angles."""
    rows = system.lowered.rows
    order = [int(k) for k in np.argsort(-np.abs(closed.residual)) if abs(closed.residual[k]) > 1e-9]
    owners: list[str] = []
    details: list[str] = []
    for k in order:
        if k >= len(rows):
            label = f"initial.position.{names[k - len(rows)]}"
            owners.append(label)
            details.append(f"{label} cannot be reached")
            continue
        row = rows[k]
        if row.owner in owners:
            continue
        owners.append(row.owner)
        details.append(_shortfall(system, row, closed.q))
    return [
        Problem(
            f"{' and '.join(repr(o) for o in owners[:3])} cannot close",
            where=", ".join(owners[:6]),
            why="; ".join(details[:4]) or "the closing iteration found no solution",
            cure="check the lengths and the ground points; or start nearer to an assembled position",
        )
    ]


def _shortfall(system: System, row, q: np.ndarray) -> str:
    """How far a row is from holding at the nearest position found: in metres for lengths, else as it is."""
    at = system.at(q, None, 0.0)
    k = system.row_names.index(row.name)
    slope = float(np.linalg.norm(at.B[k]))
    gap = abs(at.Phi[k]) / slope if slope > 0 else abs(at.Phi[k])
    if row.role == "rigid" and row.equation.quadratic:
        length2 = at.Phi[k]
        return f"{row.owner!r} is {'stretched' if length2 > 0 else 'squeezed'} by about {gap:.3g} m"
    return f"{row.name} misses by about {gap:.3g}"
