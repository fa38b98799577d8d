"""What a bond graph is made of, as the user says it: sources, stores, resistors, transformers, gyrators, junctions.

A *law* is a number, a text with a unit, a formula, a table or a Python function. Which variable a formula is of, and
what it gives, follows from the key: `effort` of a C is a formula of q, `flow` of an I one of p.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from ...model.items import Item, Table

Domain = Literal["translation", "rotation", "electric", "hydraulic"]
Name = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=64)]


def _not_bool(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("true or false does not fit here; give a number or a text such as '12 V'")
    return value


Scalar = Annotated[float | str, BeforeValidator(_not_bool)]
Law = Annotated[float | str | Table | Callable[..., float], BeforeValidator(_not_bool)]


class Element(Item):
    """What all have in common: the domain of energy, and where a drawing puts it."""

    domain: Domain | None = None
    at: tuple[float, float] | None = None


class EffortSource(Element):
    """Se: an effort (force, moment, voltage, pressure) whatever the flow; a formula of t, and of signals (MSe)."""

    type: Literal["Se", "MSe"]
    effort: Law


class FlowSource(Element):
    """Sf: a flow (velocity, current, volume flow) whatever the effort; a formula of t, and of signals (MSf)."""

    type: Literal["Sf", "MSf"]
    flow: Law


class Inertia(Element):
    """I: stores energy in its momentum p, p' = effort. Linear, p = `inertia` f; or `flow` of p and `momentum` of f."""

    type: Literal["I"]
    inertia: Scalar | None = None
    flow: Law | None = None
    momentum: Law | None = None


class Compliance(Element):
    """C: stores energy in its displacement q, q' = flow. Linear: effort = `stiffness` q, or q / `capacitance`; or
    `effort` of q and `displacement` of e."""

    type: Literal["C"]
    stiffness: Scalar | None = None
    capacitance: Scalar | None = None
    effort: Law | None = None
    displacement: Law | None = None


class Resistor(Element):
    """R: takes power. Linear: effort = `resistance` f, flow = `conductance` e; or `effort` of f, `flow` of e."""

    type: Literal["R", "MR"]
    resistance: Scalar | None = None
    conductance: Scalar | None = None
    effort: Law | None = None
    flow: Law | None = None


class Transformer(Element):
    """TF: from the bond that comes in (1) to the one that goes out (2): f2 = m f1, e1 = m e2; MTF if m changes."""

    type: Literal["TF", "MTF"]
    modulus: Law


class Gyrator(Element):
    """GY: from the bond that comes in (1) to the one that goes out (2): e2 = r f1, e1 = r f2; MGY if r changes."""

    type: Literal["GY", "MGY"]
    modulus: Law


class ZeroJunction(Element):
    """0: one effort for all its bonds; the flows, with the signs of the half-arrows, add to nothing."""

    type: Literal["0"]


class OneJunction(Element):
    """1: one flow for all its bonds; the efforts, with the signs of the half-arrows, add to nothing."""

    type: Literal["1"]


AnyElement = Annotated[
    EffortSource | FlowSource | Inertia | Compliance | Resistor | Transformer | Gyrator | ZeroJunction | OneJunction,
    Field(discriminator="type"),
]
CLASSES = (
    EffortSource, FlowSource, Inertia, Compliance, Resistor, Transformer, Gyrator, ZeroJunction, OneJunction,
)  # fmt: skip
TYPES = {kind: cls for cls in CLASSES for kind in cls.model_fields["type"].annotation.__args__}  # type: ignore
