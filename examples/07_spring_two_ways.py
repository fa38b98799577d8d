"""A spring between two points, and through a distance coordinate: the same motion (text 000, section 2.5)."""

import numpy as np

import biela

REFERENCE = {"P1": (-1.88873354, 0.65778842), "P2": (-1.1661991, 2.52271308)}  # at 2 s, minimal coordinates


def main() -> float:
    through = biela.load("double-pendulum-spring")  # s is a variable; Q has -k (s - l0) in its place, 000 (84)
    between = biela.load("double-pendulum-spring")
    between.coordinates, between.forces = {}, {}
    between.add_force("spring", "spring", points=("P0", "P2"), stiffness="k", free="l0")  # 000 (74)

    runs = [biela.simulate(model, 2.0, tolerance=1e-11) for model in (through, between)]
    for r in runs:
        print(r.system.q_names, r.quality())
    difference = max(np.abs(runs[0][name] - runs[1][name]).max() for name in ("P1", "P2", "spring.force"))
    print(f"the two differ by {difference:.1e} at most")
    assert difference < 1e-6
    for r in runs:
        for point, exact in REFERENCE.items():
            assert np.abs(np.array(r.final[point]) - exact).max() < 2e-8
    print(biela.explain(through).symbolic.Q.T)
    print(biela.explain(between).symbolic.Q.T)
    return float(difference)


if __name__ == "__main__":
    main()
