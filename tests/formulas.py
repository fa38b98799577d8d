"""Random formulas of t, x and v."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

from biela.model.expression import ARITY, Binary, Call, Name, Number, Unary

OPERATORS = ("+", "-", "*", "/", "^", "<", "<=", ">", ">=")
EXAMPLES = 10 * settings().max_examples


def extend(inner):
    """A formula of formulas."""
    calls = [st.tuples(*[inner] * n).map(lambda a, f=f: Call(f, a)) for f, n in ARITY.items()]
    binary = st.builds(Binary, st.sampled_from(OPERATORS), inner, inner)
    return st.one_of(inner.map(lambda a: Unary("-", a)), binary, *calls)


LEAVES = st.sampled_from(
    [Name(n) for n in ("t", "x", "v", "pi")] + [Number(n) for n in ("0", "0.5", "3", "1e2")]
)
TREES = st.recursive(LEAVES, extend, max_leaves=15)
