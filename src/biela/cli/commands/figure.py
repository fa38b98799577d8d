"""`biela figure`: the figures of the texts, drawn anew."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from ...errors import MethodError, Problem
from .. import options as o
from ..files import PICTURES, can_make, can_write
from ..options import OUTPUT, argument, option, switch
from ..output import emit, finish


def figure(
    name: Annotated[
        str | None, argument("NAME", "002-5 is figure 5 of text 002; 002 means all of its figures.")
    ] = None,
    list_: Annotated[bool, switch("--list", "List all figures of the texts, drawn or not, and why.")] = False,
    output: Annotated[
        Path | None, option("FILE|FOLDER", "The picture, or for several a folder.", "-o", "--output", panel=OUTPUT)
    ] = None,
    as_json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Draw a figure of the texts again, and say what our runs show."""
    from ...views.texts import Plate, every_figure, plates

    if list_ or name is None:
        rows = []
        for p in every_figure().values():
            why = {} if isinstance(p, Plate) else {"why": p.why}
            rows.append({"figure": p.name, "shows": p.shows, "drawn": not why, **why})
        finish("\n".join(map(_line, rows)), rows, as_json=as_json)
        return
    wanted = plates(name)
    if len(wanted) > 1 and output is not None and output.suffix:
        cure = "give a folder with -o"
        raise MethodError(Problem(f"{name} is {len(wanted)} figures: they do not go into one file", cure=cure))
    if len(wanted) == 1 and (output is None or output.suffix):
        files = can_write(output or Path(f"{name}.png"), PICTURES)
    else:
        folder = can_make(output or Path(name))
        files = [folder / f"{plate.name}.png" for plate in wanted]
    data = []
    for plate, file in zip(wanted, files, strict=True):
        from ...views.style import save

        picture, notes = plate.draw()
        file.parent.mkdir(parents=True, exist_ok=True)
        save(picture, file)
        data.append({"figure": plate.name, "shows": plate.shows, "file": str(file), "notes": notes})
        if not as_json and not quiet:
            print("\n".join([f"{plate.name}: {plate.shows}", *(f"  {note}" for note in notes), f"  wrote {file}"]))
    if as_json:
        emit(data)


def _line(row: dict[str, Any]) -> str:
    """A figure in the list; one that is not drawn with the reason."""
    return f"{row['figure']:<13} {row['shows']}" + ("" if row["drawn"] else f" (not drawn: {row['why']})")
