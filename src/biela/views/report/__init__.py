"""Report: a mechanism, its equations, mobility, kinematics, dynamics, reactions and quality on one page.

The page is one file that needs nothing else: pictures are SVG, formulas MathML. What cannot be computed for a mechanism
is said in its place, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from ... import __version__
from ...analysis.assembly.assemble import as_model, assemble
from ...analysis.simulate.simulate import simulate
from ...errors import BielaError, MethodError, Problem
from ...model.model import Model
from ...model.resolve.expansion import without_repeats
from ...results.motion import Motion
from ...results.result import Result
from ...whole import whole
from .equations import equations
from .mechanism import mechanism, mobility
from .motion import dynamics, kinematics, reactions
from .page import assembled, reason
from .quality import quality

__all__ = ["report"]

Section = Callable[[Model, Result], str]
SECTIONS: dict[str, Section] = {
    "Mechanism": mechanism,
    "Mobility": mobility,
    "Equations": equations,
    "Kinematics": kinematics,
    "Dynamics": dynamics,
    "Reactions": reactions,
    "Quality": quality,
}
WITHOUT_RUN = ("Mobility", "Equations", "Kinematics")
"""what can be said of a mechanism that cannot be simulated"""


def report(
    subject: Result | Model | str | Path,
    path: str | Path | None = None,
    *,
    tell: Callable[[str], None] | None = None,
    **options: Any,
) -> str:
    """The report of a result, or of a model that is simulated for it (with the options of `biela.simulate`).

    Gives the page's HTML, and writes it if a path is given.

    >>> html = report("simple-pendulum", t_end=0.5)
    >>> html.startswith("<!DOCTYPE html>"), "http" in html.replace("http://www.w3.org", "")
    (True, False)
    """
    tell = tell or (lambda text: None)
    model, result, failed = _subject(subject, tell, options)
    found: dict[str, str | BielaError] = {}
    for title, section in SECTIONS.items():
        tell(title.lower())
        try:
            if result is None and title == "Mechanism":
                found[title] = _still(model)
            elif result is None and failed is not None and title not in WITHOUT_RUN:
                found[title] = failed
            else:
                found[title] = section(model, result)  # type: ignore[arg-type]
        except BielaError as error:
            found[title] = error
    lead = f"{escape(model.name)} · biela {__version__}"
    html = assembled(model.title or model.name, lead, model.reference.source, _once(found))
    if path is not None:
        whole(path, lambda file: file.write_text(html, encoding="utf-8"))
    return html


def _subject(
    subject: Any, tell: Callable[[str], None], options: dict[str, Any]
) -> tuple[Model, Result | None, BielaError | None]:
    if isinstance(subject, Result):
        model = subject.system.model
        if model is None:
            cure = "report(model) instead, or simulate a model and not a System made by hand"
            raise MethodError(Problem("this result does not know the model it came from", cure=cure))
        return without_repeats(model), subject, None
    model = without_repeats(as_model(subject))
    tell("simulating")
    try:
        return model, simulate(model, **options), None
    except BielaError as error:
        return model, None, error


def _once(found: dict[str, str | BielaError]) -> list[tuple[str, str]]:
    """Sections with their texts; a reason that several of them have is said in the first, which names the others."""
    alike: dict[str, list[str]] = {}
    for title, what in found.items():
        if isinstance(what, BielaError):
            alike.setdefault(reason(what), []).append(title)
    later = {title for titles in alike.values() for title in titles[1:]}
    return [
        (title, what if isinstance(what, str) else reason(what, alike[reason(what)][1:]))
        for title, what in found.items()
        if title not in later
    ]


def _still(model: Model) -> str:
    """The mechanism where it starts, if it can be put together at all."""
    return mechanism(model, Motion.at_start(assemble(model)))
