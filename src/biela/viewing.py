"""How results reach the views, which are a layer above them.

A result can plot itself, but does not import a view: it asks `views()`. The package names them once, in
`biela/__init__.py`; they are loaded when something is first drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure


class Views(Protocol):
    """What can be asked of the views; `biela.views.provided` says where each is, with its arguments. Each is given what
    is to be drawn, a path that the picture is written to or None, and options."""

    def plot(self, *arguments: Any, **options: Any) -> Figure: ...  # channels of a motion or of a bond graph's result
    def figures(self, *arguments: Any, **options: Any) -> list[Path]: ...  # the figures of 000 as PNG files
    def sketch(self, *arguments: Any, **options: Any) -> Figure: ...  # the mechanism at one sample of a motion
    def animate(self, *arguments: Any, **options: Any) -> Any: ...  # the mechanism moving
    def report(self, *arguments: Any, **options: Any) -> str: ...  # everything about a result on one HTML page
    def free_body(self, *arguments: Any, **options: Any) -> Figure: ...  # a body alone, with all the forces on it
    def iterations(self, *arguments: Any, **options: Any) -> Figure: ...  # the iterates of Newton-Raphson
    def comparison(self, *arguments: Any, **options: Any) -> Figure: ...  # errors of several methods over their cost
    def mode(self, *arguments: Any, **options: Any) -> Figure: ...  # a mode of vibration over the position of rest
    def bode(self, *arguments: Any, **options: Any) -> Figure: ...  # the frequency response of a mechanism
    def linear_motion(self, *arguments: Any, **options: Any) -> Figure: ...  # a linearised mechanism over time
    def bond_graph(self, *arguments: Any, **options: Any) -> Figure: ...  # with its half-arrows and causal strokes
    def bond_graph_response(self, *arguments: Any, **options: Any) -> Figure: ...  # the frequency response of one


_load: list[Callable[[], Views]] = []


def provide_views(load: Callable[[], Views]) -> None:
    """Say how the views are loaded; whoever draws in another way may provide other ones."""
    _load[:] = [load]


def views() -> Views:
    """The views of the package, loaded when first asked for."""
    return _load[0]()
