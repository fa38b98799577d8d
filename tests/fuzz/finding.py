"""What is wrong with a case, and the counts of a kind."""

from __future__ import annotations

import traceback
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from biela import BielaError

COUNTS = ("runs", "compared", "refused", "stopped", "good", "doubtful", "bad", "unjudged", "failures")


@dataclass(frozen=True)
class Finding:
    """One thing that must not be. Findings of one signature are one fault, however many cases show it."""

    signature: str
    what: str
    focus: dict[str, Any] = field(default_factory=dict, compare=False)
    """what of the case to look at, in order to see it again"""


@dataclass
class Tally:
    """Counts of a kind, and the sentences of refusals."""

    counts: Counter = field(default_factory=Counter)
    sentences: Counter = field(default_factory=Counter)

    def add(self, what: str, number: int = 1) -> None:
        self.counts[what] += number

    def refused(self, error: BielaError) -> None:
        """A run or a model that biela would not take, and what it said."""
        self.counts["refused"] += 1
        self.sentences[error.problems[0].what[:100]] += 1

    def take(self, other: Tally) -> None:
        self.counts.update(other.counts)
        self.sentences.update(other.sentences)


def fault(error: BaseException, what: str = "") -> Finding:
    """An exception that no user should see."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = [f for f in frames if "biela" in f.filename and "fuzz" not in f.filename] or frames
    place = f"{inside[-1].filename.rsplit('/', 1)[-1]}:{inside[-1].name}"
    text = "".join(traceback.format_exception(error))
    return Finding(f"{type(error).__name__} in {place}", f"{what}\n{text}".strip())
