"""Integrators: from one instant to the next (000 4, 002)."""
