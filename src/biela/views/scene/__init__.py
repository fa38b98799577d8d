"""What is drawn of a mechanism, told once for all pictures, films and pages: shapes, signs, and where they move."""
