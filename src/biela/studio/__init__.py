"""The studio: a page in the browser to edit a mechanism and see it move, served by this machine to itself.

    gate      who may ask: the token, the host, the origin, the size of a request
    folder    model files: those of one folder, and no others
    server    the page and its requests
    staff     worker processes, kept warm, stopped when they take too long
    worker    what runs in such a process; the jobs are in `jobs`
"""

from __future__ import annotations

__all__ = ["Studio", "open_studio"]


def __getattr__(name: str):
    if name in __all__:
        from . import server

        return getattr(server, name)
    raise AttributeError(f"biela.studio has no {name!r}")
