"""Channels for the plots of a page: those asked for, or as many as there is room for, the most telling first."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatch
from typing import Any

import numpy as np

from ...errors import BielaError, Problem
from ...results.motion import Motion
from .packing import pack
from .sampling import envelope

MOST = 2400
"""samples of one curve: more than a screen has columns"""
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
    names = motion.channels()
    own = list(motion.system.meaning.coordinates)

    def rank(name: str) -> int:
        return 0 if name in own else next(k for k, p in enumerate(FIRST) if fnmatch(name, p))

    return sorted(names, key=rank)


def curves(motion: Motion, patterns: Sequence[str] | None, room: int) -> dict[str, Any]:
    """Scalars (vectors by their components) over the samples, and their times; `room` is in bytes.

    Names that are asked for are all given; without any, as many as there is room for.
    """
    t = np.asarray(motion.t, dtype=float)
    each = min(len(t), MOST) * 4
    names = ranked(motion) if patterns is None else wanted(motion, patterns)
    items: list[dict[str, Any]] = []
    seen: set[str] = set()
    for name in names:
        if patterns is None and (len(items) + 1) * each * 4 // 3 > room:
            break
        channel = motion[name]
        if channel.ndim > 1 and patterns is None:
            continue  # its components have names of their own
        for part, values in channel.parts().items():
            if part in seen or np.ndim(values) != 1:
                continue
            seen.add(part)
            items.append({"name": part, "unit": values.unit, **_curve(t, np.asarray(values, dtype=float))})
    return {"t": pack(t if len(t) <= MOST else []), "items": items}


def _curve(t: np.ndarray, y: np.ndarray) -> dict[str, Any]:
    """One curve. What hardly changes (an energy that is kept) is told from its first value on, so that 32-bit floats
    show its changes and not their own round-off."""
    thin = envelope(t, y, MOST)
    out: dict[str, Any] = {} if thin is None else {"t": pack(thin[0])}
    y = y if thin is None else thin[1]
    finite = y[np.isfinite(y)]
    first = float(finite[0]) if len(finite) else 0.0
    offset = first if len(finite) and np.ptp(finite) < 0.05 * abs(first) else 0.0
    return {**out, "y": pack(y - offset), "offset": offset}
