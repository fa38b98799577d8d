"""How pictures look: light, large enough to read, colours that everybody can tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from ..errors import BielaError, Problem
from ..whole import whole

# Okabe and Ito's colours, told apart by colour-blind people too; black and yellow left out.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
INK, GREY, PAPER = "#222222", "#6B7280", "#FFFFFF"
PALE, GRID = "#9AA0A6", "#E5E7EB"
STEEL, SHAFT, CASE = "#8A949E", "#9AA5AF", "#ECEFF1"
"""of joints: what turns or slides, what it does so on, and what stands on the ground"""
DPI = 150

_STYLE: Any = {
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "axes.edgecolor": PALE,
    "axes.labelcolor": INK,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 10.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "lines.linewidth": 1.5,
    "lines.solid_joinstyle": "round",
    "xtick.color": "#4B5563",
    "ytick.color": "#4B5563",
    "xtick.labelsize": 9.5,
    "ytick.labelsize": 9.5,
    "legend.fontsize": 9.5,
    "legend.frameon": False,
    "font.size": 10,
    "font.family": ["DejaVu Sans"],
    "text.color": INK,
    "agg.path.chunksize": 20000,
    "svg.fonttype": "none",
}


@contextmanager
def style() -> Iterator[None]:
    """Draw in biela's style, and leave the user's own settings of matplotlib as they were."""
    with rc_context(_STYLE):
        yield


def new_figure(width: float, height: float) -> Figure:
    """A figure in inches with a canvas of its own: no window, no global state."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def colour(k: int) -> str:
    """The k-th colour, round and round."""
    return COLOURS[k % len(COLOURS)]


def dash(k: int) -> str:
    """Solid, until the colours begin again."""
    return ("-", "--", ":", "-.")[k // len(COLOURS) % 4]


def light(colour: str, share: float = 0.72) -> tuple[float, float, float]:
    """A colour mixed with white.

    >>> light("#000000", 0.5)
    (0.5, 0.5, 0.5)
    """
    r, g, b = to_rgb(colour)
    return tuple(1 - (1 - x) * (1 - share) for x in (r, g, b))  # type: ignore[return-value]


def heading(figure: Figure, title: str, made: str = "") -> None:
    """A title at the upper left, and small at the lower right how it was made."""
    figure.suptitle(title, x=0.012, ha="left", fontsize=12.5, fontweight="bold")
    if made:
        figure.supxlabel(made, x=0.99, ha="right", fontsize=8, color=GREY)


def plain_numbers(axes: Axes) -> None:
    """Every tick says its whole number: no "x 1e-4" in a corner, where it is overlooked."""
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:.8g}".replace("-", "\N{MINUS SIGN}")))


def legend(axes: Axes, entries: int, **options: Any) -> None:
    """A legend where it hides least: above the axes, in as many columns as fit."""
    place: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0), "borderaxespad": 0.2}
    axes.legend(**{"ncols": min(entries, 4), "handlelength": 1.6, "columnspacing": 1.4, **place, **options})


def save(figure: Figure, path: str | Path) -> Path:
    """Write a picture whole or not at all, as its suffix says."""
    path = Path(path)
    kinds = figure.canvas.get_supported_filetypes()
    if path.suffix.lower().lstrip(".") not in kinds:
        cure = "end its name in .png, .svg or .pdf"
        raise BielaError(Problem(f"cannot tell the format of {str(path)!r}", cure=cure))
    with style():
        whole(path, lambda file: figure.savefig(file, dpi=DPI))
    return path


def finished(figure: Figure, path: str | Path | None = None, theme: str = "light") -> Figure:
    """A drawn figure on light or dark paper, and written if a path is given."""
    if theme == "dark":
        from .dark import darken

        darken(figure)
    if path is not None:
        save(figure, path)
    return figure
