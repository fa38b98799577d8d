"""Where formulas switch or bend: their differences, and what is gentle in between."""

from __future__ import annotations

import pytest

from biela.model.expression import differentiate, fold, is_gentle, parse, switches_of, to_text


def every_switch(text: str) -> set[str]:
    """Of a formula and all its parts."""
    found: set[str] = set()

    def visit(node, below):
        found.update(to_text(d) for d in switches_of(node))

    fold(parse(text), visit)
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if(x > 51, if(x < 51.1, -2, 0), 0)", {"x - 51", "x - 51.1"}),
        ("abs(v)*sign(x - 1)", {"v", "x - 1"}),
        ("min(x, 2*t) + max(v, 0)", {"x - 2*t", "v"}),
        ("ramp(t, 1, 2) + step(x, 3, 0, 4, 5)", {"t - 1", "t - 2", "x - 3", "x - 4"}),
        ("sin(t) + x^2", set()),
    ],
)
def test_differences(text, expected):
    assert every_switch(text) == expected


@pytest.mark.parametrize("text", ["abs(x)^3", "max(x, 2)*v", "step(x, 0, 0, 1, 4)", "if(x > 1, x^2, 0)"])
def test_derivatives_switch_where_the_formula_does(text):
    """So that a law and its tangent change sides together."""
    slope = to_text(differentiate(parse(text), "x"))
    assert every_switch(slope) <= every_switch(text)


GENTLE = ["x^6", "x*v*t - 3/2", "sin(pi/3)*x", "if(x > 1, x^2, abs(v))"]
ROUGH = ["x^7", "tanh(x)", "1/(1 + x^2)", "x^0.5", "step(x^2, 0, 0, 1, 2)"]


@pytest.mark.parametrize("text", GENTLE + ROUGH)
def test_gentle(text):
    assert is_gentle(parse(text)) == (text in GENTLE)
