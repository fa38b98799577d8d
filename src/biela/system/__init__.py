"""The equations of one mechanism in one set of coordinates, as arrays for the kernels."""
