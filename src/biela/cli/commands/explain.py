"""`biela explain`: the equations of a mechanism in symbols."""

from __future__ import annotations

from .. import options as o
from ..files import TEXTS, can_write, write_text
from ..output import finish
from ..reading import opened, read_model


def explain(
    name: o.Name,
    coordinates: o.Coordinates = None,
    open_: o.Open = None,
    set_: o.Set = None,
    latex: o.Latex = False,
    output: o.TextFile = None,
) -> None:
    """Print q, Phi, Phi_q, gamma, M and Q of a small mechanism, in formulas of its parameters, in any coordinates."""
    can_write(output, TEXTS)
    model = opened(read_model(name, set_), open_, coordinates)
    from ...analysis.explain.explain import explain as equations_of

    explanation = equations_of(model, coordinates=coordinates)
    latex = latex or (output is not None and output.suffix.lower() == ".tex")
    text = explanation.latex() if latex else explanation.text()
    if output is not None:
        write_text(output, text)
    finish(text if output is None else f"wrote {output}")
