"""Places of a tree's own compiled functions in `tree_calls`: natural coordinates never enter them; they go by address."""

PLACE, CONTRACT, WEIGH, GATHER, KINETIC = range(5)
