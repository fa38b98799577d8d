"""Inverse dynamics: from a motion to the efforts and reactions that it needs."""
