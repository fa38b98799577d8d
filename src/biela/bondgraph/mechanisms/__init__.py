"""From mechanisms to bond graphs."""
