"""Drivers held still: the system as if its drivers had come to rest at some time."""

from __future__ import annotations

from ...kernels.calls_from_python import law_at
from ...system.system import System, build

PROGRAMS = ("law_prog", "law_dprog", "law_ddprog", "law_xprog", "law_vprog", "law_table", "law_user")


def freeze(system: System, t: float) -> None:
    """Replace what the drivers follow by the values they have at the time t, in the system's own arrays."""
    s = system.arrays
    values = [law_at(system.header, int(law), t, 0.0, 0.0) for law in s.drv_law]
    for law, value in zip(s.drv_law, values, strict=True):
        s.law_c0[law] = value
        for part in PROGRAMS:
            getattr(s, part)[law] = -1


def held(system: System, t: float) -> System:
    """A system of its own with its drivers held as they are at the time t; the same one if nothing is driven."""
    if not len(system.arrays.drv_law):
        return system
    out = build(system.resolved, system.coordinates)
    out.q0, out.v0 = system.q0.copy(), 0.0 * system.v0
    out.rank, out.starts, out.size = system.rank, dict(system.starts), system.size
    out.given = dict(system.given)
    out.notes = [*system.notes, f"note: drivers are held as they are at t = {t:g} s"]
    out.arrays.c[:] = system.arrays.c  # gears mesh as they did
    out.arrays.wound[:] = system.arrays.wound
    freeze(out, t)
    return out
