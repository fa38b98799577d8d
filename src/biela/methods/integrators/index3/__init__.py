"""Integrators that discretise the index-3 equations themselves: positions and multipliers are unknowns of a step."""
