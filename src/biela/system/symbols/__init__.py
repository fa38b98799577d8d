"""The same kernels on SymPy symbols: the equations that are printed are those that are solved."""
