"""Through a singular position: three equal cranks, two couplers (IFToMM benchmark A02, N = 2).

Each time the cranks lie flat all five bars are in line, and either four-bar could turn into an antiparallelogram. With
the cranks parallel the mechanism is one pendulum, J phi'' = W sin(phi), which gives the exact times and positions.
"""

import numpy as np

import biela

FLAT = 0.7143555292929604  # s, first singular position
B0 = {5.0: (-0.81131046100291, -0.58461554535203), 10.0: (0.32845811153586, 0.94451853818033)}


def main() -> float:
    stopped = biela.simulate("double-four-bar", 1.0, formulation="lagrange", integrator="rk4", step=1e-3)
    print(stopped.explain())
    assert stopped.status == biela.Status.singular
    assert abs(stopped.trajectory.stopped_at - FLAT) < 1e-5

    worst = 0.0
    for formulation in ("penalty", "augmented"):
        r = biela.simulate("double-four-bar", 10.0, formulation=formulation, integrator="rk4", step=5e-4)
        assert r.ok
        for t, exact in B0.items():
            error = np.hypot(*(r["B0"][int(100 * t)] - np.array(exact)))
            print(f"{formulation:10} B0 at {t:g} s is {error:.1e} m from the exact position")
            worst = max(worst, float(error))
        parallel = np.abs(r["crank0.angle"] - r["crank2.angle"]).max()
        assert parallel < 1e-3  # never on the other branch
    assert worst < 1e-3
    return worst


if __name__ == "__main__":
    main()
