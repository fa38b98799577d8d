"""The verdict of a run is held to its word: a good one is right within ten times the error it states."""

from __future__ import annotations

from biela.analysis.compare.methods import MethodSpec
from biela.results.result import Result
from fuzz.bounds import MARGIN, ROUNDING
from fuzz.finding import Finding, Tally


def judge(w: MethodSpec, result: Result, off: float, grows: float, unsure: float, tally: Tally) -> list[Finding]:
    """A false `good` is a failure like any other.

    What a run states are its own errors; how they grow on the way is the motion's doing, and a nudge tells it.
    `unsure`: how far what it is held against is known.
    """
    verdict = getattr(result, "verdict", None)
    if verdict is None:
        return []
    tally.add(verdict.grade)
    if verdict.grade != "good":
        return []
    most = MARGIN * max(verdict.error, ROUNDING) * max(1.0, grows) + unsure
    if off <= most:
        return []
    text = f"{w.name} calls itself good to {verdict.error:.3g}, and is off by {off:.3g}"
    text += f" (allowed {most:.3g}; a nudge grows {grows:.3g} times)\n{result.quality()}"
    return [Finding(f"verdict: good, but wrong: {w.integrator}", text)]
