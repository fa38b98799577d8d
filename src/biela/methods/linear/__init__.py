"""Linear algebra in place, with patterns that are found once."""
