"""Where a mechanism rests, and whether it stays there (001 15.7)."""
