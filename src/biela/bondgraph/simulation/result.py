"""The result of running a bond graph: effort, flow, power and energy of every bond by name, with units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy

from ...methods.status import Status
from ...results.channels.channel import Catalogue, Channel
from ...results.quality.verdict import LOST, Verdict
from ...results.run_result import RunResult
from ..equations.element_laws import P, Q
from ..equations.symbols import FUNCTIONS
from ..equations.writing import remarks
from ..model.domains import UNITS
from ..model.network import Network, Node
from .numeric import Numeric
from .verdict import verdict

if TYPE_CHECKING:
    from ..model.graph import BondGraph


@dataclass
class BondTrajectory:
    """What an integration left."""

    step: float | None
    t: list[float] = field(default_factory=list)
    x: list[np.ndarray] = field(default_factory=list)
    energy: list[np.ndarray] = field(default_factory=list)
    """along every bond since the start"""
    status: Status = Status.finished
    message: str = ""
    stopped_at: float = 0.0
    steps: int = 0
    evaluations: int = 0
    iterations: int = 0
    wall: float = 0.0
    integrator: str = ""
    reason: str = ""
    closed: bool = False
    tolerance: float | None = None
    """of error-controlled steps"""
    hidden: int = 0
    """fixed steps that are too long for what a law does"""
    doubts: list[str] = field(default_factory=list)
    """what could not be told of the laws beforehand"""

    def keep(self, t: float, x: np.ndarray, energy: np.ndarray) -> None:
        """One sample."""
        self.t.append(t)
        self.x.append(np.array(x))
        self.energy.append(np.array(energy))


class BondResult(RunResult):
    """Channels by name: "b1.effort", "b1.flow", "b1.power", "b1.energy", "mass.p", "spring.q", "energy.stored", ..."""

    def __init__(self, graph: BondGraph, numeric: Numeric, trajectory: BondTrajectory):
        self.graph, self.numeric, self.trajectory = graph, numeric, trajectory
        self.system = graph.network
        self.t = Channel.of(trajectory.t, "t", "s")
        self.x = np.array(trajectory.x).reshape(len(trajectory.t), -1)
        self.notes = [f"note: {line}" for line in remarks(numeric.eq)]
        self.message = trajectory.message
        self.finer: Callable[[], np.ndarray] | None = None
        """of fixed steps: the states at the samples, from a run with half of them"""

    # -------------------------------------------------------------------------------------- channels
    @cached_property
    def _efforts_and_flows(self) -> np.ndarray:
        """(samples, 2, bonds)"""
        return np.array([self.numeric.efforts_and_flows(float(t), x) for t, x in zip(self.t, self.x, strict=True)])

    @cached_property
    def _energy(self) -> np.ndarray:
        return np.array(self.trajectory.energy)

    @cached_property
    def _dependent(self) -> np.ndarray:
        return np.array([self.numeric.dependent(float(t), x) for t, x in zip(self.t, self.x, strict=True)])

    @cached_property
    def _catalogue(self) -> Catalogue:
        out = Catalogue()
        network, eq = self.graph.network, self.numeric.eq
        for node in network.of("I", "C"):
            unit = UNITS[node.bond.domain][2 if node.kind == "I" else 3]
            if node.state in eq.states:
                k = list(eq.states).index(node.state)
                out[node.state] = (lambda k=k: self.x[:, k], unit)
            else:
                k = list(eq.dependent).index(node.name)
                out[node.state] = (lambda k=k: self._dependent[:, k], unit)
            energy = energy_function(network, node)
            out[f"{node.name}.energy"] = (lambda s=node.state, f=energy: f(np.asarray(self[s])), "J")
        for k, (name, bond) in enumerate(network.bonds.items()):
            effort, flow = UNITS[bond.domain][:2]
            out[f"{name}.effort"] = (lambda k=k: self._efforts_and_flows[:, 0, k], effort)
            out[f"{name}.flow"] = (lambda k=k: self._efforts_and_flows[:, 1, k], flow)
            out[f"{name}.power"] = (lambda k=k: self._efforts_and_flows[:, :, k].prod(axis=1), "W")
            out[f"{name}.energy"] = (lambda k=k: self._energy[:, k], "J")
        for node in network.of("0", "1"):
            common = "effort" if node.kind == "0" else "flow"
            out[f"{node.name}.{common}"] = out[f"{node.bond.name}.{common}"]
        out["energy.stored"] = (self._stored, "J")
        out["energy.supplied"] = (lambda: self._through("Se", "Sf"), "J")
        out["energy.dissipated"] = (lambda: -self._through("R"), "J")
        out["energy.error"] = (self._energy_error, "J")
        return out

    def _stored(self) -> np.ndarray:
        parts = [np.asarray(self[f"{n.name}.energy"]) for n in self.graph.network.of("I", "C")]
        return np.sum(parts, axis=0) if parts else np.zeros(len(self.t))

    def _through(self, *kinds: str) -> np.ndarray:
        """Energy that elements of some kinds have given since the start."""
        total = np.zeros(len(self.t))
        for k, bond in enumerate(self.graph.network.bonds.values()):
            for end in (bond.start, bond.end):
                if self.graph.network.nodes[end].kind in kinds:
                    total -= bond.sign(end) * self._energy[:, k]
        return total

    def _energy_error(self) -> np.ndarray:
        stored = self._stored()
        return stored - stored[0] - self._through("Se", "Sf", "R")

    # --------------------------------------------------------------------------------------- quality
    @cached_property
    def ok(self) -> bool:
        """True if the run reached its end without losing more than 1 % of its energy. That is the least; how good it is
        says `verdict`."""
        return self.finished and self.energy_error <= LOST * self.energy_scale

    @cached_property
    def verdict(self) -> Verdict:
        """Good, doubtful or bad, with the reason, the cure, and the error that it stands for."""
        return verdict(self)

    @property
    def energy_error(self) -> float:
        return float(np.abs(self["energy.error"]).max())

    @property
    def energy_scale(self) -> float:
        """The largest energy that was stored or went through a bond."""
        return float(max(np.abs(self["energy.stored"]).max(initial=0.0), np.abs(self._energy).max(initial=0.0)))

    @property
    def method(self) -> str:
        """Integrator and step, and why."""
        run = self.trajectory
        how = f"h = {run.step:g} s" if run.step else "error-controlled"
        closed = ", matrix factorised once" if run.closed else ""
        return f"{run.integrator}, {how}{closed} ({run.reason})"

    def facts(self) -> dict[str, Any]:
        """Numbers about the computation, for files."""
        return {**super().facts(), "verdict": self.verdict.grade}

    def default_names(self) -> list[str]:
        """States, then effort and flow of every bond, then the energies."""
        states = [n.state for n in self.graph.network.of("I", "C")]
        both = [f"{b}.{what}" for b in self.graph.network.bonds for what in ("effort", "flow")]
        return [*states, *both, "energy.stored", "energy.supplied", "energy.dissipated"]


def energy_function(network: Network, node: Node) -> Callable[[np.ndarray], np.ndarray]:
    """Energy as a function of the momentum or displacement: the integral of the law from zero. [B.3]"""
    law, variable = (node.laws["flow"], P) if node.kind == "I" else (node.laws["effort"], Q)
    law = law.xreplace(network.numbers)
    if node.linear:
        slope = float(sympy.diff(law, variable))
        return lambda x: 0.5 * slope * np.square(x)
    f = sympy.lambdify([variable], law, modules=[network.python, FUNCTIONS, "math"])
    nodes, weights = np.polynomial.legendre.leggauss(24)

    def energy(x: np.ndarray) -> np.ndarray:
        out = np.zeros(len(x))
        for k, end in enumerate(np.asarray(x, dtype=float)):
            edges = np.linspace(0.0, end, 9)
            for a, b in pairwise(edges):
                points = 0.5 * (b - a) * nodes + 0.5 * (a + b)
                out[k] += 0.5 * (b - a) * sum(w * f(point) for w, point in zip(weights, points, strict=True))
        return out

    return energy
