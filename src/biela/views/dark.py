"""Dark pictures: every colour of a finished figure turned over, greys into their opposites, tints into shades."""

from __future__ import annotations

from colorsys import hls_to_rgb, rgb_to_hls
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.collections import Collection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text

PAPER, INK = 0.09, 0.91  # lightness of paper and ink, which were 1 and about 0.13


def darken(figure: Figure) -> Figure:
    """Turn a figure over, for dark slides and pages; gives the same figure."""
    for artist in figure.findobj():
        _turn(artist)
    return figure


def turned(colour: Any) -> Any:
    """A colour as it is on dark paper: the same hue, light where it was dark.

    >>> [round(x, 2) for x in turned("white")], [round(x, 2) for x in turned("#222222")]
    ([0.09, 0.09, 0.09, 1.0], [0.91, 0.91, 0.91, 1.0])
    """
    r, g, b, a = to_rgba(colour)
    if a == 0:
        return "none"  # whatever opacity is set beside it
    h, l, s = rgb_to_hls(r, g, b)
    light = float(np.interp(l, (0.0, 0.133, 1.0), (1.0, INK, PAPER)))
    if s > 0.1:  # colours of lines must stay bright, tints become shades of the paper
        light = float(np.interp(l, (0.0, 0.3, 0.5, 0.68, 0.78, 1.0), (0.85, 0.58, 0.6, 0.64, 0.25, PAPER)))
    return (*hls_to_rgb(h, light, s if l < 0.7 else 0.5 * s), a)


def _turn(artist: Artist) -> None:
    if isinstance(artist, Line2D):
        artist.set_color(turned(artist.get_color()))
        for part in ("markerfacecolor", "markeredgecolor"):
            value = getattr(artist, f"get_{part}")()
            if not (isinstance(value, str) and value in ("none", "auto")):
                getattr(artist, f"set_{part}")(turned(value))
    elif isinstance(artist, Patch):
        fill = artist.get_facecolor()
        artist.set_edgecolor(turned(artist.get_edgecolor()))
        if artist.get_fill():
            artist.set_facecolor(turned(fill))
    elif isinstance(artist, Collection):
        artist.set_facecolor([turned(c) for c in artist.get_facecolor()])  # type: ignore[arg-type]
        artist.set_edgecolor([turned(c) for c in artist.get_edgecolor()])  # type: ignore[arg-type]
    elif isinstance(artist, Text):
        artist.set_color(turned(artist.get_color()))
        box = artist.get_bbox_patch()
        if box is not None:
            _turn(box)
