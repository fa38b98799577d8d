"""A four-bar over a turn: rocker angle, rate and acceleration against their closed form."""

import numpy as np

import biela

a, b, c, d = 0.1, 0.3, 0.25, 0.4  # crank, coupler, rocker, ground
OMEGA = 10.0  # rad/s


def closed_form(theta: np.ndarray) -> tuple[np.ndarray, ...]:
    """Angle, rate and acceleration of the rocker for a crank at constant speed."""
    x, y = a * np.cos(theta), a * np.sin(theta)
    L = np.hypot(x - d, y)
    rocker = np.arctan2(y, x - d) % (2 * np.pi) - np.arccos((c**2 + L**2 - b**2) / (2 * c * L))
    coupler = np.arctan2(c * np.sin(rocker) - y, d + c * np.cos(rocker) - x)
    # the loop a e(theta) + b e(coupler) = d + c e(rocker), differentiated, along and across the coupler
    rate = a * OMEGA * np.sin(theta - coupler) / (c * np.sin(rocker - coupler))
    turn = a * OMEGA * np.sin(theta - rocker) / (b * np.sin(rocker - coupler))
    pull = c * rate**2 * np.cos(rocker - coupler) - a * OMEGA**2 * np.cos(theta - coupler) - b * turn**2
    return rocker, rate, -pull / (c * np.sin(rocker - coupler))


def main() -> float:
    model = biela.Model(name="four-bar")
    model.add_ground("O", 0, 0).add_ground("D", d, 0)
    model.add_point("A", 0.1, 0).add_point("B", 0.3, 0.2)
    model.add_rod("crank", "O", "A", length=a)
    model.add_rod("coupler", "A", "B", length=b)
    model.add_rod("rocker", "D", "B", length=c)

    turn = biela.kinematics(model, "crank.angle", start=0.0, stop=2 * np.pi, rate=OMEGA)
    print(turn.report())
    names = ("rocker.angle", "rocker.rate", "rocker.angular_acceleration")
    worst = 0.0
    for name, exact in zip(names, closed_form(np.asarray(turn["crank.angle"])), strict=True):
        error = np.abs(turn[name] - exact).max() / np.abs(exact).max()
        print(f"{name:28} largest relative error {error:.1e}")
        worst = max(worst, float(error))
    assert turn.ok and worst < 1e-10
    return worst


if __name__ == "__main__":
    main()
