"""At which instants an inverse problem is solved."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import MethodError, Problem
from ...model.resolved import ResolvedModel
from ..numbers import count_of, number
from .prescription import Prescription, common_span

MOST = 10_000_000
EVENLY = 1000
"""intervals where nobody says"""


def instants(asked: Prescription, resolved: ResolvedModel, t_end: Any, samples: Any, times: Any) -> np.ndarray:
    """Those of the recording or the table, those asked for, or even ones over the run."""
    if samples is not None:
        samples = count_of(samples, "samples", 1, MOST)
    end = None if t_end is None else number(t_end, "t_end", "time")
    if times is not None and (end is not None or samples is not None):
        raise MethodError(Problem("times gives the instants already", cure="leave t_end and samples out"))
    if asked.recorded is not None:
        if not (end is None and samples is None and times is None):
            cure = "leave t_end, samples and times out; or give the motion as a table, which has values in between"
            raise MethodError(Problem("a recorded motion has instants of its own", cure=cure))
        return _increasing(asked.recorded.t, "the recording")
    if times is not None:
        t = _increasing(times, "times")
    elif (
        asked.instants
        and end is None
        and samples is None
        and all(np.array_equal(x, asked.instants[0]) for x in asked.instants)
    ):
        return asked.instants[0]
    else:
        t = _even(asked, resolved, end, samples)
    _within(asked, t)
    return t


def _even(asked: Prescription, resolved: ResolvedModel, end: float | None, samples: int | None) -> np.ndarray:
    begin, last = 0.0, end
    if asked.spans:
        begin, latest = common_span(asked.spans.values())
        last = latest if end is None else end
        if end is None and not begin < latest:
            why = "; ".join(f"{c}: {a:g} s to {b:g} s" for c, (a, b) in asked.spans.items())
            raise MethodError(Problem("the tables have no time in common", why=why, cure="cover the same times"))
    elif last is None:
        if resolved.duration is None:
            cure = "give t_end (seconds), or run.duration in the model file"
            raise MethodError(Problem("for how long?", cure=cure))
        last = float(resolved.duration)
    assert last is not None
    if not (np.isfinite(last) and last > begin):
        why = f"the motion starts at t = {begin:g} s"
        raise MethodError(Problem(f"the motion cannot end at t = {last:g} s", why=why, cure="give a later t_end"))
    return np.linspace(begin, last, (samples or EVENLY) + 1)


def _increasing(times: Any, what: str) -> np.ndarray:
    try:
        t = np.atleast_1d(np.asarray(times, dtype=float))
    except (TypeError, ValueError):
        raise MethodError(Problem(f"{what} are not numbers", cure="give instants in seconds")) from None
    if t.ndim != 1 or not len(t) or not np.isfinite(t).all() or (np.diff(t) <= 0).any():
        bad = np.flatnonzero(np.diff(t) <= 0) if t.ndim == 1 else []
        why = f"t = {t[bad[0] + 1]:g} s comes after {t[bad[0]]:g} s" if len(bad) else "they must be finite, in one row"
        raise MethodError(Problem(f"the instants of {what} do not increase", why=why, cure="sort them, each once"))
    return t


def _within(asked: Prescription, t: np.ndarray) -> None:
    """Nothing is known beyond a table."""
    problems = []
    for c, (a, b) in asked.spans.items():
        slack = 1e-9 * (b - a)
        if t[0] < a - slack or t[-1] > b + slack:
            why = f"it covers {a:g} s to {b:g} s, and {t[0]:g} s to {t[-1]:g} s is asked for"
            cure = "ask for times within it"
            problems.append(Problem(f"the table of {c} does not reach so far", "motion", why, cure))
    if problems:
        raise MethodError(problems)
