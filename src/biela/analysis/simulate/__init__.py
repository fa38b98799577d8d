"""The direct dynamic problem: runs, how they are continued, and the notes on them."""
