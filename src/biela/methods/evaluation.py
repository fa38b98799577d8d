"""Which compiled function evaluates a system: its formulation's, or machine code of the mechanism's own."""

from __future__ import annotations

from collections.abc import Callable

from ..system.system import System
from .settings import Settings


def functions(settings: Settings, system: System) -> tuple:
    """(evaluate, settle) of a formulation; an open tree has no constraints and takes the O(n) recursion instead."""
    if system.is_open_tree:  # (each is compiled when it is first imported)
        from .formulations.recursive import evaluate as f
        from .formulations.recursive import settle_open as settle
    else:
        f, settle = settings.formulation.functions()
    return (specialised(settings, system, f, settle) if settings.machine == "tape" else f), settle


def specialised(settings: Settings, system: System, f: Callable, settle: Callable) -> Callable:
    """The machine code of this mechanism alone, if it can be made; else the evaluation as it is."""
    from .recorded import own_code

    own = own_code(system, settings, f, settle)
    return f if isinstance(own, str) else own


def machine_of(f: Callable) -> str:
    """Whose machine code an evaluation is."""
    return "tape" if hasattr(f, "generic") else "generic"
