"""Linearisation: the motion near a state as x' = A x + B u, y = C x + D u, with names for x, u and y.   [E.8]-[E.11]"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import so_many
from ...model.model import Model
from ...results.motion import Motion
from ...system.system import System
from ...viewing import views
from ..differences import derivative
from ..instant import instant_of
from ..minimal.chart import Offsets
from ..minimal.reduced import reduce
from .modes import Mode, find_modes
from .response import Response
from .signals import Input, Plant, check_outputs, plant_of, read
from .state_space import KINK, POSITION_STEP, RATE_STEP, StateSpace, imbalance, state_space, steps

if TYPE_CHECKING:
    from .motion import LinearMotion


@dataclass
class Linear:
    """A mechanism to first order around one of its states.

    The states are the independent coordinates and their rates; a driver among the inputs adds its value and its rate
    to them, and its acceleration is then what enters B and D.
    """

    space: StateSpace = field(repr=False)
    inputs: list[Input]
    outputs: list[str]
    output_units: list[str]
    E: np.ndarray = field(repr=False)
    """z'' by each input; by a driver's value, rate and acceleration: (3, freedoms, inputs), efforts in the first"""
    G: np.ndarray = field(repr=False)
    """outputs by each input, likewise: (3, outputs, inputs)"""
    H: np.ndarray = field(repr=False)
    """outputs by the states z, z'"""
    notes: list[str] = field(default_factory=list)

    @property
    def system(self) -> System:
        return self.space.here.system

    @property
    def drivers(self) -> list[int]:
        """Which inputs are drivers."""
        return [k for k, i in enumerate(self.inputs) if i.driver is not None]

    @property
    def state_names(self) -> list[str]:
        names = self.space.chart.names
        driven = [self.inputs[k].name for k in self.drivers]
        return [*names, *(f"{n}.rate" for n in names), *driven, *(f"{n}.rate" for n in driven)]

    @property
    def input_names(self) -> list[str]:
        return [f"{i.name}.acceleration" if i.driver else i.name for i in self.inputs]

    @cached_property
    def A(self) -> np.ndarray:
        """x' = A x + B u."""
        f, d = self.space.freedom, len(self.drivers)
        out = np.zeros((2 * f + 2 * d, 2 * f + 2 * d))
        out[: 2 * f, : 2 * f] = self.space.A
        out[f : 2 * f, 2 * f : 2 * f + d] = self.E[0][:, self.drivers]
        out[f : 2 * f, 2 * f + d :] = self.E[1][:, self.drivers]
        out[2 * f : 2 * f + d, 2 * f + d :] = np.eye(d)
        return out

    @cached_property
    def B(self) -> np.ndarray:
        f, d = self.space.freedom, len(self.drivers)
        out = np.zeros((2 * f + 2 * d, len(self.inputs)))
        for k, one in enumerate(self.inputs):
            out[f : 2 * f, k] = self.E[2 if one.driver else 0][:, k]
        for l, k in enumerate(self.drivers):
            out[2 * f + d + l, k] = 1.0
        return out

    @cached_property
    def C(self) -> np.ndarray:
        """y = C x + D u."""
        return np.hstack([self.H, self.G[0][:, self.drivers], self.G[1][:, self.drivers]])

    @cached_property
    def D(self) -> np.ndarray:
        out = np.zeros((len(self.outputs), len(self.inputs)))
        for k, one in enumerate(self.inputs):
            out[:, k] = self.G[2 if one.driver else 0][:, k]
        return out

    @property
    def at_rest(self) -> bool:
        """Whether the state is an equilibrium."""
        return self.space.at_rest

    @cached_property
    def _modes(self) -> list[Mode]:
        return find_modes(self.space)

    def modes(self) -> list[Mode]:
        """Natural frequencies, damping ratios and shapes, the slowest first."""
        return self._modes

    @property
    def frequencies(self) -> np.ndarray:
        """Natural angular frequencies of the modes that oscillate, rad/s."""
        return np.array([m.omega for m in self._modes if m.kind in ("oscillates", "grows") and m.eigenvalue.imag])

    def table(self) -> str:
        """The modes, one line each: frequency, damping, and which part moves."""
        lines = ["  #        Hz       rad/s  damping  how         kinetic energy"]
        for k, m in enumerate(self._modes):
            lines.append(f"{k:3d} {m.frequency:9.5g} {m.omega:11.6g} {m.damping:8.4f}  {m.kind:10}  {m.moving()}")
        return "\n".join(lines)

    def frequency_response(self, omega: Any) -> Response:
        """Outputs over inputs at angular frequencies (rad/s): efforts per newton, drivers per metre or radian."""
        w = np.atleast_1d(np.asarray(omega, dtype=float))
        f = self.space.freedom
        A, G = self.space.A, np.zeros((len(w), len(self.outputs), len(self.inputs)), dtype=complex)
        for l, x in enumerate(w):
            s = 1j * x
            force = self.E[0] + s * self.E[1] + s * s * self.E[2]
            entry = np.vstack([np.zeros((f, len(self.inputs))), force])
            inside = np.linalg.solve(s * np.eye(2 * f) - A, entry)
            G[l] = self.H @ inside + self.G[0] + s * self.G[1] + s * s * self.G[2]
        names = [i.name for i in self.inputs]
        return Response(self.system.name, w, G, names, [i.unit for i in self.inputs], self.outputs, self.output_units)

    def respond(
        self, t_end: float, step: float, inputs: Mapping[str, Any] | None = None,
        start: Mapping[str, float] | None = None, samples: int = 1000,
    ) -> LinearMotion:  # fmt: skip
        """The small motion that inputs cause (numbers, formulas or functions of t; a driver's is more of its value),
        from states that differ by `start` from the equilibrium: by the trapezoidal rule of 004, factorised once.

        >>> import biela
        >>> lin = biela.linearise("mass-spring-damper", inputs=["y"], outputs=["y"])
        >>> m = lin.respond(4.0, 0.01, {"y": 100})
        >>> round(float(m["y"][-1]), 6)  # 100 N on a spring of 10 kN/m
        0.01
        """
        from .motion import respond

        return respond(self, t_end, step, inputs, start, samples)

    def matrices(self) -> dict[str, Any]:
        """A, B, C, D and the names, for files."""
        return {
            "A": self.A, "B": self.B, "C": self.C, "D": self.D, "states": self.state_names,
            "inputs": self.input_names, "outputs": self.outputs, "output_units": self.output_units,
        }  # fmt: skip

    def save(self, path: str | Path) -> None:
        """Write A, B, C, D and the names as .json, .npz or .mat."""
        from .response import write_matrices

        write_matrices(self.matrices(), Path(path))

    def plot_mode(self, k: int, path: str | Path | None = None, **options: Any) -> Any:
        """Draw a mode over the position of rest; gives a matplotlib figure."""
        return views().mode(self, k, path, **options)

    def __repr__(self) -> str:
        return f"Linear({self.system.name!r}: {so_many(self.space.freedom, 'freedom')}, " \
               f"{so_many(len(self.inputs), 'input')}, {so_many(len(self.outputs), 'output')})"  # fmt: skip


