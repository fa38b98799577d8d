"""How equations are solved: formulations and integrators, interchangeable, and the loops that drive them."""
