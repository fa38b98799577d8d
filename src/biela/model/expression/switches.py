"""Where a formula switches or bends: the differences whose sign decides which branch of it holds.

`if(x > 50, ...)` switches where x - 50 changes its sign, `abs(v)` bends where v does, `min(a, b)` where a - b does,
`step(t, 1, 0, 2, 5)` begins at t - 1 and ends at t - 2. Between such places a formula is smooth.
"""

from __future__ import annotations

from .derivative import substitute
from .functions import ALL, COMPARISONS, CONSTANTS, PARAMETERS
from .reading import parse
from .tree import Binary, Call, Name, Node, Number, Unary, fold, operands
from .writing import names

GENTLE_POWER = 6
"""a power up to this of a variable hides nothing between the stages of a step"""


def switches_of(node: Node) -> tuple[Node, ...]:
    """The differences that decide between the branches of one operation (not of its operands).

    >>> from biela.model.expression import parse, to_text
    >>> for law in ("x >= 50", "abs(v)", "step(t, 1, 0, 2, 5)"):
    ...     print([to_text(d) for d in switches_of(parse(law))])
    ['x - 50']
    ['v']
    ['t - 1', 't - 2']
    """
    key = node.op if isinstance(node, Binary) else node.function if isinstance(node, Call) else ""
    if key not in ALL or not ALL[key].switches:
        return ()
    arguments = dict(zip(PARAMETERS, operands(node)))
    return tuple(substitute(parse(switch), arguments) for switch in ALL[key].switches)


def switches_by(root: Node, name: str) -> bool:
    """Whether a formula switches or bends by this variable.

    >>> from biela.model.expression import parse
    >>> switches_by(parse("-2*sign(v) + x"), "v"), switches_by(parse("-2*sign(v) + x"), "x")
    (True, False)
    """
    return fold(root, lambda node, below: any(below) or any(name in names(d) for d in switches_of(node)))


def jumps(root: Node) -> bool:
    """Whether a formula may jump: its slope then does not tell how far it goes."""

    def visit(node: Node, below: list[bool]) -> bool:
        key = node.op if isinstance(node, Binary) else node.function if isinstance(node, Call) else ""
        return any(below) or (key in ALL and ALL[key].jumps)

    return fold(root, visit)


def is_gentle(root: Node) -> bool:
    """Whether each branch of a formula is a polynomial of low degree, which no integrator can step over.

    >>> from biela.model.expression import parse
    >>> is_gentle(parse("-3*x^2 + if(v > 1, abs(v), 2)")), is_gentle(parse("exp(-x^2)")), is_gentle(parse("1/x"))
    (True, False, False)
    """

    def visit(part: Node, below: list[float]) -> float:
        """The degree; infinite for what is no polynomial."""
        match part:
            case Number():
                return 0
            case Name(name):
                return 0 if name in CONSTANTS else 1
            case Unary():
                return below[0]
            case Binary("*"):
                return below[0] + below[1]
            case Binary("/"):
                return below[0] if below[1] == 0 else float("inf")
            case Binary("^", _, Number(text)) if float(text) == int(float(text)) >= 0:
                return below[0] * float(text)
            case Binary(op) if op in COMPARISONS:
                return 0
            case Binary("+" | "-") | Call("min" | "max" | "if" | "abs"):
                return max(below)
            case Call("sign"):
                return 0
            case Call("ramp" | "step"):
                return 5 * max(below)
        return 0 if max(below) == 0 else float("inf")

    return fold(root, visit) <= GENTLE_POWER
