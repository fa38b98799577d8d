"""Ladders of settings."""


def ladder(first: float, last: float, per_octave: int = 1) -> tuple[float, ...]:
    """From a coarse step to a fine one, each smaller by 2^(1/per_octave)."""
    out, h = [], first
    while h >= last * 0.999:
        out.append(float(f"{h:.6g}"))
        h /= 2 ** (1 / per_octave)
    return tuple(out)
