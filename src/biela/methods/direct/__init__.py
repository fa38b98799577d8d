"""Integrators that discretise the index-3 equations themselves: positions and multipliers are the unknowns of a step."""
