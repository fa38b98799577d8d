"""The equations of the mechanism, as formulas."""

from __future__ import annotations

from html import escape

from ...analysis.explain.explain import explain
from ...model.model import Model
from ...results.motion import Motion
from .formulas import mathml
from .page import paragraph

WIDEST = 12
"""columns of a matrix that a page can show"""
SYMBOLS = {
    "q": "<mi class=bold>q</mi>",
    "Phi": "<mi class=bold>Φ</mi>",
    "Phi_q": "<msub><mi class=bold>Φ</mi><mi class=bold>q</mi></msub>",
    "gamma": "<mi class=bold>γ</mi>",
    "M": "<mi class=bold>M</mi>",
    "Q": "<mi class=bold>Q</mi>",
    "Q_v": "<msub><mi class=bold>Q</mi><mi>v</mi></msub>",
}
EQUATION = (
    "<math display=block><mi class=bold>M</mi><mover><mi class=bold>q</mi><mo>¨</mo></mover><mo>+</mo>"
    "<msubsup><mi class=bold>Φ</mi><mi class=bold>q</mi><mi>T</mi></msubsup>"
    "<mi class=bold>λ</mi><mo>=</mo><mi class=bold>Q</mi><mo>,</mo><mspace width=1.5em></mspace>"
    "<mi class=bold>Φ</mi><mo>=</mo><mn class=bold>0</mn></math>"
)


def equations(model: Model, motion: Motion | None) -> str:
    """q, Phi, Phi_q, gamma, M and Q in natural coordinates."""
    told = explain(model)
    low = told.symbolic.equations
    out = [paragraph(f"In {told.coordinates} coordinates; the reaction of the joints on the bodies is −Φ_qᵀ λ.")]
    out.append(f'<div class="formula">{EQUATION}</div>')
    for name, _, resolved, matrix in told.terms():
        out.append(f"<h3>{escape(resolved[0].upper() + resolved[1:])}</h3>")
        if matrix.rows == 0:
            out.append(paragraph("There are none: nothing constrains the coordinates."))
            continue
        if matrix.cols > WIDEST:
            said = f"{matrix.rows} × {matrix.cols}: too wide for a page; `biela explain` prints it."
            out.append(paragraph(said))
            continue
        out.append(f'<div class="formula"><math display=block>{SYMBOLS[name]}<mo>=</mo>{mathml(matrix)}</math></div>')
        if name == "Phi":
            out.append(paragraph("Rows: " + ", ".join(r.name for r in low.rows), "labels"))
    return "".join(out)
