"""Vectors and rotations of three components, in floats or in formulas: only sums and products."""

from __future__ import annotations

from ...resolved import Matrix, Number, Vec


def add(a: Vec, b: Vec) -> Vec:
    return tuple(x + y for x, y in zip(a, b))


def sub(a: Vec, b: Vec) -> Vec:
    return tuple(x - y for x, y in zip(a, b))


def scale(k: Number, a: Vec) -> Vec:
    return tuple(k * x for x in a)


def dot(a: Vec, b: Vec) -> Number:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vec, b: Vec) -> Vec:
    """
    >>> cross((1, 0, 0), (0, 1, 0))
    (0, 0, 1)
    """
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def times(matrix: Matrix, a: Vec) -> Vec:
    """matrix a"""
    return tuple(dot(row, a) for row in matrix)


def transposed(matrix: Matrix) -> Matrix:
    """
    >>> transposed(((1, 2, 3), (4, 5, 6), (7, 8, 9)))
    ((1, 4, 7), (2, 5, 8), (3, 6, 9))
    """
    a, b, c = matrix
    return (a[0], b[0], c[0]), (a[1], b[1], c[1]), (a[2], b[2], c[2])


def det(matrix: Matrix) -> Number:
    """
    >>> det(((1, 0, 0), (0, 1, 0), (0, 0, -2)))
    -2
    """
    return dot(matrix[0], cross(matrix[1], matrix[2]))


def outer(a: Vec, b: Vec) -> Matrix:
    """a b^T"""
    return scale(a[0], b), scale(a[1], b), scale(a[2], b)


def across(a: Vec, axis: Vec) -> Vec:
    """The part of a vector across a unit axis."""
    return sub(a, scale(dot(a, axis), axis))


def turned(a: Vec, axis: Vec, c: Number, s: Number) -> Vec:
    """A vector turned about a unit axis by an angle of cosine c and sine s (Rodrigues).

    >>> turned((1, 0, 5), (0, 0, 1), 0, 1)
    (0, 1, 5)
    """
    along = scale(dot(a, axis), axis)
    return add(along, add(scale(c, sub(a, along)), scale(s, cross(axis, a))))


def to_ground(rotation: Matrix, local: Vec) -> Vec:
    """A vector of a body in the ground's axes; `rotation` has the body's axes as its columns."""
    return times(rotation, local)


def to_body(rotation: Matrix, vector: Vec) -> Vec:
    """A vector of the ground in a body's axes."""
    return times(transposed(rotation), vector)
