"""Expressions as bytecode for a compiled stack machine, so that compiled loops can evaluate user formulas.

A word of a program is ``operand * RADIX + operation``; the operand is an index into the constants, the number of a
variable, or, of an operation that switches or bends, the number of its switch. Many programs share one array of words
and one of constants.

Within a step of an integrator a law must be smooth: so a switch can be told which of its *sides* holds, and then its
operations go by that, whatever their operands say; where the operands change sides, the time loop ends the step
(`switching`). ``side[2*k]`` is that of switch k: 1 or -1, the sign of its difference; 0, it goes by its operands;
BLENDED, it goes from one side to the other over the width ``side[2*k + 1]``.   [I.29]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from biela.model.expression import CONSTANTS, Binary, Call, Name, Node, Number, Unary, check_names, fold, switches_of

from ...machine.compiled import compiled

VARIABLES = ("t", "x", "v")
RADIX = 64
MAX_WORDS = 20_000
SECOND = 1 << 20
"""what the second switch of an operation is multiplied by in its operand"""
BLENDED = 2.0
FREE = np.zeros(2)
"""sides of no switch: all operations go by their operands"""

_SYMBOLS = (
    *("constant", "variable"),
    *("neg", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"),
    *("exp", "log", "sqrt", "abs", "sign", "_smooth"),
    *("+", "-", "*", "/", "^", "<", "<=", ">", ">=", "atan2", "min", "max"),
    *("ramp", "if", "step"),
)
# fmt: off
(CONSTANT, VARIABLE,
 NEG, SIN, COS, TAN, ASIN, ACOS, ATAN, SINH, COSH, TANH, EXP, LOG, SQRT, ABS, SIGN, SMOOTH,
 ADD, SUB, MUL, DIV, POW, LT, LE, GT, GE, ATAN2, MIN, MAX,
 RAMP, IF, STEP) = range(len(_SYMBOLS))
# fmt: on
_CODES = {symbol: code for code, symbol in enumerate(_SYMBOLS)}


def compile_program(
    node: Node,
    variables: Sequence[str] = VARIABLES,
    first_constant: int = 0,
    switch: Callable[[Node], int] = lambda difference: 0,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The words of an expression of at most three variables, and its constants.

    The constants will lie at ``first_constant`` and after in the array given to `run_program`. ``switch`` gives the
    number of the switch with a difference; 0 is that of none.

    >>> from biela.model.expression import parse
    >>> words, constants = compile_program(parse("2*x + 1"))
    >>> [_SYMBOLS[word % RADIX] for word in words], constants.tolist()
    (['constant', 'variable', '*', 'constant', '+'], [2.0, 1.0])
    """
    names = list(variables)
    if len(names) > 3 or set(names) & set(CONSTANTS):
        raise ValueError(f"programs have at most three variables, none named as a constant: {names}")
    check_names(node, names)
    values: dict[float, int] = {}

    def constant(value: float) -> list[int]:
        return [(first_constant + values.setdefault(value, len(values))) * RADIX + CONSTANT]

    def visit(part: Node, below: list[list[int]]) -> list[int]:
        match part:
            case Number(text):
                return constant(float(text))
            case Name(name):
                if name in CONSTANTS:
                    return constant(CONSTANTS[name])
                return [names.index(name) * RADIX + VARIABLE]
            case Unary():
                symbol = "neg"
            case Binary(symbol) | Call(symbol):
                pass
        words = [word for operand in below for word in operand]
        if len(words) > MAX_WORDS:
            raise ValueError(f"the expression is too large: more than {MAX_WORDS} operations")
        operand = sum(switch(d) * place for d, place in zip(switches_of(part), (1, SECOND)))
        return [*words, operand * RADIX + _CODES[symbol]]

    words = fold(node, visit)
    return np.array(words, dtype=np.int64), np.array(list(values), dtype=np.float64)


def needed_stack(ops: NDArray[np.int64]) -> int:
    """The length of stack that one program needs.

    >>> from biela.model.expression import parse
    >>> needed_stack(compile_program(parse("1 + x*(2 + x)"))[0])
    4
    """
    height = highest = 0
    for code in (int(word) % RADIX for word in ops):
        operands = 0 if code < NEG else 1 if code < ADD else 2 if code < RAMP else 5 if code == STEP else 3
        height += 1 - operands
        highest = max(highest, height)
    return highest


