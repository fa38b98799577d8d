"""Drawings of mechanisms in space."""
