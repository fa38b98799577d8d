"""biela: describe a mechanism once; biela writes its equations, solves them, and shows what it does.

Names are loaded when first used, so `import biela` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .viewing import Views, provide_views

__version__ = "0.1.0"

_NAMES = {
    "Model": "biela.model.model",
    "load": "biela.library",
    "assemble": "biela.analysis.assembly.assemble",
    "simulate": "biela.analysis.simulate.simulate",
    "resume": "biela.analysis.simulate.resume",
    "kinematics": "biela.analysis.kinematics.kinematics",
    "newton": "biela.analysis.assembly.newton",
    "branches": "biela.analysis.assembly.branches",
    "inverse": "biela.analysis.inverse.inverse",
    "check": "biela.analysis.check.check",
    "compare": "biela.analysis.compare.compare",
    "explain": "biela.analysis.explain.explain",
    "mobility": "biela.analysis.check.mobility",
    "range_of_motion": "biela.analysis.kinematics.range_of_motion",
    "equilibrium": "biela.analysis.equilibrium.equilibrium",
    "minimal": "biela.analysis.minimal.reduced",
    "minimal_equations": "biela.analysis.minimal.symbols",
    "linearise": "biela.analysis.linear.linearise",
    "animate": "biela.views.animate",
    "plot": "biela.views.curves.plot",
    "sketch": "biela.views.drawing.mechanism",
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
    from .analysis.assembly.assemble import assemble
    from .analysis.assembly.branches import branches
    from .analysis.assembly.newton import newton
    from .analysis.check.check import check
    from .analysis.check.mobility import mobility
    from .analysis.compare.compare import compare
    from .analysis.equilibrium.equilibrium import equilibrium
    from .analysis.explain.explain import explain
    from .analysis.inverse.inverse import inverse
    from .analysis.kinematics.kinematics import kinematics
    from .analysis.kinematics.range_of_motion import range_of_motion
    from .analysis.linear.linearise import linearise
    from .analysis.minimal.reduced import minimal
    from .analysis.minimal.symbols import minimal_equations
    from .analysis.simulate.resume import resume
    from .analysis.simulate.simulate import simulate
    from .errors import AssemblyError, BielaError, MethodError, ModelError, Problem
    from .library import load
    from .methods.status import Status
    from .model.model import Model
    from .results.result import Result
    from .system.system import System
    from .views.animate import animate
    from .views.curves.plot import plot
    from .views.drawing.mechanism import sketch


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"biela has no {name!r}")
    module = import_module(_NAMES[name])
    value = module if name in ("library", "bondgraph") else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


def _views() -> Views:
    from .views import provided

    return provided  # type: ignore[return-value]  # its functions are found when they are asked for


provide_views(_views)
