"""The direct dynamic problem: runs, how they go on, and what is to be said of them."""
