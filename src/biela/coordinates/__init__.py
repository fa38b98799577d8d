"""Kinds of coordinates: which variables a mechanism is written in, decided on numbers."""
