"""A straight-line program: operations on numbers, one after the other, without loops and without branches.

It is written by `Recorded` numbers, which compute as usual and note what they do: run on them, a kernel leaves its own
arithmetic behind, with the loops unrolled, the indexes and the constants of the mechanism put in, and nothing done
twice. Decisions that a kernel takes on values become *guards*: the program is good wherever they would be taken in the
same way, and whoever runs it has to check them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

COMMUTATIVE = frozenset({"add", "mul", "min", "max", "eq", "ne"})
LARGEST = 20_000
"""operations from which on a straight line is no gain: it no longer fits where the processor keeps its next
instructions"""


class NotRecordable(Exception):
    """Why a program cannot be written down."""


class Operation(NamedTuple):
    """What a value is: the name of an operation, and its operands, values written before.

    `constant` and `input` have none; their `key` says which.
    """

    name: str
    operands: tuple[int, ...] = ()
    key: Any = None


def _divide(a: float, b: float) -> float:
    """As the processor does it."""
    if b != 0.0:
        return a / b
    return math.nan if a == 0.0 or a != a else math.copysign(math.inf, a) * math.copysign(1.0, b)


def _quiet(function: Callable[..., float]) -> Callable[..., float]:
    """A function of `math` that gives NaN or infinity where that one complains."""

    def value(*operands: float) -> float:
        try:
            return function(*operands)
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf

    return value


VALUES: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": _divide,
    "neg": lambda a: -a,
    "abs": abs,
    "min": lambda a, b: a if a <= b else b,
    "max": lambda a, b: a if a >= b else b,
    "lt": lambda a, b: float(a < b),
    "le": lambda a, b: float(a <= b),
    "eq": lambda a, b: float(a == b),
    "ne": lambda a, b: float(a != b),
    "floor": lambda a: float(math.floor(a)),
    "pow": _quiet(math.pow),
    "atan2": math.atan2,
    **{name: _quiet(getattr(math, name)) for name in
       ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log")},
}  # fmt: skip
"""the operations, by name: what each gives"""
BOOLEAN = frozenset({"lt", "le", "eq", "ne"})


@dataclass
class Path:
    """One way through a kernel: the decisions that it takes on values, and what it leaves."""

    guards: dict[int, bool] = field(default_factory=dict)
    """values of comparisons, in the order in which they are asked for -> how they come out"""
    outputs: dict[Any, int] = field(default_factory=dict)
    """key of a place -> the value that goes there"""
    taken: int = 1
    """how often it was seen"""


@dataclass
class Tape:
    """The operations in order; the same operation on the same values is written once, whatever path it is on."""

    operations: list[Operation] = field(default_factory=list)
    paths: list[Path] = field(default_factory=list)
    guards: dict[int, bool] = field(default_factory=dict)
    """decisions of the path that is being recorded"""
    _known: dict[Operation, int] = field(default_factory=dict)

    def write(self, operation: Operation) -> int:
        """The number of a value."""
        known = self._known.get(operation)
        if known is None:
            known = self._known[operation] = len(self.operations)
            self.operations.append(operation)
            if known > 20 * LARGEST:  # (what nobody uses is dropped later)
                raise NotRecordable(f"it takes more than {known} operations")
        return known

    def end_path(self, outputs: dict[Any, int]) -> None:
        """What has been recorded is a path; the next one begins."""
        for path in self.paths:
            if path.guards == self.guards:
                path.taken += 1
                break
        else:
            self.paths.append(Path(self.guards, outputs))
        self.guards = {}

    def keep_most_taken(self) -> None:
        """As many paths as make sense in machine code, those first that were taken most often."""
        paths = sorted(self.paths, key=lambda path: -path.taken)
        self.paths = paths[:1]
        if self.size > LARGEST:
            raise NotRecordable(f"it takes {self.size} operations, more than {LARGEST}")
        for path in paths[1:]:
            self.paths.append(path)
            if self.size > 2 * LARGEST:
                self.paths.pop()

    def needed(self, wanted: Iterable[int], there: Collection[int] = ()) -> list[int]:
        """The values that some values are made of and that are not there yet, in order."""
        needed = {x for x in wanted if x not in there}
        waiting = list(needed)
        while waiting:
            for x in self.operations[waiting.pop()].operands:
                if x not in needed and x not in there:
                    needed.add(x)
                    waiting.append(x)
        return sorted(needed)

    def used(self) -> list[int]:
        """All values that outputs and guards need, in order."""
        return self.needed(x for path in self.paths for x in (*path.guards, *path.outputs.values()))

    @property
    def size(self) -> int:
        """Operations that compute."""
        return sum(bool(self.operations[value].operands) for value in self.used())

    def run(self, inputs: Callable[[Any], Any], functions: dict[str, Callable] = VALUES) -> dict[Any, Any] | None:
        """The outputs for other inputs, by whatever can compute the operations; nothing where no path holds.

        >>> tape = Tape()
        >>> x, y = tape.input("x", 2.0), tape.input("y", 3.0)
        >>> tape.end_path({"z": tape.number(x * y + x * y + 1.0)})
        >>> tape.size, tape.run({"x": 5.0, "y": 7.0}.get)
        (3, {'z': 71.0})
        """
        values: dict[int, Any] = {}
        for number in self.used():
            o = self.operations[number]
            if o.name == "constant":
                values[number] = o.key
            elif o.name == "input":
                values[number] = inputs(o.key)
            else:
                values[number] = functions[o.name](*(values[x] for x in o.operands))
        for path in self.paths:
            if all(bool(values[g]) == expected for g, expected in path.guards.items()):
                return {key: values[x] for key, x in path.outputs.items()}
        return None

    # ------------------------------------------------------------------------------------- recording
    def input(self, key: Any, value: float) -> Recorded:
        """A number that may be another one the next time."""
        return Recorded(self, self.write(Operation("input", (), key)), value)

    def number(self, x: Any) -> int:
        """The value of a number, recorded or plain."""
        if isinstance(x, Recorded):
            return x.number
        x = float(x)
        return self.write(Operation("constant", (), x if x != 0.0 else math.copysign(0.0, x)))

    def apply(self, name: str, *operands: Any) -> Any:
        """An operation on numbers, of which some are recorded."""
        plain = [x.value if isinstance(x, Recorded) else float(x) for x in operands]
        value = VALUES[name](*plain)
        if not any(isinstance(x, Recorded) for x in operands):
            return value
        short = _shorter(name, operands)
        if short is not None:
            return short
        numbers = tuple(self.number(x) for x in operands)
        if name in COMMUTATIVE:
            numbers = tuple(sorted(numbers))
        return Recorded(self, self.write(Operation(name, numbers)), value)


def _shorter(name: str, operands: tuple) -> Any:
    """The same without an operation, where one of the operands is 0 or 1."""
    a: Any = operands[0]
    b: Any = operands[-1]
    if name == "add":
        return b if _is(a, 0.0) else a if _is(b, 0.0) else None
    if name == "sub":
        return a if _is(b, 0.0) else -b if _is(a, 0.0) else None
    if name == "mul":
        if _is(a, 0.0) or _is(b, 0.0):
            return a if _is(a, 0.0) else b  # (a zero that is a subscript stays an integer)
        return b if _is(a, 1.0) else a if _is(b, 1.0) else -b if _is(a, -1.0) else -a if _is(b, -1.0) else None
    if name == "div":
        return a if _is(a, 0.0) or _is(b, 1.0) else None
    return None


def _is(x: Any, value: float) -> bool:
    return not isinstance(x, Recorded) and x == value


class Recorded:
    """A number that writes down what is done with it. It has a value, too: that of the state it is recorded at."""

    __slots__ = ("number", "tape", "value")

    def __init__(self, tape: Tape, number: int, value: float):
        self.tape, self.number, self.value = tape, number, value

    def __repr__(self) -> str:
        return f"Recorded({self.value!r})"

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Any) -> Any:
        return self.tape.apply("add", self, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self.tape.apply("sub", self, other)

    def __rsub__(self, other: Any) -> Any:
        return self.tape.apply("sub", other, self)

    def __mul__(self, other: Any) -> Any:
        return self.tape.apply("mul", self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self.tape.apply("div", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self.tape.apply("div", other, self)

    def __neg__(self) -> Any:
        return self.tape.apply("neg", self)

    def __abs__(self) -> Any:
        return self.tape.apply("abs", self)

    def __pow__(self, power: Any) -> Any:
        return self * self if power == 2 and not isinstance(power, Recorded) else self.tape.apply("pow", self, power)

    def __rpow__(self, base: Any) -> Any:
        return self.tape.apply("pow", base, self)

    def __lt__(self, other: Any) -> Any:
        return self.tape.apply("lt", self, other)

    def __gt__(self, other: Any) -> Any:
        return self.tape.apply("lt", other, self)

    def __le__(self, other: Any) -> Any:
        return self.tape.apply("le", self, other)

    def __ge__(self, other: Any) -> Any:
        return self.tape.apply("le", other, self)

    def __eq__(self, other: Any) -> Any:
        return self.tape.apply("eq", self, other)

    def __ne__(self, other: Any) -> Any:
        if other is self:  # "is it a number?": where it is none, what is made of it is none either
            return False
        return self.tape.apply("ne", self, other)

    def __bool__(self) -> bool:
        """A decision: the program holds where it is taken like this."""
        truth = bool(self.value)
        name = self.tape.operations[self.number].name
        if name in BOOLEAN:
            self.tape.guards[self.number] = truth
        else:
            bool(self != 0.0)
        return truth

    def __index__(self) -> int:
        """A subscript or a count: the program holds where it is this one."""
        if self.value != int(self.value):
            raise NotRecordable(f"a subscript that is no integer: {self.value}")
        bool(self == self.value)
        return int(self.value)


def recorded_function(name: str) -> Callable[..., Any]:
    """A function of `math`, of recorded and plain numbers alike."""

    def function(*operands: Any) -> Any:
        tape = next((x.tape for x in operands if isinstance(x, Recorded)), None)
        return VALUES[name](*operands) if tape is None else tape.apply(name, *operands)

    return function


def extreme(name: str) -> Callable[..., Any]:
    """`min` or `max` of any number of operands."""
    of_two = recorded_function(name)

    def function(first: Any, *others: Any) -> Any:
        for other in others:
            first = of_two(first, other)
        return first

    return function


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: recorded_function(name) for name in VALUES if hasattr(math, name)},
    "min": extreme("min"),
    "max": extreme("max"),
    "isinf": lambda x: abs(x) == math.inf,
}
"""what kernels call by name, in place of what `math` and Python have"""
