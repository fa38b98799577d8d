"""Explicit integrators."""
