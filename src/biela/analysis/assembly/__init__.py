"""Putting a mechanism together: positions that fit the joints, starting values, branches (003, section 2)."""
