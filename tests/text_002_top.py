"""The top of text 002, section 6.3, by the decaying scheme as the text writes it: where does kinetic energy grow?

Equation (90) is solved here as it stands, with the two readings of its angular velocities and with its misprint. The
unknowns of a step are the Euler parameters e_h (from n to j) and e_g (from j to n + 1); the multipliers follow from the
first two lines of (90).
"""

import numpy as np

import biela
from biela.views.texts.top_002 import MASS, top

J = np.diag([5 - MASS, 5 - MASS, 1.0])  # about the centre of mass
X = np.array([0.0, 0.0, 1.0])
G = np.array([0.0, 0.0, -9.81])


def turn(e: np.ndarray) -> np.ndarray:
    """002 (51)."""
    e0, (x, y, z) = np.sqrt(1 - e @ e), e
    return e0 * np.eye(3) + np.outer(e, e) / (1 + e0) + np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def residual(u, h, R, x, v, w, mean, printed):
    """Lines 3 and 4 of (90), times h^2, and the state at n + 1.

    mean: the momenta of G_g and G_h are those of (25), means of two states; else those of (55), 2 e_g/h and 2 e_h/h.
    printed: -2/h m v_n in the second line of (90), where (29) has -1/h m v_n.
    """
    e_g, e_h = u[:3], u[3:]
    F_h, F_g = turn(e_h), turn(e_g)
    R_h = R @ F_h
    R_j = R_h @ F_h
    R_g = R_j @ F_g
    R_1 = R_g @ F_g
    x_j, x_1 = R_j @ X, R_1 @ X
    lam_g = MASS / h**2 * ((x_1 - x_j) - 2 * (x_j - x)) - MASS / h * v - MASS * G
    lam_j = 3 * (MASS / h**2 * ((x_1 - x_j) + 4 * (x_j - x)) - (2 if printed else 1) / h * MASS * v) + lam_g
    w_j = 2 / h * (e_g + 4 * e_h)
    w_g, w_h = (2 / h * (e_g + e_h), (w_j + w) / 2) if mean else (2 / h * e_g, 2 / h * e_h)
    m_g, m_h = cross(X, R_g.T @ lam_g), cross(X, R_h.T @ lam_j)
    first = 4 / h**2 * J @ (e_g - 2 * e_h) - 2 / h * J @ w + 2 * m_g - 4 / h * cross(J @ w_g, e_g + e_h)
    second = 4 / h**2 * J @ (e_g + 4 * e_h) - 2 / h * J @ w - 2 / 3 * m_g + 2 / 3 * m_h - 4 / h * cross(J @ w_h, e_h)
    after = R_1, x_1, (x_1 - x) / h - 3 * (x_j - x) / h, 2 / h * (e_g - 2 * e_h)
    return h * h * np.concatenate([first, second]), after


def integrate(duration: float, h: float, mean: bool, printed: bool) -> dict[str, np.ndarray]:
    """Total and kinetic energy, spin about the axis and lean, step by step."""
    c, s = np.cos(0.3), np.sin(0.3)
    R, w = np.array([[1, 0, 0], [0, c, -s], [0, s, c]]), np.array([0.0, 0.0, 50.0])
    x, v = R @ X, np.zeros(3)
    rows = []
    for _ in range(round(duration / h) + 1):
        kinetic = 0.5 * MASS * v @ v + 0.5 * w @ J @ w
        rows.append((kinetic - MASS * G @ x, kinetic, w[2], np.arccos(x[2])))
        u = np.concatenate([0.5 * h * w, np.zeros(3)])
        r, after = residual(u, h, R, x, v, w, mean, printed)
        d = 1e-6
        A = np.column_stack([residual(u + d * k, h, R, x, v, w, mean, printed)[0] - r for k in np.eye(6)]) / d
        for _ in range(20):
            step = np.linalg.solve(A, r)
            u = u - step
            r, after = residual(u, h, R, x, v, w, mean, printed)
            if np.abs(step).max() < 1e-14:
                break
        R, x, v, w = after
    return dict(zip(("total", "kinetic", "spin", "lean"), np.array(rows).T, strict=True))


def main(duration: float = 0.7, h: float = 1e-3) -> dict[str, dict[str, np.ndarray]]:
    runs = {
        "(29), momenta of (25)": integrate(duration, h, mean=True, printed=False),
        "(29), momenta of (55)": integrate(duration, h, mean=False, printed=False),
        "(90) as printed": integrate(duration, h, mean=True, printed=True),
    }
    steps = round(duration / h)
    r = biela.simulate(top(), duration, coordinates="natural", integrator="decaying", step=h, samples=steps)
    runs["biela's decaying"] = {
        "total": np.asarray(r["energy.total"]),
        "kinetic": np.asarray(r["energy.kinetic"]),
        "spin": np.asarray(r["top.wz"]),
        "lean": np.arccos(np.asarray(r["G.z"])),
    }
    print(f"{'':24}{'largest growth of E':>20}{'E lost [J]':>12}{'spin - 50':>12}{'most lean [rad]':>17}")
    for name, run in runs.items():
        E, spin, lean = run["total"], run["spin"], run["lean"]
        print(f"{name:24}{np.diff(E).max():20.1e}{E[0] - E[-1]:12.2e}{spin[-1] - 50:12.1e}{lean.max():17.4f}")
    return runs


if __name__ == "__main__":
    main()
