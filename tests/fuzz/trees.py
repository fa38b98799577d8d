"""Trees of bodies in space, and loops closed on them, against Pinocchio and MuJoCo: accelerations of all bodies, and of
trees the motion and its energies."""

from __future__ import annotations

import tomllib
from importlib import import_module
from typing import Any

import numpy as np

from biela.analysis.check.movability import checked_mobility
from biela.methods.status import Status
from biela.model.write import to_toml
from biela.system.system import System
from fuzz import motions
from fuzz.case import Case
from fuzz.finding import Finding, Tally
from fuzz.motions import assembled, is_regular
from fuzz.peers import Peer, tree_of, twists
from fuzz.starts import accelerations
from fuzz.velocities import set_moving
from spatial.states import size

PEERS = {"pinocchio_peer": "PinocchioPeer", "mujoco_peer": "MujocoPeer"}


def draw(kind: str, seed: int) -> Case:
    """Up to six bodies; in every other case a body is held at a second point, or two are."""
    from pinocchio_trees import biela_model, random_tree

    rng = np.random.default_rng([seed, 5])
    recipe = random_tree(rng, int(rng.integers(1, 7)), chain=bool(rng.random() < 0.5), floating=int(rng.random() < 0.2))
    data = tomllib.loads(to_toml(biela_model(recipe)))
    data["dimension"] = 3
    names = ["ground", *data["bodies"]]
    if len(names) > 2 and rng.random() < 0.5:
        first, second = (str(x) for x in rng.choice(names, 2, replace=False))
        data.setdefault("joints", {})["L0"] = {
            "type": "spherical", "bodies": [first, second], "at": rng.normal(scale=0.5, size=3).tolist(),
        }  # fmt: skip
    return Case(kind, seed, set_moving(data, seed % 10000), {"duration": 0.2})


def examine(case: Case, tally: Tally) -> list[Finding]:
    """Bodies of all sets of coordinates against those of the peers; then all methods against one another."""
    systems, out = assembled(case.build(), tally)
    if out or not systems:
        return out
    if not all([is_regular(s) for s in systems.values()]) or checked_mobility(systems["reference-point"]).redundant:
        tally.add("singular")
        return []
    recipe, loops = tree_of(case.model)
    names = [b.name for b in recipe.bodies]
    across = _planes(next(iter(systems.values())), case.model)
    found = {}
    for name, system in systems.items():
        a, status = accelerations(system, "lagrange")
        if status == Status.finished:
            found[name] = twists(system, names, system.q0, system.v0, a)
    for peer in peers(recipe, loops, across, tally):
        for name, (rates, seconds) in found.items():
            out += _compare(peer, name, rates, seconds, tally)
    if not out and not loops:
        out += along_a_motion(systems["relative"], recipe, across, float(case.more["duration"]), tally)
    return out or motions.examine(case, tally)


def along_a_motion(system: System, recipe: Any, across: Any, duration: float, tally: Tally) -> list[Finding]:
    """Against Pinocchio, where it is installed."""
    try:
        from fuzz import peer_motion
    except ImportError:
        return []
    return peer_motion.compare(system, recipe, across, duration, tally)


def _planes(system: System, data: dict[str, Any]) -> dict[str, np.ndarray]:
    """Two axes of each joint's plane, in the ground's axes."""
    R = {name: np.array(b["orientation"], dtype=float) for name, b in data["bodies"].items()} | {"ground": np.eye(3)}
    out = {}
    for j in system.resolved.joints:
        if j.frames:
            first = j.frames[0]
            out[j.name] = np.array([R[first.body] @ np.array(e, dtype=float) for e in (first.e1, first.e2)])
    return out


def peers(recipe: Any, loops: Any, across: Any, tally: Tally) -> list[Peer]:
    """Those that are installed and have all the joints."""
    out = []
    for module, name in PEERS.items():
        try:
            found = import_module(f"fuzz.{module}")
        except ImportError:
            tally.sentences[f"{name} is not installed: not compared with"] += 1
            continue
        if all(found.has(j) for j in recipe.joints):
            out.append(getattr(found, name)(recipe, loops, across))
    return out


def _compare(peer: Peer, name: str, rates: np.ndarray, seconds: np.ndarray, tally: Tally) -> list[Finding]:
    J = peer.jacobian()
    v = np.linalg.lstsq(J, rates, rcond=1e-12)[0] if J.shape[1] else np.zeros(0)
    speed = max(size(rates), 1e-3)
    if size(J @ v - rates) > 1e-8 * speed:
        text = f"{peer.name} cannot move its bodies as biela does in {name} coordinates: {size(J @ v - rates):.3g}"
        return [Finding(f"{peer.name}: velocities", text)]
    theirs = peer.accelerations(v)
    tally.add("compared")
    off, big = size(theirs - seconds), max(size(theirs), size(seconds), speed**2, 1.0)
    if not off <= peer.exact * big:
        text = f"accelerations in {name} coordinates differ from {peer.name}'s by {off:.3g} of {big:.3g}"
        return [Finding(f"{peer.name}: accelerations", text)]
    return []
