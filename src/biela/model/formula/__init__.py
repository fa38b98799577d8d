"""The small language of formulas: read, differentiated, evaluated, written."""
