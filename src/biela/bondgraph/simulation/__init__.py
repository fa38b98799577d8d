"""Equations in numbers: runs, results with a verdict, linear analysis."""
