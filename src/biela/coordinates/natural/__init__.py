"""Natural coordinates: points and unit vectors that bodies share (000 2)."""
