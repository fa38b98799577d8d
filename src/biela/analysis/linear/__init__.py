"""The motion near a state: linear equations, modes of vibration, frequency response."""
