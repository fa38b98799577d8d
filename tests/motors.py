"""Motors for any mechanism: independent coordinates, and known efforts on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from biela import Model
from biela.analysis.assembly.assemble import put_together
from biela.analysis.check.mobility import regular_poses
from biela.analysis.inverse.inverse import with_drivers
from biela.analysis.inverse.prescription import driveable
from biela.model.resolve import resolve
from biela.system.system import build


def independent(model: Model, weak: float = 0.05) -> list[str]:
    """As many coordinates as the mechanism has freedoms beside its drivers, well apart; relative ones first."""
    free = model.model_copy(update={"drivers": {}})
    own = [d.coordinate for d in model.drivers.values()]
    names = [c for c in driveable(build(resolve(free), "natural")) if c not in own]
    resolved, tags = with_drivers(free, {}, [*own, *names])
    base = put_together(replace(resolved, drivers=(), velocity={}), "natural")
    system = build(replace(base.resolved, drivers=resolved.drivers), "natural")
    system.q0 = base.q0
    called = {tag: c for c, tag in tags.items()}
    q = regular_poses(system, system.q0, 0.0, 1)[-1]
    B = system.at(q).B * system.unit
    B = B / np.maximum(np.linalg.norm(B, axis=1), 1e-9)[:, None]
    rows = system.equations.rows
    held = B[[r.role != "driver" for r in rows]]
    _, s, Vt = np.linalg.svd(held) if held.size else (None, np.zeros(0), np.eye(system.n))
    N = Vt[int((s > 1e-9).sum()) :].T
    rest = {called[r.name]: B[k] @ N for k, r in enumerate(rows) if r.role == "driver"}
    picked: list[str] = []
    while rest:
        # those that the model drives already, then angles and distances, then points
        sizes = {c: round(float(np.linalg.norm(x)) * (1 + (c in resolved.coordinates)), 6) for c, x in rest.items()}
        name = max(rest, key=lambda c: (c in own, sizes[c]))
        g = rest.pop(name)
        length = float(np.linalg.norm(g))
        if length < (1e-9 if name in own else weak):
            continue
        rest = {c: x - (x @ g) * g / length**2 for c, x in rest.items()}
        if name not in own:
            picked.append(name)
    return picked


def effort(k: int) -> str:
    """A law of time, another one for each motor."""
    return f"{1.5 + 0.4 * k!r}*sin({2.0 + k!r}*t + {0.3 * k + 0.5!r}) + {0.2 - 0.1 * k!r}"


def effort_at(k: int, t: np.ndarray) -> np.ndarray:
    """The same in numbers."""
    return (1.5 + 0.4 * k) * np.sin((2.0 + k) * t + (0.3 * k + 0.5)) + (0.2 - 0.1 * k)


def powered(model: Model, names: list[str]) -> Model:
    """The model with known efforts on these coordinates."""
    out = model.model_copy()
    dimension = resolve(model).dimension
    for k, c in enumerate(names):
        if c in resolve(model).coordinates or c.endswith(".angle"):
            out.add_force(f"known{k}", "actuator", coordinate=c, value=effort(k))
        else:
            point, axis = c.rsplit(".", 1)
            value = [effort(k) if x == axis else 0.0 for x in "xyz"[:dimension]]
            out.add_force(f"known{k}", "force", point=point, value=value)
    return out
