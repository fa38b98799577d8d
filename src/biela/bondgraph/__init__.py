"""Bond graphs: elements and bonds by name; causality, equations, simulation, linear analysis, drawing.

>>> import biela.bondgraph as bg
>>> graph = bg.load("mass-spring-damper")
>>> graph.equations.A
Matrix([
[-d/m, -k],
[ 1/m,  0]])

Names are loaded when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_NAMES = {
    "BondGraph": "model.graph",
    "BondResult": "simulation.result",
    "Linear": "simulation.linear",
    "from_model": "mechanisms.mechanism",
    "json_schema": "model.file",
    "load": "model.file",
    "load_text": "model.file",
    "names": "model.file",
    "save": "model.file",
    "simulate": "simulation.simulate",
}
__all__ = [
    "BondGraph",
    "BondResult",
    "Linear",
    "from_model",
    "json_schema",
    "load",
    "load_text",
    "names",
    "save",
    "simulate",
]

if TYPE_CHECKING:
    from .mechanisms.mechanism import from_model
    from .model.file import json_schema, load, load_text, names, save
    from .model.graph import BondGraph
    from .simulation.linear import Linear
    from .simulation.result import BondResult
    from .simulation.simulate import simulate


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"biela.bondgraph has no {name!r}")
    value = getattr(import_module(f"biela.bondgraph.{_NAMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
