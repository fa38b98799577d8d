"""The compiled time loops, what they share, and the stepper that repeats steps between events."""
