"""Places of a tree's own compiled functions in `tree_calls`: they go by address, as most systems need none."""

PLACE, CONTRACT, WEIGH, GATHER, KINETIC = range(5)
