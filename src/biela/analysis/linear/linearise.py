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
from .signals import Input, Plant, State, check_outputs, plant_of, read
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
    derivatives = _Derivatives(plant, space, names)
    E, G = derivatives.by_inputs()
    H = derivatives.by_states()
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


class _Derivatives:
    """Derivatives of z'' and of the outputs at a state, by differences."""

    def __init__(self, plant: Plant, space: StateSpace, names: list[str]):
        self.plant, self.space, self.names = plant, space, names
        self.system, self.chart, self.t = plant.here.system, space.chart, plant.here.t
        self.base = self._state(space.here.q, space.rate)

    def _state(self, q: np.ndarray, rate: np.ndarray) -> State:
        r = reduce(self.chart, q, rate)
        return q, r.v, r.S @ r.acceleration() + r.c

    def _change(self, q: np.ndarray | None, rate: np.ndarray) -> np.ndarray | None:
        """The outputs at another state, less those at the base."""
        if q is None:
            return None
        both = read(self.system, self.names, [self.base, self._state(q, rate)], self.t)
        return both[1] - both[0]

    def by_states(self) -> np.ndarray:
        """Outputs by z and z'."""
        space, f = self.space, self.space.freedom
        out, units = np.zeros((len(self.names), 2 * f)), steps(space.chart, space.base)
        for k, e in enumerate(np.eye(f) if self.names else ()):
            moved = lambda s, e=e: self._change(space.chart.position(s * e), space.rate)  # noqa: E731
            faster = lambda s, e=e: self._change(space.here.q, space.rate + s * e)  # noqa: E731
            out[:, k] = derivative(moved, POSITION_STEP * units[k])[0]
            out[:, f + k] = derivative(faster, RATE_STEP * units[k])[0]
        return out

    def by_inputs(self) -> tuple[np.ndarray, np.ndarray]:
        """z'' and outputs by the inputs: by a driver's value, rate and acceleration; by an effort in the first."""
        f, count = self.space.freedom, len(self.plant.inputs)
        both = np.zeros((3, f + len(self.names), count))
        for k, one in enumerate(self.plant.inputs):
            if one.driver is None:
                both[0, :, k] = self._by_effort(k)
            else:
                both[:, :, k] = self._by_driver(one)
        return both[:, :f], both[:, f:]

    def _by_effort(self, k: int) -> np.ndarray:
        """Everything is linear in an effort: the difference between some and none is the derivative."""
        here, space = self.plant.here, self.space
        value = max(1.0, float(np.abs(self.system.at(here.q, here.v, here.t).Q).max(initial=0.0)))
        before = read(self.system, self.names, [self._state(here.q, space.rate)], self.t)[0]
        try:
            pushed = self.plant.effort(k, value)
            after = read(pushed, self.names, [self._state(here.q, space.rate)], self.t)[0]
            force = reduce(self.chart, here.q, space.rate).acceleration() - space.F
        finally:
            self.plant.effort(k, 0.0)
        return np.concatenate([force, after - before]) / value

    def _by_driver(self, one: Input) -> np.ndarray:
        """By the value of a driver, its rate and its acceleration, the independent coordinates held."""
        system, chart, space = self.system, self.chart, self.space
        row, unit = system.row_names.index(str(one.driver)), 1.0 if one.unit == "rad" else system.size
        found = []
        for order, step in enumerate((POSITION_STEP * unit, RATE_STEP * unit, RATE_STEP * unit)):

            def changed(s: float, order: int = order) -> np.ndarray | None:
                offsets = Offsets.none(system.m)
                (offsets.w, offsets.w1, offsets.w2)[order][row] = s
                chart.offsets = offsets
                try:
                    q = chart.position(np.zeros(chart.freedom))
                    force, outputs = imbalance(chart, q, space.rate, space.F), self._change(q, space.rate)
                finally:
                    chart.offsets = Offsets.none(system.m)
                if force is None or outputs is None:
                    return None
                return np.concatenate([np.linalg.solve(space.base.M, force), outputs])

            found.append(derivative(changed, step)[0])
        return np.array(found)
