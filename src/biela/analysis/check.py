"""Check: what a mechanism is before anything moves. Sizes, freedom, redundancy, singularity, and doubts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import BielaError
from ..model.model import Model
from .assembly import as_model, assemble
from .mobility import Mobility, mobility
from .simulate import check_motion
from .singularity import describe_singularity


@dataclass(frozen=True)
class CheckReport:
    """The facts about a model. `problems` stop a simulation, `doubts` deserve a look."""

    name: str
    title: str
    bodies: int
    gravity: tuple[float, float]
    sizes: dict[str, Mobility]
    """per coordinate set"""
    grubler: int
    singular: str
    problems: list[str]
    doubts: list[str]

    @property
    def ok(self) -> bool:
        """True if a simulation can start."""
        return not self.problems

    def text(self) -> str:
        """The report in words."""
        lines = [f"{self.name}: {self.title}".rstrip(": ")]
        g = self.gravity
        lines.append(f"{self.bodies} moving bodies; gravity " + (f"({g[0]:g}, {g[1]:g}) m/s^2" if any(g) else "none"))
        lines.append("coordinates      n    m  rank  redundant  freedom")
        for name, m in self.sizes.items():
            lines.append(f"{name:14} {m.n:3}  {m.m:3}  {m.rank:4}  {m.redundant:9}  {m.freedom:7}")
        first = next(iter(self.sizes.values()))
        driven = f" (with {first.drivers} driver(s) at work)" if first.drivers else ""
        lines.append(f"freedom by rank: {first.freedom}{driven}; by counting (Gruebler): {self.grubler}")
        if first.redundant:
            lines.append(f"implied by the others: {', '.join(first.implied)}")
            lines.append(f"  the dependency runs through: {', '.join(first.involved)}")
            lines.append("  motion is not affected; multipliers of dependent rows are those of least norm")
        if self.singular:
            lines.append(f"{self.singular}: {first.instantaneous} freedom(s) here, {first.freedom} nearby")
        lines += [f"problem: {p}" for p in self.problems] + [f"look at: {d}" for d in self.doubts]
        if not self.problems and not self.doubts:
            lines.append("nothing to object")
        return "\n".join(lines)

    def data(self) -> dict[str, Any]:
        """The report for machines."""
        return {
            "model": self.name,
            "bodies": self.bodies,
            "gravity": list(self.gravity),
            "coordinates": {
                name: {
                    "n": m.n, "m": m.m, "rank": m.rank, "redundant": m.redundant, "freedom": m.freedom,
                    "implied": list(m.implied), "involved": list(m.involved), "singular": m.singular,
                }
                for name, m in self.sizes.items()
            },
            "freedom_by_counting": self.grubler,
            "singular": self.singular,
            "problems": self.problems,
            "doubts": self.doubts,
            "ok": self.ok,
        }  # fmt: skip


def check(model: Model | str | Path) -> CheckReport:
    """Look a model over: sizes of its equations, freedom, redundancy, singular start, unlikely numbers.

    >>> import biela
    >>> report = biela.check("four-bar")
    >>> report.ok, report.sizes["natural"].freedom, report.sizes["natural"].n
    (True, 1, 4)
    """
    model = as_model(model)
    sizes: dict[str, Mobility] = {}
    problems: list[str] = []
    singular = ""
    natural = assemble(model, "natural")
    for name in ("natural", "mixed"):
        system = natural if name == "natural" else assemble(model, name)
        m = mobility(system)
        system.rank = m.rank
        sizes[name] = m
        if name == "natural":
            if m.singular:
                singular = describe_singularity(system, system.q0, 0.0)
            try:
                check_motion(system, m)
            except BielaError as error:
                problems = [str(p) for p in error.problems]
    meaning = natural.meaning
    rigid = sum(not b.particle for b in meaning.bodies.values())
    return CheckReport(
        model.name,
        model.title,
        len(meaning.bodies),
        (float(meaning.gravity[0]), float(meaning.gravity[1])),
        sizes,
        sizes["natural"].counted,
        singular,
        problems,
        _doubts(natural) if rigid or meaning.bodies else ["there are no bodies"],
    )


def _doubts(system: Any) -> list[str]:
    """Numbers that are possible but look like a slip of units."""
    meaning, out = system.meaning, []
    g = float(np.hypot(float(meaning.gravity[0]), float(meaning.gravity[1])))
    if g > 100:
        out.append(f"gravity of {g:g} m/s^2: were millimetres meant?")
    if system.size > 100:
        out.append(f"bodies of about {system.size:g} m: were millimetres meant?")
    for name, b in meaning.bodies.items():
        if b.mass and len(b.points) > 1:
            p = np.array(list(b.points.values()), dtype=float)
            reach = float(np.ptp(p, axis=0).max())
            if b.inertia and float(b.inertia) / float(b.mass) > 100 * reach**2:
                out.append(f"inertia of {name!r}: its radius of gyration is {np.sqrt(b.inertia / b.mass):.3g} m, "
                           f"its points span {reach:.3g} m")  # fmt: skip
    return out
