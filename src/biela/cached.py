"""Cached properties that are worked out again after something they follow from has changed."""

from __future__ import annotations

from functools import cached_property


def forget(owner: object, *names: str) -> None:
    """Drop the values of cached properties: each is worked out again when it is next asked for.

    >>> class Bar:
    ...     length = 2.0
    ...     @cached_property
    ...     def inertia(self) -> float:
    ...         return self.length**2 / 12
    >>> bar = Bar()
    >>> bar.inertia, setattr(bar, "length", 6.0), forget(bar, "inertia"), bar.inertia
    (0.3333333333333333, None, None, 3.0)
    """
    for name in names:
        if not isinstance(getattr(type(owner), name), cached_property):
            raise TypeError(f"{type(owner).__name__}.{name} is not a cached property")
        owner.__dict__.pop(name, None)
