"""As many equations as freedoms, in numbers and in symbols (001 15.6)."""
