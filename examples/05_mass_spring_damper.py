"""The mass on a spring and a damper of text 001, section 15.4: Euler's steps as printed, and the closed form."""

import numpy as np

import biela

m, k, d, g = 250.0, 10000.0, 1500.0, 9.8


def exact(t: np.ndarray) -> np.ndarray:
    """y of m y'' + d y' + k y = m g, from y = y' = 0; y counts downwards."""
    decay, rest = d / (2 * m), m * g / k
    w = np.sqrt(k / m - decay**2)
    return rest * (1 - np.exp(-decay * t) * (np.cos(w * t) + decay / w * np.sin(w * t)))


def main() -> float:
    # Text 001 takes the new velocity for the new position: biela calls that symplectic Euler. It prints 9.1532, 0.1895
    # and 0.002875, which are the steps for k = 15000 N/m; those for its own 10000 N/m are 9.1728, 0.1897, 0.002877.
    steps = {"15000 N/m": (9.1532, 0.1895, 0.002875), "10000 N/m": (9.1728, 0.1897, 0.002877)}
    for stiffness, (acceleration, velocity, position) in steps.items():
        model = biela.load("mass-spring-damper").with_parameters(k=stiffness)
        r = biela.simulate(model, 0.02, integrator="symplectic-euler", step=0.01)
        y, v, a = (np.asarray(r[name]) for name in ("y", "y.rate", "y.acceleration"))
        print(f"k = {stiffness}: y''(0.01) = {a[1]:.4f}, y'(0.02) = {v[2]:.4f}, y(0.02) = {y[2]:.6f}")
        assert abs(v[1] - 0.098) < 1e-12 and abs(y[1] - 0.00098) < 1e-12
        assert abs(a[1] - acceleration) < 5e-5 and abs(v[2] - velocity) < 5e-5 and abs(y[2] - position) < 5e-7

    r = biela.simulate("mass-spring-damper", 2.0, tolerance=1e-11)
    error = np.abs(r["y"] - exact(np.asarray(r.t))).max()
    print(f"largest distance from the closed form: {error:.1e} m")
    assert error < 1e-9
    return float(error)


if __name__ == "__main__":
    main()
