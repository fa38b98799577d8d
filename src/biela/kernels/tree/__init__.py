"""Recursions along a tree of bodies: kinematics, inertia, forward dynamics."""
