"""Plots: channels over time, comparisons, responses, iterations."""
