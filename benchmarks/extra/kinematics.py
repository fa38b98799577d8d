"""Kinematics of many positions: microseconds a position, beside the closed form of the same four-bar in plain NumPy.

CPU seconds of the call, the least of several. The closed form has positions, velocities and accelerations of both
pins; biela has those, the multipliers, and an eye on dead points and branches, for any mechanism.
"""

from __future__ import annotations

from time import process_time

import numpy as np

COUNT = 90_001


def closed_form(a: np.ndarray, crank: float, rod: float, rocker: float, base: float) -> dict[str, np.ndarray]:
    """Pins of a four-bar by the circles on which they lie; the input turns at 1 rad/s."""
    B = crank * np.exp(1j * a)
    Bv, Ba = 1j * B, -B
    d = base - B
    dv, da = -Bv, -Ba
    s, sv = np.abs(d) ** 2, 2 * (d.conj() * dv).real
    sa = 2 * (np.abs(dv) ** 2 + (d.conj() * da).real)
    k = (rod**2 - rocker**2) / 2
    x, xv, xa = 0.5 + k / s, -k * sv / s**2, -k * sa / s**2 + 2 * k * sv**2 / s**3
    y2 = rod**2 / s - x**2
    y = np.sqrt(y2)
    y2v = -(rod**2) * sv / s**2 - 2 * x * xv
    y2a = -(rod**2) * sa / s**2 + 2 * rod**2 * sv**2 / s**3 - 2 * xv**2 - 2 * x * xa
    yv = y2v / (2 * y)
    ya = y2a / (2 * y) - y2v**2 / (4 * y**3)
    z, zv, za = x + 1j * y, xv + 1j * yv, xa + 1j * ya
    C, Cv, Ca = B + d * z, Bv + dv * z + d * zv, Ba + da * z + 2 * dv * zv + d * za
    return {"B": B, "C": C, "Cv": Cv, "Ca": Ca}


def least(work, times: int) -> float:
    """CPU seconds."""
    best = float("inf")
    for _ in range(times):
        begun = process_time()
        work()
        best = min(best, process_time() - begun)
    return best


def main(quick: bool) -> list[dict]:
    """Measure, save."""
    from main import machine, save

    import biela

    times = 3 if quick else 7
    lengths = (0.1, 0.4, 0.3, 0.35)
    crank, rod, rocker, base = lengths
    B = crank * np.exp(0j)
    C = closed_form(np.zeros(1), *lengths)["C"][0]
    bars = {"crank": ("A", "B", crank), "rod": ("B", "C", rod), "rocker": ("D", "C", rocker)}
    bodies = {n: {"type": "bar", "points": [p, q], "length": x, "mass": 1.0} for n, (p, q, x) in bars.items()}
    model = biela.Model(
        name="four-bar", ground={"A": [0, 0], "D": [base, 0]}, bodies=bodies,
        points={"B": [B.real, B.imag], "C": [float(C.real), float(C.imag)]},
    )  # fmt: skip
    done = biela.kinematics(model, "crank.angle", 0.0, "360 deg", count=COUNT)
    exact = closed_form(np.linspace(0.0, 2 * np.pi, COUNT), *lengths)
    ours = {"C": ("C.x", "C.y"), "Cv": ("C.vx", "C.vy"), "Ca": ("C.ax", "C.ay")}
    error = {n: float(np.abs(np.asarray(done[x]) + 1j * np.asarray(done[y]) - exact[n]).max())
             for n, (x, y) in ours.items()}  # fmt: skip
    found = {
        "positions": COUNT,
        "biela_us_per_position": 1e6 / COUNT * least(
            lambda: biela.kinematics(model, "crank.angle", 0.0, "360 deg", count=COUNT), times),
        "closed_form_us_per_position": 1e6 / COUNT * least(
            lambda: closed_form(np.linspace(0.0, 2 * np.pi, COUNT), *lengths), times),
    }  # fmt: skip
    found["ratio"] = found["biela_us_per_position"] / found["closed_form_us_per_position"]
    save("kinematics", {"machine": machine(), "quick": quick, "kinematics": found, "error": error})
    for k, v in {**found, **{f"error of {n}": e for n, e in error.items()}}.items():
        print(f"  {k}: {v:.3g}")
    return []
