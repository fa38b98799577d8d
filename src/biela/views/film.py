"""Films and single pictures of a moving mechanism: .mp4, .gif, and one instant as .png, .svg or .pdf.

Each picture is drawn by matplotlib, as `sketch` draws it, with the same view and the same scales throughout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import floor, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ..errors import BielaError, MethodError, Problem
from ..results.motion import Motion
from ..results.reactions.free_body import sample_at
from ..whole import whole
from .arrows import Scale, put_key, straight
from .dark import darken
from .plane.mechanism import draw_mechanism
from .player.frames import Frames
from .player.vectors import UNITS, arrows
from .style import COLOURS, PAPER, save, style

if TYPE_CHECKING:
    from .animate import Player

MOST = 5000
"""pictures of a film: above that the speed must be said"""
INKS = {"velocity": COLOURS[2], "acceleration": COLOURS[3], "force": COLOURS[4], "reaction": COLOURS[1]}
Progress = Callable[[float], None]


class Film:
    """The pictures of a film, one after the other."""

    def __init__(self, player: Player, size: tuple[int, int] | None = None):
        self.player, self.motions, data = player, player.motions, player.data
        width, height = (2 * (n // 2) for n in size or player.size)  # films want even numbers
        self.figure = Figure(figsize=(width / 100, height / 100), dpi=100)
        FigureCanvasAgg(self.figure)
        self.limits = (np.array(data["box"][0]), np.array(data["box"][1]))
        self.trace = [x["name"] for x in data["results"][0]["traces"]]
        self.title, self.scales = data["title"], data["scales"]
        self.view = player.view
        self.vectors: list[tuple[Motion, Frames, dict[str, Any]]] = []
        if player.vectors:
            for motion in self.motions:
                frames = Frames(motion)
                self.vectors.append((motion, frames, arrows(motion, frames, player.vectors, [])))

    def at(self, t: float) -> Figure:
        """The picture of one instant."""
        with style():
            self.figure.clear()
            self.figure.set_facecolor(PAPER)  # the picture before may have been turned dark
            axes = self.figure.add_axes((0.03, 0.03, 0.94, 0.9))
            for k, motion in enumerate(self.motions):
                sample = nearest(motion, t)
                before = set(axes.get_children())
                names = k == len(self.motions) - 1
                draw_mechanism(axes, motion, self.trace, sample, names, "box", self.view, limits=self.limits)
                if len(self.motions) > 1:
                    self._tell_apart([a for a in axes.get_children() if a not in before], k)
            axes.set_axis_off()
            self._arrows(axes, t)
            axes.set_title(f"{self.title}    t = {t:.3f} s", loc="left", fontsize=12)
            if len(self.motions) > 1:
                self._legend()
        return darken(self.figure) if self.player.theme == "dark" else self.figure

    def _tell_apart(self, artists: list[Any], k: int) -> None:
        """Several motions: each after the first paler, all with a colour of their own in the legend."""
        for artist in artists:
            if k < len(self.motions) - 1:
                artist.set_alpha(0.35)

    def _legend(self) -> None:
        for k, result in enumerate(self.player.data["results"]):
            pale = k < len(self.motions) - 1
            self.figure.text(0.97, 0.965 - 0.03 * k, result["name"], ha="right", fontsize=9, alpha=0.5 if pale else 1.0)

    def _arrows(self, axes: Any, t: float) -> None:
        flat = self._flat()
        for motion, frames, found in self.vectors:
            sample = nearest(motion, t)
            for kind, each in found.items():
                for place, values in each:
                    start = frames.path(place, slice(sample, sample + 1))[0]
                    end = start + self.scales.get(kind, 0.0) * values[sample]
                    if np.isfinite(end).all() and float(np.linalg.norm(end - start)) > 0:
                        straight(axes, flat(start), flat(end), INKS[kind], width=1.7)
        kinds = [k for k in self.scales if k in self.player.vectors]
        if kinds and self.vectors:
            width = axes.get_xlim()[1] - axes.get_xlim()[0]
            put_key(axes, [Scale(k, UNITS[k], self.scales[k], INKS[k]) for k in kinds], width, below=-0.98)

    def _flat(self) -> Callable[[Any], np.ndarray]:
        if self.motions[0].system.resolved.dimension == 2:
            return np.asarray
        from .space.mechanism import _view

        return _view(self.motions[0], self.view).flat

    def pixels(self, t: float) -> np.ndarray:
        """The same as an array (height, width, 3)."""
        figure = self.at(t)
        figure.canvas.draw()
        return np.asarray(figure.canvas.buffer_rgba())[..., :3].copy()  # type: ignore[attr-defined]


def nearest(motion: Motion, t: float) -> int:
    """The sample nearest to a time; the last if the motion ended before."""
    return int(np.argmin(np.abs(np.asarray(motion.t) - t)))


def pace(duration: float) -> float:
    """How fast a motion is shown: as fast as it is, unless that is over in a blink or takes minutes.

    >>> pace(10.0), pace(0.05), pace(2000.0)
    (1.0, 0.01, 100.0)
    """
    if duration <= 0 or 1.5 <= duration <= 60:
        return 1.0
    wanted = duration / (4 if duration < 1.5 else 20)
    power = 10.0 ** floor(log10(wanted))
    return float(f"{max(k for k in (1, 2, 5) if k * power <= wanted * 1.0000001) * power:.1g}")


def instants(player: Player) -> tuple[np.ndarray, float]:
    """The times of the pictures, and how many there are in a second.

    Where the samples are even, the pictures are samples: nothing jerks.
    """
    t = np.asarray(max(player.motions, key=lambda m: float(m.t[-1])).t, dtype=float)
    t = t[np.isfinite(t)]
    duration = float(t[-1] - t[0])
    speed = player.speed or pace(duration)
    count = round(duration / speed * player.fps) + 1
    if count > MOST:
        cure = f"speed={duration * player.fps / MOST * 1.2:.2g} or more"
        raise MethodError(Problem("the film would be too long", why=f"{count} pictures, {duration / speed:.0f} s",
                                  cure=cure))  # fmt: skip
    if len(t) < 3 or duration == 0:
        return t, player.fps
    steps = np.diff(t)
    if float(np.ptp(steps)) < 1e-6 * duration:
        stride = max(1, round(speed / player.fps / float(steps[0])))
        return t[::stride], speed / (stride * float(steps[0]))
    return np.linspace(t[0], t[-1], max(count, 2)), player.fps


def write_film(player: Player, path: Path, progress: Progress | None = None) -> None:
    """An .mp4 (by the extra `video`) or a .gif."""
    mp4 = path.suffix.lower() == ".mp4"
    tool = encoder() if mp4 else None
    times, fps = instants(player)
    film = Film(player)

    def pictures() -> Iterator[np.ndarray]:
        for k, t in enumerate(times):
            yield film.pixels(float(t))
            if progress is not None:
                progress((k + 1) / len(times))

    def write(file: Path) -> None:
        if mp4:
            _mp4(tool, file, pictures(), fps)
        else:
            _gif(file, pictures(), fps, player.loop)

    whole(path, write)


def encoder() -> Any:
    """What writes .mp4 files, or the extra that brings it."""
    try:
        import imageio_ffmpeg
    except ImportError:
        raise BielaError(Problem("films in .mp4 need imageio-ffmpeg, which brings an encoder",
                                 cure="pip install 'biela[video]', or write a .gif")) from None  # fmt: skip
    return imageio_ffmpeg


def _mp4(tool: Any, file: Path, pictures: Iterator[np.ndarray], fps: float) -> None:
    first = next(pictures)
    height, width = first.shape[:2]
    out = tool.write_frames(
        str(file), (width, height), fps=round(fps, 3), codec="libx264", quality=8, macro_block_size=2,
        pix_fmt_out="yuv420p", ffmpeg_log_level="error",
    )  # fmt: skip
    out.send(None)
    try:
        out.send(np.ascontiguousarray(first))
        for picture in pictures:
            out.send(np.ascontiguousarray(picture))
    finally:
        out.close()


def _gif(file: Path, pictures: Iterator[np.ndarray], fps: float, loop: bool) -> None:
    from PIL import Image

    palette = None
    frames = []
    for picture in pictures:
        image = Image.fromarray(picture)
        if palette is None:
            palette = image.quantize(128)  # one palette for all: colours do not flicker
        frames.append(image.quantize(palette=palette, dither=Image.Dither.NONE))
    step = max(20, 10 * round(100 / fps))  # hundredths of a second are all that the format knows
    options: dict[str, Any] = {"append_images": frames[1:], "duration": step, **({"loop": 0} if loop else {})}
    frames[0].save(file, format="GIF", save_all=True, optimize=False, **options)


def write_still(player: Player, path: Path) -> None:
    """One instant: `t`, by default the first."""
    motion = max(player.motions, key=lambda m: float(m.t[-1]))
    t = float(motion.t[0]) if player.t is None else float(motion.t[sample_at(motion, player.t)])
    save(Film(player).at(t), path)


__all__ = ["Film", "instants", "pace", "write_film", "write_still"]
