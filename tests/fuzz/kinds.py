"""What is drawn, and who examines it: one line per kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from fuzz.case import Case
from fuzz.finding import Finding, Tally


@dataclass(frozen=True)
class Kind:
    """A module that draws cases and one that examines them; `share` of the cases of a run that are of this kind."""

    name: str
    drawn_by: str
    examined_by: str
    share: float = 1.0
    hang: float = 120.0
    """seconds after which a case that says nothing is taken to hang"""

    def draw(self, seed: int) -> Case:
        """The case of this seed: always the same one."""
        return import_module(f"fuzz.{self.drawn_by}").draw(self.name, seed)

    def examine(self, case: Case, tally: Tally) -> list[Finding]:
        """What is wrong with it."""
        examine: Callable[[Case, Tally], list[Finding]] = import_module(f"fuzz.{self.examined_by}").examine
        return examine(case, tally)


KINDS = {
    kind.name: kind
    for kind in (
        # the cheap ones more often: a mechanism of the plane takes a quarter of the time of one in space
        Kind("plane open", "mechanisms_of", "motions", share=4.0),
        Kind("plane loops", "mechanisms_of", "motions", share=4.0),
        Kind("space open", "mechanisms_of", "motions", share=2.0),
        Kind("space loops", "mechanisms_of", "motions"),
        Kind("redundant", "mechanisms_of", "motions", share=4.0),
        Kind("drivers", "mechanisms_of", "motions", share=2.0),
        Kind("screws and gears", "mechanisms_of", "motions", share=2.0),
        Kind("forces", "mechanisms_of", "motions", share=3.0),
        Kind("decades", "mechanisms_of", "decades", share=0.5),
        Kind("peers", "trees", "trees", share=2.0),
        Kind("stops and locks", "stops", "stops"),
        Kind("laws", "laws", "laws", share=0.25),
        Kind("laws in mechanisms", "lawful", "lawful"),
        Kind("broken models", "broken", "broken", share=4.0),
        Kind("commands", "commands", "commands", share=3.0),
        Kind("checkpoints", "checkpoints", "checkpoints"),
    )
}
