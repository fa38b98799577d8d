"""Formulations: from forces and constraints to accelerations and multipliers (000 3)."""
