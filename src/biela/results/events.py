"""What happened at an instant: impacts, rest, release, locks that close and open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

KINDS = {
    "impact": "a stop is struck, and what struck it rebounds",
    "rest": "a stop is struck for the last time: what struck it stays there",
    "release": "the force of a stop has come to zero: what lay there leaves",
    "close": "a lock closes",
    "open": "a lock opens",
}

HEADS = ("t [s]", "event", "what", "impulse", "rate before", "rate after", "loss [J]")


@dataclass(frozen=True)
class Event:
    """One event of a run. Impulses are in N s (of angles in N m s), speeds in m/s (or rad/s), the loss in J."""

    t: float
    kind: str
    """one of `KINDS`"""
    name: str
    """of the stop or lock"""
    side: str = ""
    """of a stop: lower or upper"""
    impulse: float = 0.0
    """along the coordinate, in the direction away from the limit; of a lock, what changes its first coordinate"""
    before: float = 0.0
    """rate of the coordinate just before"""
    after: float = 0.0
    """rate of the coordinate just after"""
    loss: float = 0.0
    """kinetic energy lost"""

    def data(self) -> dict[str, Any]:
        """For other programs."""
        return asdict(self)


class Events(Sequence):
    """The events of a run in order of time."""

    def __init__(self, events: Sequence[Event] = ()):
        self._events = tuple(events)

    def __len__(self) -> int:
        return len(self._events)

    def __getitem__(self, index: Any) -> Any:
        found = self._events[index]
        return Events(found) if isinstance(index, slice) else found

    def of(self, name: str | None = None, kind: str | None = None) -> Events:
        """Those of a stop or lock, or of a kind."""
        return Events([e for e in self if name in (None, e.name) and kind in (None, e.kind)])

    @property
    def times(self) -> list[float]:
        """When they happened."""
        return [e.t for e in self]

    @property
    def loss(self) -> float:
        """Kinetic energy lost in all of them, J."""
        return float(sum(e.loss for e in self))

    def rows(self) -> list[tuple[str, ...]]:
        """Time, kind, name, impulse, rates before and after, loss: as texts, for tables."""
        return [
            (f"{e.t:.12g}", e.kind, f"{e.name} ({e.side})" if e.side else e.name, f"{e.impulse:.6g}", f"{e.before:.6g}",
             f"{e.after:.6g}", f"{e.loss:.6g}")
            for e in self
        ]  # fmt: skip

    def text(self, most: int = 20) -> str:
        """A table; the first and the last where they are many."""
        rows = [HEADS, *shortened(self.rows(), most)]
        widths = [max(len(row[k]) for row in rows) for k in range(len(HEADS))]
        return "\n".join("  ".join(x.ljust(w) for x, w in zip(row, widths, strict=True)).rstrip() for row in rows)

    def __repr__(self) -> str:
        return self.text() if self else "no events"


def shortened(rows: list[tuple[str, ...]], most: int) -> list[tuple[str, ...]]:
    """The first and the last rows, with a line between them that says how many are left out."""
    if len(rows) <= most:
        return rows
    head = most - most // 3
    tail = most - head
    return [*rows[:head], (f"... {len(rows) - most} more", *("" for _ in rows[0][1:])), *rows[-tail:]]
