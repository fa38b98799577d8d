"""The catalogue of channels: every quantity a result can be asked for, by name, with its unit."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.meaning import GROUND, Direction, Place
from ..system.entry import count_turns
from ..system.measure import local_direction, measure, torsion_starts
from .freebody import partner

if TYPE_CHECKING:
    from .motion import Motion

Catalogue = dict[str, tuple[Callable[[], Any], str]]


def catalogue(r: Motion) -> Catalogue:
    """All the channels of a result; each is computed when it is asked for."""
    out: Catalogue = {}
    _points(r, out)
    _bodies(r, out)
    _coordinates(r, out)
    _pins(r, out)
    _joints(r, out)
    _drivers(r, out)
    _forces(r, out)
    _energy(r, out)
    return out


def _pair(out: Catalogue, name: str, parts: tuple[str, str], compute: Callable[[], np.ndarray], unit: str) -> None:
    out[name] = (compute, unit)
    for axis, part in enumerate(parts):
        out[part] = (lambda axis=axis: compute()[:, axis], unit)


def _motion(r: Motion, out: Catalogue, name: str, vector: Callable[[], tuple]) -> None:
    """Position, velocity and acceleration of something that is a point."""

    def get(k: int) -> Callable[[], np.ndarray]:
        return lambda: r.vector(vector())[k]

    _pair(out, f"{name}.position", (f"{name}.x", f"{name}.y"), get(0), "m")
    _pair(out, f"{name}.velocity", (f"{name}.vx", f"{name}.vy"), get(1), "m/s")
    _pair(out, f"{name}.acceleration", (f"{name}.ax", f"{name}.ay"), get(2), "m/s^2")
    out[f"{name}.speed"] = (lambda: np.hypot(*get(1)().T), "m/s")


def _points(r: Motion, out: Catalogue) -> None:
    natural, meaning = r.system.lowered.natural, r.system.meaning
    for p in (*meaning.ground, *meaning.start):
        vector = lambda p=p: natural.place(meaning.place(p))  # noqa: E731
        _motion(r, out, p, vector)
        out[p] = out[f"{p}.position"]


def _bodies(r: Motion, out: Catalogue) -> None:
    natural, meaning = r.system.lowered.natural, r.system.meaning
    for name, body in meaning.bodies.items():
        _motion(r, out, name, lambda name=name: natural.center(name))
        if body.particle:
            continue

        def turn(k: int, name: str = name) -> Callable[[], Any]:
            return lambda: r.turned((name, (1.0, 0.0)), (GROUND, (1.0, 0.0)))[k]

        for k, (part, unit) in enumerate((("angle", "rad"), ("rate", "rad/s"), ("angular_acceleration", "rad/s^2"))):
            out[f"{name}.{part}"] = (turn(k), unit)


def _coordinates(r: Motion, out: Catalogue) -> None:
    low = r.system.lowered
    for name, c in low.meaning.coordinates.items():
        unit = "rad" if c.type == "angle" else "m"
        carried = low.q_names.index(name) if name in low.carried else None

        def get(k: int, c: Any = c, carried: int | None = carried) -> Callable[[], Any]:
            if carried is not None:
                return lambda: (r.q, r.v, r.a)[k][:, carried]
            if c.type == "angle":
                return lambda: r.turned(local_direction(c.lines[1]), local_direction(c.lines[0]))[k]
            return lambda: measure(low.natural, c, r.q, r.v, r.a)[k]

        out[name] = (get(0), unit)
        out[f"{name}.rate"] = (get(1), f"{unit}/s")
        out[f"{name}.acceleration"] = (get(2), f"{unit}/s^2")


def _pins(r: Motion, out: Catalogue) -> None:
    """Shared points: the force of the pin on a body, in ground axes."""
    low = r.system.lowered
    at: dict[str, list[tuple[str, str]]] = {}
    for name, carrier in low.layout.carriers.items():
        for p in carrier.basic:
            at.setdefault(low.layout.same[p], []).append((name, p))
    for root, places in at.items():
        grounded = root in low.layout.fixed
        if len(places) + grounded < 2:
            continue
        names = {root} | {p for _, p in places}
        for body, p in places:
            for label in names:
                key = f"{label}.reaction@{body}"
                force = lambda body=body, p=p: r.free_bodies.pin_force(p, body)  # noqa: E731
                _pair(out, key, (f"{key}.x", f"{key}.y"), force, "N")
        chosen = partner(low.meaning, [b for b, _ in places])
        for label in names:
            for suffix in ("", ".x", ".y"):
                out[f"{label}.reaction{suffix}"] = out[f"{label}.reaction@{chosen}{suffix}"]
            out[f"{label}.reaction.norm"] = (
                lambda key=f"{label}.reaction": np.hypot(*out[key][0]().T),
                "N",
            )


def _joints(r: Motion, out: Catalogue) -> None:
    """Joints with rows of their own: force and moment on their second body, about the joint's point."""
    low = r.system.lowered
    natural, meaning = low.natural, low.meaning
    for j in meaning.joints:
        places = [*j.places, *(line.through for line in j.lines if line.through is not None)]
        bodies = [p.body for p in j.places] + [_body_of(line) for line in j.lines]
        if j.type in ("prismatic", "angle", "fixed") and j.lines:
            bodies = [_body_of(line) for line in j.lines]
        elif j.type == "point-on-line":
            bodies = [_body_of(j.lines[0]), j.places[0].body]
        body = partner(meaning, bodies)
        if body in ("", GROUND):
            continue
        about = next((p for p in reversed(places) if p.body == body), None)

        def wrench(k: int, j: Any = j, body: str = body, about: Place | None = about) -> Callable[[], Any]:
            def compute() -> Any:
                free = r.free_bodies
                centre = natural.place(about) if about else natural.center(body)
                at = r.vector(centre)[0]
                force, moment = np.zeros((len(r.t), 2)), np.zeros(len(r.t))
                for i, row in enumerate(low.rows):
                    if row.owner == j.name and row.role == "joint":
                        f, m = free.wrench(free.row_force(row, r.multipliers[:, i]), body, at)
                        force, moment = force + f, moment + m
                pin = about.point if about is not None and j.type in ("revolute", "fixed") else None
                if pin is not None and (body, pin, 0) in natural._index:
                    force = force + free.pin_force(pin, body)
                return (force, moment)[k]

            return compute

        key = f"{j.name}.reaction"
        _pair(out, key, (f"{key}.x", f"{key}.y"), wrench(0), "N")
        out[f"{key}.norm"] = (lambda key=key: np.hypot(*out[key][0]().T), "N")
        out[f"{j.name}.moment"] = (wrench(1), "N*m")


