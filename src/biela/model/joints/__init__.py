"""Joints, a file each: keys, resolving, equations, freedoms, and the word for its drawing."""

from __future__ import annotations

from .registry import JOINTS, PLANE, SPACE, joint_class

__all__ = ["JOINTS", "PLANE", "SPACE", "joint_class"]
