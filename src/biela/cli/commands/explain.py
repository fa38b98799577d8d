"""`biela explain`: the equations of a mechanism in symbols."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .. import options as o
from ..guard import guarded
from ..reading import opened, read_model
from ..writing import can_write, write_text

Latex = Annotated[bool, typer.Option("--latex", help="LaTeX instead of plain text.")]
Where = Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write .txt, .md or .tex.")]


@guarded
def explain(
    name: o.Name,
    coordinates: o.Coordinates = None,
    open_: o.Open = None,
    set_: o.Set = None,
    latex: Latex = False,
    output: Where = None,
) -> None:
    """Print q, Phi, Phi_q, gamma, M and Q of a small mechanism, in formulas of its parameters, in any coordinates."""
    if output is not None:
        can_write(output, (".txt", ".md", ".tex"))
    model = opened(read_model(name, set_), open_, coordinates)
    from ...analysis.explain.explain import explain as write_out

    explanation = write_out(model, coordinates=coordinates)
    latex = latex or (output is not None and output.suffix.lower() == ".tex")
    text = explanation.latex() if latex else explanation.text()
    if output is None:
        print(text)
    else:
        write_text(output, text.rstrip("\n") + "\n")
        print(f"wrote {output}")
