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
    """What can be asked of the views; `biela.views.provided` has it all. A path is where the picture is written to."""

    def plot(self, motion: Any, /, *names: str, against: str, path: str | Path | None, **options: Any) -> Figure:
        """Channels of a motion, or of the result of a bond graph, as curves."""
        ...

    def figures(self, motion: Any, folder: str | Path, name: str | None, /) -> list[Path]:
        """The figures of 000 as PNG files."""
        ...

    def sketch(self, motion: Any, path: str | Path | None, /, at: int, **options: Any) -> Figure:
        """The mechanism at one sample of a motion."""
        ...

    def animate(self, motion: Any, path: str | Path | None, /, **options: Any) -> Any:
        """The mechanism moving."""
        ...

    def report(self, result: Any, path: str | Path | None, /) -> str:
        """Everything about a result on one HTML page."""
        ...

    def free_body(self, body: Any, path: str | Path | None, /, **options: Any) -> Figure:
        """A body alone, with all the forces on it."""
        ...

    def iterations(self, trace: Any, path: str | Path | None, /) -> Figure:
        """The iterates of Newton-Raphson."""
        ...

    def comparison(self, comparison: Any, path: str | Path | None, theme: str, /) -> Figure:
        """Errors of several methods over their cost."""
        ...

    def mode(self, linear: Any, k: int, path: str | Path | None, /, **options: Any) -> Figure:
        """A mode of vibration over the position of rest."""
        ...

    def bode(self, response: Any, path: str | Path | None, theme: str, /) -> Figure:
        """The frequency response of a mechanism."""
        ...

    def linear_motion(self, motion: Any, path: str | Path | None, /) -> Figure:
        """Outputs or states of a linearised mechanism over time."""
        ...

    def bond_graph(self, graph: Any, path: str | Path | None, /) -> Figure:
        """A bond graph with its half-arrows and causal strokes."""
        ...

    def bond_graph_response(self, response: Any, path: str | Path | None, theme: str, /) -> Figure:
        """The frequency response of a bond graph."""
        ...


_load: list[Callable[[], Views]] = []


def provide_views(load: Callable[[], Views]) -> None:
    """Say how the views are loaded; whoever draws in another way may provide other ones."""
    _load[:] = [load]


def views() -> Views:
    """The views of the package, loaded when first asked for."""
    return _load[0]()