def linearise(
    model: Model | System | Motion | str | Path,
    at: Any = "equilibrium",
    inputs: list[str] | tuple[str, ...] = (),
    outputs: list[str] | tuple[str, ...] = (),
    independent: list[str] | None = None,
    coordinates: str | None = None,
) -> Linear:
    """A mechanism to first order around a state: state matrix, modes, response to inputs.

    `at` is "equilibrium" (found from the start), "start", or of a motion "end" or a time. Inputs are efforts on
    coordinates ("crank.angle", "P.x", a force element's name) or drivers; outputs are scalar channels of a result.
    `independent` chooses the coordinates of the state.

    >>> import biela
    >>> lin = biela.linearise("mass-spring-damper", inputs=["y"], outputs=["y"])
    >>> lin.A.round(9).tolist(), lin.B.round(9).tolist()
    ([[0.0, 1.0], [-40.0, -6.0]], [[0.0], [0.004]])
    """
    if isinstance(model, Motion) and at == "equilibrium" and len(model.t) > 1:
        at = "end"
    here = instant_of(model, coordinates, at)
    names = list(outputs)
    plant = plant_of(here, list(inputs))
    space = state_space(plant.here, independent)
    units = check_outputs(plant.here, names)
    E, G = _by_inputs(plant, space, names)
    H = _by_states(space, names)
    notes = list(here.notes)
    if not space.at_rest:
        what = f"note: the state at t = {here.t:g} s is not an equilibrium"
        notes.append(f"{what}; A is that of this instant, in these coordinates")
    if space.kink > KINK:
        share = f"{100 * space.kink:.2g} % of the largest"
        notes.append(f"note: a law has a kink here: to either side derivatives are {share} off their mean, which A has")
    elif space.error > 1e-8:
        notes.append(f"note: derivatives are good to {space.error:.0e} of the largest; is a law not smooth here?")
    return Linear(space, plant.inputs, names, units, E, G, H, notes)


