"""A pendulum against its closed form: elliptic functions (IFToMM benchmark A01).

A point mass on a massless rod is let go from the horizontal. With phi from the downward vertical and k = sin(45 deg),

    sin(phi/2) = k cd(w t | k^2),    w = sqrt(g/L),    period = 4 K(k^2)/w
"""

import numpy as np
from scipy.special import ellipj, ellipk

import biela


def exact(t: np.ndarray, g: float = 9.81, length: float = 1.0) -> np.ndarray:
    """Position of the mass at the times t."""
    m = 0.5  # k^2
    _, cn, dn, _ = ellipj(np.sqrt(g / length) * t, m)
    phi = 2 * np.arcsin(np.sqrt(m) * cn / dn)
    return length * np.column_stack([-np.sin(phi), -np.cos(phi)])


def main() -> float:
    r = biela.simulate("simple-pendulum", 10, tolerance=1e-11)
    print(r.quality())
    error = np.abs(r["P"] - exact(np.asarray(r.t))).max()
    print(f"largest distance from the closed form: {error:.1e} m")
    assert error < 1e-7

    period = 4 * ellipk(0.5) / np.sqrt(9.81)
    swing = biela.simulate("simple-pendulum", period / 2, tolerance=1e-11)
    tension = swing["O.reaction.y"][500]  # half way: at the bottom
    print(f"tension at the bottom: {tension:.6f} N (three weights: {3 * 9.81:.2f} N)")
    assert abs(tension - 3 * 9.81) < 1e-6
    return float(error)


if __name__ == "__main__":
    main()
