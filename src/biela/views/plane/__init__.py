"""Drawings of mechanisms of the plane."""
