"""Channels for the plots of a page: those asked for, or as many as fit, the most telling first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatch, translate
from typing import Any

import numpy as np

from ...errors import BielaError, Problem
from ...results.motion import Motion
from .packing import pack
from .sampling import envelope, strided, thinned

MOST = 2400
"""samples of one curve: more than a screen has columns"""
CHOICES = 400
"""curves to choose from, where nobody said which: nobody reads longer lists"""
DEAR = ("*reaction*", "*.moment*", "multiplier.*", "*.effort", "*.power", "*momentum*", "center_of_mass*")
"""channels that take long: of long motions computed at some instants only"""
FIRST = ("energy.*", "*.x", "*.y", "*.z", "*.speed", "*.angle*", "*.position*", "violation.*", "*.reaction*",
         "multiplier.*", "*.vx", "*.vy", "*.vz", "*.ax", "*.ay", "*.az", "*")  # fmt: skip


def wanted(motion: Motion, patterns: Sequence[str]) -> list[str]:
    """The channels that names and patterns mean, refused where they mean none."""
    out: list[str] = []
    for pattern in patterns:
        found = [pattern] if pattern in motion else motion.channels(pattern)
        if not found:
            cure = "see channels(), or `biela list channels`"
            raise BielaError(Problem(f"there is no channel {pattern!r}", cure=cure))
        out += found
    return list(dict.fromkeys(out))


def ranked(motion: Motion) -> list[str]:
    """All channels, the most telling first."""
    own = set(motion.system.resolved.coordinates)
    kinds = re.compile("|".join(f"({translate(p)})" for p in FIRST))

    def rank(name: str) -> int:
        found = kinds.match(name)
        return 0 if name in own or found is None else int(found.lastindex or 0)

    return sorted(motion.channels(), key=rank)


def curves(motion: Motion, patterns: Sequence[str] | None, size: int) -> dict[str, Any]:
    """Scalars (vectors by their components) over the samples, and their times; `size` is in bytes.

    Names that are asked for are all given; without any, as many as fit.
    """
    t = np.asarray(motion.t, dtype=float)
    few = thinned(motion, strided(np.arange(len(t)), max(1, len(t) // MOST)))
    each = min(len(t), MOST) * 4
    names = ranked(motion) if patterns is None else wanted(motion, patterns)
    items: list[dict[str, Any]] = []
    seen: set[str] = set()
    for name in names:
        if patterns is None and ((len(items) + 1) * each * 4 // 3 > size or len(items) >= CHOICES):
            break
        source = few if any(fnmatch(name, p) for p in DEAR) else motion
        channel = source[name]
        if channel.ndim > 1 and patterns is None:
            continue  # its components have names of their own
        for part, values in channel.parts().items():
            if part in seen or np.ndim(values) != 1:
                continue
            seen.add(part)
            own = _curve(np.asarray(source.t, dtype=float), np.asarray(values, dtype=float), len(t))
            items.append({"name": part, "unit": values.unit, **own})
    return {"t": pack(t if len(t) <= MOST else []), "items": items}


def _curve(t: np.ndarray, y: np.ndarray, samples: int) -> dict[str, Any]:
    """One curve. What hardly changes (an energy that is kept) is told from its first value on, so that 32-bit floats
    show its changes and not their own round-off."""
    t, y = envelope(t, y, MOST) or (t, y)
    out: dict[str, Any] = {} if samples <= MOST else {"t": pack(t)}
    finite = y[np.isfinite(y)]
    first = float(finite[0]) if len(finite) else 0.0
    offset = first if len(finite) and np.ptp(finite) < 0.05 * abs(first) else 0.0
    return {**out, "y": pack(y - offset), "offset": offset}
