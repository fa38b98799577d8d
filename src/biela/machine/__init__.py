"""How kernels become machine code, and the arrays that they work on."""
