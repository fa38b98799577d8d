"""A slider-crank driven by a constant torque, from rest (crank 0.1 m, rod 0.3 m, no gravity).

The reference angles agree with a published curve to its own tolerance of 4.5e-3 rad at 3 s.
"""

import numpy as np

import biela

REFERENCE = {1.0: 14.12789222, 2.0: 55.0724438, 3.0: 121.88627751}  # rad
RATE = 101.36564506  # rad/s at 3 s


def main() -> dict:
    model = biela.Model(name="slider-crank")
    model.add_ground("O", 0, 0).add_point("A", 0.1, 0).add_point("B", 0.4, 0)
    model.add_bar("crank", "O", "A", length=0.1, mass=0.2)
    model.add_bar("rod", "A", "B", length=0.3, mass=0.2)
    model.add_mass("slider", "B", mass=0.4)
    model.add_joint("guide", "point-on-line", point="B", line={"body": "ground", "through": "O"})
    model.add_force("motor", "moment", body="crank", value="0.1 N*m")

    r = biela.simulate(model, 3.0, tolerance=1e-11, samples=3000)
    print(r.quality())
    print(f"initial acceleration {r['crank.angular_acceleration'][0]:.9f} rad/s^2")
    assert abs(r["crank.angular_acceleration"][0] - 75.0) < 1e-8

    found = {}
    for t, angle in REFERENCE.items():
        found[t] = float(r["crank.angle"][int(1000 * t)])
        print(f"theta({t:g} s) = {found[t]:.8f} rad, reference {angle:.8f}")
        assert abs(found[t] - angle) < 1e-6
    assert abs(r["crank.rate"][-1] - RATE) < 1e-5

    # the torque's work is all the energy there is
    work = 0.1 * np.asarray(r["crank.angle"])
    assert np.abs(work - r["energy.kinetic"]).max() < 1e-6
    return found


if __name__ == "__main__":
    main()
