"""How many freedoms there are, in numbers and words."""

from __future__ import annotations

from ...analysis.check.check import check
from ...model.model import Model
from ...results.motion import Motion
from .page import count, notes, paragraph, table


def mobility(model: Model, motion: Motion | None) -> str:
    """The facts of `biela check`."""
    found = check(model)
    first = found.sizes["reference-point"]
    driven = f", with {count(first.drivers, 'driver')} at work" if first.drivers else ""
    words = [f"{count(first.freedom, 'freedom')} by rank{driven}; {found.grubler} by counting (Gruebler)."]
    if first.redundant:
        rows_are = f"{count(first.redundant, 'constraint row')} {'is' if first.redundant == 1 else 'are'}"
        words.append(f"{rows_are} implied by the others in any position, for instance "
                     f"{', '.join(first.implied[:8])}; the dependency runs through {', '.join(first.involved[:12])}. "
                     "The motion is not affected.")  # fmt: skip
    if found.reactions.shared:
        words.append(f"Reactions that only a convention determines (least norm): {', '.join(found.reactions.shared)}.")
    for group in found.islands:
        words.append(f"Not connected to the ground: {', '.join(group)}.")
    if found.singular:
        words.append(f"{found.singular}: {count(first.instantaneous, 'freedom')} here, {first.freedom} nearby.")
    remarks: list[str] = []
    rows = [(name, m.n, m.m, m.rank, m.redundant, m.freedom) for name, m in found.sizes.items()]
    headers = ["coordinates", "n", "rows m", "rank", "redundant", "freedom"]
    paired = [name for name, m in found.sizes.items() if m.m - m.rank > m.redundant]
    if paired:
        remarks.append(f"in {' and '.join(paired)} coordinates an angle has two rows, its sine and its cosine, of "
                       "which one at a time tells it: they are among the rows m, but not redundant ones")  # fmt: skip
    remarks += [*found.notes, *(f"problem: {p}" for p in found.problems), *(f"warning: {d}" for d in found.doubts)]
    return "".join(map(paragraph, words)) + table(headers, rows) + notes(remarks)
