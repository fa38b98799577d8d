"""Values over time, asked for by name: what motions of mechanisms and runs of bond graphs have in common."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path

import numpy as np

from .channel import Catalogue, Channel
from .table import columns, write_csv, write_parquet


class ChannelsByName:
    """Channels over the times `t`; who has them says which there are, and which are looked at first."""

    t: Channel

    @cached_property
    def _catalogue(self) -> Catalogue:
        raise NotImplementedError

    def default_names(self) -> list[str]:
        """The channels that people look at first."""
        raise NotImplementedError

    def __getitem__(self, name: str) -> Channel:
        if name == "t":
            return self.t.copy()
        entry = self._catalogue.get(name)
        if entry is None:
            close = get_close_matches(name, self._catalogue, n=3)
            raise KeyError(
                f"no channel {name!r}" + (f"; did you mean {', '.join(close)}?" if close else "; see channels()")
            )
        compute, unit = entry
        return Channel.of(np.array(compute(), dtype=float), name, unit)  # a copy: it is the reader's to change

    def __contains__(self, name: object) -> bool:
        return name == "t" or name in self._catalogue

    def __iter__(self) -> Iterator[str]:
        return iter(self._catalogue)

    def channels(self, pattern: str = "*") -> list[str]:
        """Names of all channels, or of those that match a pattern such as "A.*"."""
        return [name for name in self._catalogue if fnmatch(name, pattern)]

    def unit(self, name: str) -> str:
        """The unit of a channel."""
        return "s" if name == "t" else self._catalogue[name][1]

    def table(self, names: list[str] | None = None) -> dict[str, np.ndarray]:
        """Columns "name [unit]" -> values; vectors are split into their components."""
        return columns(self, names)

    def to_csv(self, path: str | Path, names: list[str] | None = None) -> None:
        """A table with units in its header."""
        write_csv(self, path, names)

    def to_parquet(self, path: str | Path, names: list[str] | None = None) -> None:
        """A Parquet table (needs pyarrow: the extra `data`)."""
        write_parquet(self, path, names)
