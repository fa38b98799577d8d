"""What decides how long a step may be: its error, laws that switch, singular positions, stiffness."""
