"""The table at the end: what was run, of which kind, and what came of it."""

from __future__ import annotations

from fuzz.finding import COUNTS, Tally


def table(tallies: dict[str, Tally], cases: dict[str, int]) -> str:
    """One line for each kind, and their sum."""
    total = Tally()
    lines = [head := f"{'kind':<20}" + "".join(f"{name:>10}" for name in ("cases", *COUNTS)), "-" * len(head)]
    for kind, tally in tallies.items():
        total.take(tally)
        lines.append(_line(kind, cases.get(kind, 0), tally))
    return "\n".join([*lines, lines[1], _line("all", sum(cases.values()), total)])


def _line(name: str, cases: int, tally: Tally) -> str:
    return f"{name:<20}{cases:>10}" + "".join(f"{tally.counts[c]:>10}" for c in COUNTS)


def sentences(tallies: dict[str, Tally], most: int = 12) -> str:
    """What was said most often of models and runs that biela would not take or finish."""
    total = Tally()
    for tally in tallies.values():
        total.take(tally)
    return "\n".join(f"{count:>8}  {text}" for text, count in total.sentences.most_common(most))
