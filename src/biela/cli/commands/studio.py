"""`biela studio`: edit a mechanism and see it move, in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from ...errors import BielaError, Problem
from ..options import argument, option, switch

WHAT = (
    "A model file (its folder is the one the studio may read and write), a folder, or a mechanism of the library. "
    "Without it: the present folder."
)


def studio(
    file: Annotated[str | None, argument("[FILE|FOLDER|NAME]", WHAT)] = None,
    port: Annotated[int | None, option("N", "By default 8137 if free.", min=0, max=65535)] = None,
    no_open: Annotated[bool, switch("--no-open", "Print the address and open no browser.")] = False,
) -> None:
    """Open a page in the browser: edit a mechanism, turn its sliders, see it move.

    Only this machine can reach it, and only with the token in its address. Ctrl-C ends it.
    """
    folder, first = _place(file)
    from ...studio.server import Studio

    server = Studio(folder, first, port)
    print(f"biela studio: {server.address}\nfolder: {server.folder.root}\nCtrl-C ends it", flush=True)
    if not no_open:
        import webbrowser

        webbrowser.open(server.address)
    try:
        server.serve_forever(poll_interval=0.2)
    except KeyboardInterrupt:
        print("ended")
    finally:
        server.workers.close()
        server.server_close()


def _place(given: str | None) -> tuple[Path, str | None]:
    """The folder, and what to open first: "file:NAME" or "library:NAME"."""
    if given is None:
        return Path.cwd(), None
    path = Path(given)
    if path.is_dir():
        return path, None
    if path.is_file():
        if path.suffix.lower() != ".toml":
            raise BielaError(Problem("model files end in .toml", given, cure="rename it"))
        return path.resolve().parent, f"file:{path.resolve().name}"
    from ... import library

    if given in library.names():
        return Path.cwd(), f"library:{given}"
    cure = "name a .toml file, a folder, or a mechanism of the library (`biela list`)"
    raise BielaError(Problem(f"there is no {given!r}", cure=cure))
