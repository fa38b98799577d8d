"""Random mechanisms that move only because their dimensions fit one another, and the same written with fewer digits."""

from __future__ import annotations

from typing import Any

import numpy as np


def rounded(data: Any, decimals: int | None) -> Any:
    """The same data with so many decimals; None: as it is."""
    if isinstance(data, dict):
        return {key: rounded(value, decimals) for key, value in data.items()}
    if isinstance(data, list):
        return [rounded(value, decimals) for value in data]
    return round(data, decimals) if isinstance(data, float) and decimals is not None else data


def anyhow(rng: np.random.Generator) -> np.ndarray:
    """A random rotation."""
    Q, R = np.linalg.qr(rng.standard_normal((3, 3)))
    Q = Q * np.sign(np.diag(R))
    return Q if np.linalg.det(Q) > 0 else -Q


def _list(x: Any) -> list[float]:
    return [float(c) for c in x]


def _body(start: np.ndarray, points: dict[str, np.ndarray]) -> dict[str, Any]:
    centre = sum(p - start for p in points.values()) / len(points)
    return {"position": _list(start), "points": {n: _list(p - start) for n, p in points.items()}, "mass": 1.0,
            "center": _list(centre), "inertia": [0.01, 0.02, 0.02]}  # fmt: skip


def _loop(points: list[np.ndarray], axes: list[np.ndarray]) -> dict[str, Any]:
    """Hinges in a ring; the ground is its last link."""
    last = len(points) - 1
    bodies = {f"link{i}": _body(points[i], {f"O{i}": points[i], f"O{i + 1}": points[i + 1]}) for i in range(last)}
    names = ["ground", *bodies, "ground"]
    joints = {f"J{i}": {"type": "revolute", "bodies": [names[i], names[i + 1]], "at": f"O{i}", "axis": _list(axes[i])}
              for i in range(last + 1)}  # fmt: skip
    ground = {"O0": _list(points[0]), f"O{last}": _list(points[-1])}
    return {"name": "loop", "gravity": [0.0, 0.0, -9.81], "ground": ground, "bodies": bodies, "joints": joints}


def four_bar(rng: np.random.Generator) -> tuple[dict[str, Any], str, list[str]]:
    """A four-bar of the plane with hinges in space, its plane anywhere."""
    T, off = anyhow(rng), rng.standard_normal(3)
    a, b = rng.uniform(0.6, 1.2), rng.uniform(1.2, 1.8)
    flat = [(0, 0), (0.4 * np.cos(a), 0.4 * np.sin(a)), (1 + 0.8 * np.cos(b), 0.8 * np.sin(b)), (1, 0)]
    return _loop([T @ [*p, 0.0] + off for p in flat], [T @ [0, 0, 1.0]] * 4), "J0.angle", ["O1", "O2"]


def bennett(rng: np.random.Generator) -> tuple[dict[str, Any], str, list[str]]:
    """Bennett's linkage: a : b = sin(alpha) : sin(beta), opposite links alike."""
    T, alpha, beta, turn = anyhow(rng), rng.uniform(0.4, 0.8), rng.uniform(0.9, 1.4), rng.uniform(0.8, 1.6)
    a = 0.6
    b = a * np.sin(beta) / np.sin(alpha)
    k = np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2)
    other = 2 * np.arctan2(k, np.tan(turn / 2))
    links = [(a, alpha, turn), (b, beta, other), (a, alpha, -turn), (b, beta, -other)]
    frame, points, axes = np.eye(4), [], []
    for length, twist, theta in links:  # Denavit and Hartenberg
        points.append(frame[:3, 3].copy())
        axes.append(frame[:3, 2].copy())
        c, s, ct, st = np.cos(theta), np.sin(theta), np.cos(twist), np.sin(twist)
        step = [[c, -s * ct, s * st, length * c], [s, c * ct, -c * st, length * s], [0, st, ct, 0], [0, 0, 0, 1]]
        frame = frame @ step
    assert np.abs(frame - np.eye(4)).max() < 1e-9
    return _loop([T @ p for p in points], [T @ x for x in axes]), "J0.angle", ["O1", "O2"]


def sarrus(rng: np.random.Generator) -> tuple[dict[str, Any], str, list[str]]:
    """Sarrus' linkage: a plate that hinges hold to a straight line."""
    T, h, up = anyhow(rng), rng.uniform(0.3, 0.6), np.array([0, 0, 1.0])
    reach = np.sqrt(0.25 - h * h / 4)
    ground, bodies, joints, top = {}, {}, {}, {}
    for k, turn in enumerate((0.0, rng.uniform(1.2, 2.0))):
        out = np.array([np.cos(turn), np.sin(turn), 0])
        A, B, C = T @ (0.3 * out), T @ ((0.3 + reach) * out + h / 2 * up), T @ (0.3 * out + h * up)
        ground[f"A{k}"], top[f"C{k}"] = _list(A), C
        bodies[f"low{k}"] = _body(A, {f"A{k}": A, f"B{k}": B})
        bodies[f"high{k}"] = _body(B, {f"B{k}": B, f"C{k}": C})
        pairs = (("a", "ground", f"low{k}", "A"), ("b", f"low{k}", f"high{k}", "B"), ("c", f"high{k}", "top", "C"))
        for name, one, two, at in pairs:
            axis = _list(T @ np.cross(up, out))
            joints[f"{name}{k}"] = {"type": "revolute", "bodies": [one, two], "at": f"{at}{k}", "axis": axis}
    bodies["top"] = _body(T @ (h * up), top)
    model = {"name": "s", "gravity": [0.0, 0.0, -9.81], "ground": ground, "bodies": bodies, "joints": joints}
    return model, "a0.angle", ["B0", "C1"]


def parallel_cranks(rng: np.random.Generator) -> tuple[dict[str, Any], str, list[str]]:
    """Three equal cranks side by side in the plane, and their coupler."""
    tilt, turn, a = rng.uniform(-0.3, 0.3), rng.uniform(1.3, 1.8), rng.uniform(0.2, 0.5)
    along, arm = np.array([np.cos(tilt), np.sin(tilt)]), a * np.array([np.cos(turn), np.sin(turn)])
    places = [0.0, rng.uniform(0.4, 0.6), rng.uniform(0.9, 1.2)]
    crank = {"type": "bar", "length": float(a), "mass": 1.0}
    bodies: dict[str, Any] = {f"crank{i}": {**crank, "points": [f"A{i}", f"B{i}"]} for i in range(3)}
    points = {f"B{i}": _list([x, 0.0]) for i, x in enumerate(places)}
    bodies["coupler"] = {"points": points, "mass": 1.0, "center": [0.5, 0.0], "inertia": 0.1}
    ground = {f"A{i}": _list(x * along) for i, x in enumerate(places)}
    start = {f"B{i}": _list(x * along + arm) for i, x in enumerate(places)}
    model = {"name": "c", "gravity": [0.0, -9.81], "ground": ground, "points": start, "bodies": bodies}
    return model, "crank0.angle", ["B1", "B2"]


KINDS = {"four-bar": four_bar, "bennett": bennett, "sarrus": sarrus, "parallel cranks": parallel_cranks}
