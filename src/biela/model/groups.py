"""Things that belong together, found pair by pair (union-find): pinned points, bodies that joints connect."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Groups(Generic[T]):
    """Groups that grow together; each is led by one of its members.

    >>> bodies = Groups(["ground", "crank", "rod", "ball"])
    >>> bodies.join("ground", "crank"), bodies.join("crank", "rod"), bodies.join("rod", "ground")
    (True, True, False)
    >>> bodies.leader("rod"), bodies.together("crank", "rod"), bodies.together("crank", "ball")
    ('ground', True, False)
    >>> bodies.lists()
    {'ground': ['ground', 'crank', 'rod'], 'ball': ['ball']}
    """

    def __init__(self, members: Iterable[T] = ()):
        self._next: dict[T, T] = {member: member for member in members}

    def add(self, member: T) -> None:
        """A member that was not there: a group of its own."""
        self._next.setdefault(member, member)

    def leader(self, member: T) -> T:
        """Who leads the group of a member."""
        while (above := self._next[member]) != member:
            self._next[member] = self._next[above]  # shorter ways for those who ask later
            member = above
        return member

    def together(self, a: T, b: T) -> bool:
        return self.leader(a) == self.leader(b)

    def join(self, first: T, second: T) -> bool:
        """Make one group of two, led by who leads the first; False if they were one already."""
        a, b = self.leader(first), self.leader(second)
        self._next[b] = a
        return a != b

    def lists(self) -> dict[T, list[T]]:
        """The members of each group by its leader, in the order in which they came."""
        out: dict[T, list[T]] = {}
        for member in self._next:
            out.setdefault(self.leader(member), []).append(member)
        return out

    def __iter__(self) -> Iterator[T]:
        return iter(self._next)

    def __contains__(self, member: object) -> bool:
        return member in self._next
