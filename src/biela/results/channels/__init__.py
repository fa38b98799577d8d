"""Quantities over time, by name and with units."""
