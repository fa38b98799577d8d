"""`biela check`: is this model sound, and what can it do?"""

from __future__ import annotations

from .. import options as o
from ..output import REFUSED, finish
from ..reading import read_model


def check(name: o.Name, set_: o.Set = None, as_json: o.Json = False) -> None:
    """Check a model: freedoms, redundant constraints, singular positions, parts without mass.

    Exit code 2 if the model cannot work.
    """
    model = read_model(name, set_)
    from ...analysis.check.check import check as examine

    report = examine(model)
    finish(lambda: print(report.text()), report.data(), as_json=as_json, code=0 if report.ok else REFUSED)
