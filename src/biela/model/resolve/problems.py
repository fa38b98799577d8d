"""The list of everything that is wrong with a model: all of it is reported at once."""

from __future__ import annotations

from ...errors import ModelError, Problem


class Problems:
    """Collects problems, each once.

    >>> problems = Problems("pendulum")
    >>> problems.add("the mass is negative", "bodies.bob.mass", "-1 kg", "give mass > 0")
    >>> problems.add("the mass is negative", "bodies.bob.mass", "-1 kg", "give mass > 0")
    >>> len(problems.found)
    1
    """

    def __init__(self, model: str) -> None:
        self.model = model
        # A dict keeps the order; the same mistake met on two ways through the model is one mistake.
        self.found: dict[Problem, None] = {}

    def add(self, what: str, where: str = "", why: str = "", cure: str = "") -> None:
        self.found[Problem(what, where, why, cure)] = None

    def stop_if_any(self) -> None:
        """Raise one `ModelError` that tells all of them."""
        if self.found:
            raise ModelError(list(self.found), title=f"model {self.model!r}")
