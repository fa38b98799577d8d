"""`biela check`: is this model sound, and what can it do?"""

from __future__ import annotations

import typer

from .. import options as o
from ..guard import REFUSED, emit, guarded
from ..reading import read_model


@guarded
def check(name: o.Name, set_: o.Set = None, as_json: o.Json = False) -> None:
    """Check a model: freedoms, redundant constraints, singular positions, parts without mass.

    Exit code 2 if the model cannot work.
    """
    model = read_model(name, set_)
    from ...analysis.check.check import check as look_at

    report = look_at(model)
    if as_json:
        emit(report.data())
    else:
        print(report.text())
    if not report.ok:
        raise typer.Exit(REFUSED)
