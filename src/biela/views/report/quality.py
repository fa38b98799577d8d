"""How good the computation is, against what its errors should be small beside."""

from __future__ import annotations

from html import escape

import numpy as np

from ...model.model import Model
from ...results.result import Result
from .page import notes, paragraph, said, table

GOOD, DOUBTFUL = {"energy": 1e-5, "constraints": 1e-6}, {"energy": 1e-2, "constraints": 1e-3}


def quality(model: Model, result: Result) -> str:
    """The end, energy error, violation of the constraints, effort; numbers the model must reproduce."""
    tr, size = result.trajectory, result.system.size
    speed = float(np.abs(result.v).max(initial=0.0))
    rows = [_row("energy error", tr.energy_error, "J", result.energy_scale, "energy exchanged", "energy")]
    if result.system.m:
        rows.append(_row("violation |Φ|", tr.violation, "", size**2, "size squared", "constraints"))
        rows.append(_row("violation |Φ'|", tr.rate_violation, "", size * speed, "size times speed", "constraints"))
    end = "The run reached its end." if result.finished else f"The run stopped: {result.status.sentence}."
    v = result.verdict
    judged = f"Verdict: {v}."
    headers = ["error", "largest", "unit", "compared with", "is", "share", "judgement"]
    effort = f"{tr.steps} steps, {tr.evaluations} evaluations, {tr.rejected} rejected, {tr.wall:.3g} s."
    return (
        f'<p class="{"good" if result.ok else "bad"}">{escape(end)}</p>'
        + paragraph(judged, "bad" if v.grade == "bad" else "")
        + table(headers, rows)
        + paragraph(effort)
        + _reference(model, result)
        + notes(result.notes)
    )


def _row(name: str, value: float, unit: str, scale: float, of: str, kind: str) -> tuple:
    share = value / scale if scale > 0 else float("nan")
    judged = "" if not np.isfinite(share) else "good" if share <= GOOD[kind] else (
        "doubtful" if share <= DOUBTFUL[kind] else "bad")  # fmt: skip
    return name, f"{value:.2e}", unit, of, said(scale), f"{share:.1e}" if np.isfinite(share) else "", judged


def _reference(model: Model, result: Result) -> str:
    """Numbers that the model's file says it must reproduce, beside those computed."""
    rows = []
    t = np.asarray(result.t)
    for key, value in model.reference.values.items():
        name, _, at = (part.strip() for part in key.partition("@"))
        try:
            when = float(at)
        except ValueError:
            continue
        if name not in result or not t[0] <= when <= t[-1] or result[name].ndim != 1:
            continue
        got = float(np.interp(when, t, np.asarray(result[name])))
        rows.append((key, value, got, f"{got - value:.1e}"))
    if not rows:
        return ""
    caption = "Numbers the model's file gives (computed ones interpolated linearly between samples)"
    return table(["quantity", "given", "computed", "difference"], rows, caption)
