"""Strains: what the laws of force elements are laws of. A new strain is one file here and its lines in `strain`."""
