"""The list of everything that is wrong with a model: all of it is reported at once."""

from __future__ import annotations

from ...errors import ModelError, Problem

MOST = 100


class Problems:
    """Collects problems, each once. More than `MOST` end the search: one mistake in a repeat block makes thousands.

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
        self.source: dict[str, str] = {}
        """where parts that nobody wrote down one by one come from: "bodies.bar3" -> "repeat[1], i = 3" """

    def add(self, what: str, where: str = "", why: str = "", cure: str = "") -> None:
        """One more, told with the repeat block that its part comes from."""
        keys = [where[:k] for k in range(len(where), 0, -1) if where[k : k + 1] in ("", ".", ",", "[", " ")]
        source = next((self.source[key] for key in keys if key in self.source), None) if self.source else None
        self.found[Problem(what, f"{where} ({source})" if source else where, why, cure)] = None
        if len(self.found) >= MOST:
            self.found[Problem("... and perhaps more", cure="correct these first")] = None
            self.stop_if_any()

    def stop_if_any(self) -> None:
        """Raise one `ModelError` that tells all of them."""
        if self.found:
            raise ModelError(list(self.found), title=f"model {self.model!r}")
