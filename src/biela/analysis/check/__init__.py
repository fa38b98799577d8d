"""What a mechanism is before anything moves: freedom, redundancy, singular positions, parts without mass."""
