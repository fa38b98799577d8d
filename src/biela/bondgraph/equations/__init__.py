"""From a network to equations: causality, state equations in symbols, algebraic loops."""
