"""What goes in and what comes out of a linearised mechanism, by name.

Inputs are efforts (a force on "P.x", a torque on "crank.angle" or on a coordinate, more of what a force element does)
or drivers (more of the value that they prescribe). Outputs are the scalar channels of a motion.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from ...errors import MethodError, Problem
from ...model.resolve.naming import did_you_mean
from ...model.resolved import GROUND, ResolvedForce, ResolvedLaw, ResolvedModel
from ...results.motion import Motion
from ...system.system import System
from ..assembly.transfer import rebuilt
from ..instant import Instant, hold_drivers
from ..kinematics.kinematics import required_multipliers
from ..quantities import body_angles, is_angular, point_components

NOTHING, ONE = ResolvedLaw(), ResolvedLaw(constant=1.0)


@dataclass(frozen=True)
class Input:
    """One input: an effort (its force element), or a driver (its row)."""

    name: str
    unit: str
    force: ResolvedForce | None = None
    driver: str | None = None


def inputs_of(resolved: ResolvedModel, names: list[str]) -> list[Input]:
    """The inputs of these names; all that are wrong are reported together."""
    found, problems = [], []
    for name in names:
        one = _input(resolved, name)
        if one is None:
            known = [d.name for d in resolved.drivers] + [f.name for f in resolved.forces] + list(resolved.coordinates)
            known += [*point_components(resolved), *body_angles(resolved)]
            cure = did_you_mean(name, known, "inputs", most=10)
            problems.append(Problem(f"there is no input {name!r}", where=resolved.name, cure=cure))
        else:
            found.append(one)
    if len(set(names)) < len(names):
        problems.append(Problem("an input is named twice", where=", ".join(names), cure="name each once"))
    if problems:
        raise MethodError(problems)
    return found


def _input(resolved: ResolvedModel, name: str) -> Input | None:
    label = f"input {name}"
    driver = next((d for d in resolved.drivers if d.name == name), None)
    if driver is not None:
        return Input(name, "rad" if is_angular(resolved, driver.coordinate) else "m", driver=name)
    if name in resolved.coordinates:
        unit = "N*m" if is_angular(resolved, name) else "N"
        return Input(name, unit, ResolvedForce(label, "coordinate", ONE, coordinate=name))
    force_element = next((f for f in resolved.forces if f.name == name), None)
    if force_element is not None and force_element.strained:
        return Input(
            name, "N*m" if resolved.is_angular(force_element) else "N", replace(force_element, name=label, law=ONE)
        )
    head, _, last = name.rpartition(".")
    axes = "xyz"[: resolved.dimension]
    if force_element is not None and force_element.type == "moment" and resolved.dimension == 2:
        return Input(name, "N*m", replace(force_element, name=label, law=ONE))
    force_element = next((f for f in resolved.forces if f.name == head and f.type in ("force", "moment")), None)
    if force_element is not None and last in axes:
        return Input(
            name, "N" if force_element.type == "force" else "N*m", _component(replace(force_element, name=label), last)
        )
    if head in resolved.start and last in axes:
        force = ResolvedForce(label, "force", NOTHING, places=(resolved.place(head),))
        return Input(name, "N", _component(force, last))
    if name in body_angles(resolved):
        return Input(name, "N*m", ResolvedForce(label, "moment", ONE, bodies=(head,), axes=GROUND))
    return None


def _component(force: ResolvedForce, axis: str) -> ResolvedForce:
    laws = {"law": NOTHING, "law_y": NOTHING, "law_z": NOTHING}
    return replace(force, **(laws | {("law", "law_y", "law_z")["xyz".index(axis)]: ONE}))


@dataclass
class Plant:
    """The instant with all inputs in its system, each at zero."""

    here: Instant
    inputs: list[Input]

    def effort(self, k: int, value: float) -> System:
        """The system with one effort at a value, the others at zero. (Arrays are shared: one at a time.)"""
        system, one = self.here.system, self.inputs[k]
        out = copy(system)
        forces = tuple(
            _times(one.force, value) if one.force is not None and f.name == one.force.name else f
            for f in system.resolved.forces
        )
        out.equations = replace(system.equations, resolved=replace(system.resolved, forces=forces))
        for f in system.equations.forces:
            if one.force is not None and f.name == one.force.name:
                system.arrays.law_c0[f.law_index] = value
        return out


def _times(force: ResolvedForce, value: float) -> ResolvedForce:
    law = ResolvedLaw(constant=value)
    return replace(force, **{k: law for k in ("law", "law_y", "law_z") if getattr(force, k) == ONE})


def plant_of(here: Instant, names: list[str]) -> Plant:
    """The same state in a system that has the inputs."""
    inputs = inputs_of(here.system.resolved, names)
    efforts = [i.force for i in inputs if i.force is not None]
    if not efforts:
        return Plant(here, inputs)
    old = here.system
    acted = {f.coordinate for f in efforts if f.coordinate is not None}
    coordinates = {k: replace(c, needed=True) if k in acted else c for k, c in old.resolved.coordinates.items()}
    resolved = replace(old.resolved, coordinates=coordinates, forces=(*old.resolved.forces, *efforts))
    system = rebuilt(old, resolved, q=here.q, v=here.v)
    resting = tuple(replace(f, law=NOTHING, law_y=f.law_y and NOTHING, law_z=f.law_z and NOTHING) for f in efforts)
    system.equations = replace(system.equations, resolved=replace(resolved, forces=(*old.resolved.forces, *resting)))
    named = {f.name for f in efforts}
    for f in system.equations.forces:
        if f.name in named:
            system.arrays.law_c0[f.law_index] = 0.0
    system.rank = system.n - (old.n - old.rank)  # each new variable comes with a row of its own
    if here.held:
        hold_drivers(system, here.t)
    return Plant(replace(here, system=system, q=system.q0.copy(), v=system.v0.copy()), inputs)


def check_outputs(here: Instant, names: list[str]) -> list[str]:
    """Units of the outputs; refuse what is no scalar channel."""
    motion = Motion.at_start(here.system)
    problems = []
    for name in names:
        if name not in motion:
            cure = did_you_mean(name, motion.channels(), "channels", most=10)
            problems.append(Problem(f"there is no output {name!r}", where=here.system.name, cure=cure))
        elif motion[name].ndim != 1:
            cure = "one of: " + ", ".join(motion[name].parts())
            problems.append(Problem(f"the output {name!r} is a vector", where=here.system.name, cure=cure))
    if problems:
        raise MethodError(problems)
    return [motion.unit(name) for name in names]


State = tuple[np.ndarray, np.ndarray, np.ndarray]
"""q, v, v'"""


def read(system: System, names: list[str], states: list[State], t: float) -> np.ndarray:
    """Outputs at some states (q, v, v'), one after the other: (states, outputs)."""
    if not names:
        return np.zeros((len(states), 0))
    q, v, a = (np.array([s[k] for s in states]) for k in range(3))
    lam = np.array([required_multipliers(system, *s, t) for s in states]).reshape(len(states), system.m)
    motion = Motion(system, np.full(len(states), t), q, v, a, lam, np.zeros(len(states)))
    return np.array([np.asarray(motion[name]) for name in names]).T.reshape(len(states), len(names))
