"""The result of inverse dynamics: a known motion, and the efforts and reactions that it needs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..system.system import System
from .channels.channel import Catalogue
from .channels.power import kinetic_rate, other_power, potential_rate
from .motion import Motion


@dataclass(frozen=True)
class Motor:
    """A coordinate on which an effort acts."""

    coordinate: str
    force: str
    """what the system calls the force that stands for it"""
    unit: str
    rate: str
    """the channel that the effort is multiplied with to give power"""
    drivers: tuple[str, ...] = ()
    """drivers of the model on this coordinate: its efforts bear their names as well"""


class InverseResult(Motion):
    """What a motion needs: efforts, power and energy of the motors, and the reactions in all joints.

    `C.effort`, `C.power` and `C.energy` belong to the motor on coordinate C; where the model has a driver D on it,
    `D.effort` is the same. All other channels are those of any motion.

    >>> import biela
    >>> r = biela.inverse("four-bar", {"crank_angle": "2*pi*t"}, t_end=1.0, samples=100)
    >>> r["crank_angle.effort"].unit, r["A.reaction@crank"].shape
    ('N*m', (101, 2))
    """

    def __init__(
        self, system: System, t: Any, q: Any, v: Any, a: Any, lam: Any, motors: list[Motor], efforts: np.ndarray,
        turns: Any = None,
    ):  # fmt: skip
        super().__init__(system, t, q, v, a, lam, None, turns)
        self.motors = motors
        self.efforts = efforts
        self.gap: dict[str, float] = {}
        """by how much each prescription was missed, at most"""
        self.missing = 0.0
        """what the motors could not give, relative to the largest generalised force"""
        self.scale = 0.0
        """the largest generalised force in the motion, N m (lengths in units of the mechanism)"""
        self.residual = 0.0
        """what is left of the equations of motion with these efforts as forces, relative in the same way"""
        self.complete = True
        self.interrupted = False
        self.how = ""

    @property
    def ok(self) -> bool:
        """True if the whole motion was computed."""
        return self.complete

    @property
    def method(self) -> str:
        return f"{self.system.coordinates} coordinates, {self.how}"

    @cached_property
    def _catalogue(self) -> Catalogue:
        hidden = tuple(f"{motor.force}." for motor in self.motors)
        out = Catalogue({name: entry for name, entry in super()._catalogue.items() if not name.startswith(hidden)})
        for k, m in enumerate(self.motors):
            effort = lambda k=k: self.efforts[:, k]  # noqa: E731
            power = lambda k=k, m=m: self.efforts[:, k] * np.asarray(out[m.rate][0]())  # noqa: E731
            energy = lambda power=power: self._integral(power())  # noqa: E731
            for name in (m.coordinate, *m.drivers):
                out[f"{name}.effort"] = (effort, m.unit)
                out[f"{name}.power"] = (power, "W")
                out[f"{name}.energy"] = (energy, "J")
        out["power.motors"] = (lambda: self._powers[0], "W")
        out["power.other"] = (lambda: self._powers[1], "W")
        out["power.stored"] = (lambda: self._powers[2], "W")
        out["power.balance"] = (lambda: self._powers[0] + self._powers[1] - self._powers[2], "W")
        return out

    @cached_property
    def _powers(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of the motors, of the other forces, and what is stored."""
        motors = np.zeros(len(self.t))
        for k, m in enumerate(self.motors):
            motors += self.efforts[:, k] * np.asarray(self[m.rate])
        return motors, other_power(self, {m.force for m in self.motors}), kinetic_rate(self) + potential_rate(self)

    def _integral(self, power: np.ndarray) -> np.ndarray:
        """From the first sample on, by the cubic spline through the samples."""
        from scipy.interpolate import CubicSpline

        if len(power) < 2:
            return np.zeros(len(power))
        return CubicSpline(np.asarray(self.t), power).antiderivative()(np.asarray(self.t))

    @property
    def power_scale(self) -> float:
        """The largest power that was exchanged; what the balance is to be compared with."""
        m, o, s = self._powers
        return float(max(np.abs(x).max(initial=0.0) for x in (m, o, s, kinetic_rate(self), potential_rate(self))))

    @property
    def power_error(self) -> float:
        """By how much the balance of power fails to close, at most, in watts."""
        return float(np.abs(np.asarray(self["power.balance"])).max(initial=0.0))

    def quality(self) -> str:
        """One line: end, gaps of the joints and prescriptions, balance of power."""
        worst = float(np.asarray(self["violation.position"]).max(initial=0.0))
        scale, error = self.power_scale, self.power_error
        relative = f" ({error / scale:.1e} of {scale:.3g} W)" if scale > 0 else ""
        end = "complete" if self.complete else "stopped"
        parts = [f"{end}; {len(self.t)} instants; |Phi| {worst:.1e}"]
        if self.gap:
            parts.append(f"motion met to {max(self.gap.values()):.1e}")
        parts.append(f"equations hold to {self.residual:.1e}")
        parts.append(f"power balance closes to {error:.1e} W{relative}")
        return "; ".join(parts)

    def summary(self) -> list[dict[str, Any]]:
        """Of each motor: its greatest and its mean effort, when, its greatest power, and the energy it gave."""
        out = []
        for m in self.motors:
            effort, power = np.asarray(self[f"{m.coordinate}.effort"]), np.asarray(self[f"{m.coordinate}.power"])
            k = int(np.abs(effort).argmax())
            out.append(
                {
                    "coordinate": m.coordinate,
                    "drivers": list(m.drivers),
                    "unit": m.unit,
                    "effort_max": float(effort[k]),
                    "at": float(self.t[k]),
                    "effort_rms": float(np.sqrt(np.mean(effort**2))),
                    "power_max": float(power[np.abs(power).argmax()]),
                    "energy": float(self[f"{m.coordinate}.energy"][-1]),
                }
            )
        return out

    def report(self) -> str:
        """What was found, in words."""
        lines = []
        for s in self.summary():
            name = s["coordinate"] + (f" ({', '.join(s['drivers'])})" if s["drivers"] else "")
            lines.append(
                f"{name}: effort {s['effort_max']:.6g} {s['unit']} at t = {s['at']:.4g} s, r.m.s. "
                f"{s['effort_rms']:.6g}; power {s['power_max']:.6g} W; energy {s['energy']:.6g} J"
            )
        return "\n".join([*lines, self.quality(), *([self.message] if self.message else []), *self.notes])

    def __repr__(self) -> str:
        return f"InverseResult({self.system.name!r}: {self.quality()})"

    def facts(self) -> dict[str, Any]:
        return {
            "status": "finished" if self.complete else "interrupted" if self.interrupted else "stopped",
            "power_balance_max": self.power_error,
            "missing_effort": self.missing,
        }
