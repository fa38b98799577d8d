"""Implicit integrators of y' = f(y), by fixed point or Newton-Raphson."""
