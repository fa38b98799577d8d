"""The motion of a linear model: x' = A x + B u by the rule of 004, with a matrix that is factorised once.   [B.10]"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import MethodError, Problem
from ...methods.linear.trapezoid import Trapezoid
from ...model.expression import ExpressionError, Node, check_names, differentiate, evaluate, parse
from ...model.resolve.naming import did_you_mean
from ...viewing import views

if TYPE_CHECKING:
    from .linearise import Linear

Signal = float | str | Callable[[float], float]
"""what goes in: a number, a formula of t, or a function of t"""


@dataclass
class LinearMotion:
    """States and outputs over time, as they differ from the state that the model was linearised at."""

    model: str
    t: np.ndarray
    x: np.ndarray
    y: np.ndarray
    states: list[str]
    outputs: list[str]
    step: float
    units: dict[str, str]

    def __getitem__(self, name: str) -> np.ndarray:
        """A state or an output over time."""
        if name in self.outputs:
            return self.y[:, self.outputs.index(name)]
        if name not in self.states:
            cure = did_you_mean(name, [*self.states, *self.outputs], "names", most=10)
            raise MethodError(Problem(f"there is no state or output {name!r}", cure=cure))
        return self.x[:, self.states.index(name)]

    @property
    def names(self) -> list[str]:
        """States, and the outputs that are not states."""
        return [*self.states, *(name for name in self.outputs if name not in self.states)]

    def to_csv(self, path: str | Path) -> None:
        """Time, states and outputs, with twelve digits."""
        from ...whole import whole

        columns = [self.t, *(self[name] for name in self.names)]
        heads = ["t [s]", *(f"{n} [{self.units[n]}]" if n in self.units else n for n in self.names)]

        def write(file: Path) -> None:
            with open(file, "w", newline="", encoding="utf-8") as stream:
                table = csv.writer(stream)
                table.writerow(heads)
                table.writerows([f"{value:.12g}" for value in row] for row in zip(*columns, strict=True))

        whole(path, write)

    def plot(self, path: str | Path | None = None) -> Any:
        """The outputs, or without any the states; gives a matplotlib figure."""
        return views().linear_motion(self, path)


def respond(
    linear: Linear, t_end: float, step: float, inputs: Mapping[str, Signal] | None = None,
    start: Mapping[str, float] | None = None, samples: int = 1000,
) -> LinearMotion:  # fmt: skip
    """March a linearised mechanism: see `Linear.respond`."""
    A, names = linear.A, linear.state_names
    problems = _problems(linear, t_end, step, samples, inputs or {}, start or {})
    if problems:
        raise MethodError(problems)
    signals, x = _signals(linear, dict(inputs or {}))
    for name, value in (start or {}).items():
        x[names.index(name)] = float(value)

    def u(t: float) -> np.ndarray:
        return np.array([signal(t) for signal in signals], dtype=float)

    total = max(1, int(np.ceil(t_end / step - 1e-9)))
    h = t_end / total
    stride = max(1, -(-total // samples))
    rule = Trapezoid(A, lambda t: linear.B @ u(t), h)
    rows = [0, *range(stride, total, stride), total]
    t, X, Y = np.zeros(len(rows)), np.zeros((len(rows), len(x))), np.zeros((len(rows), len(linear.outputs)))
    dx, row = A @ x + linear.B @ u(0.0), 0
    for done in range(total + 1):
        if done == rows[row]:
            t[row], X[row], Y[row] = done * h, x, linear.C @ x + linear.D @ u(done * h)
            row += 1
        if done < total:
            x, dx = rule.step(done * h, x, dx)
    if not np.isfinite(X).all():
        worst = max(m.eigenvalue.real for m in linear.modes())
        raise MethodError(Problem("the motion grows beyond the largest number", where=linear.system.name,
                                  why=f"a mode grows with {worst:.3g} 1/s", cure="a shorter time"))  # fmt: skip
    units = dict(zip(linear.outputs, linear.output_units, strict=True))
    return LinearMotion(linear.system.name, t, X, Y, names, list(linear.outputs), h, units)


def _problems(linear: Linear, t_end: float, step: float, samples: int, inputs: Mapping[str, Any],
              start: Mapping[str, Any]) -> list[Problem]:  # fmt: skip
    out = []
    for name, value in (("t_end", t_end), ("step", step)):
        if not (isfinite(value) and value > 0):
            out.append(Problem(f"{name} = {value:g} s is not possible", cure="give a positive number of seconds"))
    if not out and not step <= t_end <= 1e8 * step:
        out.append(Problem(f"step = {step:g} s does not suit a run of {t_end:g} s", cure="from 1 to 1e8 steps"))
    if samples < 1:
        out.append(Problem(f"samples = {samples} is not possible", cure="1, 2, 3, ..."))
    if not linear.at_rest:
        why = "only about an equilibrium do small motions follow x' = A x + B u with a constant A"
        what, cure = "the state is not an equilibrium", "at='equilibrium'"
        out.append(Problem(what, where=linear.system.name, why=why, cure=cure))
    known = [i.name for i in linear.inputs]
    for name in inputs:
        if name not in known:
            cure = did_you_mean(name, known, "inputs", most=10) if known else "linearise(..., inputs=[...])"
            out.append(Problem(f"{name!r} is not an input of this model", cure=cure))
    for name in start:
        if name not in linear.state_names:
            cure = did_you_mean(name, linear.state_names, "states", most=10)
            out.append(Problem(f"{name!r} is not a state of this model", cure=cure))
    return out


def _signals(linear: Linear, inputs: dict[str, Signal]) -> tuple[list[Callable[[float], float]], np.ndarray]:
    """What enters B, and the states at the start: a driver's formula gives its value, so its rate is known, too."""
    names, x = linear.state_names, np.zeros(len(linear.state_names))
    signals = []
    for one in linear.inputs:
        signal = inputs.get(one.name, 0.0)
        if one.driver is None:
            signals.append(_function(one.name, signal))
            continue
        if callable(signal):
            raise MethodError(Problem(f"a function for the driver {one.name!r} has no derivatives",
                                      cure="a formula of t, as in '0.01*sin(3*t)'"))  # fmt: skip
        value = _formula(one.name, str(signal))
        rate = differentiate(value, "t")
        x[names.index(one.name)] = _at(one.name, value, 0.0)
        x[names.index(f"{one.name}.rate")] = _at(one.name, rate, 0.0)
        acceleration = differentiate(rate, "t")
        signals.append(lambda t, node=acceleration, name=one.name: _at(name, node, t))
    return signals, x


def _function(name: str, signal: Signal) -> Callable[[float], float]:
    if callable(signal):
        return signal
    node = _formula(name, str(signal))
    return lambda t: _at(name, node, t)


def _formula(name: str, text: str) -> Node:
    try:
        node = parse(text)
        check_names(node, ["t"])
    except ExpressionError as error:
        raise MethodError(Problem(f"the signal of {name!r} cannot be understood", where=text, why=str(error),
                                  cure="a formula of t, as in '100*sin(3*t)'")) from None  # fmt: skip
    return node


def _at(name: str, node: Node, t: float) -> float:
    try:
        return float(evaluate(node, {"t": t}))
    except (ExpressionError, ArithmeticError, ValueError) as error:
        raise MethodError(Problem(f"the signal of {name!r} fails at t = {t:g} s", why=str(error))) from None
