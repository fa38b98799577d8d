"""From mechanisms to bond graphs: masses, springs, dampers, gears and motors that move in one dimension. [B.12]"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ...analysis.assembly.assemble import as_model, assemble
from ...analysis.check.mobility import regular_poses
from ...analysis.events.describe import refuse_events
from ...coordinates.tree.from_poses import three_components
from ...errors import ModelError
from ...model.model import Model
from ...model.resolve import resolve
from ...model.resolve.problems import Problems
from ...model.resolved import GROUND, ResolvedForce, ResolvedModel
from ...results.motion import Motion
from ...system.system import System
from ..model.graph import BondGraph
from .builder import Builder, Relation
from .one_dimensional import TOLERANCE, Axis, axis_of, freedoms, kinematics, speeds


def from_model(model: Model | str | Path) -> BondGraph:
    """The bond graph of a mechanism whose bodies move along fixed lines or turn about fixed axes.

    Every body becomes an I on a 1-junction of its speed; springs become C, dampers R, forces and weights Se, drivers
    Sf; bodies that gears, racks or guides couple are joined by transformers. What cannot be told so is refused by name.

    >>> import biela
    >>> from_model(biela.load("mass-spring-damper"))
    BondGraph('mass-spring-damper': 4 elements, 1 junction, 4 bonds)
    """
    model = as_model(model)
    system = assemble(model)
    refuse_events(system.resolved, "a bond graph")
    return _Conversion(model, system).graph()


class _Conversion:
    def __init__(self, model: Model, system: System):
        self.model, self.system = model, system
        self.resolved = system.resolved
        self.symbolic: ResolvedModel = resolve(model, symbolic=True)
        self.problems = Problems(self.resolved.name)
        self.builder = Builder(model, self.problems)
        self.channels = self._channels()

    def _channels(self) -> dict[str, str]:
        """Force or driver -> the channel that is its rate."""
        out = {f.name: f"{f.name}.rate" for f in self.resolved.forces if f.strained}
        for d in self.resolved.drivers:
            point, _, axis = d.coordinate.rpartition(".")
            out[d.name] = f"{point}.v{axis}" if d.place is not None else f"{d.coordinate}.rate"
        return out

    def graph(self) -> BondGraph:
        system = self.system
        poses = regular_poses(system, system.q0, 0.0)  # the start, and positions around it
        rates = list(dict.fromkeys(self.channels.values()))
        first = kinematics(system, poses[0], freedoms(system, poses[0]), rates)
        axes = self._axes(first)
        self._stop()
        S = speeds(first, axes)
        independent = _independent(S)
        if len(independent) < S.shape[1]:
            what = "something without mass or inertia moves by itself: it has no place in a bond graph"
            self.problems.add(what, f"model {self.resolved.name!r}", "", "give it a body, or hold it")
        self._stop()
        inverse = np.linalg.inv(S[independent])
        ratios = S @ inverse
        others = []
        for q in poses[1:]:
            k = kinematics(system, q, freedoms(system, q), rates)
            self._same_axes(k, axes)
            self._stop()
            others.append((k, np.linalg.inv(speeds(k, axes)[independent])))
            self._same(axes, ratios, speeds(k, axes) @ others[-1][1])
        self._stop()
        self.bodies, self.axes, self.S, self.independent, self.inverse = list(axes), axes, S, independent, inverse
        self.first, self.others = first, others
        self.start = kinematics(system, system.q0, system.v0[None, :], rates)
        self._bodies(ratios)
        for f, g in zip(self.resolved.forces, self.symbolic.forces, strict=True):
            self._force(f, g)
        for d in self.resolved.drivers:
            self.builder.driver(d, self._relation(d.name, self._touched(d)))
        self._stop()
        return self.builder.graph(self.resolved)

    def _stop(self) -> None:
        if self.problems.found:
            raise ModelError(list(self.problems.found), f"model {self.resolved.name!r} has no bond graph")

    # ------------------------------------------------------------------------------------------ bodies
    def _axes(self, k: Any) -> dict[str, Axis]:
        axes: dict[str, Axis] = {}
        g = three_components(self.resolved.gravity)
        for name in self.resolved.bodies:
            found = axis_of(k, name, self.system.size)
            if isinstance(found, str):
                self._not_one_dimensional(name, found)
            elif found is not None:
                if found.direction @ g < 0 or (abs(found.direction @ g) < 1e-12 and found.direction.sum() < 0):
                    found.direction = -found.direction  # along gravity, else along the axes: positive is natural
                axes[name] = found
                self._check_weight(name, found, g)
        return axes

    def _not_one_dimensional(self, name: str, why: str) -> None:
        what = f"body {name!r} does not move in one dimension"
        cure = "guide it along one line, or hold one point of it; see docs/how-to/bond-graphs.md"
        self.problems.add(what, f"bodies.{name}", why, cure)

    def _check_weight(self, name: str, axis: Axis, g: np.ndarray) -> None:
        arm, mass = axis.center - axis.foot, float(self.resolved.bodies[name].mass)
        across = g - (g @ axis.direction) * axis.direction
        turning = mass * np.linalg.norm(across) * np.linalg.norm(arm)
        if axis.angular and turning > 1e-9 * mass * np.linalg.norm(g) * self.system.size:
            why = f"its centre of mass is {np.linalg.norm(arm):.4g} m off its axis, and its weight pulls it round"
            cure = "put the centre on the axis, or gravity to zero; a pendulum is not a linear element"
            self.problems.add(f"the weight of {name!r} turns it", f"bodies.{name}", why, cure)

    def _same_axes(self, k: Any, axes: dict[str, Axis]) -> None:
        """Lines and axes that stay where they are."""
        for name, axis in axes.items():
            there = axis_of(k, name, self.system.size)
            moved = isinstance(there, str) or (there is not None and there.angular != axis.angular)
            if isinstance(there, Axis) and not moved:
                moved = bool(abs(abs(there.direction @ axis.direction) - 1) > 1e-9)
                moved |= axis.angular and bool(
                    np.abs(np.cross(there.foot - axis.foot, axis.direction)).max() > 1e-7 * self.system.size
                )
            if moved:
                why = "at the start it moves along a line or about an axis, a little later along or about another"
                self._not_one_dimensional(name, why)

    def _same(self, axes: dict[str, Axis], here: np.ndarray, there: np.ndarray) -> None:
        for k, name in enumerate(axes):
            if np.abs(here[k] - there[k]).max() > 1e-6 * max(1.0, float(np.abs(here[k]).max())):
                what = f"how fast {name!r} moves against the others depends on the position"
                cure = "a bond graph of one dimension needs constant ratios: gears, racks, slides"
                self.problems.add(what, f"bodies.{name}", "a transformer would have to be modulated", cure)

    def _bodies(self, ratios: np.ndarray) -> None:
        g = three_components(self.resolved.gravity)
        for k, name in enumerate(self.bodies):
            axis = self.axes[name]
            body, symbols = self.resolved.bodies[name], self.symbolic.bodies[name]
            speed = (self.start.spin[name] if axis.angular else self.start.velocity[name])[0] @ axis.direction
            inertia, text = float(body.mass), str(symbols.mass)
            if axis.angular:
                inertia, text = _about_axis(self.system, name, axis, body, symbols)
            weight = None
            pull = float(g @ axis.direction)
            if not axis.angular and abs(pull) > 1e-12 * max(1.0, float(np.linalg.norm(g))):
                weight = self._weight(symbols, axis, pull)
            self.builder.body(name, axis.angular, inertia, text, float(speed), weight)
            if k not in self.independent:
                self.builder.depends(
                    name, self._plain({self.bodies[p]: ratios[k, j] for j, p in enumerate(self.independent)})
                )

    def _weight(self, symbols: Any, axis: Axis, pull: float) -> str:
        g = [*self.symbolic.gravity, 0][:3]
        terms = [f"({c!s})*{round(float(u), 12)!r}" for c, u in zip(g, axis.direction, strict=False) if abs(u) > 1e-12]
        along = terms[0][: -len("*1.0")] if len(terms) == 1 and terms[0].endswith("*1.0") else " + ".join(terms)
        if len(terms) == 1 and terms[0].endswith("*-1.0"):
            import sympy

            along = str(-sympy.sympify(next(c for c, u in zip(g, axis.direction, strict=False) if abs(u) > 1e-12)))
        return f"({symbols.mass!s})*({along})"

    # ------------------------------------------------------------------------------------------ forces
    def _force(self, f: ResolvedForce, g: ResolvedForce) -> None:
        if f.strained:
            relation = self._relation(f.name, self._touched(f))
            if relation is None:
                return
            self.builder.element(f, g, relation, self._start_of(f))
        else:
            self._load(f, g)

    def _load(self, f: ResolvedForce, g: ResolvedForce) -> None:
        """A force on a point or a moment on a body: what of it works along the axis."""
        where = f"forces.{f.name}"
        laws = [law for law in (g.law, g.law_y, g.law_z) if law is not None]
        if f.type == "moment":
            signs = dict(zip(f.bodies, (1.0, -1.0), strict=False))
            direction = [[0.0, 0.0, 1.0]] if len(laws) == 1 else np.eye(3)
            for body, sign in signs.items():
                if body == GROUND or body not in self.axes:
                    continue
                axis = self.axes[body]
                parts = [sign * float(np.asarray(e) @ axis.direction) if axis.angular else 0.0 for e in direction]
                if f.axes not in (GROUND, "", None) and len(laws) == 3:
                    parts = [0.0 if abs(x) < 1e-9 else x for x in parts]
                self._source(f, laws, parts, body, where)
            return
        if f.axes not in (GROUND, "", None) and f.axes in self.axes and self.axes[f.axes].angular:
            what = f"force {f.name!r} turns with body {f.axes!r}"
            self.problems.add(what, where, "", "give it in axes that do not turn")
            return
        place = f.places[0]
        if place.body not in self.axes:
            return
        axis = self.axes[place.body]
        if axis.angular:
            what = f"force {f.name!r} acts on body {place.body!r}, which turns: its lever depends on the position"
            self.problems.add(what, where, "", "give a moment on the body instead")
            return
        self._source(f, laws, [float(axis.direction[k]) for k in range(len(laws))], place.body, where)

    def _source(self, f: ResolvedForce, laws: list, parts: list[float], body: str, where: str) -> None:
        for k, (law, part) in enumerate(zip(laws, parts, strict=True)):
            if abs(part) > 1e-9:
                name = f.name if len(laws) == 1 else f"{f.name}_{'xyz'[k]}"
                self.builder.load(name, law, part, body, where)

    def _start_of(self, f: ResolvedForce) -> float:
        """Length, angle or coordinate at the start."""
        motion = Motion.at_start(self.system)
        names = [f"{f.name}.length", f"{f.name}.angle"]
        return float(np.asarray(motion[next(n for n in names if n in motion)])[0])

    # --------------------------------------------------------------------------------------- relations
    def _touched(self, item: Any) -> list[str]:
        """The moving bodies that a force or a driver acts on directly."""
        found: list[str] = []
        coordinate = self.resolved.coordinates.get(item.coordinate) if getattr(item, "coordinate", None) else None
        for part in (item, coordinate):
            places = [*getattr(part, "places", ()), *([part.place] if getattr(part, "place", None) else [])]  # type: ignore[union-attr]
            found += [p.body for p in places] + list(getattr(part, "bodies", ()))
            for line in getattr(part, "lines", ()):
                v = line.vector
                found += [v.body] if hasattr(v, "body") else [v.start.body, v.end.body]
                found += [line.through.body] if line.through is not None else []
        return [b for b in dict.fromkeys(found) if b in self.axes]

    def _relation(self, name: str, touched: list[str]) -> Relation | None:
        """rate = sum of factors times speeds of bodies, the same in all positions."""
        rate = self.first.rates[self.channels[name]]
        candidates = [touched, [self.bodies[p] for p in self.independent]]
        for bodies in candidates:
            rows = self.S[[self.bodies.index(b) for b in bodies]]
            if not bodies or np.linalg.matrix_rank(rows, tol=1e-9 * max(1e-300, np.abs(rows).max())) < len(bodies):
                continue
            factors = np.linalg.lstsq(rows.T, rate, rcond=None)[0]
            if np.abs(rows.T @ factors - rate).max() <= TOLERANCE * max(np.abs(rate).max(), 1e-300):
                break
        else:
            factors, bodies = np.zeros(0), []
        by_independent = rate @ self.inverse
        for k, inverse in self.others:
            if np.abs(k.rates[self.channels[name]] @ inverse - by_independent).max() > 1e-6 * max(
                1.0, np.abs(by_independent).max()
            ):
                what = f"what {name!r} feels does not grow evenly with the speeds of the bodies"
                cure = "let it act along the line (or about the axis) on which its bodies move"
                self.problems.add(what, name, "its direction changes with the position", cure)
                return None
        return self._plain(dict(zip(bodies, factors, strict=True)))

    @staticmethod
    def _plain(factors: dict[str, float]) -> Relation:
        """Without zeros and with round numbers where rounding hides them."""
        out: Relation = {}
        for body, x in factors.items():
            near = round(float(x), 10)
            if abs(near) > 1e-9:
                out[body] = near if abs(near - x) < 1e-9 else float(x)
        return out


def _independent(S: np.ndarray) -> list[int]:
    """Bodies whose speeds determine all the others, in the order of the model."""
    chosen: list[int] = []
    scale = np.abs(S).max(initial=1e-300)
    for k in range(len(S)):
        if np.linalg.matrix_rank(S[[*chosen, k]], tol=1e-9 * scale) > len(chosen):
            chosen.append(k)
    return chosen


def _about_axis(system: System, name: str, axis: Axis, body: Any, symbols: Any) -> tuple[float, str]:
    """Moment of inertia about a body's axis, in numbers, and in symbols where the axis goes through the centre."""
    arm = axis.center - axis.foot
    if body.particle:
        own, text = 0.0, ""
    elif system.resolved.dimension == 2:
        own, text = float(body.inertia), str(symbols.inertia)
    else:
        R = np.asarray(Motion.at_start(system).body_motion(name).R[0])[0]
        local = R.T @ axis.direction
        own, text = float(local @ np.array(body.inertia, dtype=float) @ local), ""
    total = own + float(body.mass) * float(arm @ arm)
    return total, text if float(np.abs(arm).max()) < 1e-12 and text else repr(total)
