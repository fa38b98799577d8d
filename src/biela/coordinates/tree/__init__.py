"""Relative and reference-point coordinates: freedoms along a tree of bodies (001 15.5)."""
