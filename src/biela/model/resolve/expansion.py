"""Repeat blocks made into parts: the model with everything written out, with its parameters as they are now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...errors import ModelError
from .. import items as it
from ..expression import RESERVED
from ..model import Model
from ..repeat import SECTIONS, BraceError, Repeat, nearest_whole, write_index
from .naming import FORBIDDEN_PARAMETERS
from .problems import Problems
from .scalars import Scalars

MOST = 1_000_000
"""parts that the blocks of a model may make"""
STARTS = ("position", "velocity")


def expand(model: Model, problems: Problems) -> Model:
    """The same mechanism without repeat blocks.

    What is wrong with them is told at once: whatever names the parts of a block that failed would seem wrong too.

    >>> block = {"index": "i", "from": 1, "to": "n", "points": {"P{i}": ["{i}*L", 0]}}
    >>> m = Model(parameters={"n": 3, "L": 0.5}, repeat=[block])
    >>> expand(m, Problems(m.name)).points
    {'P1': ('1*L', 0.0), 'P2': ('2*L', 0.0), 'P3': ('3*L', 0.0)}
    """
    if not model.repeat:
        return model
    return _Expansion(model, problems).made()


class _Expansion:
    """Gathers the parts, block by block, and remembers where each comes from."""

    def __init__(self, model: Model, problems: Problems) -> None:
        self.model = model
        self.problems = problems
        self.scalars = Scalars(model.parameters, problems)
        self.parts: dict[str, dict[str, Any]] = {table: dict(getattr(model, table)) for table in SECTIONS}
        self.starts = {key: dict(getattr(model.initial, key)) for key in STARTS}
        self.count = 0

    def made(self) -> Model:
        sound = [self._block(block, f"repeat[{k + 1}]") for k, block in enumerate(self.model.repeat)]
        if not all(sound):
            self.problems.stop_if_any()
        # Every part has been checked already.
        initial = it.Initial.model_construct(position=self.starts["position"], velocity=self.starts["velocity"])
        return self.model.model_copy(update={**self.parts, "initial": initial, "repeat": []})

    def _block(self, block: Repeat, where: str) -> bool:
        """Make all the parts of a block, as long as that goes well."""
        span = self._span(block, where)
        if span is None or not self._sound(block, where, len(span)):
            return False
        numbers = {name: value for name, value in self.scalars.parameters.items() if value == value}
        # After a mistake the next would have the same one.
        return all(self._piece(block, f"{where}, {block.index} = {i}", {block.index: i, **numbers}) for i in span)

    def _span(self, block: Repeat, where: str) -> range | None:
        """The values of the index."""
        ends: list[int] = []
        for key, given in (("from", block.start), ("to", block.stop)):
            number = self.scalars.read(given, f"{where}.{key}", "number")
            if number != number:
                return None  # reported
            whole = nearest_whole(number)
            if whole is None:
                what = f"the index {block.index!r} cannot go {key} {number:g}"
                cure = f"give a whole number, or a formula of parameters that is one: {key} = 'N'"
                self.problems.add(what, f"{where}.{key}", f"{given!r} is not a whole number", cure)
                return None
            ends.append(whole)
        first, last = ends
        if last < first - 1:
            what = f"the index {block.index!r} runs backwards, from {first} to {last}"
            cure = f"give to >= {first}; with to = {first - 1} the block makes nothing"
            self.problems.add(what, f"{where}.to", "it counts upwards, in steps of one", cure)
            return None
        return range(first, last + 1)

    def _sound(self, block: Repeat, where: str, times: int) -> bool:
        """Whether the index can be told from other names, and the parts are not too many."""
        name = block.index
        if name in self.model.parameters:
            what = f"the index {name!r} of a repeat block is a parameter as well"
            self.problems.add(what, f"{where}.index", "one name for two numbers", "rename one of them")
            return False
        if name in FORBIDDEN_PARAMETERS | RESERVED:
            what = f"an index cannot be called {name!r}"
            self.problems.add(what, f"{where}.index", "the language of expressions uses it", "call it i")
            return False
        self.count += times * sum(len(table) for table in _tables(block))
        if self.count > MOST:
            why = f"{self.count}; this block alone goes {times} times"
            cure = "make fewer; is the parameter that counts them right?"
            self.problems.add(f"the repeat blocks make more than {MOST} parts", where, why, cure)
            return False
        return True

    def _piece(self, block: Repeat, where: str, values: Mapping[str, float]) -> bool:
        """Make the parts of one value of the index; False if that failed."""
        sections = {table: getattr(block, table) for table in (*SECTIONS, "initial")}
        try:
            data = {table: _written(given, values) for table, given in sections.items() if given}
        except BraceError as error:
            self.problems.add(error.what, where, error.why, error.cure)
            return False
        try:
            piece = type(self.model)(**data)
        except ModelError as error:
            for problem in error.problems:
                self.problems.add(problem.what, f"{problem.where} ({where})", problem.why, problem.cure)
            return False
        self.problems.source |= {f"{table}.{name}": where for table in SECTIONS for name in data.get(table, ())}
        free = [self._put(self.parts[table], getattr(piece, table), table, where) for table in SECTIONS]
        for key in STARTS:
            given = getattr(piece.initial, key)
            self.problems.source |= {f"initial.{key}.{name}": where for name in given}
            free.append(self._put(self.starts[key], given, f"initial.{key}", where))
        return all(free)

    def _put(self, into: dict[str, Any], parts: Mapping[str, Any], table: str, where: str) -> bool:
        twice = [name for name in parts if name in into]
        for name in twice:
            why = "there is one already, from another value of the index or from outside the block"
            cure = "write the index into the name, as in 'P{i}', or choose another name"
            self.problems.add(f"{name!r} in {table} is made twice", f"{where}: {table}.{name}", why, cure)
        into.update(parts)
        return not twice


def _tables(block: Repeat) -> Iterator[Mapping[str, Any]]:
    yield from (getattr(block, table) for table in SECTIONS)
    yield from (table for table in block.initial.values() if isinstance(table, Mapping))


def _written(value: Any, values: Mapping[str, float]) -> Any:
    """A part with the index written into its names and texts."""
    if isinstance(value, str):
        return write_index(value, values)
    if isinstance(value, list):
        return [_written(inner, values) for inner in value]
    if not isinstance(value, Mapping):
        return value
    made: dict[str, Any] = {}
    for key, inner in value.items():
        name = write_index(key, values)
        if name in made:
            cure = "give names that stay different for every value of the index"
            raise BraceError(f"the name {name!r} is made twice", f"the second time from {key!r}", cure)
        made[name] = _written(inner, values)
    return made


def without_repeats(model: Model) -> Model:
    """The model written out, for those who read its parts; with mistakes in it, as it is (`resolve` tells them)."""
    if not model.repeat:
        return model
    try:
        return expand(model, Problems(model.name))
    except ModelError:
        return model

