"""Registers of kinds: those of the package's own files, and those that other packages offer by entry points."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, TypeVar

T = TypeVar("T")


def kinds_in(package: str | None, files: tuple[str, ...], base: type[T]) -> Iterator[type[T]]:
    """The classes of a kind that are defined in these files of a package, in that order."""
    for name in files:
        file = import_module(f".{name}", package)
        for kind in list(vars(file).values()):
            if isinstance(kind, type) and issubclass(kind, base) and kind.__module__ == file.__name__:
                yield kind


def take_from_outside(group: str, take: Callable[[Any, str], None]) -> dict[str, str]:
    """Hand all that is offered in a group to `take`, with where it comes from. Gives what could not be taken, and why:
    one that does not work stops nobody but those who ask for it."""
    failed = {}
    for entry in entry_points(group=group):
        try:
            take(entry.load(), entry.value)
        except Exception as error:  # whatever goes wrong in another's package
            failed[entry.name] = f"{entry.value} offers it, but: {type(error).__name__}: {error}"
    return failed
