"""Motions as plain data for a page: things drawn once, where their frames are at each instant, curves, arrows, paths.

The format, "biela-player 1" (every array of numbers is base64 text of little-endian 32-bit floats):

    format, title, dimension, gravity, duration [t0, t1], box [low, high], link (length of a typical link, m),
    horizon (two horizontal axes and the upward one), view [azimuth, elevation] in degrees or null,
    scales {velocity: metres drawn per m/s, ...}, shown [channels plotted at first],
    results: a list, drawn over each other, of
        name, method, quality, notes, count, hold (no motion between instants), frames (names), t (count),
        poses (count x frames x 3 or 7),
        shapes [{type, frame, colour, ...}], signs [{type, at, ...}], points [{name, at}], traces [{name, at}],
        vectors [{kind, unit, stride, at, data}], channels {t, items: [{name, unit, y, offset, t?}]}

A place is [frame, x, y (, z)] in the axes of its frame; frame -1 is the ground. Shapes and signs are those of the scene
(`biela.views.scene.scene`), as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import MethodError, Problem
from ...model.resolved import Place
from ...results.geometry.body_point import read_point
from ...results.motion import Motion
from ..curves.figures import moving_point, telling
from ..curves.plot import tell_apart
from ..drawing.projection import horizon
from ..drawing.space import view_of
from ..scene.frames import Thing
from ..scene.scene import Scene
from ..scene.vectors import UNITS, arrows, check_vectors, per_unit
from .curves import curves, wanted
from .packing import pack
from .sampling import chosen, deviation, strided, thinned, too_far, turn_between

FORMAT = "biela-player 1"
MANY = 100
"""bodies, from which on the reactions of all of them are dear"""
MOST, ARROWS, SIZE = 20_000, 1200, 2_400_000
"""instants to draw, instants at which arrows are known, bytes in all: a third each for poses, arrows and curves"""


def scene_data(
    motions: Motion | Sequence[Motion],
    *,
    names: Sequence[str] | None = None,
    trace: Sequence[str] | None = None,
    vectors: Sequence[str] | None = None,
    channels: Sequence[str] | None = None,
    plots: Sequence[str] | None = None,
    view: tuple[float, float] | None = None,
    title: str | None = None,
    most: int = MOST,
    size: int = SIZE,
) -> dict[str, Any]:
    """One motion, or several to be drawn over each other, as data for `BielaPlayer.mount` (and for JSON).

    `trace` are points whose paths are drawn (by default the last that moves), `vectors` the kinds of arrows (by default
    all; of more than a hundred bodies only velocities and accelerations, as reactions of so many take long),
    `channels` names or patterns of the curves that can be chosen (by default as many as fit into `size` bytes),
    `plots` those shown at first.

    >>> import biela
    >>> data = scene_data(biela.simulate("four-bar", 0.5))
    >>> data["results"][0]["frames"], data["shown"]
    (['crank', 'coupler', 'rocker'], ['P.y', 'energy.error'])
    """
    every = [motions] if isinstance(motions, Motion) else list(motions)
    _check(every, vectors or (), names)
    labels = list(names) if names is not None else tell_apart(every)
    parts = [_Part(m, trace, vectors, max(most // len(every), 2), size // len(every))
             for m in every]  # fmt: skip
    low = np.min([p.box[0] for p in parts], axis=0)
    high = np.max([p.box[1] for p in parts], axis=0)
    span = float((high - low).max())
    if span < 1e-9 * every[0].system.size:  # a point that rests
        span = every[0].system.size
        low, high = low - span / 2, high + span / 2
    resolved = every[0].system.resolved
    shown = wanted(every[0], plots) if plots is not None else _telling(every[0], channels)
    asked = None if channels is None else list(dict.fromkeys([*channels, *shown]))
    times = np.concatenate([np.asarray(p.motion.t)[p.kept] for p in parts])
    return {
        "format": FORMAT,
        "title": title if title is not None else " / ".join(dict.fromkeys(m.system.name for m in every)),
        "dimension": resolved.dimension,
        "gravity": [float(x) for x in resolved.gravity],
        "duration": [float(times.min()), float(times.max())],
        "box": [low.tolist(), high.tolist()],
        "link": float(np.median([p.link for p in parts])) or span,
        **_seen(parts[0].scene, view),
        "scales": _scales(parts, span),
        "shown": shown,
        "results": [p.data(label, asked) for p, label in zip(parts, labels, strict=True)],
    }


class _Part:
    """One motion on its way into the data."""

    def __init__(self, motion: Motion, trace: Sequence[str] | None, vectors: Sequence[str] | None, most: int,
                 size: int):  # fmt: skip
        self.motion, self.scene, self.size = motion, Scene(motion), size
        self.frames, self.notes = self.scene.frames, []
        poses = self.frames.poses
        fits = int(size / 3 / (max(poses.shape[1], 1) * poses.shape[2] * 16 / 3))
        t = np.asarray(motion.t, dtype=float)
        self.kept = chosen(t, poses, self.frames.good, motion.system.size, int(np.clip(fits, 60, most)))
        self._thinned()
        self.notes += self.scene.notes
        self.traces = [{"name": p, "at": self._traced(p)} for p in (_default_trace(motion) if trace is None else trace)]
        self._arrows(vectors)
        self._extent()

    def _thinned(self) -> None:
        samples, kept = int(self.frames.good.sum()), len(self.kept)
        t = np.asarray(self.motion.t, dtype=float)
        off = deviation(t, self.frames.poses, self.kept, self.motion.system.size)
        far = too_far(turn_between(self.motion, self.frames.poses, self.kept))
        self.hold = bool(far)  # cubics between such samples would tear the mechanism apart
        if far:
            self.notes.append(far)
        elif off > 5e-3:
            self.notes.append(f"{kept} of {samples} instants are drawn; between them it is off by up to {off:.1%}")
        missing = len(self.motion.t) - samples
        if missing:
            self.notes.append(f"{missing} instants are not finite and are not drawn")

    def _arrows(self, wanted: Sequence[str] | None) -> None:
        """At some of the instants that are drawn: reactions are dear to compute, and arrows are many numbers."""
        resolved = self.frames.resolved
        kinds = check_vectors(tuple(UNITS) if wanted is None else wanted)
        if wanted is None and len(resolved.bodies) > MANY:
            kinds = [kind for kind in kinds if kind not in ("force", "reaction")]
            self.notes.append(f"{len(resolved.bodies)} bodies: arrows of forces and reactions only if asked for")
        things = len(resolved.start) + len(resolved.joints) + len(resolved.bodies)
        places = things * self.frames.dimension * len(kinds)
        fits = int(np.clip(self.size / 3 / (max(places, 1) * 16 / 3), 30, ARROWS))
        self.stride = max(1, -(-(len(self.kept) - 1) // fits))
        few = thinned(self.motion, strided(self.kept, self.stride)) if kinds else None
        self.arrows = arrows(self.scene, kinds, few, self.notes)

    def _traced(self, text: str) -> list[float]:
        read_point(self.motion, text)  # refuses what there is not
        body, at, local = text.partition("@")
        return self.frames.place(Place(body, tuple(local.split(",")))) if at else self.frames.point(text)

    def _extent(self) -> None:
        """The box that everything stays in, and the length of a typical link."""
        some = self.kept[np.unique(np.linspace(0, len(self.kept) - 1, 200).astype(int))]
        parts, links = [], []
        for shape in self.scene.shapes:
            corners = _outermost(shape)
            if len(corners) > 1 and shape["type"] != "stalk":
                links.append(float(np.linalg.norm(np.ptp(corners, axis=0))))
            parts += [self.frames.path([shape["frame"], *c], some) for c in corners]
        for sign in self.scene.signs:
            parts += [self.frames.path(p, some) for p in (sign.get("at"), *sign.get("ends", ())) if p is not None]
            if any(sign.get("travel", ())):
                parts.append(self.frames.path(sign["at"], self.kept))
            if sign["type"] == "wall" and sign["reach"] is not None:
                n = np.array(sign["normal"][1:])
                across = np.array([-n[1], n[0]])
                parts += [np.array([sign["at"][1:] + s * across]) for s in sign["reach"]]
            elif sign["type"] == "stop":
                parts.append(self._swept(sign, some))
        parts += [self.frames.path(x["at"], some) for x in self.traces]
        every = np.concatenate(parts) if parts else np.zeros((1, self.frames.dimension))
        self.box = (every.min(axis=0), every.max(axis=0))
        self.link = float(np.median(links)) if links else 0.0

    def _swept(self, sign: dict[str, Any], some: np.ndarray) -> np.ndarray:
        """Where an angular stop is, at some of the samples."""
        a, b = (self.frames.path(p, some) for p in sign["way"])
        angle = np.arctan2(b[:, 1] - a[:, 1], b[:, 0] - a[:, 0]) + sign["turn"]
        arm = sign["radius"] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        return self.frames.path(sign["at"], some) + arm

    def data(self, label: str, channels: list[str] | None) -> dict[str, Any]:
        t, third = np.asarray(self.motion.t, dtype=float), self.size // 3
        resolved = self.frames.resolved
        return {
            "name": label,
            "method": self.motion.method.split(" (")[0],
            "quality": self.motion.quality(),
            "notes": self.notes,
            "count": len(self.kept),
            "hold": self.hold,
            "frames": self.frames.names,
            "t": pack(t[self.kept]),
            "poses": pack(self.frames.poses[self.kept]),
            "shapes": self.scene.shapes,
            "signs": self.scene.signs,
            "points": [{"name": p, "at": place} for p, place in self.scene.points.items()]
            or [{"name": b, "at": self.frames.place(Place(b, m.center))} for b, m in resolved.bodies.items()],
            "traces": self.traces,
            "vectors": [
                {"kind": kind, "unit": UNITS[kind], "stride": self.stride, "at": [place for place, _ in found],
                 "data": pack(np.stack([v for _, v in found], axis=1))}
                for kind, found in self.arrows.items()
            ],
            "channels": curves(self.motion, channels, third),
        }


def _outermost(shape: Thing) -> np.ndarray:
    """Places of a shape, in the axes of its frame, that show about how far it reaches: eight at most."""
    corners = np.array(shape.get("corners", [shape.get("at")]), dtype=float)
    if "radius" in shape:
        reach = shape["radius"] * np.eye(corners.shape[1])
        return np.vstack([corners + reach, corners - reach])
    if len(corners) <= 8:
        return corners
    picked = {int(f(corners[:, k])) for k in range(corners.shape[1]) for f in (np.argmin, np.argmax)}
    return corners[sorted(picked)]


def _check(every: list[Motion], vectors: Sequence[str], names: Sequence[str] | None) -> None:
    problems = []
    if not every:
        raise MethodError(Problem("there is no motion to show", cure="give at least one result"))
    strange = [m for m in every if not isinstance(m, Motion)]
    if strange:
        raise MethodError(Problem(f"{type(strange[0]).__name__} is not a motion", cure="give results of simulate()"))
    if len({m.system.resolved.dimension for m in every}) > 1:
        problems.append(Problem("motions of the plane and of space cannot be drawn over each other",
                                cure="animate them one by one"))  # fmt: skip
    check_vectors(vectors)
    if names is not None and len(names) != len(every):
        problems.append(Problem(f"{len(names)} names for {len(every)} motions", cure="give one name each"))
    if problems:
        raise MethodError(problems)


def _default_trace(motion: Motion) -> list[str]:
    point = moving_point(motion) if len(motion.t) > 1 else None
    return [] if point is None else [point]


def _telling(motion: Motion, channels: Sequence[str] | None) -> list[str]:
    if channels is not None:
        return [n for n in wanted(motion, channels) if motion[n].ndim == 1][:2]
    first = telling(motion)[0]
    return [first, "energy.error" if "energy.error" in motion else "energy.total"]


def _seen(scene: Scene, view: tuple[float, float] | None) -> dict[str, Any]:
    if scene.dimension == 2:
        return {"horizon": None, "view": None}
    axes = horizon(scene.resolved.gravity)
    towards = view_of(scene, view).towards
    along = [float(towards @ axis) for axis in axes]
    azimuth = float(np.degrees(np.arctan2(along[1], along[0])))
    return {"horizon": [a.tolist() for a in axes], "view": [azimuth, float(np.degrees(np.arcsin(along[2])))]}


def _scales(parts: list[_Part], span: float) -> dict[str, float]:
    """One scale for every kind, the same for all results, so that arrows can be compared."""
    out = {}
    for kind in UNITS:
        scale = per_unit([arrow for p in parts for arrow in p.arrows.get(kind, ())], span)
        if scale > 0:
            out[kind] = scale
    return out


__all__ = ["FORMAT", "scene_data"]
