"""What biela says when a model, a file or a request cannot work: what, where, why, what to try."""

from __future__ import annotations

from dataclasses import dataclass


def so_many(count: int, what: str) -> str:
    """A number of things, in words that fit it.

    >>> so_many(1, "row"), so_many(2, "dead point"), so_many(0, "row"), so_many(2, "freedom of its own")
    ('1 row', '2 dead points', '0 rows', '2 freedoms of its own')
    """
    head, _, rest = what.partition(" of ")
    return f"{count} {head}{'' if count == 1 else 's'}{' of ' + rest if rest else ''}"


def reason_of(error: Exception) -> str:
    """Why a file could not be read or written, in the words of the operating system where it has some.

    >>> reason_of(FileNotFoundError(2, "No such file or directory")), reason_of(ValueError("embedded null byte"))
    ('No such file or directory', 'embedded null byte')
    """
    return getattr(error, "strerror", None) or str(error)


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong, in the user's own names.

    >>> print(Problem("the mass is negative", where="bodies.crank.mass", why="-2.0 kg", cure="give mass > 0"))
    the mass is negative
      where: bodies.crank.mass
      why:   -2.0 kg
      try:   give mass > 0
    """

    what: str
    where: str = ""
    why: str = ""
    cure: str = ""

    def __str__(self) -> str:
        lines = [self.what]
        for label, text in (("where: ", self.where), ("why:   ", self.why), ("try:   ", self.cure)):
            if text:
                lines.append("  " + label + text.replace("\n", "\n         "))
        return "\n".join(lines)


class BielaError(Exception):
    """Something the user can correct. Carries every problem found, not only the first."""

    def __init__(self, problems: Problem | list[Problem] | str, title: str = ""):
        if isinstance(problems, str):
            problems = Problem(problems)
        self.problems: list[Problem] = [problems] if isinstance(problems, Problem) else list(problems)
        self.title = title
        super().__init__(self.report())

    def report(self) -> str:
        """All the problems, one after another, under the title."""
        head = [self.title] if self.title else []
        if len(self.problems) > 1:
            head = [(self.title + ": " if self.title else "") + f"{len(self.problems)} problems"]
        return "\n".join(head + [str(p) for p in self.problems])


class ModelError(BielaError):
    """The description of the mechanism contradicts itself or lacks something."""


class AssemblyError(BielaError):
    """The mechanism cannot be put together at the positions asked for."""


class MethodError(BielaError):
    """The chosen coordinates, formulation, integrator or options do not go together."""
