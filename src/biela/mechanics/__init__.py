"""What mechanics knows, whatever the coordinates: vectors, polynomials, measures, relative coordinates."""
