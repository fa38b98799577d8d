"""What results ask of the views (`biela.viewing.Views`): where each is. Its file is loaded when first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_FUNCTIONS = {
    "plot": ("curves.plot", "plot"),
    "figures": ("curves.figures", "figures"),
    "sketch": ("drawing.mechanism", "sketch"),
    "animate": ("animate", "animate"),
    "report": ("report", "report"),
    "free_body": ("drawing.freebody", "free_body_diagram"),
    "iterations": ("curves.newton", "newton_figure"),
    "comparison": ("curves.comparison", "plot_comparison"),
    "mode": ("drawing.modes", "mode_figure"),
    "bode": ("curves.linear", "bode"),
    "linear_motion": ("curves.linear", "plot_linear_motion"),
    "bond_graph": ("drawing.bondgraph", "draw"),
    "bond_graph_response": ("curves.linear", "plot_response"),
}


def __getattr__(name: str) -> Any:
    if name not in _FUNCTIONS:
        raise AttributeError(f"the views have no {name!r}")
    module, function = _FUNCTIONS[name]
    return getattr(import_module(f".{module}", __package__), function)
