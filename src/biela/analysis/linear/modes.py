"""Modes of vibration: eigenvalues of the motion near a state, and which parts move in each.   [E.9], [E.10]"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import pi
from typing import Any

import numpy as np

from ...system.system import System
from ..numbers import listed
from .moving_parts import PartMotion, extent, part_motions
from .state_space import StateSpace

ZERO = 1e-6
"""an eigenvalue is zero below this share of the largest: its square is what is computed"""


@dataclass
class Mode:
    """One way to move by itself: z = shape e^(eigenvalue t)."""

    eigenvalue: complex
    z: np.ndarray = field(repr=False)
    """of the independent coordinates"""
    v: np.ndarray = field(repr=False)
    """displacement of all the system's variables"""
    parts: list[PartMotion] = field(repr=False)
    points: dict[str, np.ndarray] = field(repr=False)
    """displacement of every moving point, complex; the largest of all parts is one"""
    kind: str
    """"oscillates", "decays", "grows" or "free" """

    @property
    def omega(self) -> float:
        """Natural angular frequency |eigenvalue|, rad/s."""
        return 0.0 if self.kind == "free" else float(abs(self.eigenvalue))

    @property
    def frequency(self) -> float:
        """Natural frequency, Hz."""
        return self.omega / (2 * pi)

    @property
    def damped_frequency(self) -> float:
        """Of the decaying oscillation, Hz."""
        return float(abs(self.eigenvalue.imag)) / (2 * pi) if self.kind != "free" else 0.0

    @property
    def damping(self) -> float:
        """Damping ratio: 0 undamped, 1 critical; negative where it grows."""
        return 0.0 - float(self.eigenvalue.real) / self.omega if self.omega else 0.0

    def shares(self) -> dict[str, float]:
        """The share of each body in the kinetic energy of the mode."""
        total = sum(p.energy for p in self.parts) or 1.0
        return {p.body: p.energy / total for p in self.parts}

    def moving(self, least: float = 0.05, most: int = 4) -> str:
        """The bodies that carry its kinetic energy, the largest share first."""
        shares = sorted(self.shares().items(), key=lambda item: -item[1])
        return listed([f"{name} {100 * x:.0f} %" for name, x in shares if x > least], most)


def find_modes(space: StateSpace) -> list[Mode]:
    """All modes, the slowest first; of a complex pair one."""
    values, vectors = eigen(space)
    f = space.freedom
    top = max(float(np.abs(values).max(initial=0.0)), 1e-300)
    out = []
    for value, vector in zip(values, vectors.T, strict=True):
        if value.imag < -ZERO * 1e-3 * top:
            continue  # its partner is there
        out.append(_mode(space, complex(value), vector[:f], top))
    return sorted(out, key=lambda m: (m.omega, m.eigenvalue.real))


def eigen(space: StateSpace) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues and eigenvectors of the state matrix; by the symmetric problem K z = w^2 M z where there is one."""
    M, K, C, f = space.base.M, space.K, space.C, space.freedom
    L = np.linalg.cholesky(M)
    inverse = np.linalg.inv(L)
    K, C = inverse @ K @ inverse.T, inverse @ C @ inverse.T
    size = float(np.abs(K).max(initial=0.0))
    undamped = float(np.abs(C).max(initial=0.0)) <= max(1e-11, 10 * space.error) * np.sqrt(max(size, 1e-300))
    if undamped and float(np.abs(K - K.T).max(initial=0.0)) <= max(1e-9, 10 * space.error) * size:
        w, V = np.linalg.eigh(0.5 * (K + K.T))
        w = np.where(np.abs(w) <= max(ZERO**2, 10 * space.error) * size, 0.0, w)
        roots = np.sqrt(np.abs(w))
        Z = inverse.T @ V
        values: list[complex] = []
        columns: list[np.ndarray] = []
        for root, sign, z in zip(roots, np.sign(w), Z.T, strict=True):
            for side in (1, -1) if root else (1,):  # a free motion has its own shape twice
                value = side * (1j * root if sign >= 0 else root)
                values.append(complex(value))
                columns.append(np.concatenate([z, value * z]))
        return np.array(values), np.array(columns).T.reshape(2 * f, len(values))
    A = np.block([[np.zeros((f, f)), np.eye(f)], [-K, -C]])
    found, V = np.linalg.eig(A)
    both = np.block([[inverse.T, np.zeros((f, f))], [np.zeros((f, f)), inverse.T]])
    return found, both @ V


def _mode(space: StateSpace, value: complex, z: np.ndarray, top: float) -> Mode:
    system, q = space.here.system, space.here.q
    v = space.base.S @ z
    v = v * np.exp(-1j * np.angle(v[int(np.argmax(np.abs(v / system.unit)))]))
    parts = part_motions(system, q, np.asarray(v, dtype=complex))
    points = point_motions(system, q, v)
    lengths = [float(np.linalg.norm(x)) for x in (*points.values(), *(p.centre for p in parts))]
    largest = max(lengths, default=0.0)
    turned = max((extent(p, system.size) for p in parts), default=0.0)
    if largest < 1e-6 * turned:  # nothing but turning about centres
        largest = turned / system.size
    scale = 1.0 / (largest or 1.0)
    parts = [PartMotion(p.body, scale * p.centre, scale * p.spin, scale**2 * p.energy) for p in parts]
    z = np.linalg.lstsq(space.base.S, v, rcond=None)[0] * scale
    if abs(value) <= ZERO * top or (abs(value) ** 2 <= 10 * space.error * top**2 and abs(value) < 1e-3 * top):
        kind = "free"
    elif abs(value.imag) > 1e-9 * abs(value):
        kind = "grows" if value.real > 1e-8 * abs(value) else "oscillates"
    else:
        kind = "grows" if value.real > 0 else "decays"
    return Mode(value, z, v * scale, parts, {k: scale * x for k, x in points.items()}, kind)


def point_motions(system: System, q: np.ndarray, v: np.ndarray) -> dict[str, np.ndarray]:
    """Displacements of all moving points, complex."""
    resolved = system.resolved
    v = np.asarray(v, dtype=complex)
    both = system.posture(np.array([q, q]), np.array([np.real(v), np.imag(v)]))
    out: dict[str, np.ndarray] = {}
    for p in resolved.start:
        rate: Any = both.place(resolved.place(p))[1]
        out[p] = rate[0] + 1j * rate[1]
    return out
