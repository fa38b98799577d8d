"""Ratios from the rows of a run, at matched accuracy, and what they were to be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Rows = list[dict[str, Any]]


def of(rows: Rows, program: str, method: str = "", value: float | None = None) -> Rows:
    """Rows of one program."""
    return [
        r
        for r in rows
        if r["program"] == program
        and method in ("", r["method"])
        and (value is None or abs(r["value"] / value - 1) < 1e-3)
    ]


def cheapest(rows: Rows, good: Callable[[dict], bool]) -> dict | None:
    """The quickest row that is good enough."""
    return min((r for r in rows if good(r)), key=lambda r: r["cpu"], default=None)


def surest(rows: Rows, good: Callable[[dict], bool]) -> dict | None:
    """The quickest row that is good enough and not so by chance: those with steps down to half of its own (tolerances
    down to a tenth) are good enough, too. Asked of biela's rows, not of the peers'."""

    def sure(r: dict) -> bool:
        least = 0.999 * r["value"] * (0.5 if r["kind"] == "step" else 0.1)
        finer = [x for x in rows if x["method"] == r["method"] and least <= x["value"] < r["value"]]
        return all(good(x) for x in finer)

    return cheapest(rows, lambda r: good(r) and sure(r))


def as_good_as(peer: dict, factor: float = 1.0, floor: float = 0.0, energy: bool = True) -> Callable[[dict], bool]:
    """Position (and energy) error not above the peer's divided by `factor`, or below the reference's own."""

    def good(r: dict) -> bool:
        position = r["position"] <= max(peer["position"] / factor, floor)
        return position and (not energy or r["energy"] <= max(peer["energy"], floor))

    return good


def _line(what: str, wanted: str, value: float | None, holds: bool, **more: Any) -> dict:
    return {"what": what, "wanted": wanted, "value": value, "holds": bool(holds), **more}


def _short(r: dict | None) -> str:
    if r is None:
        return "none"
    errors = f"position {r['position']:.1e}, energy {r['energy']:.1e}"
    return f"{r['method']} at {r['value']:g}: {1e3 * r['cpu']:.3g} ms, {errors}"


def against(
    rows: Rows,
    peer: dict | None,
    what: str,
    factor: float,
    harder: float = 1.0,
    floor: float = 0.0,
    energy: bool = True,
) -> dict:
    """How many times faster than a row of a peer, with errors not larger."""
    if peer is None:
        return _line(what, f">= {factor:g}", None, False, note="the peer has no such row here")
    ours = surest(of(rows, "biela"), as_good_as(peer, harder, floor, energy))
    ratio = peer["cpu"] / ours["cpu"] if ours else None
    return _line(
        what,
        f">= {factor:g}",
        ratio,
        ratio is not None and ratio >= factor,
        biela=_short(ours),
        peer=f"{peer['program']} {_short(peer)}",
    )


def per_step(rows: Rows, peer: dict | None, what: str, factor: float, floor: float = 0.0, fair: bool = True) -> dict:
    """The same per step, with the same step."""
    if peer is None:
        return _line(what, f">= {factor:g}", None, False, note="the peer has no such row here")
    same = [r for r in of(rows, "biela", value=peer["value"]) if r["kind"] == "step"]
    ours = cheapest(same, as_good_as(peer, 1.0, floor) if fair else lambda r: True)
    ratio = peer["us_per_step"] / ours["us_per_step"] if ours else None
    return _line(
        what,
        f">= {factor:g}",
        ratio,
        ratio is not None and ratio >= factor,
        biela=_short(ours),
        peer=f"{peer['program']} {_short(peer)}",
    )


def _first(rows: Rows) -> dict | None:
    return rows[0] if rows else None


CASADI = (
    "RK4 has a small energy error here for its work, and casadi's C, made for this one mechanism, takes 0.2 us for a "
    "step of it; biela's takes 0.46: four evaluations by its recursion for any tree, about 0.1 each, then energy, "
    "samples and calls. Its methods of higher order overtake from 1e-6 on"
)
"""why a line is missed"""


def double_pendulum(rows: Rows) -> list[dict]:
    """Lines of the double pendulum."""
    exu = _first(of(rows, "exudyn", "generalized-alpha", 1e-3))
    mj = _first(of(rows, "mujoco", "RK4", 1e-3))
    out = [
        per_step(
            rows, exu, "double pendulum, h = 1e-3: exudyn generalized-alpha per step, errors not larger", 10, 1e-9
        ),
        against(rows, exu, "double pendulum: the accuracy of exudyn at h = 1e-3, time for the motion", 10, floor=1e-9),
        per_step(rows, mj, "double pendulum, h = 1e-3: mujoco RK4 per step, errors not larger", 5, 1e-9),
        against(
            rows, mj, "double pendulum: the accuracy of mujoco RK4 at h = 1e-3, time for the motion", 5, floor=1e-9
        ),
    ]
    pair = of(rows, "biela", "natural augmented+trapezoidal", 1e-3)
    if exu and pair:
        ratio = exu["us_per_step"] / pair[0]["us_per_step"]
        out.append(
            _line(
                "double pendulum, h = 1e-3: exudyn generalized-alpha per step, augmented + trapezoidal (errors larger)",
                ">= 10",
                ratio,
                ratio >= 10,
                biela=_short(pair[0]),
                peer="exudyn " + _short(exu),
            )
        )
    theirs = cheapest(of(rows, "casadi"), lambda r: r["position"] <= 1e-4)
    for words, energy in (("position alone", False), ("energy error not larger than its own", True)):
        least = theirs["energy"] if theirs and energy else float("inf")
        ours = surest(of(rows, "biela"), lambda r, e=least: r["position"] <= 1e-4 and r["energy"] <= e)
        ratio = theirs["cpu"] / ours["cpu"] if theirs and ours else None
        out.append(
            _line(
                f"double pendulum to 1e-4 m: casadi's generated C, {words}",
                ">= 1",
                ratio,
                bool(ratio and ratio >= 1),
                biela=_short(ours),
                peer="casadi " + _short(theirs),
                note=CASADI if energy else "",
            )
        )
    return out


def n_four_bar(rows: Rows, N: int) -> list[dict]:
    """Lines of A02 at one N."""
    exu = _first(of(rows, "exudyn", "generalized-alpha", 1e-2))
    out = [against(rows, exu, f"A02, N = {N}: the accuracy of exudyn at h = 1e-2", 20 if N < 40 else 40)]
    worst = None
    for peer in of(rows, "mujoco", "stiff Euler"):
        line = against(
            rows,
            peer,
            f"A02, N = {N}: mujoco stiff Euler, error 5 times smaller (its worst setting for us)",
            3,
            5.0,
            energy=False,
        )
        if worst is None or (line["value"] or 0.0) < (worst["value"] or 0.0):
            worst = line  # (a row that biela does not reach is the worst of all)
    out += [worst] if worst else []
    if N == 200:
        ours = surest(of(rows, "biela"), lambda r: r["position"] <= 5e-7)
        theirs = cheapest([r for r in rows if r["program"] != "biela"], lambda r: r["position"] <= 1e-4)
        ratio = theirs["cpu"] / ours["cpu"] if ours and theirs else None
        out.append(
            _line(
                "A02, N = 200: 5e-7 m before any peer has 1e-4 m",
                "> 1",
                ratio,
                bool(ratio and ratio > 1),
                biela=_short(ours),
                peer=(theirs["program"] + " " if theirs else "") + _short(theirs),
            )
        )
    return out


def andrews(rows: Rows) -> list[dict]:
    """The line of A03."""
    theirs = cheapest(of(rows, "casadi"), lambda r: r["position"] <= 1e-6)
    ours = surest(of(rows, "biela"), lambda r: r["position"] <= 1e-6)
    ratio = theirs["cpu"] / ours["cpu"] if ours and theirs else None
    return [
        _line(
            "Andrews to 1e-6 rad at 0.03 s: casadi IDAS",
            ">= 2",
            ratio,
            bool(ratio and ratio >= 2),
            biela=_short(ours),
            peer="casadi " + _short(theirs),
        )
    ]


def heavy_top(rows: Rows) -> list[dict]:
    """Lines of the top: at equal energy error."""
    out = []
    for method, words in (("generalized-alpha", "exudyn with joint"), ("Lie RK4", "exudyn without joint, RK4")):
        peer = _first(of(rows, "exudyn", method, 1e-3))
        what = f"heavy top: the energy and position error of {words} at h = 1e-3"
        out.append(against(rows, peer, what, 10, floor=1e-9))
    return out
