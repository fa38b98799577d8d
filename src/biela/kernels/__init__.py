"""The arithmetic of mechanics, compiled: rows, forces, masses, energies. Plain enough to run on symbols, too."""
