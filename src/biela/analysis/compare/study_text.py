"""A comparison in words: the table, what failed and why, and which method to take."""

from __future__ import annotations

from .study import TARGET, Comparison, Row

HEAD = ("step", "time [ms]", "evaluations", "energy error [J]", "position error [m]", "order")
WIDTHS = (11, 11, 13, 18, 20, 7)


def text(study: Comparison) -> str:
    """The table, failures with their reasons, the recommendation."""
    width = max([6, *(len(pair) for pair in study.pairs)])
    reference = f"reference: {study.reference}" if study.reference else "no reference"
    if study.reference and study.reference_error > 0:
        reference += f", known to {study.reference_error:.0e} m"
    best = f"time is the best of {study.repeats} runs" if study.repeats > 1 else "time of one run"
    lines = [
        f"{study.model}, {study.duration:g} s; {best}; {reference}",
        "",
        f"{'method':<{width}}" + "".join(f"{name:>{w}}" for name, w in zip(HEAD, WIDTHS, strict=True)),
        "-" * (width + sum(WIDTHS)),
    ]
    for pair in study.pairs:
        rows = study.of(pair)
        lines += [f"{pair:<{width}}" + _cells(study, row) for row in rows]
        if not rows:
            lines.append(f"{pair:<{width}}{'-':>{WIDTHS[0]}}")
    stops = _stops(study)
    close = [r for r in study.rows if r.ok and r.position_error is not None and not _known(study, r)]
    notes = ["* not distinguished from the reference, which may be off by as much"] if close else []
    notes += _others(study)
    advice = study.recommendation()
    out = [*lines, *notes, *(["", *stops] if stops else []), *(["", advice] if advice else [])]
    return "\n".join(line.rstrip() for line in out)


def _stops(study: Comparison) -> list[str]:
    """What failed and why; the same reason of one method is said once."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for row in study.rows:
        if not row.ok:
            reasons.setdefault((row.pair, row.message), []).append(row.accuracy)
    return [f"{pair}, {' and '.join(at)}: {message}" for (pair, message), at in reasons.items()]


def _others(study: Comparison) -> list[str]:
    """Methods that handed over to others."""
    ran: dict[tuple[str, str], list[str]] = {}
    for row in study.rows:
        if row.ok and row.ran not in (f"{row.formulation} + {row.integrator}", ""):
            ran.setdefault((row.pair, row.ran), []).append(row.accuracy)
    return [f"{pair}, {' and '.join(at)}: run with {what}" for (pair, what), at in ran.items()]


def _known(study: Comparison, row: Row) -> bool:
    return (row.position_error or 0.0) > 3 * study.reference_error or study.reference_error == 0


def _cells(study: Comparison, row: Row) -> str:
    accuracy = f"{row.accuracy:>{WIDTHS[0]}}"
    if not row.ok:
        word = row.status if row.status == "refused" else f"stopped ({row.status})"
        return accuracy + f"  {word}"
    order = study.order(row.pair, row)
    position = "-" if row.position_error is None else f"{row.position_error:.2e}" + (" " if _known(study, row) else "*")
    values = (
        f"{1e3 * (row.time or 0.0):.2f}",
        f"{row.evaluations}",
        f"{row.energy_error:.2e}",
        position,
        "" if order is None else f"{order:.1f}",
    )
    return accuracy + "".join(f"{value:>{w}}" for value, w in zip(values, WIDTHS[1:], strict=True))


def recommendation(study: Comparison) -> str:
    """The cheapest row that is good enough, what it is measured by, and what comes next."""
    done = [r for r in study.rows if r.ok and r.time]
    if len({r.pair for r in done}) < 2:
        return ""
    by_position = all(r.position_error is not None for r in done)

    def error(row: Row) -> float:
        return float((row.position_error if by_position else row.energy_error) or 0.0)

    unit, kind = ("m", "position error") if by_position else ("J", "energy error")
    if by_position:
        target = study.target if study.target is not None else TARGET * study.size
    else:  # without a reference the energy is all that can be judged
        target = 10.0 * min(error(r) for r in done)
    good = sorted((r for r in done if error(r) <= target), key=lambda r: r.time or 0.0)
    failed = sorted({r.pair for r in study.rows if not r.ok})
    unsafe = f" Not all runs of {', '.join(failed)} reached their end." if failed else ""
    if not good:
        best = min(done, key=error)
        return (
            f"None reaches a {kind} of {target:.1e} {unit}: {best.pair} comes nearest, {error(best):.1e} {unit} at "
            f"{best.accuracy} in {1e3 * (best.time or 0):.3g} ms; take a smaller step or another method.{unsafe}"
        )
    best = good[0]
    others = {}
    for row in good[1:]:
        if row.pair != best.pair:
            others.setdefault(row.pair, row)
    why = "no other method reaches it"
    if others:
        second = next(iter(others.values()))
        ratio = (second.time or 0.0) / (best.time or 1.0)
        longer = f"{ratio:.2g} times as long" if ratio > 1.05 else "about as long"
        why = f"{second.pair}, the next, takes {longer} (at {second.accuracy})"
    judged = "" if by_position else " (judged by the energy alone: there is no reference)"
    return (
        f"Take {best.pair} at {best.accuracy}: of the runs with a {kind} below {target:.1e} {unit} it is the fastest, "
        f"{1e3 * (best.time or 0):.3g} ms for {error(best):.1e} {unit}{judged}; {why}.{unsafe}"
    )
