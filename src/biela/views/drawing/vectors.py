"""Velocities, accelerations, forces and reactions as arrows on the drawing of a mechanism, each to a stated scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from ..scene.scene import Scene
from ..scene.vectors import REACH, UNITS, arrows, check_vectors
from ..style import COLOURS, INK
from .arrows import Labels, Scale, put_key, straight

INKS = {"velocity": COLOURS[2], "acceleration": COLOURS[3], "force": COLOURS[4], "reaction": COLOURS[1]}


def draw_vectors(
    axes: Axes, scene: Scene, sample: int, names: Sequence[str], extra: dict[str, Any],
    flat: Callable[[Any], np.ndarray],
) -> None:  # fmt: skip
    """Arrows at moving points (velocity, acceleration), joints (reaction), springs and loads (force), at one sample.

    `extra` are further points (name -> `BodyPoint`); `flat` brings places and vectors onto the paper.
    """
    (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
    span = max(x1 - x0, y1 - y0)
    scales, labels = [], Labels()
    every = arrows(scene, names)
    for name in check_vectors(names):
        found = [(scene.at(place, sample), values[sample]) for place, values in every.get(name, ())]
        if name in ("velocity", "acceleration"):
            found += [(np.asarray(p.position)[sample], np.asarray(getattr(p, name))[sample]) for p in extra.values()]
        sizes = [float(np.linalg.norm(v)) for _, v in found]
        scale = Scale.fit(name, UNITS[name], sizes, REACH * span, INKS[name])
        for (place, vector), size in zip(found, sizes, strict=True):
            if scale.per_unit * size < 4e-3 * span:
                continue
            start, end = flat(place), flat(place + scale.per_unit * vector)
            straight(axes, start, end, scale.ink, zorder=10.0 + 0.1 * len(scales), width=1.7)
            labels.cover(start, end)
            labels.add(f"{size:.3g}", end, end - start, scale.ink)
        scales.append(scale)
    for p in extra.values():
        axes.plot(*flat(np.asarray(p.position)[sample]), marker="o", ms=4.0, color=INK, zorder=9.8)
    if scene.dimension == 3:
        axes.margins(0.05)
    axes.autoscale_view()
    labels.put(axes)
    (x0, x1) = axes.get_xlim()
    put_key(axes, scales, x1 - x0, below=0.0 if scene.dimension == 3 else 0.085)
