"""Positions, velocities and accelerations of a driven mechanism (003, sections 3-5); dead points and ranges."""