def _state(space: StateSpace, q: np.ndarray, rate: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    r = reduce(space.chart, q, rate)
    return q, r.v, r.S @ r.acceleration() + r.c


def _by_states(space: StateSpace, names: list[str]) -> np.ndarray:
    """Outputs by z and z'."""
    f, q = space.freedom, space.here.q
    out = np.zeros((len(names), 2 * f))
    if not names:
        return out
    base = _state(space, q, space.rate)
    system, units = space.here.system, steps(space.chart, space.base)

    def changed(q: np.ndarray | None, rate: np.ndarray) -> np.ndarray | None:
        if q is None:
            return None
        both = read(system, names, [base, _state(space, q, rate)], space.here.t)
        return both[1] - both[0]

    for k in range(f):
        e = np.eye(f)[k]
        moved = lambda s, e=e: changed(space.chart.position(s * e), space.rate)  # noqa: E731
        faster = lambda s, e=e: changed(q, space.rate + s * e)  # noqa: E731
        out[:, k] = derivative(moved, POSITION_STEP * units[k])[0]
        out[:, f + k] = derivative(faster, RATE_STEP * units[k])[0]
    return out


def _by_inputs(plant: Plant, space: StateSpace, names: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """z'' and outputs by the inputs."""
    f, count = space.freedom, len(plant.inputs)
    E, G = np.zeros((3, f, count)), np.zeros((3, len(names), count))
    for k, one in enumerate(plant.inputs):
        if one.driver is not None:
            _by_driver(plant, space, names, k, E, G)
        else:
            _by_effort(plant, space, names, k, E, G)
    return E, G


def _by_effort(plant: Plant, space: StateSpace, names: list[str], k: int, E: np.ndarray, G: np.ndarray) -> None:
    """Everything is linear in an effort: the difference between some and none is the derivative."""
    here, system = plant.here, plant.here.system
    value = max(1.0, float(np.abs(system.at(here.q, here.v, here.t).Q).max(initial=0.0)))
    before = _state(space, here.q, space.rate)
    out = [read(system, names, [before], here.t)[0]] if names else []
    try:
        pushed = plant.effort(k, value)
        after = _state(space, here.q, space.rate)
        E[0, :, k] = (reduce(space.chart, here.q, space.rate).acceleration() - space.F) / value
        if names:
            out.append(read(pushed, names, [after], here.t)[0])
    finally:
        plant.effort(k, 0.0)
    if names:
        G[0, :, k] = (out[1] - out[0]) / value


def _by_driver(plant: Plant, space: StateSpace, names: list[str], k: int, E: np.ndarray, G: np.ndarray) -> None:
    """By the value of a driver, its rate and its acceleration, the independent coordinates held."""
    here, system, chart = plant.here, plant.here.system, space.chart
    row = system.row_names.index(str(plant.inputs[k].driver))
    unit = 1.0 if plant.inputs[k].unit == "rad" else system.size
    base = _state(space, here.q, space.rate)
    for order, step in enumerate((POSITION_STEP * unit, RATE_STEP * unit, RATE_STEP * unit)):

        def changed(s: float, order: int = order) -> np.ndarray | None:
            offsets = Offsets.none(system.m)
            (offsets.w, offsets.w1, offsets.w2)[order][row] = s
            chart.offsets = offsets
            try:
                q = chart.position(np.zeros(chart.freedom))
                force = imbalance(chart, q, space.rate, space.F)
                if q is None or force is None:
                    return None
                state = _state(space, q, space.rate)
            finally:
                chart.offsets = Offsets.none(system.m)
            told = read(system, names, [base, state], here.t) if names else np.zeros((2, 0))
            return np.concatenate([np.linalg.solve(space.base.M, force), told[1] - told[0]])

        found = derivative(changed, step)[0]
        E[order, :, k], G[order, :, k] = found[: space.freedom], found[space.freedom :]
