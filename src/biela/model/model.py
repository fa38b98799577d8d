"""The model: everything the user says about a mechanism, by name. No numerics here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ..errors import ModelError, Problem
from . import either
from . import items as it
from .mistakes import problems_of
from .repeat import Repeat

Points = Mapping[str, Sequence] | Sequence[str]
"""points of a body by name: with coordinates in its own axes, or only their names"""


class Model(BaseModel):
    """A mechanism: ground and moving points, bodies, joints, coordinates, drivers, forces.

    Points are known by name all over the model; a point that two bodies share is a pin joint.
    The positions of moving points are where they are roughly at the start: biela assembles the mechanism.

    >>> m = Model(name="pendulum", gravity=(0, -9.81))
    >>> m.add_ground("O", 0, 0).add_point("P", 1, 0).add_bar("bar", "O", "P", mass=2.0, length=1.0)
    Model('pendulum': 1 body, 0 joints, 0 forces)
    """

    model_config = ConfigDict(extra="forbid", validate_assignment=True, allow_inf_nan=False)

    name: str = "model"
    title: str = ""
    dimension: Literal[2, 3] | None = None
    parameters: dict[it.Name, it.Scalar] = {}
    gravity: it.Vector = (0.0, 0.0)
    open_joints: list[str] = []
    ground: dict[it.Name, it.Vector] = {}
    points: dict[it.Name, it.Vector] = {}
    bodies: dict[it.Name, either.AnyBody] = {}
    joints: dict[it.Name, either.AnyJoint] = {}
    coordinates: dict[it.Name, either.AnyCoordinate] = {}
    drivers: dict[it.Name, it.Driver] = {}
    forces: dict[it.Name, either.AnyForce] = {}
    stops: dict[it.Name, it.Stop] = {}
    locks: dict[it.Name, it.Lock] = {}
    repeat: list[Repeat] = []
    initial: it.Initial = Field(default_factory=it.Initial)
    run: it.Run = Field(default_factory=it.Run)
    reference: it.Reference = Field(default_factory=it.Reference)

    def __init__(self, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            title = f"model {data.get('name', 'model')!r}"
            wrong = ModelError(problems_of(error, type(self), data), title)
            wrong.validation = error  # type: ignore[attr-defined]  # for `file.validated`, which knows the lines
            raise wrong from None

    def __setattr__(self, name: str, value: Any) -> None:
        try:
            super().__setattr__(name, value)
        except ValidationError as error:
            raise ModelError(problems_of(error, type(self), {name: value}), f"model {self.name!r}") from None

    @field_validator("gravity", mode="before")
    @classmethod
    def _gravity_by_component(cls, value: Any) -> Any:
        """Accept {x = ..., y = ...} as well as [x, y]; with z it is of space."""
        if isinstance(value, Mapping):
            unknown = set(value) - {"x", "y", "z"}
            if unknown:
                text = f"unknown key {sorted(map(str, unknown))[0]!r} in gravity; it has x and y, and z in space"
                raise ValueError(text)
            return tuple(value.get(key, 0.0) for key in ("xyz" if "z" in value else "xy"))
        return value

    @field_validator("bodies", mode="before")
    @classmethod
    def _plain_bodies(cls, value: Any) -> Any:
        """A body without a type is a general rigid body."""
        if isinstance(value, Mapping):
            return {
                k: {"type": "body", **v} if isinstance(v, Mapping) and "type" not in v else v
                for k, v in value.items()
            }
        return value

    @field_validator("repeat", mode="before")
    @classmethod
    def _blocks_in_a_list(cls, value: Any) -> Any:
        if isinstance(value, Mapping):
            raise ValueError("a repeat block is one of a list; write [[repeat]], with double brackets")
        return value

    # -------------------------------------------------------------------------- building by hand
    def add_ground(self, name: str, x: Any, y: Any, z: Any = None) -> Model:
        """A point of the ground; with z, in space."""
        return self._put("ground", name, (x, y) if z is None else (x, y, z))

    def add_point(self, name: str, x: Any, y: Any, z: Any = None) -> Model:
        """A moving point, and roughly where it starts; with z, in space."""
        return self._put("points", name, (x, y) if z is None else (x, y, z))

    def add_body(self, name: str, points: Points = (), type: str = "body", **data: Any) -> Model:
        """A rigid body of any shape, or in space of one of those that have a `type`: box, cylinder, sphere, cone.

        See `biela.model.bodies`.
        """
        shape = dict(points) if isinstance(points, Mapping) else list(points)
        given = {"points": shape, **data} if shape else data
        return self._put("bodies", name, {"type": type, **given})

    def add_box(self, name: str, size: Sequence, points: Points = (), **data: Any) -> Model:
        """A rectangular block in space."""
        return self.add_body(name, points, "box", size=size, **data)

    def add_cylinder(self, name: str, radius: Any, length: Any, points: Points = (), **data: Any) -> Model:
        """A round cylinder in space."""
        return self.add_body(name, points, "cylinder", radius=radius, length=length, **data)

    def add_sphere(self, name: str, radius: Any, points: Points = (), **data: Any) -> Model:
        """A solid sphere in space."""
        return self.add_body(name, points, "sphere", radius=radius, **data)

    def add_cone(self, name: str, radius: Any, height: Any, points: Points = (), **data: Any) -> Model:
        """A round cone in space."""
        return self.add_body(name, points, "cone", radius=radius, height=height, **data)

    def add_bar(self, name: str, a: str, b: str, mass: Any = None, **data: Any) -> Model:
        """A slender bar between two points; in space it may have a section and a density."""
        given = data if mass is None else {"mass": mass, **data}
        return self._put("bodies", name, {"type": "bar", "points": (a, b), **given})

    def add_rod(self, name: str, a: str, b: str, **data: Any) -> Model:
        """A massless rod between two points."""
        return self._put("bodies", name, {"type": "rod", "points": (a, b), **data})

    def add_plate(self, name: str, points: Points = (), **data: Any) -> Model:
        """A rectangular plate."""
        return self.add_body(name, points, "plate", **data)

    def add_disc(self, name: str, points: Points = (), **data: Any) -> Model:
        """A homogeneous disc."""
        return self.add_body(name, points, "disc", **data)

    def add_mass(self, name: str, point: str, mass: Any) -> Model:
        """A point mass."""
        return self._put("bodies", name, {"type": "mass", "point": point, "mass": mass})

    def add_joint(self, name: str, type: str, **data: Any) -> Model:
        """A joint of one of the types of `biela list joints`."""
        return self._put("joints", name, {"type": type, **data})

    def add_coordinate(self, name: str, type: str, **data: Any) -> Model:
        """A relative coordinate: distance, angle, position."""
        return self._put("coordinates", name, {"type": type, **data})

    def add_driver(self, name: str, coordinate: str, law: Any) -> Model:
        """coordinate = law(t)."""
        return self._put("drivers", name, {"coordinate": coordinate, "law": law})

    def add_force(self, name: str, type: str, **data: Any) -> Model:
        """A force: force, moment, spring, damper, actuator."""
        return self._put("forces", name, {"type": type, **data})

    def add_stop(
        self, name: str, coordinate: str, lower: Any = None, upper: Any = None, restitution: Any = 0.0
    ) -> Model:
        """Limits of a coordinate, of a point ("P.y") or of a formula of such; see `biela.model.items.Stop`."""
        given = {key: value for key, value in (("lower", lower), ("upper", upper)) if value is not None}
        return self._put("stops", name, {"coordinate": coordinate, "restitution": restitution, **given})

    def add_lock(self, name: str, hold: str | Sequence[str], closes: Any = None, opens: Any = None) -> Model:
        """A clutch, a brake or a catch that holds a coordinate for a while; see `biela.model.items.Lock`."""
        given = {key: value for key, value in (("closes", closes), ("opens", opens)) if value is not None}
        return self._put("locks", name, {"hold": hold if isinstance(hold, str) else list(hold), **given})

    def add_repeat(self, index: str, start: Any, stop: Any, **sections: Any) -> Model:
        """Parts to be made for every whole number from start to stop, with "{i}" in their names and texts.

        >>> m = Model(parameters={"n": 3}).add_ground("P0", 0, 0)
        >>> link = {"type": "bar", "points": ["P{i-1}", "P{i}"], "mass": 1}
        >>> m.add_repeat("i", 1, "n", points={"P{i}": ["{i}", 0]}, bodies={"link{i}": link})
        Model('model': 0 bodies, 0 joints, 0 forces, 1 repeat block)
        """
        from .file import validated

        block = {"index": index, "from": start, "to": stop, **sections}
        fresh = validated(type(self), {"repeat": [block]}, title=f"model {self.name!r}")
        self.repeat = [*self.repeat, *fresh.repeat]
        return self

    def start(
        self, position: Mapping[str, Any] | None = None, velocity: Mapping[str, Any] | None = None
    ) -> Model:
        """Coordinates and rates at t = 0 (added to those already said)."""
        said: Any = {
            "position": {**self.initial.position, **(position or {})},
            "velocity": {**self.initial.velocity, **(velocity or {})},
        }
        self.initial = said  # by assignment, so that the values are checked and mistakes told
        return self

    def with_parameters(self, **values: Any) -> Model:
        """A copy with other values of declared parameters."""
        unknown = set(values) - set(self.parameters)
        if unknown:
            cure = "declared: " + (", ".join(self.parameters) or "(none)")
            where = f"model {self.name!r}"
            raise ModelError([Problem(f"no parameter {k!r}", where, cure=cure) for k in sorted(unknown)])
        copy = self.model_copy()
        copy.parameters = {**self.parameters, **values}  # by assignment, so that the values are checked
        return copy

    def save(self, path: str | Path) -> None:
        """Write the model as a TOML file that `biela.load` reads back."""
        from .file import save

        save(self, path)

    def _put(self, table: str, name: str, value: Any) -> Model:
        present = getattr(self, table)
        if name in present:
            where = f"{table} of model {self.name!r}"
            raise ModelError(Problem(f"{name!r} already exists", where, cure="choose another name"))
        from .file import validated

        fresh = validated(type(self), {table: {name: value}}, title=f"model {self.name!r}")
        setattr(self, table, {**present, **getattr(fresh, table)})
        return self

    def __repr__(self) -> str:
        b, j, f = len(self.bodies), len(self.joints), len(self.forces)
        counts = f"{b} bod{'y' if b == 1 else 'ies'}, {j} joint{'s'[: j != 1]}, {f} force{'s'[: f != 1]}"
        if self.repeat:
            counts += f", {len(self.repeat)} repeat block{'s'[: len(self.repeat) != 1]}"
        return f"Model({self.name!r}: {counts})"

    def __str__(self) -> str:
        return repr(self)
