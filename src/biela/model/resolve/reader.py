"""What an item asks for while it is resolved. What is wrong is reported, with the name of the item and the key."""

from __future__ import annotations

from typing import Any, ClassVar

from ..resolved import Number
from .context import Context


class Reader:
    """One item of a model, its name, and what is known of the model."""

    table: ClassVar[str]

    def __init__(self, ctx: Context, name: str, item: Any):
        self.ctx, self.name, self.item = ctx, name, item
        self.where = f"{self.table}.{name}"

    def wrong(self, what: str, key: str, why: str, cure: str) -> None:
        """Report a mistake; `key`: where it is, or "" for the item as a whole."""
        self.ctx.problems.add(what, self._at(key), why, cure)

    def scalar(self, key: str, kind: str) -> Number | None:
        """The number of a key, None if it is not given. `kind`: "length", "angle", "number"."""
        given = getattr(self.item, key, None)
        return None if given is None else self.ctx.scalars.read(given, self._at(key), kind)

    def value(self, number: Number) -> float:
        """The float behind a number, for decisions."""
        return self.ctx.scalars.value(number)

    def mistakes(self) -> int:
        """How many mistakes have been reported so far, in the whole model."""
        return len(self.ctx.problems.found)

    def _at(self, key: str) -> str:
        return f"{self.where}.{key}" if key else self.where
