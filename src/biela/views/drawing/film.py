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

from ...errors import BielaError, MethodError, Problem
from ...results.motion import Motion
from ...results.reactions.free_body import sample_at
from ...whole import whole
from ..scene.scene import Scene
from ..scene.vectors import UNITS, arrows
from ..style import PAPER, finished, save, style
from .arrows import Scale, put_key, straight
from .mechanism import draw_mechanism
from .space import view_of
from .vectors import INKS

if TYPE_CHECKING:
    from ..animate import Player

MOST = 5000
"""pictures of a film: above that the speed must be said"""
Progress = Callable[[float], None]


class Film:
    """The pictures of a film, one after the other."""

    def __init__(self, player: Player, size: tuple[int, int] | None = None):
        self.player, data = player, player.data
        self.scenes = [Scene(motion) for motion in player.motions]
        width, height = (2 * (n // 2) for n in size or player.size)  # films want even numbers
        self.figure = Figure(figsize=(width / 100, height / 100), dpi=100)
        FigureCanvasAgg(self.figure)
        self.limits = (np.array(data["box"][0]), np.array(data["box"][1]))
        self.trace = [x["name"] for x in data["results"][0]["traces"]]
        self.title, self.scales, self.labels = data["title"], data["scales"], [r["name"] for r in data["results"]]
        self.vectors = [arrows(scene, player.vectors, notes=[]) for scene in self.scenes] if player.vectors else []
        space = self.scenes[0].dimension == 3
        self.flat: Callable[[Any], np.ndarray] = view_of(self.scenes[0], player.view).flat if space else np.asarray

    def at(self, t: float) -> Figure:
        """The picture of one instant. Of several motions all but the last are paler."""
        last = len(self.scenes) - 1
        with style():
            self.figure.clear()
            self.figure.set_facecolor(PAPER)  # the picture before may have been turned dark
            axes = self.figure.add_axes((0.03, 0.03, 0.94, 0.9))
            for k, scene in enumerate(self.scenes):
                before = set(axes.get_children())
                draw_mechanism(axes, scene, nearest(scene.motion, t), self.trace, k == last, adjust="box",
                               view=self.player.view, limits=self.limits)  # fmt: skip
                if k < last:
                    for artist in set(axes.get_children()) - before:
                        artist.set_alpha(0.35)
            axes.set_axis_off()
            self._arrows(axes, t)
            axes.set_title(f"{self.title}    t = {t:.3f} s", loc="left", fontsize=12)
            for k, label in enumerate(self.labels if last else ()):
                shade = 0.5 if k < last else 1.0
                self.figure.text(0.97, 0.965 - 0.03 * k, label, ha="right", fontsize=9, alpha=shade)
        return finished(self.figure, theme=self.player.theme or "light")

    def _arrows(self, axes: Any, t: float) -> None:
        for scene, found in zip(self.scenes, self.vectors, strict=False):
            sample = nearest(scene.motion, t)
            for kind, each in found.items():
                for place, values in each:
                    start = scene.at(place, sample)
                    end = start + self.scales.get(kind, 0.0) * values[sample]
                    if np.isfinite(end).all() and float(np.linalg.norm(end - start)) > 0:
                        straight(axes, self.flat(start), self.flat(end), INKS[kind], width=1.7)
        kinds = [k for k in self.scales if k in self.player.vectors]
        if kinds:
            width = axes.get_xlim()[1] - axes.get_xlim()[0]
            put_key(axes, [Scale(k, UNITS[k], self.scales[k], INKS[k]) for k in kinds], width, below=-0.98)

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
