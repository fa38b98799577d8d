"""Table 1 of text 000: four algorithms on the double pendulum, ten seconds, two steps."""

import biela

# largest energy error [J]: as text 000 prints it, and as independent scripts of the same algorithms give it
TABLE = {
    ("penalty", "trapezoidal"): {1e-3: (2e-3, 6.4e-3), 1e-2: (3e-1, 2.9e-1)},
    ("augmented", "trapezoidal"): {1e-3: (2e-3, 6.4e-3), 1e-2: (3e-1, 2.9e-1)},
    ("projection", "rk2"): {1e-3: (4e-4, 9.6e-4), 1e-2: (4e-2, 9.3e-2)},
    ("projection", "abm4"): {1e-3: (3.5e-6, 6.6e-7), 1e-2: (2.5e-3, 6.3e-3)},
}
TRUE = {"P1": (-1.66780588, -1.10382224), "P2": (-0.69907443, 0.64590899)}  # at 10 s


def main() -> dict:
    found = {}
    for (formulation, integrator), steps in TABLE.items():
        for step, (printed, known) in steps.items():
            r = biela.simulate("double-pendulum", 10, formulation=formulation, integrator=integrator, step=step)
            error = r.trajectory.energy_error
            found[formulation, integrator, step] = error
            print(f"{formulation:10} + {integrator:12} h = {step:5g} s: {error:.1e} J (text: {printed:.1e} J)")
            assert known / 3 < error < 3 * known

    best = biela.simulate("double-pendulum", 10, integrator="dop853", tolerance=1e-12)
    for point, (x, y) in TRUE.items():
        at = best.final[point]
        print(f"{point} at 10 s: ({at[0]:.8f}, {at[1]:.8f})")
        assert abs(at[0] - x) < 2e-8 and abs(at[1] - y) < 2e-8
    return found


if __name__ == "__main__":
    main()