class Programs:
    """Collects the expressions of a system into arrays for `run_program`.

    >>> from biela.model.expression import parse
    >>> programs = Programs()
    >>> programs.add(parse("sin(t)")), programs.add(parse("x^2 - v"))
    (0, 1)
    >>> ptr, ops, constants, size = programs.arrays()
    >>> run_program(ops, ptr[1], ptr[2], constants, 0.0, 3.0, 1.0, FREE, np.empty(size))
    8.0
    """

    def __init__(self, variables: Sequence[str] = VARIABLES) -> None:
        self.variables = tuple(variables)
        self._ptr = [0]
        self._ops: list[NDArray[np.int64]] = []
        self._constants: list[NDArray[np.float64]] = []
        self._stack_size = 1

    def __len__(self) -> int:
        return len(self._ops)

    def add(self, node: Node, switch: Callable[[Node], int] = lambda difference: 0) -> int:
        """Compile an expression; gives the number of its program."""
        ops, constants = compile_program(node, self.variables, 0, switch)  # `switch` may add programs meanwhile
        ops += (ops % RADIX == CONSTANT) * RADIX * sum(map(len, self._constants))
        self._ops.append(ops)
        self._constants.append(constants)
        self._ptr.append(self._ptr[-1] + len(ops))
        self._stack_size = max(self._stack_size, needed_stack(ops))
        return len(self._ops) - 1

    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], int]:
        """``ptr`` (program k is ``ops[ptr[k]:ptr[k + 1]]``), ``ops``, ``constants``, size of the stack."""
        ops = np.concatenate([np.empty(0, np.int64), *self._ops])
        constants = np.concatenate([np.empty(0, np.float64), *self._constants])
        return np.array(self._ptr, dtype=np.int64), ops, constants, self._stack_size


@compiled()
def _finite(value, a):
    """NaN where a finite argument gave infinity: a pole."""
    return math.nan if math.isinf(value) and not math.isinf(a) else value


@compiled()
def _smooth(s):
    return s * s * s * (10.0 - 15.0 * s + 6.0 * s * s)


@compiled()
def _ramp(x, x0, x1, begun, ended):
    """From 0 at x0 to 1 at x1; the sides of x - x0 and x - x1, where they are told, decide whether it has begun, or
    ended."""
    if not (x0 < x1):
        return math.nan
    s = (x - x0) / (x1 - x0)
    if begun == 0.0 or abs(begun) == BLENDED:
        begun = -1.0 if s < 0.0 else 1.0
    if ended == 0.0 or abs(ended) == BLENDED:
        ended = 1.0 if s > 1.0 else -1.0
    return 0.0 if begun < 0.0 else 1.0 if ended > 0.0 else s


@compiled()
def _unary(code, a):
    if code == NEG:
        return -a
    elif code == SIN:
        return math.sin(a)
    elif code == COS:
        return math.cos(a)
    elif code == TAN:
        return math.tan(a)
    elif code == ASIN:
        return math.asin(a)
    elif code == ACOS:
        return math.acos(a)
    elif code == ATAN:
        return math.atan(a)
    elif code == SINH:
        return math.sinh(a)
    elif code == COSH:
        return math.cosh(a)
    elif code == TANH:
        return math.tanh(a)
    elif code == EXP:
        return math.exp(a)
    elif code == LOG:
        return _finite(math.log(a), a)
    elif code == SQRT:
        return math.sqrt(a)
    elif code == ABS:
        return abs(a)
    elif code == SIGN:
        return 1.0 if a > 0.0 else -1.0 if a < 0.0 else 0.0 * a
    return _smooth(a)


@compiled()
def _binary(code, a, b):
    # A NaN must not get lost in a comparison, nor in nan**0 = 1.
    if a != a or b != b:
        return math.nan
    elif code == ADD:
        return a + b
    elif code == SUB:
        return a - b
    elif code == MUL:
        return a * b
    elif code == DIV:
        return a / b if b != 0.0 else math.nan
    elif code == POW:
        return math.nan if a == 0.0 and b < 0.0 else a**b
    elif code == LT:
        return 1.0 if a < b else 0.0
    elif code == LE:
        return 1.0 if a <= b else 0.0
    elif code == GT:
        return 1.0 if a > b else 0.0
    elif code == GE:
        return 1.0 if a >= b else 0.0
    elif code == ATAN2:
        return math.atan2(a, b)
    elif code == MIN:
        return a if a <= b else b
    return a if a >= b else b


