"""Animation: a motion, or several over each other, as a page that plays itself, a film, or one instant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from ..errors import MethodError, Problem
from ..results.motion import Motion
from ..whole import whole
from .player import page, scene_data
from .scene.vectors import UNITS, check_vectors

PAGES, FILMS, STILLS = (".html", ".htm"), (".mp4", ".gif"), (".png", ".svg", ".pdf")
KINDS = (*PAGES, *FILMS, *STILLS)
THEMES = ("light", "dark")
LARGEST = 20000
"""pixels of a side"""


def animate(motions: Motion | Sequence[Motion], path: str | Path | None = None, **options: Any) -> Player:
    """Show one motion, or several over each other, moving.

    Gives a `Player`, which notebooks show, and writes it if a path is given, as its suffix says: `.html` is one
    self-contained page, `.mp4` and `.gif` are films, `.png`, `.svg` and `.pdf` show one instant (`t`).

    `names` are labels of the motions, `trace` points whose paths are drawn, `vectors` kinds of arrows to show at first
    ("velocity", "acceleration", "force", "reaction"), `plots` channels to plot at first, `channels` those that can be
    chosen (by default as many as fit into 2.4 MB), `view` azimuth and elevation in degrees, `theme` "light" or
    "dark" (by default the reader's), `speed`, `loop`, `autoplay`, `title`; of films `fps` and `size` in pixels.

    >>> import biela
    >>> animate(biela.simulate("four-bar", 0.5), trace=["P"])
    Player(four-bar, 0.5 s)
    """
    player = Player(motions, **options)
    if path is not None:
        player.save(path)
    return player


@dataclass(repr=False, eq=False)
class Player:
    """One motion or several, ready to be shown: in a notebook, or in a file by `save`."""

    motions: Any
    _: KW_ONLY
    names: Sequence[str] | None = None
    trace: Sequence[str] | None = None
    vectors: Sequence[str] = ()
    plots: Sequence[str] | None = None
    channels: Sequence[str] | None = None
    view: tuple[float, float] | None = None
    theme: str | None = None
    speed: float | None = None
    loop: bool = True
    autoplay: bool = True
    title: str | None = None
    t: float | None = None
    fps: float = 30.0
    size: tuple[int, int] = (960, 720)
    height: int = 520

    def __post_init__(self) -> None:
        self.motions = [self.motions] if isinstance(self.motions, Motion) else list(self.motions)
        self.vectors = list(self.vectors)
        problems = []
        if self.theme is not None and self.theme not in THEMES:
            problems.append(Problem(f"there is no theme {self.theme!r}", cure=f"one of: {', '.join(THEMES)}"))
        for name, value in (("speed", self.speed), ("fps", self.fps)):
            if value is not None and not 0 < value < float("inf"):
                problems.append(Problem(f"{name} must be above zero", why=f"it is {value:g}"))
        if not all(2 <= side <= LARGEST for side in self.size):
            why = f"it is {' x '.join(f'{side:g}' for side in self.size)}"
            problems.append(Problem(f"size must be two numbers of pixels from 2 to {LARGEST}", why=why))
        if problems:
            raise MethodError(problems)

    @cached_property
    def data(self) -> dict[str, Any]:
        """The motions as plain data; see `biela.views.player.data`."""
        acting = {"force", "reaction"} & set(self.vectors)  # of many bodies only if they are to be seen
        return scene_data(
            self.motions, names=self.names, trace=self.trace, channels=self.channels, plots=self.plots, view=self.view,
            title=self.title, vectors=tuple(UNITS) if acting else None,
        )  # fmt: skip

    @property
    def options(self) -> dict[str, Any]:
        """How the page begins."""
        chosen = {"theme": self.theme, "speed": self.speed, "vectors": self.vectors or None, "time": self.t}
        return {"loop": self.loop, "autoplay": self.autoplay, **{k: v for k, v in chosen.items() if v is not None}}

    def html(self, **options: Any) -> str:
        """The whole page."""
        check_vectors(self.vectors)
        return page(self.data, {**self.options, **options})

    def save(self, path: str | Path, progress: Callable[[float], None] | None = None) -> Path:
        """Write it as the suffix says: whole or not at all. `progress` is told the share that is done of a film."""
        path = Path(path)
        suffix = path.suffix.lower()
        if suffix in PAGES:
            text = self.html()
            whole(path, lambda file: file.write_text(text, encoding="utf-8"))
        elif suffix in FILMS:
            from .drawing.film import write_film

            write_film(self, path, progress)
        elif suffix in STILLS:
            from .drawing.film import write_still

            write_still(self, path)
        else:
            cure = f"end its name in {', '.join((*PAGES[:1], *FILMS, *STILLS))}"
            raise MethodError(Problem(f"cannot tell the format of {str(path)!r}", cure=cure))
        return path

    def _repr_html_(self) -> str:
        """A frame of its own in a notebook: nothing of the page outside can disturb it, nor it the page."""
        text = escape(self.html(autoplay=False, wheel="focus"), quote=True)
        return (
            f'<iframe srcdoc="{text}" title="{escape(str(self), quote=True)}" sandbox="allow-scripts" loading="lazy" '
            f'style="width: 100%; height: {self.height}px; border: 1px solid #8888; border-radius: 6px"></iframe>'
        )

    def __repr__(self) -> str:
        names = " / ".join(dict.fromkeys(m.system.name for m in self.motions))
        return f"Player({names}, {max(float(m.t[-1] - m.t[0]) for m in self.motions):g} s)"