def _body_of(line: Any) -> str:
    v = line.vector
    return v.body if isinstance(v, Direction) else v.start.body


def _drivers(r: Motion, out: Catalogue) -> None:
    """The effort of a driver works on its coordinate: -lam; its power is effort times rate."""
    low = r.system.lowered
    for k, row in enumerate(low.rows):
        if row.role != "driver":
            continue
        driver = next(d for d in low.meaning.drivers if d.name == row.name)
        c = low.meaning.coordinates.get(driver.coordinate)
        unit = "N*m" if c is not None and c.type == "angle" else "N"
        out[f"{row.name}.effort"] = (lambda k=k: -r.multipliers[:, k], unit)
        rate = f"{driver.coordinate}.rate" if c is not None else _velocity(driver.coordinate)
        out[f"{row.name}.power"] = (lambda k=k, rate=rate: -r.multipliers[:, k] * out[rate][0](), "W")


def _velocity(name: str) -> str:
    point, axis = name.rsplit(".", 1)
    return f"{point}.v{axis}"


def _forces(r: Motion, out: Catalogue) -> None:
    low = r.system.lowered
    for f in low.forces:
        if f.kind == "load":
            name = f"{f.name}.{f.part}" if f.part else f"{f.name}.value"
            out[name] = (lambda f=f: r.law_value(f, None, None), "N" if f.part else "N*m")
            continue
        c = low.meaning.coordinates.get(low.carried[f.column - len(low.natural.copies)]) if f.column >= 0 else None
        angular = f.kind == "torsion" or (c is not None and c.type == "angle")
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
        r.system.arrays.tor_turn[:] = torsion_starts(r.system)  # torsion springs count from the start again
        rows = []
        for q, v, t in zip(r.q, r.v, r.t, strict=True):
            rows.append(r.system.at(q, v, float(t)))
            count_turns(r.system.header)
        return {
            "kinetic": np.array([p.kinetic for p in rows]),
            "potential": np.array([p.potential for p in rows]),
            "Phi": np.array([p.Phi for p in rows]).reshape(len(rows), -1),
            "Phi_dot": np.array([p.Phi_dot for p in rows]).reshape(len(rows), -1),
        }

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
    for k, row in enumerate(r.system.lowered.rows):
        out[f"violation.{row.name}"] = (lambda k=k: state()["Phi"][:, k], "1")
        out[f"multiplier.{row.name}"] = (lambda k=k: r.multipliers[:, k], "1")
