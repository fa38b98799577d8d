"""The bond graph as the user says it: elements and junctions by name, and bonds between them by name."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...cached import forget
from ...errors import ModelError, Problem, so_many
from ...model.items import Reference, Run
from ...model.mistakes import problems_of
from ...viewing import views
from . import elements as el

if TYPE_CHECKING:
    from ..equations.causality import Causality
    from ..equations.equations import Equations
    from ..simulation.linear import Linear
    from ..simulation.result import BondResult
    from .network import Network


class BondGraph(BaseModel):
    """Elements, junctions and bonds. A bond goes from one element to another, its half-arrow at the second.

    >>> g = BondGraph(name="oscillator", parameters={"m": 2, "k": 50}, domain="translation")
    >>> g = g.add("mass", "I", inertia="m").add("spring", "C", stiffness="k").add("v", "1")
    >>> g = g.bond("b1", "v", "mass").bond("b2", "v", "spring").start(spring=0.1)
    >>> g
    BondGraph('oscillator': 2 elements, 1 junction, 2 bonds)
    >>> g.equations.A
    Matrix([
    [  0, -k],
    [1/m,  0]])
    """

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, validate_assignment=True)
    ITEM_TYPES: ClassVar = {"elements": (el.TYPES, el.TYPES)}

    name: str = "bond-graph"
    title: str = ""
    domain: el.Domain | None = None
    parameters: dict[el.Name, el.Scalar] = {}
    elements: dict[el.Name, el.AnyElement] = {}
    bonds: dict[el.Name, tuple[str, str]] = {}
    initial: dict[str, el.Scalar] = {}
    run: Run = Field(default_factory=Run)
    reference: Reference = Field(default_factory=Reference)

    def __init__(self, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            title = f"bond graph {data.get('name', 'bond-graph')!r}"
            wrong = ModelError(problems_of(error, type(self), data), title)
            wrong.validation = error  # type: ignore[attr-defined]  # for `validated`, which knows the lines of a file
            raise wrong from None

    def __setattr__(self, name: str, value: Any) -> None:
        try:
            super().__setattr__(name, value)
        except ValidationError as error:
            raise ModelError(problems_of(error, type(self), {name: value}), f"bond graph {self.name!r}") from None
        forget(self, "network", "equations")

    # ------------------------------------------------------------------------------ building by hand
    def add(self, name: str, type: str, **data: Any) -> BondGraph:
        """An element or a junction: Se, Sf, I, C, R, TF, GY, "0" or "1"."""
        self._is_free(name)
        fresh = BondGraph(name=self.name, elements={name: {"type": type, **data}})  # type: ignore[dict-item]
        self.elements = {**self.elements, **fresh.elements}
        return self

    def bond(self, name: str, start: str, end: str) -> BondGraph:
        """A bond; power is counted from start to end, where its half-arrow is."""
        self._is_free(name)
        self.bonds = {**self.bonds, name: (start, end)}
        return self

    def start(self, **values: Any) -> BondGraph:
        """Momenta and displacements at t = 0, by the names of their I and C elements."""
        self.initial = {**self.initial, **values}
        return self

    def with_parameters(self, **values: Any) -> BondGraph:
        """A copy with other values of declared parameters."""
        unknown = sorted(set(values) - set(self.parameters))
        if unknown:
            cure = "declared: " + (", ".join(self.parameters) or "(none)")
            where = f"bond graph {self.name!r}"
            raise ModelError([Problem(f"no parameter {k!r}", where, cure=cure) for k in unknown])
        copy = self.model_copy()
        copy.parameters = {**self.parameters, **values}  # by assignment, so that the values are checked
        return copy

    def _is_free(self, name: str) -> None:
        if name in self.elements or name in self.bonds:
            where = f"bond graph {self.name!r}"
            raise ModelError(Problem(f"{name!r} already exists", where, cure="choose another name"))

    # -------------------------------------------------------------------------------- what follows
    @cached_property
    def network(self) -> Network:
        """Names resolved, laws read, every port connected; or all that is wrong, in one error."""
        from .network import resolve

        return resolve(self)

    @property
    def causality(self) -> Causality:
        """Which end of each bond is given the effort: the causal strokes, by sequential assignment."""
        return self.equations.causality

    @cached_property
    def equations(self) -> Equations:
        """The state equations in symbols."""
        from ..equations.equations import solved

        return solved(self.network)

    def linear(self, at: dict[str, float] | None = None) -> Linear:
        """x' = A x + B u in numbers; a non-linear graph is linearised at its start, or at a state by name."""
        from ..simulation.linear import linear

        return linear(self, at)

    def simulate(self, t_end: Any = None, **options: Any) -> BondResult:
        """Run it; see `biela.bondgraph.simulate`."""
        from ..simulation.simulate import simulate

        return simulate(self, t_end, **options)

    def text(self, ascii: bool = False) -> str:
        """The graph with its half-arrows and strokes, for a terminal."""
        from ..text import text

        return text(self, ascii)

    def draw(self, path: str | Path | None = None) -> Any:
        """A drawing with half-arrows and causal strokes: a matplotlib figure, written to path if given."""
        return views().bond_graph(self, path)

    def save(self, path: str | Path) -> None:
        """A TOML file that `biela.bondgraph.load` reads back."""
        from .file import save

        save(self, path)

    def __repr__(self) -> str:
        junctions = sum(e.type in ("0", "1") for e in self.elements.values())
        counts = [(len(self.elements) - junctions, "element"), (junctions, "junction"), (len(self.bonds), "bond")]
        told = ", ".join(so_many(n, what) for n, what in counts)
        return f"BondGraph({self.name!r}: {told})"

    def __str__(self) -> str:
        return repr(self)
