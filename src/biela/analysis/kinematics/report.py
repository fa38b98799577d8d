"""What a designer asks of a motion: positions, extremes, transmission angles, dead points, range of the input."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import degrees
from typing import Any

import numpy as np

from ...errors import BielaError
from ...model.model import Model
from ...results.channels.channel import Channel
from ...results.geometry.linkage import dyads
from ...results.geometry.transmission import FourBar, Transmission, grashof, input_bodies, transmission_angles
from .kinematics import KinematicResult
from .range_of_motion import RangeOfMotion, range_of_motion


@dataclass(frozen=True)
class Extreme:
    """Least and greatest value of a channel, and the input there."""

    name: str
    unit: str
    least: float
    least_at: float
    greatest: float
    greatest_at: float


@dataclass(frozen=True)
class KinematicReport:
    """The facts; `text()` for people, `data()` for programs.

    >>> import biela
    >>> from biela.analysis.kinematics.report import kinematic_report
    >>> report = kinematic_report(biela.kinematics("four-bar", "crank.angle"), biela.load("four-bar"))
    >>> report.range.full_turn, round(float(report.transmission[0].angle.to("deg").min()), 3)
    (True, 65.376)
    """

    result: KinematicResult
    extremes: list[Extreme]
    transmission: list[Transmission]
    four_bars: list[FourBar]
    range: RangeOfMotion | None
    notes: list[str]

    def data(self) -> dict[str, Any]:
        """Numbers, lists and texts only."""
        r = self.range
        return {
            "extremes": [vars(e) for e in self.extremes],
            "transmission_angles": [
                {
                    "pin": x.pin, "coupler": x.coupler, "follower": x.follower, "unit": "rad",
                    **{k: v for k, v in vars(_extreme(self.result, x.angle)).items() if k not in ("name", "unit")},
                    "least_to_dead": x.least,
                }
                for x in self.transmission
            ],
            "four_bars": [{"links": f.links, "lengths": f.lengths, "class": f.kind} for f in self.four_bars],
            "range": None if r is None else {
                "coordinate": r.coordinate, "lower": r.lower, "upper": r.upper, "full_turn": r.full_turn, "text": str(r)
            },
            "dead_points": [str(p) for p in self.result.dead_points],
            "notes": self.notes,
        }  # fmt: skip

    def text(self) -> str:
        """The whole report."""
        r = self.result
        angular = r.unit(r.coordinate) == "rad" if r.coordinate in r else False
        lines = [f"input {r.coordinate}: {len(r.t)} positions", *_table(self.extremes, r.coordinate, angular)]
        if self.four_bars:
            lines += ["", *(str(f) for f in self.four_bars)]
        if self.transmission:
            lines += ["", "transmission angles (90 deg is best, 0 and 180 deg are dead)"]
            for x in self.transmission:
                e = _extreme(r, x.angle)
                who = f"{x.coupler} and {x.follower}" if x.pin not in (x.coupler, x.follower) else x.coupler
                who = x.follower if x.pin == x.coupler else who
                lines.append(
                    f"  {x.pin} ({who}): from {degrees(e.least):.4f} deg at {_written(e.least_at, angular)} to "
                    f"{degrees(e.greatest):.4f} deg at {_written(e.greatest_at, angular)}; "
                    f"{degrees(min(e.least, np.pi - e.greatest)):.4f} deg from dead at worst"
                )
        lines += ["", *([str(p) for p in r.dead_points] or ["no dead points on the way"])]
        if self.range is not None:
            lines.append(f"range: {self.range}")
        return "\n".join([*lines, *self.notes])


def kinematic_report(
    result: KinematicResult, model: Model | None = None, names: list[str] | None = None
) -> KinematicReport:
    """Everything about a kinematic result; with the model, the range of its input too."""
    notes: list[str] = []
    chosen = names or _worth_reporting(result)
    extremes = [_extreme(result, part) for name in chosen for part in result[name].parts().values()]
    extremes = _without_noise(extremes)
    transmission: list[Transmission] = []
    resolved = result.system.resolved
    if resolved.dimension == 2:
        inputs = input_bodies(result)
        transmission = transmission_angles(result, inputs)
        left = dyads(resolved, inputs)[1]
        if left:
            why = f"they form no dyads with the ground and {', '.join(inputs) or 'the input'}"
            notes.append(f"note: no transmission angles of {', '.join(left)}: {why}")
    reach = None
    if model is not None:
        try:
            reach = range_of_motion(model, result.coordinate)
        except BielaError as error:
            notes.append(f"note: the range of {result.coordinate} was not found: {error.problems[0].what}")
    return KinematicReport(result, extremes, transmission, grashof(result), reach, notes)


def _worth_reporting(r: KinematicResult) -> list[str]:
    """Moving points, how bodies turn, and declared coordinates."""
    resolved, axes = r.system.resolved, "xyz"[: r.system.resolved.dimension]
    names = [f"{p}.{kind}" for p in resolved.start for kind in (*axes, "speed")]
    rigid = [b for b, body in resolved.bodies.items() if not body.particle]
    if resolved.dimension == 2:
        names += [f"{b}.{part}" for b in rigid for part in ("angle", "rate", "angular_acceleration")]
    names += [c for c, x in resolved.coordinates.items() if x.joint is None and c != r.coordinate and c not in names]
    return [n for n in names if n in r and n != r.coordinate]


def _extreme(r: KinematicResult, x: Channel) -> Extreme:
    """At the samples; between them the parabola through three of them says where it turns."""
    inputs = np.asarray(r[r.coordinate] if r.coordinate in r else r.t, dtype=float)
    y = np.asarray(x, dtype=float)
    (low, at_low), (high, at_high) = _lowest(inputs, y), _lowest(inputs, -y)
    return Extreme(x.name, x.unit, low, at_low, -high, at_high)


def _without_noise(extremes: list[Extreme]) -> list[Extreme]:
    """Values that are nothing beside the largest of the same unit are round-off."""
    size: dict[str, float] = {}
    for e in extremes:
        size[e.unit] = max(size.get(e.unit, 0.0), abs(e.least), abs(e.greatest))

    def clean(x: float, unit: str) -> float:
        return 0.0 if abs(x) < 1e-11 * size[unit] else x

    return [replace(e, least=clean(e.least, e.unit), greatest=clean(e.greatest, e.unit)) for e in extremes]


def _lowest(s: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    k = int(np.argmin(y))
    if not 0 < k < len(y) - 1 or np.ptp(s[k - 1 : k + 2]) == 0:
        return float(y[k]), float(s[k])
    a, b = y[k - 1] - y[k], y[k + 1] - y[k]
    h = 0.5 * (s[k + 1] - s[k - 1])
    uneven = abs(s[k + 1] - 2 * s[k] + s[k - 1]) > 1e-6 * abs(h)
    if a + b <= 0 or uneven:
        return float(y[k]), float(s[k])
    shift = 0.5 * (a - b) / (a + b)
    return float(y[k] - 0.25 * (a - b) * shift), float(s[k] + shift * h)


def _written(x: float, angular: bool) -> str:
    return f"{degrees(x):.2f} deg" if angular else f"{x:.6g}"


def _table(extremes: list[Extreme], coordinate: str, angular: bool) -> list[str]:
    rows = [["", "least", "at", "greatest", "at", "unit"]]
    for e in extremes:
        turn = 180 / np.pi if e.unit == "rad" else 1.0
        unit = "deg" if e.unit == "rad" else e.unit
        low, high = (f"{turn * v:.6g}" for v in (e.least, e.greatest))
        at = [_written(v, angular) for v in (e.least_at, e.greatest_at)]
        if e.greatest - e.least <= 1e-11 * max(abs(e.least), abs(e.greatest)):
            at = ["always", "always"]
        rows.append([e.name, low, at[0], high, at[1], unit])
    width = [max(len(row[k]) for row in rows) for k in range(6)]
    out = []
    for row in rows:
        cells = [c.ljust(w) if k in (0, 5) else c.rjust(w) for k, (c, w) in enumerate(zip(row, width, strict=True))]
        out.append("  ".join(cells).rstrip())
    return out
