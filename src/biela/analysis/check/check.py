"""Check: what a mechanism is before anything moves. Sizes, freedom, redundancy, singularity, and doubts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import BielaError, so_many
from ...mechanics.idle_spins import hold_idle_spins
from ...model.model import Model
from ...model.resolve import resolve
from ...system.system import COORDINATES, System
from ..assembly.assemble import as_model, assemble
from ..events.describe import describe_events, refuse_start_beyond
from .determinacy import Determinacy, determinacy, islands
from .mobility import Mobility, mobility, nearly_redundant
from .movability import check_motion, without_inertia
from .singularity import describe_singularity


@dataclass(frozen=True)
class CheckReport:
    """The facts about a model. `problems` stop a simulation, `doubts` deserve a second thought."""

    name: str
    title: str
    bodies: int
    gravity: tuple[float, ...]
    sizes: dict[str, Mobility]
    """per coordinate set"""
    grubler: int
    """freedom by counting: those of all bodies less the rows of all joints"""
    reactions: Determinacy
    idle: list[str]
    """bodies that can spin about their own lines, which nobody feels: a freedom each"""
    islands: list[list[str]]
    """bodies that no joint connects to the ground"""
    singular: str
    problems: list[str]
    doubts: list[str]
    notes: list[str]
    stops: dict[str, str]
    """each stop and lock in words"""

    @property
    def ok(self) -> bool:
        """True if nothing stops a simulation (or, without masses, kinematics)."""
        return not self.problems

    def text(self) -> str:
        """The report in words."""
        lines = [f"{self.name}: {self.title}".rstrip(": ")]
        g = ", ".join(f"{x:g}" for x in self.gravity)
        number = f"{self.bodies} moving bod{'y' if self.bodies == 1 else 'ies'}"
        lines.append(f"{number}; gravity " + (f"({g}) m/s^2" if any(self.gravity) else "none"))
        lines.append("coordinates          n    m  rank  redundant  freedom")
        for name, m in self.sizes.items():
            lines.append(f"{name:16}  {m.n:4}  {m.m:3}  {m.rank:4}  {m.redundant:9}  {m.freedom:7}")
        first = self.sizes["reference-point"]
        driven = f" (with {so_many(first.drivers, 'driver')} at work)" if first.drivers else ""
        lines.append(f"freedom by rank: {first.freedom}{driven}; by counting (Gruebler): {self.grubler}")
        if self.idle:
            spins = "an idle spin" if len(self.idle) == 1 else f"{len(self.idle)} idle spins"
            lines.append(f"  among it {spins}, which moves no point: {', '.join(self.idle)}")
        if first.redundant:
            lines.append(f"redundant: {so_many(first.redundant, 'row')}, implied by the others in any position")
            lines.append(f"  for instance: {', '.join(first.implied)}")
            lines.append(f"  the dependency runs through: {', '.join(first.involved)}")
            lines.append("  the motion is not affected")
        if self.reactions.shared:
            lines.append(f"reactions determined: {', '.join(self.reactions.unique) or 'none'}")
            lines.append(f"reactions by convention (least norm): {', '.join(self.reactions.shared)}")
        lines += [f"{name}: {what}" for name, what in self.stops.items()]
        for group in self.islands:
            lines.append(f"not connected to the ground: {', '.join(group)}")
        if self.singular:
            lines.append(f"{self.singular}: {so_many(first.instantaneous, 'freedom')} here, {first.freedom} nearby")
        lines += self.notes
        lines += [f"problem: {p}" for p in self.problems] + [f"warning: {d}" for d in self.doubts]
        if not self.problems and not self.doubts:
            lines.append("no problems found")
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
            "reactions_determined": list(self.reactions.unique),
            "reactions_by_convention": list(self.reactions.shared),
            "idle_spins": self.idle,
            "not_connected_to_ground": self.islands,
            "singular": self.singular,
            "problems": self.problems,
            "doubts": self.doubts,
            "notes": self.notes,
            "stops": self.stops,
            "ok": self.ok,
        }  # fmt: skip


def check(model: Model | str | Path) -> CheckReport:
    """Examine a model: sizes of its equations, freedom, redundancy, singular start, unlikely numbers.

    >>> import biela
    >>> report = biela.check("four-bar")
    >>> report.ok, report.sizes["natural"].freedom, report.sizes["natural"].n
    (True, 1, 4)
    """
    model = as_model(model)
    sizes: dict[str, Mobility] = {}
    problems: list[str] = []
    singular = ""
    systems: dict[str, System] = {}
    for name in COORDINATES:
        system = systems[name] = assemble(model, name)
        m = mobility(system)
        system.rank = m.rank
        sizes[name] = m
        if name == "natural":
            if m.singular:
                singular = describe_singularity(system, system.q0, 0.0)
            try:
                check_motion(system, m, inertia=_has_mass(system))
                refuse_start_beyond(system)
            except BielaError as error:
                problems = [str(p) for p in error.problems]
            if not problems and not _has_mass(system) and without_inertia(system):
                system.notes.append("note: no body has mass: kinematics needs none, a simulation does")
    natural, free = systems["natural"], systems["reference-point"]
    pose = sizes["reference-point"].pose
    resolved = natural.resolved
    rigid = sum(not b.particle for b in resolved.bodies.values())
    return CheckReport(
        model.name,
        model.title,
        len(resolved.bodies),
        tuple(float(x) for x in resolved.gravity),
        sizes,
        sizes["reference-point"].counted,
        determinacy(free, free.q0 if pose is None else pose),
        hold_idle_spins(resolve(model))[1],
        islands(resolved),
        singular,
        problems,
        [*resolved.doubts, *_doubts(natural), *_nearly_redundant(sizes)]
        if rigid or resolved.bodies
        else ["there are no bodies"],
        [note for note in natural.notes if note.removeprefix("note: ") not in resolved.doubts],
        describe_events(natural),
    )


def _has_mass(system: System) -> bool:
    return any(float(b.mass) > 0.0 for b in system.resolved.bodies.values()) or not system.resolved.bodies


def _nearly_redundant(sizes: dict[str, Mobility]) -> list[str]:
    """Constraints that are redundant but for digits that data seldom has."""
    out = []
    least = min((m.doubtful for m in sizes.values() if m.doubtful), default=0.0)
    if least:
        out.append(nearly_redundant(least))
    freedoms = {name: m.freedom for name, m in sizes.items()}
    if len(set(freedoms.values())) > 1:
        listed = ", ".join(f"{name} {f}" for name, f in freedoms.items())
        out.append(f"the freedom is not the same in all coordinates ({listed}): give lengths and axes with more digits")
    return out


def _doubts(system: Any) -> list[str]:
    """Numbers that are possible but look like a slip of units."""
    resolved, out = system.resolved, []
    g = float(np.linalg.norm([float(x) for x in resolved.gravity]))
    if g > 100:
        out.append(f"gravity of {g:g} m/s^2: did you mean millimetres?")
    if system.size > 100:
        out.append(f"bodies of about {system.size:g} m: did you mean millimetres?")
    for name, b in resolved.bodies.items():
        if b.mass and len(b.points) > 1:
            p = np.array(list(b.points.values()), dtype=float)
            reach = float(np.ptp(p, axis=0).max())
            inertia = float(np.max(np.asarray(b.inertia, dtype=float)))
            if inertia / float(b.mass) > 100 * reach**2:
                out.append(f"inertia of {name!r}: its radius of gyration is {np.sqrt(inertia / float(b.mass)):.3g} m, "
                           f"its points span {reach:.3g} m")  # fmt: skip
    return out
