"""Vectors of two or three components, and matrices by rows, of any scalars (floats, SymPy expressions, polynomials):
tuples, and only sums and products of them."""

from __future__ import annotations

from typing import Any

Vec = tuple[Any, ...]
"""two components in the plane, three in space"""
Matrix = tuple[Vec, ...]
"""rows"""
IDENTITY: Matrix = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def three(a: Vec) -> Vec:
    """A vector of the plane or of space as one of space."""
    return (a[0], a[1], a[2] if len(a) > 2 else 0)


def add(a: Vec, b: Vec) -> Vec:
    """a + b"""
    return tuple(x + y for x, y in zip(a, b, strict=True))


def subtract(a: Vec, b: Vec) -> Vec:
    """a - b"""
    return tuple(x - y for x, y in zip(a, b, strict=True))


def scale(k: Any, a: Vec) -> Vec:
    """k a"""
    return tuple(k * x for x in a)


def dot(a: Vec, b: Vec) -> Any:
    """a . b"""
    total: Any = a[0] * b[0]
    for x, y in zip(a[1:], b[1:], strict=True):
        total = total + x * y
    return total


def cross(a: Vec, b: Vec) -> Vec:
    """a x b

    >>> cross((1, 0, 0), (0, 1, 0))
    (0, 0, 1)
    """
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def out_of_plane(a: Vec, b: Vec) -> Any:
    """The component of a x b out of the plane."""
    return a[0] * b[1] - a[1] * b[0]


def times(matrix: Matrix, a: Vec) -> Vec:
    """matrix a"""
    return tuple(dot(row, a) for row in matrix)


def transposed(matrix: Matrix) -> Matrix:
    """
    >>> transposed(((1, 2, 3), (4, 5, 6), (7, 8, 9)))
    ((1, 4, 7), (2, 5, 8), (3, 6, 9))
    """
    return tuple(zip(*matrix, strict=True))


def columns(*vectors: Vec) -> Matrix:
    """The matrix with these columns."""
    return transposed(vectors)


def determinant(matrix: Matrix) -> Any:
    """
    >>> determinant(((1, 0, 0), (0, 1, 0), (0, 0, -2)))
    -2
    """
    return dot(matrix[0], cross(matrix[1], matrix[2]))


def outer(a: Vec, b: Vec) -> Matrix:
    """a b^T"""
    return tuple(scale(x, b) for x in a)


def across(a: Vec, axis: Vec) -> Vec:
    """The part of a vector across a unit axis."""
    return subtract(a, scale(dot(a, axis), axis))


def turned(a: Vec, axis: Vec, c: Any, s: Any) -> Vec:
    """A vector turned about a unit axis by an angle of cosine c and sine s (Rodrigues).

    >>> turned((1, 0, 5), (0, 0, 1), 0, 1)
    (0, 1, 5)
    """
    along = scale(dot(a, axis), axis)
    return add(along, add(scale(c, subtract(a, along)), scale(s, cross(axis, a))))
