"""What each joint lets through, by elementary geometry: motions of the second body against a first that stands still.

A twist is (angular velocity, velocity of the joint's point). The wrench of a joint does no work on any of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from biela import Model
from biela.coordinates.tree.from_poses import body_motion
from biela.system.system import System

Twist = tuple[np.ndarray, np.ndarray]

P = np.array([0.3, -0.2, 0.4])
"""where the joint is"""
FAR = np.array([-0.5, 0.1, -0.3])
"""the other end of a rod"""
U = np.array([2.0, -1.0, 2.0]) / 3
"""its axis"""
SECOND = np.array([1.0, 2.0, 0.0]) / math.sqrt(5)
"""across U: the second axis of a universal joint"""
LEAD = 0.3
TILT = 1.1
SKEW = math.cos(TILT) * U + math.sin(TILT) * SECOND
ROTATION = np.array([[2, -1, 2], [2, 2, -1], [-1, 2, 2]]) / 3  # of the body, as it lies
ZERO, AXES = np.zeros(3), np.eye(3)
HINGE = np.cross(P - FAR, AXES[2]) / np.linalg.norm(np.cross(P - FAR, AXES[2]))
"""axis of a rod's hinge"""


def own(u: np.ndarray) -> list[float]:
    return (ROTATION.T @ u).tolist()


@dataclass(frozen=True)
class Held:
    """A joint between the ground and one body, and the twists about P that it allows."""

    type: str
    data: dict[str, Any]
    twists: list[Twist]


BALL = [(e, ZERO) for e in AXES]
ALONG, ABOUT = (ZERO, U), (U, ZERO)
ACROSS = [(ZERO, SECOND), (ZERO, np.cross(U, SECOND))]
AT, AXIS = {"at": P.tolist()}, {"axis": (2 * U).tolist()}
ROD = {"at": ["Q", "P"]}
LINE = (P - FAR) / np.linalg.norm(P - FAR)
SIDES = [(ZERO, np.cross(LINE, AXES[0])), (ZERO, np.cross(LINE, AXES[1]))]
SWING = (ZERO, np.cross(HINGE, LINE))
PAIR = {"axis": [U.tolist(), own(SKEW)], "angle": TILT}
HELD = {
    "revolute": Held("revolute", AT | AXIS, [ABOUT]),
    "prismatic": Held("prismatic", AT | AXIS, [ALONG]),
    "cylindrical": Held("cylindrical", AT | AXIS, [ALONG, ABOUT]),
    "screw": Held("screw", {**AT, **AXIS, "lead": LEAD}, [(U, LEAD / (2 * math.pi) * U)]),
    "spherical": Held("spherical", AT, BALL),
    "universal": Held("universal", AT | {"axis": [U.tolist(), own(SECOND)]}, [ABOUT, (SECOND, ZERO)]),
    "skew-universal": Held("universal", AT | PAIR, [ABOUT, (SKEW, ZERO)]),
    "planar": Held("planar", AT | AXIS, [*ACROSS, ABOUT]),
    "fixed": Held("fixed", AT, []),
    "point-on-line": Held("point-on-line", AT | AXIS, [ALONG, *BALL]),
    "point-on-plane": Held("point-on-plane", AT | AXIS, [*ACROSS, *BALL]),
    "distance": Held("distance", ROD, [*SIDES, *BALL]),
    "revolute-spherical": Held("revolute-spherical", ROD | {"axis": HINGE.tolist()}, [SWING, *BALL]),
    # turns that leave the angle alone: about either axis
    "angle": Held("angle", PAIR, [*((ZERO, e) for e in AXES), ABOUT, (SKEW, ZERO)]),
}  # fmt: skip


def held(kind: str, first: str = "ground", **more: Any) -> Model:
    """One body on one joint of this kind; `more` goes to the model."""
    h = HELD[kind]
    m = Model(name=kind, **more)
    m.add_ground("Q", *FAR)
    local = ROTATION.T @ (P - [0.5, 0.4, 0.1])
    m.add_body(
        "b", {"P": local.tolist(), "E": [0.2, 0.7, -0.3]}, mass=1.3, center=(0.1, -0.2, 0.3),
        inertia=[[0.3, 0.02, -0.01], [0.02, 0.25, 0.03], [-0.01, 0.03, 0.2]], position=(0.5, 0.4, 0.1),
        orientation=ROTATION.tolist(),
    )  # fmt: skip
    return m.add_joint("J", h.type, bodies=(first, "b"), **h.data)


def rates(system: System, twist: Twist) -> np.ndarray:
    """Rates of what a snapshot holds when the only body moves with this twist about P: in its order."""
    w, v = twist
    here = system.posture(system.q0)
    body = body_motion(here, "b")
    centre, R = body.p[0][0], body.R[0][0]
    turned = np.cross(w, R, axisb=0, axisc=0)
    parts = [v + np.cross(w, centre - P), turned.reshape(9)]
    for name in system.resolved.start:
        place = here.place(system.resolved.place(name))[0][0]
        parts.append(v + np.cross(w, place - P))
    return np.concatenate(parts)
