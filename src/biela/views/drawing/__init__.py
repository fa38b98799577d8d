"""Drawings by matplotlib: mechanisms, free bodies, modes, films, bond graphs."""