@compiled()
def _on_side(code, a, b, side, width):
    """An operation whose switch is told its side; b is zero for abs and sign."""
    if a != a or b != b:
        return math.nan
    sign = side
    if side == BLENDED:
        sign = max(-1.0, min(1.0, (a - b) / width))
    if code == ABS:
        return a * sign
    elif code == SIGN:
        return sign
    elif code == MIN or code == MAX:
        if side == BLENDED:
            return min(a, b) if code == MIN else max(a, b)
        return a if (sign < 0.0) == (code == MIN) else b
    return 0.5 * (1.0 - sign if code == LT or code == LE else 1.0 + sign)


@compiled()
def run_program(ops, start, stop, constants, x0, x1, x2, side, stack):
    """The value of the program ``ops[start:stop]`` for the variables ``x0, x1, x2``, on these sides of its switches.

    A domain error or a division by zero gives NaN, which only an `if` that takes the other branch can drop. A function
    that overflows gives infinity, so that 1/cosh(x) is 0 far away; a formula that ends there gives NaN.

    ``stack`` must have the length from `needed_stack`. Beyond a switch whose other side is told, roots, powers and
    logarithms go on to negative arguments, as sqrt(abs(v)) beyond rest: the step will be cut there. Where a switch
    is blended, a condition between 0 and 1 is a mixture.

    >>> from biela.model.expression import parse
    >>> ops, constants = compile_program(parse("x0*exp(x1)"), ["x0", "x1"])
    >>> run_program(ops, 0, len(ops), constants, 2.0, 0.0, 0.0, FREE, np.empty(needed_stack(ops)))
    2.0
    """
    top, beyond, mixed, overflown = -1, False, False, False
    for index in range(start, stop):
        code, operand = ops[index] % RADIX, ops[index] // RADIX
        if code == CONSTANT:
            top += 1
            stack[top] = constants[operand]
        elif code == VARIABLE:
            top += 1
            stack[top] = x0 if operand == 0 else x1 if operand == 1 else x2
        elif code < ADD:
            if operand > 0 and side[2 * operand] != 0.0:
                beyond = beyond or stack[top] * side[2 * operand] < 0.0
                mixed = mixed or side[2 * operand] == BLENDED
                stack[top] = _on_side(code, stack[top], 0.0, side[2 * operand], side[2 * operand + 1])
            elif beyond and stack[top] < 0.0 and (code == SQRT or code == LOG):
                stack[top] = -math.sqrt(-stack[top]) if code == SQRT else _unary(LOG, -stack[top])
            else:
                stack[top] = _unary(code, stack[top])
                overflown = overflown or ((code == EXP or code == SINH or code == COSH) and math.isinf(stack[top]))
        elif code < RAMP:
            top -= 1
            if operand > 0 and side[2 * operand] != 0.0:
                beyond = beyond or (stack[top] - stack[top + 1]) * side[2 * operand] < 0.0
                mixed = mixed or side[2 * operand] == BLENDED
                stack[top] = _on_side(code, stack[top], stack[top + 1], side[2 * operand], side[2 * operand + 1])
            elif beyond and code == POW and stack[top] < 0.0 and stack[top + 1] != math.floor(stack[top + 1]):
                stack[top] = -_binary(POW, -stack[top], stack[top + 1])
            else:
                stack[top] = _binary(code, stack[top], stack[top + 1])
                overflown = overflown or (code == POW and math.isinf(stack[top]))
        elif code == RAMP:
            top -= 2
            begun, ended = side[2 * (operand % SECOND)], side[2 * (operand // SECOND)]
            stack[top] = _ramp(stack[top], stack[top + 1], stack[top + 2], begun, ended)
        elif code == IF:
            top -= 2
            condition = stack[top]
            if mixed and condition > 0.0 and condition < 1.0:
                stack[top] = condition * stack[top + 1] + (1.0 - condition) * stack[top + 2]
            elif condition == condition:
                stack[top] = stack[top + 1] if condition != 0.0 else stack[top + 2]
        else:
            top -= 4
            begun, ended = side[2 * (operand % SECOND)], side[2 * (operand // SECOND)]
            s = _smooth(_ramp(stack[top], stack[top + 1], stack[top + 3], begun, ended))
            stack[top] = stack[top + 2] * (1.0 - s) + stack[top + 4] * s
    return math.nan if overflown and math.isinf(stack[0]) else stack[0]
