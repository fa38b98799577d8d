"""Ladders of settings."""


def graded(first: float, last: float) -> tuple[float, ...]:
    """Close together where steps are coarse and a run takes no time, farther apart where they are fine."""
    middle = first / 8
    return ladder(first, middle, 4) + ladder(middle / 2**0.5, last, 2)


def ladder(first: float, last: float, per_octave: int = 1) -> tuple[float, ...]:
    """From a coarse step to a fine one, each smaller by 2^(1/per_octave)."""
    out, h = [], first
    while h >= last * 0.999:
        out.append(float(f"{h:.6g}"))
        h /= 2 ** (1 / per_octave)
    return tuple(out)
