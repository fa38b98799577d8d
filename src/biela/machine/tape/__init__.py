"""The tape: the straight-line program of one mechanism, recorded from the kernels, and the machine code made of it."""
