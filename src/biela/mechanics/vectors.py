"""Small vectors and rotations of any scalars (floats, SymPy expressions, polynomials): tuples, no arrays."""

from __future__ import annotations

from typing import Any

Triple = tuple[Any, Any, Any]
Rotation = tuple[Triple, Triple, Triple]
"""three rows"""
UNIT: Rotation = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def three(v: Any) -> Triple:
    """A vector of the plane or of space as one of space."""
    return (v[0], v[1], v[2] if len(v) > 2 else 0)


def add(a: Any, b: Any) -> Any:
    """a + b."""
    return tuple(x + y for x, y in zip(a, b, strict=True))


def subtract(a: Any, b: Any) -> Any:
    """a - b."""
    return tuple(x - y for x, y in zip(a, b, strict=True))


def scale(a: Any, k: Any) -> Any:
    """k a."""
    return tuple(k * x for x in a)


def inner(a: Any, b: Any) -> Any:
    """a . b."""
    total: Any = 0
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total


def outer(a: Any, b: Any) -> Triple:
    """a x b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def turn(R: Any, v: Any) -> Triple:
    """R v."""
    return tuple(inner(row, v) for row in R)  # type: ignore[return-value]


def transposed(R: Any) -> Rotation:
    """R^T."""
    return tuple(zip(*R, strict=True))  # type: ignore[return-value]


def product(A: Any, B: Any) -> Rotation:
    """A B."""
    columns = transposed(B)
    return tuple(tuple(inner(row, c) for c in columns) for row in A)  # type: ignore[return-value]


def columns(*c: Any) -> Rotation:
    """The matrix with these columns."""
    return transposed(c)


def about_z(cosine: Any, sine: Any) -> Rotation:
    """A turn in the plane."""
    return ((cosine, -sine, 0), (sine, cosine, 0), (0, 0, 1))
