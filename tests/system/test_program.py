"""Bytecode: the stack machine computes what the expression says, and NaN where that is an error."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from biela.kernels.laws.program import FREE, MAX_WORDS, RADIX, Programs, compile_program, needed_stack, run_program
from biela.model.expression import (
    ARITY,
    Binary,
    Call,
    ExpressionError,
    Name,
    Number,
    Unary,
    differentiate,
    evaluate,
    parse,
)
from formulas import EXAMPLES, OPERATORS, TREES

VALUES = st.one_of(
    st.floats(-5, 5), st.sampled_from([0.0, -0.0, 1.0, 1e200, -1e200, math.inf, -math.inf, math.nan])
)


def run(node, t=0.0, x=0.0, v=0.0) -> float:
    """The value from the machine, which must stay inside a stack of just the right size."""
    ops, constants = compile_program(node)
    size = needed_stack(ops)
    stack = np.full(size + 1, 12345.0)
    result = run_program(ops, 0, len(ops), constants, t, x, v, FREE, stack)
    assert stack[size] == 12345.0
    assert stack[size - 1] != 12345.0
    return result


@settings(max_examples=EXAMPLES)
@given(TREES, VALUES, VALUES, VALUES)
def test_machine_agrees_with_evaluation(node, t, x, v):
    try:
        expected = evaluate(node, {"t": t, "x": x, "v": v})
    except ExpressionError:
        expected = math.nan
    assert run(node, t, x, v) == pytest.approx(expected, rel=1e-9, abs=1e-300, nan_ok=True)


@settings(max_examples=EXAMPLES)
@given(st.lists(TREES, min_size=1, max_size=6), st.floats(-2, 2))
def test_programs_together_are_the_programs_alone(nodes, x):
    programs = Programs()
    assert [programs.add(node) for node in nodes] == list(range(len(nodes))) and len(programs) == len(nodes)
    ptr, ops, constants, size = programs.arrays()
    assert len(ptr) == len(nodes) + 1 and ptr[-1] == len(ops)
    stack = np.empty(size)
    for k, node in enumerate(nodes):
        together = run_program(ops, ptr[k], ptr[k + 1], constants, 0.5, x, -0.3, FREE, stack)
        assert together == pytest.approx(run(node, 0.5, x, -0.3), rel=0, abs=0, nan_ok=True)


@pytest.mark.parametrize("function", [*ARITY, *OPERATORS, "neg"])
def test_each_operation(function):
    points = [(0.3, -1.2, 2.0, 0.9, -0.4), (0.7, 0.1, 0.8, 0.9, 5.0), (-0.2, 0.5, 0.5, 1.5, 3.0)]
    for point in points:
        args = tuple(Number(str(a)) if a >= 0 else Unary("-", Number(str(-a))) for a in point)
        if function == "neg":
            node = Unary("-", args[0])
        elif function in OPERATORS:
            node = Binary(function, args[0], args[1])
        else:
            node = Call(function, args[: ARITY[function]])
        try:
            expected = evaluate(node, {})
        except ExpressionError:
            expected = math.nan
        assert run(node) == pytest.approx(expected, rel=1e-14, nan_ok=True), point


@pytest.mark.parametrize(
    "text",
    [
        *("1/x", "0/x", "log(x)", "log(x - 1)", "sqrt(x - 1)", "asin(x + 2)", "acos(x - 2)", "(x - 8)^(1/3)"),
        *("x^-1", "exp(x + 1000)", "sinh(x + 1000)", "cosh(x - 1000)", "(x + 10)^400", "sin(1/x)"),
        *(
            "1/x < 1",
            "min(1, 1/x)",
            "max(1/x, 1)",
            "(1/x)^0",
            "1^(1/x)",
            "if(1/x, 1, 2)",
            "sign(1/x)",
            "atan(1/x)",
        ),
        *(
            "ramp(0, 1, 1)",
            "ramp(0, 1, 0)",
            "step(0, 1, 1, 1, 1)",
            "step(5, 0, 1/x, 1, 1)",
            "step(0, 1, 1, 2, 1/x)",
        ),
    ],
)
def test_errors_give_nan(text):
    with pytest.raises(ExpressionError):
        evaluate(parse(text), {"x": 0.0})
    assert math.isnan(run(parse(text)))


def test_a_branch_not_taken_may_fail():
    assert run(parse("if(x > 0, log(x), -1)"), x=0.0) == -1.0
    assert run(parse("if(x <= 0, -1, 1/x)"), x=0.0) == -1.0


def test_variables_keep_their_order():
    node = parse("100*t + 10*x + v")
    assert run(node, 1.0, 2.0, 3.0) == 123.0
    ops, constants = compile_program(node, ["v", "t", "x"])
    assert run_program(ops, 0, len(ops), constants, 3.0, 1.0, 2.0, FREE, np.empty(needed_stack(ops))) == 123.0


def test_constants_lie_where_they_are_told_to():
    ops, constants = compile_program(parse("2*x + 3*2 - pi"), first_constant=7)
    assert constants.tolist() == [2.0, 3.0, math.pi]
    assert sorted({int(word) // RADIX for word in ops if word % RADIX == 0}) == [7, 8, 9]
    assert ops.dtype == np.int64 and constants.dtype == np.float64


def test_no_programs():
    ptr, ops, constants, size = Programs().arrays()
    assert ptr.tolist() == [0] and len(ops) == 0 and len(constants) == 0 and size >= 1
    assert (ptr.dtype, ops.dtype, constants.dtype) == (np.int64, np.int64, np.float64)


def test_derivatives_of_step_run():
    node = parse("step(t, 0, 1, 2, 5)")
    for _ in range(2):
        node = differentiate(node, "t")
        for t in (-1.0, 0.0, 0.3, 1.0, 1.9, 2.0, 3.0):
            assert run(node, t) == pytest.approx(evaluate(node, {"t": t}), rel=1e-13)


def test_refused():
    with pytest.raises(ExpressionError, match="unknown name 'y'"):
        compile_program(parse("x + y"))
    with pytest.raises(ValueError, match="at most three variables"):
        compile_program(parse("a"), ["a", "b", "c", "d"])
    with pytest.raises(ValueError, match="named as a constant"):
        compile_program(parse("e"), ["e"])
    node = Name("x")
    for _ in range(16):
        node = Binary("+", node, node)  # 2**16 operations from 16 shared nodes
    with pytest.raises(ValueError, match=f"more than {MAX_WORDS} operations"):
        compile_program(node)


def test_machine_allocates_nothing():
    def allocates(function, *args) -> bool:
        fresh = njit(error_model="numpy")(function)  # code from the cache cannot be inspected
        fresh(*args)
        return any("NRT_MemInfo_alloc" in code for code in fresh.inspect_llvm().values())

    ops, constants = compile_program(parse("step(t, 0, 1, 2, x)*sin(v) + if(x > 0, x^2, log(v))"))
    stack = np.empty(needed_stack(ops))
    assert not allocates(run_program.py_func, ops, 0, len(ops), constants, 0.5, 1.0, 2.0, FREE, stack)
    assert allocates(lambda n: np.zeros(n).sum(), 3)  # the test can tell
