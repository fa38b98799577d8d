"""The result of running a bond graph: effort, flow, power and energy of every bond by name, with units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy

from ...methods.status import Status
from ...results.channels.by_name import ChannelsByName
from ...results.channels.channel import Catalogue, Channel
from ...results.quality.verdict import GOOD, LOST, Verdict
from ...viewing import views
from ..equations.element_laws import P, Q
from ..equations.symbols import FUNCTIONS
from ..model.domains import UNITS
from ..model.network import Network, Node
from .judgement import verdict
from .numeric import Numeric

if TYPE_CHECKING:
    from ..model.graph import BondGraph


@dataclass
class Run:
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


class BondResult(ChannelsByName):
    """Channels by name: "b1.effort", "b1.flow", "b1.power", "b1.energy", "mass.p", "spring.q", "energy.stored", ..."""

    def __init__(self, graph: BondGraph, numeric: Numeric, run: Run):
        self.graph, self.numeric, self.run = graph, numeric, run
        self.system = graph.network  # has the name that plots show
        self.t = Channel.of(run.t, "t", "s")
        self.x = np.array(run.x).reshape(len(run.t), -1)
        self.notes = [f"note: {line}" for line in _remarks(numeric)]
        self.message = run.message
        self.finer: Callable[[], np.ndarray] | None = None
        """of fixed steps: the states at the samples, from a run with half of them"""

    # -------------------------------------------------------------------------------------- channels
    @cached_property
    def _efforts_and_flows(self) -> np.ndarray:
        """(samples, 2, bonds)"""
        return np.array([self.numeric.efforts_and_flows(float(t), x) for t, x in zip(self.t, self.x, strict=True)])

    @cached_property
    def _energy(self) -> np.ndarray:
        return np.array(self.run.energy)

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

    # --------------------------------------------------------------------------------------- judgement
    @property
    def status(self) -> Status:
        """How the run ended."""
        return self.run.status

    @property
    def finished(self) -> bool:
        """True if the run reached its end."""
        return self.status == Status.finished

    @cached_property
    def ok(self) -> bool:
        """True if the run reached its end without losing more than 1 % of its energy. That is the least; how good it is
        says `verdict`."""
        error, scale = float(np.abs(self["energy.error"]).max()), self.energy_scale
        return self.finished and error <= LOST * scale

    @cached_property
    def verdict(self) -> Verdict:
        """Good, doubtful or bad, with the reason, the cure, and the error that it stands for."""
        return verdict(self)

    @property
    def method(self) -> str:
        """Integrator and step, and why."""
        run = self.run
        how = f"h = {run.step:g} s" if run.step else "error-controlled"
        closed = ", matrix factorised once" if run.closed else ""
        return f"{run.integrator}, {how}{closed} ({run.reason})"

    def quality(self) -> str:
        """One line: end, verdict, energy error, effort."""
        error, scale = float(np.abs(self["energy.error"]).max()), self.energy_scale
        relative = f" ({error / scale:.1e} of {scale:.3g} J)" if scale > 0 else ""
        end = "finished" if self.finished else f"stopped at t = {self.run.stopped_at:.6g} s: {self.status.sentence}"
        end += f", {self.verdict.grade}" + (f" ({self.verdict.reason})" if self.verdict.grade != GOOD else "")
        run = self.run
        effort = f"{run.steps} steps, {run.evaluations} evaluations, {run.wall:.3g} s"
        return f"{end}; energy error {error:.2e} J{relative}; {effort}"

    @property
    def energy_scale(self) -> float:
        """The largest energy that was stored or went through a bond."""
        return float(max(np.abs(self["energy.stored"]).max(initial=0.0), np.abs(self._energy).max(initial=0.0)))

    def explain(self) -> str:
        """What happened and what to try."""
        lines = [self.quality(), "method: " + self.method]
        if self.message:
            lines.append(self.message)
        if self.verdict.cure:
            lines.append("try: " + self.verdict.cure)
        return "\n".join(lines + self.notes)

    def __repr__(self) -> str:
        return f"BondResult({self.graph.name!r}, {len(self.t)} samples to t = {self.t[-1]:g} s: {self.quality()})"

    def facts(self) -> dict[str, Any]:
        """Numbers about the computation, for files."""
        run = self.run
        error = float(np.abs(self["energy.error"]).max())
        return {
            "status": self.status.name,
            "steps": run.steps,
            "evaluations": run.evaluations,
            "energy_error_max": error,
            "verdict": self.verdict.grade,
        }

    # ----------------------------------------------------------------------------------------- outputs
    def default_names(self) -> list[str]:
        """What people look at first: states, then effort and flow of every bond, then the energies."""
        states = [n.state for n in self.graph.network.of("I", "C")]
        both = [f"{b}.{what}" for b in self.graph.network.bonds for what in ("effort", "flow")]
        return [*states, *both, "energy.stored", "energy.supplied", "energy.dissipated"]

    def to_xarray(self) -> Any:
        """All channels as an xarray Dataset (extra `data`)."""
        from ...results.channels.table import missing

        try:
            import xarray
        except ImportError:
            raise missing("xarray", "labelled data sets") from None
        variables = {name: (("t",), np.asarray(self[name]), {"units": self.unit(name)}) for name in self}
        attrs = {"model": self.graph.name, "method": self.method, "quality": self.quality(), **self.facts()}
        return xarray.Dataset(variables, coords={"t": ("t", np.asarray(self.t), {"units": "s"})}, attrs=attrs)

    def to_netcdf(self, path: str | Path) -> None:
        """All channels in one netCDF file (extra `data`)."""
        from ...whole import whole

        data = self.to_xarray()
        whole(path, lambda file: data.to_netcdf(file, engine="h5netcdf"))

    def plot(self, *names: str, against: str = "t", path: str | Path | None = None) -> Any:
        """Plot channels; gives a matplotlib figure, and writes it if a path is given."""
        return views().plot(self, *names, against=against, path=path)


def _remarks(numeric: Numeric) -> list[str]:
    from ..equations.writing import remarks

    return remarks(numeric.eq)


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
