"""A motion: positions, velocities, accelerations and multipliers of a system at many instants, asked for by name."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..coordinates.tree.from_poses import BodyMotion, axial, body_motion
from ..mechanics.measure import Posture, beside_the_cut, heading, length, told, unwrapped
from ..model.resolved import GROUND
from ..system.equations import ForceInfo
from ..system.system import System
from ..viewing import views
from .channels.by_name import ChannelsByName
from .channels.catalogue import catalogue
from .channels.channel import PARTS, Catalogue, Channel
from .reactions.free_bodies import FreeBodies

if TYPE_CHECKING:
    from .geometry.body_point import BodyPoint
    from .geometry.centres import InstantCentre, ScrewAxis
    from .reactions.free_body import FreeBody
    from .reactions.reaction import Reaction


class Motion(ChannelsByName):
    """Samples of a motion. `Result` (dynamics) and `KinematicResult` are motions with a judgement of their own."""

    def __init__(self, system: System, t: Any, q: Any, v: Any, a: Any, lam: Any, work: Any, turns: Any = None):
        self.system = system
        self.t = Channel.of(t, "t", "s")
        self.t.flags.writeable = False
        self.q, self.v, self.a, self.lam, self.work, self.turns = map(_fixed, (q, v, a, lam, work, turns))
        self.notes: list[str] = list(system.notes)
        self.message = ""

    @staticmethod
    def at_start(system: System) -> Motion:
        """A motion of one instant: the system at rest where it starts."""
        still = np.zeros((1, system.n))
        return Motion(system, [0.0], np.array([system.q0]), still, still, np.zeros((1, system.m)), np.zeros(1))

    # -------------------------------------------------------------------------------------- channels
    @cached_property
    def _catalogue(self) -> Catalogue:
        return catalogue(self)

    @property
    def final(self) -> dict[str, list[float]]:
        """The last position of every named point."""
        resolved = self.system.resolved
        return {p: [float(x) for x in np.asarray(self[p])[-1]] for p in (*resolved.ground, *resolved.start)}

    # --------------------------------------------------------------------- pieces the channels are made of
    @cached_property
    def posture(self) -> Posture:
        """All bodies at all samples, whatever the coordinates."""
        return self.system.posture(self.q, self.v, self.a)

    def vector(self, vector: tuple) -> tuple:
        """Motion of a vector of the mechanism: (value, rate, second rate), each (samples, 2 or 3)."""
        return self.posture.vector(vector)

    def body_motion(self, body: str) -> BodyMotion:
        """Centre and axes of a body, in three dimensions; of the ground its origin."""
        if body not in self._body_motions:
            self._body_motions[body] = body_motion(self.posture, body)
        return self._body_motions[body]

    @cached_property
    def _body_motions(self) -> dict[str, BodyMotion]:
        return {}

    def rotation(self, body: str) -> tuple[np.ndarray, np.ndarray]:
        """Angular velocity and angular acceleration of a body, in ground axes: (samples, 3) each."""
        R, Rd, Rdd = self.body_motion(body).R
        back = np.swapaxes(R, 1, 2)
        return axial(Rd @ back), axial(Rdd @ back)

    def inertia_tensor(self, body: str) -> np.ndarray:
        """About the centre of mass, in ground axes: (samples, 3, 3); in the plane about its normal alone."""
        own, R = self.system.resolved.bodies.get(body), self.body_motion(body).R[0]
        J = np.array(0.0 if own is None or own.particle else own.inertia, dtype=float)
        J = J if J.ndim == 2 else np.diag([0.0, 0.0, float(J)])
        return R @ J @ np.swapaxes(R, 1, 2)

    @cached_property
    def free_bodies(self) -> FreeBodies:
        """The mechanism taken apart: what every joint, driver and force does to every body, at every sample."""
        return FreeBodies(self)

    def reaction(self, name: str) -> Reaction:
        """What a joint (or the pin at a point, a driver, a spring) does to a body; see `Reaction`."""
        from .reactions.reaction import reaction

        return reaction(self, name)

    def free_body(self, body: str, t: float | None = None, about: str | None = None) -> FreeBody:
        """One body (or the "ground") by itself, with all that acts on it, at the sample nearest to t (by default the
        last); moments also about a point: a named one, "body@x,y", "ground@x,y", a body's name, "origin"."""
        from .reactions.free_body import free_body

        return free_body(self, body, t, about)

    def point(self, body: str, local: Any = None) -> BodyPoint:
        """Any point of a body, by its coordinates in the body's axes, or a named point: its path and its motion."""
        from .geometry.body_point import body_point

        return body_point(self, body, local)

    def instant_centre(self, body: str, other: str = GROUND) -> InstantCentre:
        """Where two planar bodies have the same velocity."""
        from .geometry.centres import instant_centre

        return instant_centre(self, body, other)

    def screw_axis(self, body: str, other: str = GROUND) -> ScrewAxis:
        """About and along which one body moves against another, in space."""
        from .geometry.centres import screw_axis

        return screw_axis(self, body, other)

    def transmission_angle(self, pin: str, bodies: tuple[str, str] | None = None) -> Channel:
        """The angle between coupler and follower at the pin between them."""
        from .geometry.transmission import transmission_angle

        return transmission_angle(self, pin, bodies)

    @cached_property
    def multipliers(self) -> np.ndarray:
        """Multipliers of all rows; of redundant rows those of least norm (a convention)."""
        lam = self.lam
        redundant = self.system.m - self.system.rank
        if redundant <= 0 or not lam.size:
            return lam
        out = np.empty_like(lam)
        for k in range(len(lam)):
            B = self.system.at(self.q[k], self.v[k], float(self.t[k])).B
            null = np.linalg.svd(B)[0][:, -redundant:]
            out[k] = lam[k] - null @ (null.T @ lam[k])
        return out

    def force_motion(self, f: ForceInfo) -> tuple[np.ndarray, np.ndarray]:
        """What a force element feels: length (or angle, or coordinate) and its rate."""
        if f.kind == "coordinate":
            return self.system.value(coordinate_of(self.system, f), self.q, self.v)[:2]
        if f.kind == "distance":
            d, rate, _ = length(*self.vector(f.vectors[0])[:2])
            return d, np.where(d > 0.0, rate, 0.0)  # of no length it has no direction, as in the equations
        i, j = next(force.bodies for force in self.system.resolved.forces if force.name == f.name)
        angle, rate, _ = self.turned((j, (1.0, 0.0)), (i, (1.0, 0.0)))
        return angle, rate

    def wound(self) -> np.ndarray:
        """Angle of every element between bodies at every sample, whole turns counted: `wound` of a system's arrays."""
        elements = self.system.equations.wound
        return np.array([self.force_motion(f)[0] for f in elements]).reshape(len(elements), len(self.t)).T

    def body_angle(self, body: str, local: tuple = (1.0, 0.0)) -> tuple[Any, Any, Any]:
        """Angle of a direction of a body to the x axis, with its whole turns, and its two derivatives."""
        if body == GROUND:
            zero = np.zeros(len(self.t))
            return zero + np.arctan2(float(local[1]), float(local[0])), zero, zero
        exploded, resolved = self.system.equations.exploded, self.system.resolved
        e, ed, edd = self.vector(exploded.heading(body))
        _, rate, second = heading(e, ed, edd)
        angle = np.arctan2(e[:, 1], e[:, 0])
        if self.turns is not None:
            rigid = [name for name, m in resolved.bodies.items() if not m.particle]
            angle = angle + 2 * np.pi * self.turns[:, rigid.index(body)]
            if rate is not None:
                angle = beside_the_cut(angle, rate, np.asarray(self.t))
        else:
            angle = unwrapped(angle, rate, np.asarray(self.t))
        own = exploded.own_x_axis(body)
        if body in self.system.starts and len(angle):
            first = angle[0] + np.arctan2(float(own[1]), float(own[0]))
            angle = angle + 2 * np.pi * np.round((self.system.starts[body] - first) / (2 * np.pi))
        aim = np.arctan2(float(local[1]), float(local[0]))  # from the body's x axis
        return angle + np.arctan2(float(own[1]), float(own[0])) + aim, rate, second

    def turned(self, of: tuple[str, tuple], relative_to: tuple[str, tuple]) -> tuple[Any, Any, Any]:
        """Angle between directions of two bodies, starting within half a turn of zero, and its derivatives."""
        (a, ad, add), (b, bd, bdd) = self.body_angle(*of), self.body_angle(*relative_to)
        angle = a - b
        if not told(self.system, (of[0], relative_to[0])) and len(angle):
            angle = angle - 2 * np.pi * np.round(angle[0] / (2 * np.pi))
        return angle, ad - bd, add - bdd

    def law_value(self, f: ForceInfo, x: Any, v: Any) -> np.ndarray:
        """The law of a force element at every sample."""
        from ..kernels.calls_from_python import law_at

        header = self.system.header
        zero = np.zeros(len(self.t))
        x, v = (zero if x is None else x), (zero if v is None else v)
        return np.array(
            [law_at(header, f.law_index, float(t), float(a), float(b)) for t, a, b in zip(self.t, x, v, strict=True)]
        )

    # ---------------------------------------------------------------------------------------- outputs
    def default_names(self) -> list[str]:
        """Points, how bodies are turned, coordinates and energies.

        In space a body is turned by its quaternion, the joints' own coordinates say what moves against what, and a body
        without points is where its centre of mass is.
        """
        resolved = self.system.resolved
        space, axes = resolved.dimension == 3, "xyz"[: resolved.dimension]
        bare = [b for b, body in resolved.bodies.items() if not body.points]
        turned = [f"p{k}" for k in range(4)] if space else ["angle"]
        names = [f"{p}.{x}" for p in (*resolved.start, *bare) for x in axes]
        names += [f"{b}.{part}" for b, body in resolved.bodies.items() if not body.particle for part in turned]
        names += [c.name for c in resolved.coordinates.values()
                  if c.type != "term" and (space or c.joint is None or c.needed)]  # fmt: skip
        names += ["energy.kinetic", "energy.potential"]
        return names if self.work is None else [*names, "energy.work"]

    def _variables(self) -> tuple[dict[str, Any], dict[str, list[str]]]:
        """All channels, the raw coordinates and the multipliers.

        Vectors lie along "axis" (x, y and in space z), quaternions along "quaternion" (p0 to p3). The velocities and
        accelerations lie along "coordinate", or, where quaternions make them fewer than the coordinates, "velocity".
        """
        system, channels = self.system, self.channels()
        labels: dict[str, list[str]] = {"axis": list(PARTS[system.resolved.dimension])}
        if any(name.endswith(".quaternion") for name in channels):
            labels["quaternion"] = list(PARTS[4])
        labels |= {"coordinate": system.q_names, "row": system.row_names}
        rates = "coordinate" if system.q_names == system.v_names else "velocity"
        labels[rates] = system.v_names
        called = {}
        for name in labels:  # no dimension is called as a point or coordinate of the model
            called[name] = name
            while called[name] in channels:
                called[name] += "_"
        vectors = {len(labels[name]): called[name] for name in ("quaternion", "axis") if name in labels}
        variables: dict[str, Any] = {}
        for channel in (self[name] for name in channels):
            along = () if channel.ndim == 1 else (vectors[channel.shape[1]],)
            variables[channel.name] = (("t", *along), np.asarray(channel), {"units": channel.unit})
        for label, values, what in (("q", self.q, "coordinates"), ("qdot", self.v, "velocities"),
                                    ("qddot", self.a, "accelerations")):  # fmt: skip
            along = called["coordinate" if label == "q" else rates]
            variables[f"coordinates.{label}"] = (("t", along), values, {"long_name": what})
        variables["multipliers"] = (("t", called["row"]), self.multipliers)
        return variables, {called[name]: labels[name] for name in labels}

    def sketch(self, t: float | None = None, path: str | Path | None = None, **options: Any) -> Any:
        """Draw the mechanism at a time (by default the first): `vectors=["velocity", "acceleration", "reaction"]`,
        `trace=["P"]`, `view=(azimuth, elevation)`; gives a matplotlib figure, and writes it if a path is given."""
        from .reactions.free_body import sample_at

        at = 0 if t is None else sample_at(self, t)
        return views().sketch(self, path, at=at, **options)

    def animate(self, path: str | Path | None = None, **options: Any) -> Any:
        """The mechanism moving: gives a player that notebooks show, and writes it if a path is given: .html (one
        self-contained page), .mp4, .gif, or one instant as .svg, .png, .pdf; see `biela.animate`."""
        return views().animate(self, path, **options)

    def figures(self, folder: str | Path, name: str | None = None) -> list[Path]:
        """The figures of 000 (motion, energy, violation, multipliers) as PNG files."""
        return views().figures(self, folder, name)


def _fixed(values: Any) -> Any:
    """A view that cannot be written to: results are not changed by those who read them."""
    if values is None:
        return None
    out = np.asarray(values).view()
    out.flags.writeable = False
    return out


def coordinate_of(system: System, f: ForceInfo) -> str:
    """The relative coordinate that a force element acts on."""
    low = system.equations
    return list(low.variables)[f.column - len(low.exploded.copies)]
