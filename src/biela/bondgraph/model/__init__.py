"""What the user says of a bond graph: elements, bonds, laws, files; resolved to a network."""
