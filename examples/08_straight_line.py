"""Two linkages that draw straight lines: Peaucellier's exactly, Chebyshev's nearly."""

import numpy as np

import biela


def main() -> float:
    # Peaucellier and Lipkin: OB.OD = 5^2 - 2^2 = 21, and B runs on a circle through O, so D runs on x = 21/4
    exact = biela.kinematics("peaucellier", "theta", start=-np.pi / 3, stop=np.pi / 3, count=121)
    off = np.abs(exact["D.x"] - 21 / 4).max()
    print(f"Peaucellier: D.y runs from {exact['D.y'].min():.4f} to {exact['D.y'].max():.4f}, x is off by {off:.1e}")
    assert exact.ok and off < 1e-12

    # Chebyshev (ground 4, rockers 5, coupler 2): the middle M passes through (2, 4); in between 4 <= y <= 4.00975...
    nearly = biela.kinematics("chebyshev")
    y = np.asarray(nearly["M.y"])
    x = nearly["M.x"]
    print(f"Chebyshev: M.x runs from {x.min():.4f} to {x.max():.4f}, y from {y.min():.10f} to {y.max():.10f}")
    assert y.min() > 4 - 1e-12 and y.max() < 4.0097537304 + 1e-9
    return float(off)


if __name__ == "__main__":
    main()
