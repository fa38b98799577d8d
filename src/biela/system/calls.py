"""Places of a tree's own functions in `tree_calls`: natural coordinates never enter them, so they are called by address."""

PLACE, CONTRACT, WEIGH, GATHER, KINETIC = range(5)
