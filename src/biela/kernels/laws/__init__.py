"""How hard a force pushes and how a driver moves: formulas, tables, where they switch, what they hide."""
