"""The player: motions as data (`scene_data`), and the script, the style and the page that play them."""

from .data import scene_data
from .page import page, script, stylesheet

__all__ = ["page", "scene_data", "script", "stylesheet"]
