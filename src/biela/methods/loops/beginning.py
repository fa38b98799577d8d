"""The first evaluation of a run, by addresses."""

from __future__ import annotations

from numba import types

from ...machine.addresses import ADDRESS, TIME, evaluate_at, settle_at
from ...machine.compiled import HEADER, compiled
from .monitors import begin


@compiled(types.int64(HEADER, ADDRESS, ADDRESS, TIME, TIME))
def begin_at(header, f, settle, t, lasts):
    """`begin`."""
    return begin(header, evaluate_at(f), settle_at(settle), t, lasts)
