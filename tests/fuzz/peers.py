"""The same mechanism in other programs, and the motions of its bodies there: nothing is compared but bodies.

A `Peer` stands at the start of the mechanism. Velocities are handed over as those of the bodies (by least squares to
the Jacobians of the peer), and accelerations taken back likewise: no convention of coordinates is shared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from biela.coordinates.tree.from_poses import body_motion
from biela.system.system import System
from pinocchio_trees import Body, Joint, Load, Recipe


@dataclass(frozen=True)
class Loop:
    """A joint beyond the tree: the bodies meet in a point, or are welded."""

    bodies: tuple[str, str]
    at: np.ndarray
    welded: bool = False


class Peer(Protocol):
    """Another program, at the start."""

    name: str
    exact: float
    """share of the largest acceleration to which its loops are closed"""

    def jacobian(self) -> np.ndarray:
        """From its velocities to those of the centres of mass and the spins of all bodies, six rows each."""
        ...

    def accelerations(self, v: np.ndarray) -> np.ndarray:
        """Of the centres of mass, and of the spins, of all bodies, with these velocities of its own."""
        ...


def twists(system: System, names: list[str], q: np.ndarray, v: np.ndarray, a: np.ndarray) -> tuple[Any, Any]:
    """Velocities and accelerations of centres of mass, and spins and their rates, by biela: six numbers a body."""
    posture = system.posture(q, v, a)
    rates, seconds = [], []
    for name in names:
        motion = body_motion(posture, name)
        R, Rd, Rdd = (x[0] for x in motion.R)
        rates += [motion.p[1][0], axial(Rd @ R.T)]
        seconds += [motion.p[2][0], axial(Rdd @ R.T)]  # the symmetric part of R'' R^T is w x (w x .)
    return np.concatenate(rates), np.concatenate(seconds)


def axial(W: np.ndarray) -> np.ndarray:
    return np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2


def tree_of(data: dict[str, Any]) -> tuple[Recipe, list[Loop]]:
    """A model that `pinocchio_trees` wrote, read back; joints whose names begin with L close loops."""
    import pinocchio as pin

    recipe, loops = Recipe(gravity=np.array(data.get("gravity", [0.0, 0.0, 0.0]), dtype=float)), []
    places = {"ground": pin.SE3.Identity()}
    for name, b in data["bodies"].items():
        places[name] = pin.SE3(np.array(b["orientation"], dtype=float), np.array(b["position"], dtype=float))
        center, inertia = np.array(b.get("center", [0.0] * 3)), np.array(b["inertia"], dtype=float)
        recipe.bodies.append(Body(name, places[name], float(b["mass"]), center, inertia))
    order = list(places)
    for name, j in data.get("joints", {}).items():
        first, second = j["bodies"]
        at = np.array(j["at"], dtype=float)
        if name.startswith("L"):
            loops.append(Loop((first, second), at, j["type"] == "fixed"))
            continue
        backwards = order.index(first) > order.index(second)
        axis, kind = j.get("axis", [0.0, 0.0, 1.0]), j["type"]
        if kind == "universal":
            axes = tuple(places[b].rotation @ np.array(a) for b, a in zip((first, second), axis, strict=True))
            kind = "skew universal" if "angle" in j else kind
        else:
            axes = (np.array(axis, dtype=float), np.array([0.0, 0.0, 1.0]))
        parent, body = (second, first) if backwards else (first, second)
        recipe.joints.append(Joint(name, kind, parent, body, at, axes, float(j.get("lead", 0.0)), backwards))
    for f in data.get("forces", {}).values():
        if f["type"] == "actuator":
            recipe.pushes[f["coordinate"]] = float(f["value"])
            continue
        body = f["body"] if f["type"] == "moment" else f["point"].removeprefix("P_")
        none, value = np.zeros(3), np.array(f["value"], dtype=float)
        point = none if f["type"] == "moment" else np.array(data["bodies"][body]["points"][f["point"]], dtype=float)
        pair = (none, value) if f["type"] == "moment" else (value, none)
        recipe.loads.append(Load(body, point, *pair, f.get("axes", "ground") == body))
    return recipe, loops


def wrenches(recipe: Recipe) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Force, and moment about the centre of mass, on every body at the start: loads, and pushes on joints."""
    places = {b.name: (b.place, b.place.act(b.center)) for b in recipe.bodies}
    out = {b.name: (np.zeros(3), np.zeros(3)) for b in recipe.bodies}

    def add(body: str, point: np.ndarray, force: np.ndarray, moment: np.ndarray) -> None:
        if body in out:
            F, N = out[body]
            out[body] = F + force, N + moment + np.cross(point - places[body][1], force)

    for load in recipe.loads:
        here = places[load.body][0]
        R = here.rotation if load.local else np.eye(3)
        add(load.body, here.act(load.point), R @ load.force, R @ load.moment)
    joints = {j.name: j for j in recipe.joints}
    for name, value in recipe.pushes.items():
        j = joints[name.split(".")[0]]
        push = value * (-1.0 if j.backwards else 1.0) * j.axes[0]
        force, moment = (np.zeros(3), push) if name.endswith("angle") else (push, np.zeros(3))
        add(j.body, j.at, force, moment)
        add(j.parent, j.at, -force, -moment)
    return out
