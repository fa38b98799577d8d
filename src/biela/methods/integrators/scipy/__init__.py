"""Integrators of SciPy, as references."""
