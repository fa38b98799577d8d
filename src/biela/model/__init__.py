"""What the user says: items, units, formulas, files; and what it means, names and numbers resolved."""
