"""The catalogue of channels: every quantity a result can be asked for, by name, with its unit."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...coordinates.tree.from_poses import quaternion
from ...mechanics.measure import beside_the_cut, local_direction, unwrapped
from ...model.resolved import GROUND, ResolvedCoordinate
from ...system.flat_lists import watched
from ..reactions.reaction import reaction_channels
from .channel import Catalogue
from .momenta import DERIVATIVES, momentum_channels

if TYPE_CHECKING:
    from ..motion import Motion

MANY = 5000
"""samples from which on a compiled loop over them is worth its loading"""


def catalogue(r: Motion) -> Catalogue:
    """All the channels of a result; each is computed when it is asked for."""
    out = Catalogue()
    _points(r, out)
    _bodies(r, out)
    _coordinates(r, out)
    reaction_channels(r, out)
    _drivers(r, out)
    _forces(r, out)
    _energy(r, out)
    momentum_channels(r, out)
    return out


def _motion(r: Motion, out: Catalogue, name: str, vector: Callable[[], tuple]) -> None:
    """Position, velocity and acceleration of something that is a point."""

    def get(k: int) -> Callable[[], np.ndarray]:
        return lambda: r.posture.derivative(vector(), k)

    axes = "xyz"[: r.system.resolved.dimension]
    for k, (part, letter, unit) in enumerate(DERIVATIVES):
        out.vector(f"{name}.{part}", get(k), unit, axes, f"{name}.{letter}{{}}")
    out[f"{name}.speed"] = (lambda: np.linalg.norm(get(1)(), axis=1), "m/s")


def _points(r: Motion, out: Catalogue) -> None:
    exploded, resolved = r.system.equations.exploded, r.system.resolved
    for p in (*resolved.ground, *resolved.start):
        vector = lambda p=p: exploded.place(resolved.place(p))  # noqa: E731
        _motion(r, out, p, vector)
        out[p] = out[f"{p}.position"]


def _bodies(r: Motion, out: Catalogue) -> None:
    exploded, resolved = r.system.equations.exploded, r.system.resolved
    for name, body in resolved.bodies.items():
        _motion(r, out, name, lambda name=name: exploded.center(name))
        if body.particle:
            continue
        if resolved.dimension == 3:
            _orientation(r, out, name)
            continue

        def turn(k: int, name: str = name) -> Callable[[], Any]:
            return lambda: r.turned((name, (1.0, 0.0)), (GROUND, (1.0, 0.0)))[k]

        for k, (part, unit) in enumerate((("angle", "rad"), ("rate", "rad/s"), ("angular_acceleration", "rad/s^2"))):
            out[f"{name}.{part}"] = (turn(k), unit)


def _orientation(r: Motion, out: Catalogue, name: str) -> None:
    """A body in space: unit quaternion, angular velocity and acceleration in ground axes and in its own."""

    def in_own_axes() -> np.ndarray:
        return np.einsum("kji,kj->ki", r.body_motion(name).R[0], r.rotation(name)[0])

    def turn() -> np.ndarray:
        p = np.array([quaternion(R) for R in r.body_motion(name).R[0]])
        for k in range(1, len(p)):  # of p and -p, which are the same turn, the one that follows on
            if p[k] @ p[k - 1] < 0:
                p[k] = -p[k]
        return p

    out.vector(f"{name}.quaternion", turn, "1", "0123", f"{name}.p{{}}")
    out.vector(f"{name}.angular_velocity", lambda: r.rotation(name)[0], "rad/s", "xyz", f"{name}.omega_{{}}")
    out.vector(f"{name}.spin", in_own_axes, "rad/s", "xyz", f"{name}.w{{}}")
    out.vector(f"{name}.angular_acceleration", lambda: r.rotation(name)[1], "rad/s^2", "xyz", f"{name}.alpha_{{}}")


def _coordinates(r: Motion, out: Catalogue) -> None:
    low = r.system.equations
    for name, c in low.resolved.coordinates.items():
        unit = {"angle": "rad", "term": "1"}.get(c.type, "m")
        known = name in low.variables or (low.tree is not None and name in low.tree.q_names)

        def get(k: int, c: Any = c, known: bool = known) -> Callable[[], Any]:
            if c.type == "angle" and k == 0 and not (known and c.needed):
                return lambda: _measured_angle(r, c, known)
            if not known and c.type == "angle" and low.resolved.dimension == 2:
                return lambda: _between_lines(r, c)[k]
            return lambda: r.system.value(c.name, r.q, r.v, r.a)[k]

        out[name] = (get(0), unit)
        out[f"{name}.rate"] = (get(1), f"{unit}/s")
        out[f"{name}.acceleration"] = (get(2), f"{unit}/s^2")


def _between_lines(r: Motion, c: ResolvedCoordinate) -> tuple:
    """An angle of the plane, its rate and its acceleration, from those of its bodies."""
    return r.turned(local_direction(c.lines[1]), local_direction(c.lines[0]))


def _measured_angle(r: Motion, c: ResolvedCoordinate, known: bool) -> np.ndarray:
    """An angle that nothing acts through: in all coordinates it starts with the whole turns that the user gave, to
    itself or to its bodies, else within half a turn of zero."""
    system, plane = r.system, r.system.resolved.dimension == 2
    start: float | None = system.given.get(c.name)
    if known:
        angle = np.asarray(system.value(c.name, r.q)[0])
        if start is None and len(angle):
            start = float(_between_lines(r, c)[0][0]) if plane and system.starts else 0.0
    else:
        angle = np.asarray(_between_lines(r, c)[0] if plane else _whole_turns(r, c.name))
    if start is None or not len(angle):
        return angle
    return angle + 2 * np.pi * np.round((start - angle[0]) / (2 * np.pi))


def _whole_turns(r: Motion, name: str) -> np.ndarray:
    """A measured angle in space, with its whole turns: counted at every step, or told by its rate between samples."""
    angle, rate, _ = r.system.value(name, r.q, r.v)
    if r.turns is None or not len(angle):
        return unwrapped(angle, rate, np.asarray(r.t))
    angle = angle - 2 * np.pi * np.round(angle / (2 * np.pi))  # as the sine and the cosine tell it
    angle = angle + 2 * np.pi * r.turns[:, watched(r.system.resolved).index(name)]
    return beside_the_cut(angle, rate, np.asarray(r.t))


def _drivers(r: Motion, out: Catalogue) -> None:
    """The effort of a driver works on its coordinate: -lam; its power is effort times rate."""
    low = r.system.equations
    for k, row in enumerate(low.rows):
        if row.role != "driver":
            continue
        driver = next(d for d in low.resolved.drivers if d.name == row.name)
        c = low.resolved.coordinates.get(driver.coordinate)
        unit = "N*m" if c is not None and c.type == "angle" else "N"
        out[f"{row.name}.effort"] = (lambda k=k: -r.multipliers[:, k], unit)
        rate = f"{driver.coordinate}.rate" if c is not None else _velocity(driver.coordinate)
        out[f"{row.name}.power"] = (lambda k=k, rate=rate: -r.multipliers[:, k] * out[rate][0](), "W")


def _velocity(name: str) -> str:
    point, axis = name.rsplit(".", 1)
    return f"{point}.v{axis}"


def _forces(r: Motion, out: Catalogue) -> None:
    low = r.system.equations
    for f in low.forces:
        if f.kind == "load":
            name = f"{f.name}.{f.part}" if f.part else f"{f.name}.value"
            moment = any(g.name == f.name and g.type == "moment" for g in low.resolved.forces)
            out[name] = (lambda f=f: r.law_value(f, None, None), "N*m" if moment else "N")
            continue
        angular = low.is_angular(f)
        what, unit = ("angle", "rad") if angular else ("length", "m")
        out[f"{f.name}.{what}"] = (lambda f=f: r.force_motion(f)[0], unit)
        out[f"{f.name}.rate"] = (lambda f=f: r.force_motion(f)[1], f"{unit}/s")
        out[f"{f.name}.{'moment' if angular else 'force'}"] = (
            lambda f=f: r.law_value(f, *r.force_motion(f)),
            "N*m" if angular else "N",
        )


def _energy(r: Motion, out: Catalogue) -> None:
    from functools import cache

    @cache
    def state() -> dict[str, np.ndarray]:
        system, samples = r.system, len(r.t)
        kinetic, potential = np.zeros(samples), np.zeros(samples)
        open_tree = system.is_open_tree  # no rows, and a mass matrix that may be large
        m = 0 if open_tree else system.m
        Phi, Phi_dot = np.zeros((samples, m)), np.zeros((samples, m))
        q, v, t = (np.asarray(x, dtype=float) for x in (r.q, r.v, r.t))
        wound = np.ascontiguousarray(r.wound(), dtype=float)
        if samples >= MANY and not open_tree:
            from ...kernels.calls_from_python import energies, rows_and_forces
            from ...methods.loops import loop_calls

            q, v, t = (np.array(x, order="C") for x in (q, v, t))  # the loop takes arrays that can be written to
            found = kinetic, potential, Phi, Phi_dot
            loop_calls.evaluate_samples(system.header, rows_and_forces, energies, t, wound, q, v, *found)
            return {"kinetic": kinetic, "potential": potential, "Phi": Phi, "Phi_dot": Phi_dot}
        for k, turn in enumerate(wound):
            system.arrays.wound[:] = turn
            if open_tree:
                kinetic[k], potential[k] = system.energies(q[k], v[k])
                continue
            system.evaluate(q[k], v[k], t[k])
            kinetic[k], potential[k] = system.energies_here()
            Phi[k], Phi_dot[k] = system.arrays.Phi[:m], system.arrays.Phid[:m]
        return {"kinetic": kinetic, "potential": potential, "Phi": Phi, "Phi_dot": Phi_dot}

    out["energy.kinetic"] = (lambda: state()["kinetic"], "J")
    out["energy.potential"] = (lambda: state()["potential"], "J")
    out["energy.total"] = (lambda: state()["kinetic"] + state()["potential"], "J")
    if r.work is not None:  # only a simulation integrates it

        def error() -> np.ndarray:
            e = state()["kinetic"] + state()["potential"] - r.work
            return e - e[0]

        out["energy.work"] = (lambda: r.work, "J")
        out["energy.error"] = (error, "J")
    out["violation.position"] = (lambda: np.abs(state()["Phi"]).max(axis=1, initial=0.0), "1")
    out["violation.velocity"] = (lambda: np.abs(state()["Phi_dot"]).max(axis=1, initial=0.0), "1/s")
    for k, row in enumerate(r.system.equations.rows):
        out[f"violation.{row.name}"] = (lambda k=k: state()["Phi"][:, k], "1")
        out[f"multiplier.{row.name}"] = (lambda k=k: r.multipliers[:, k], "1")
