"""What other packages offer by entry points: methods, joints."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any


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
