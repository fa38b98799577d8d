"""A linkage in space whose rod hangs between two balls."""

from __future__ import annotations

import biela


def linkage(rod: dict, masses: bool = True, joints: bool = False) -> biela.Model:
    """A crank about z and a rocker about x in space, and a rod between two balls."""
    inert = {"mass": 1, "inertia": [1e-3, 2e-3, 3e-3]} if masses else {}
    bodies = {
        "crank": {"points": {"A": [0, 0, 0], "B": [0.1, 0, 0]}, **inert},
        "rocker": {"points": {"D": [0, 0, 0], "C": [0, 0.3, 0]}, "position": [0.4, 0, 0.1], **inert},
        "rod": rod,
    }
    if masses:
        bodies["crank"]["center"], bodies["rocker"]["center"] = [0.05, 0, 0], [0, 0.15, 0]
    hinges = {
        "a": {"type": "revolute", "bodies": ["ground", "crank"], "at": "A", "axis": "z"},
        "d": {"type": "revolute", "bodies": ["ground", "rocker"], "at": "D", "axis": "x"},
    }
    if joints:
        bodies["rod"] = {"points": {"E": [0.1, 0, 0], "F": [0.4, 0.3, 0.1]}, **rod}
        hinges["b"] = {"type": "spherical", "bodies": ["crank", "rod"], "at": ["B", "E"]}
        hinges["c"] = {"type": "spherical", "bodies": ["rocker", "rod"], "at": ["C", "F"]}
    return biela.Model(name="l", gravity=[0, 0, -9.81], ground={"A": [0, 0, 0], "D": [0.4, 0, 0.1]}, bodies=bodies,
                       joints=hinges)  # fmt: skip


ROD = {"type": "rod", "points": ["B", "C"]}
