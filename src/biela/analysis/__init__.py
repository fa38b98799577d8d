"""The questions, a folder for each verb: assemble, check, simulate, move, balance, linearise, explain, compare."""
