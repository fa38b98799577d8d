"""Polynomials of degree two in the coordinates, plus sines and cosines of angles: what constraint rows are.

Coefficients are floats or SymPy expressions; the same joint equations give numbers and formulas.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Polynomial:
    """constant + sum linear[i] q_i + sum quadratic[i, j] q_i q_j + sum (c cos q_j + d sin q_j).

    >>> x, y = Polynomial.variable(0), Polynomial.variable(1)
    >>> (x * x + 2 * x * y - 3).quadratic
    {(0, 0): 1, (0, 1): 2}
    """

    constant: Any = 0
    linear: dict[int, Any] = field(default_factory=dict)
    quadratic: dict[tuple[int, int], Any] = field(default_factory=dict)
    trig: dict[int, tuple[Any, Any]] = field(default_factory=dict)

    @staticmethod
    def variable(i: int) -> Polynomial:
        """The coordinate q_i."""
        return Polynomial(linear={i: 1})

    @staticmethod
    def cosine(i: int) -> Polynomial:
        """cos q_i."""
        return Polynomial(trig={i: (1, 0)})

    @staticmethod
    def sine(i: int) -> Polynomial:
        """sin q_i."""
        return Polynomial(trig={i: (0, 1)})

    def variables(self) -> set[int]:
        """The coordinates that appear."""
        return set(self.linear) | {i for pair in self.quadratic for i in pair} | set(self.trig)

    def __add__(self, other: Any) -> Polynomial:
        if not isinstance(other, Polynomial):
            return Polynomial(self.constant + other, self.linear, self.quadratic, self.trig)
        trig = self.trig
        if other.trig:
            trig = dict(trig)
            for i, (c, d) in other.trig.items():
                c0, d0 = trig.get(i, (0, 0))
                trig[i] = (c0 + c, d0 + d)
        return Polynomial(
            self.constant + other.constant,
            _merged(self.linear, other.linear),
            _merged(self.quadratic, other.quadratic),
            trig,
        )

    def __mul__(self, other: Any) -> Polynomial:
        if not isinstance(other, Polynomial):
            if other == 0:
                return Polynomial()
            return Polynomial(
                self.constant * other,
                {i: c * other for i, c in self.linear.items()},
                {ij: c * other for ij, c in self.quadratic.items()},
                {i: (c * other, d * other) for i, (c, d) in self.trig.items()},
            )
        if self.quadratic or self.trig or other.quadratic or other.trig:
            if self.variables() and other.variables():
                raise ValueError("a product of degree above two")
            return self * other.constant if not other.variables() else other * self.constant
        quadratic: dict[tuple[int, int], Any] = {}
        for i, ci in self.linear.items():
            for j, cj in other.linear.items():
                ij = (min(i, j), max(i, j))
                quadratic[ij] = quadratic.get(ij, 0) + ci * cj
        linear = _merged(
            {i: c * other.constant for i, c in self.linear.items()},
            {i: c * self.constant for i, c in other.linear.items()},
        )
        return Polynomial(self.constant * other.constant, without_zeros(linear), without_zeros(quadratic))

    def __truediv__(self, other: Any) -> Polynomial:
        if isinstance(other, Polynomial):
            if other.variables():
                raise ValueError("a division by something that moves")
            other = other.constant
        return self * (1 / other)

    def __pow__(self, power: Any) -> Polynomial:
        power = power.constant if isinstance(power, Polynomial) and not power.variables() else power
        if power not in (0, 1, 2):
            if not self.variables() and not isinstance(power, Polynomial):
                return Polynomial(self.constant**power)
            raise ValueError(f"a power {power} of something that moves")
        return (Polynomial(1), self, self * self if power == 2 else self)[int(power)]

    def __neg__(self) -> Polynomial:
        return self * -1

    def __sub__(self, other: Any) -> Polynomial:
        return self + (-other)

    def __radd__(self, other: Any) -> Polynomial:
        return self + other

    def __rsub__(self, other: Any) -> Polynomial:
        return (-self) + other

    __rmul__ = __mul__


def _merged(a: dict, b: dict) -> dict:
    if not b:
        return a
    if not a:
        return b
    out = dict(a)
    for key, value in b.items():
        out[key] = out[key] + value if key in out else value
    return without_zeros(out)


def without_zeros(terms: dict) -> dict:
    """Exact zeros leave the pattern: x - x is not a coordinate any more."""
    return {key: value for key, value in terms.items() if value != 0}
