"""biela: describe a mechanism once; biela writes its equations, solves them, and shows what it does.

Names are loaded when first used, so `import biela` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_NAMES = {
    "Model": "biela.model.model",
    "load": "biela.library",
    "assemble": "biela.analysis.assembly",
    "simulate": "biela.analysis.simulate",
    "resume": "biela.analysis.resume",
    "kinematics": "biela.analysis.kinematics",
    "newton": "biela.analysis.newton",
    "branches": "biela.analysis.branches",
    "inverse": "biela.analysis.inverse",
    "check": "biela.analysis.check",
    "compare": "biela.analysis.compare",
    "explain": "biela.analysis.explain",
    "mobility": "biela.analysis.mobility",
    "range_of_motion": "biela.analysis.range_of_motion",
    "equilibrium": "biela.analysis.equilibrium",
    "minimal": "biela.analysis.reduced",
    "minimal_equations": "biela.analysis.minimal_symbols",
    "linearise": "biela.analysis.linearise",
    "animate": "biela.views.animate",
    "plot": "biela.views.plot",
    "sketch": "biela.views.mechanism",
    "System": "biela.system.system",
    "Result": "biela.results.result",
    "Status": "biela.methods.status",
    "BielaError": "biela.errors",
    "ModelError": "biela.errors",
    "AssemblyError": "biela.errors",
    "MethodError": "biela.errors",
    "Problem": "biela.errors",
    "library": "biela.library",
    "bondgraph": "biela.bondgraph",
}

__all__ = ["__version__", *_NAMES]

if TYPE_CHECKING:
    from . import bondgraph, library
    from .analysis.assembly import assemble
    from .analysis.branches import branches
    from .analysis.check import check
    from .analysis.compare import compare
    from .analysis.equilibrium import equilibrium
    from .analysis.explain import explain
    from .analysis.inverse import inverse
    from .analysis.kinematics import kinematics
    from .analysis.linearise import linearise
    from .analysis.minimal_symbols import minimal_equations
    from .analysis.mobility import mobility
    from .analysis.newton import newton
    from .analysis.range_of_motion import range_of_motion
    from .analysis.reduced import minimal
    from .analysis.resume import resume
    from .analysis.simulate import simulate
    from .errors import AssemblyError, BielaError, MethodError, ModelError, Problem
    from .library import load
    from .methods.status import Status
    from .model.model import Model
    from .results.result import Result
    from .system.system import System
    from .views.animate import animate
    from .views.mechanism import sketch
    from .views.plot import plot


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"biela has no {name!r}")
    module = import_module(_NAMES[name])
    value = module if name in ("library", "bondgraph") else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
