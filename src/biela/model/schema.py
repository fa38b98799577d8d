"""The JSON Schema of model files, for editors and other programs."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from .model import Model

# What the keys mean, by name: they mean the same wherever they appear. (Those of one joint alone stand in its file.)
DESCRIPTIONS = {
    "name": "Short name of the mechanism; by default the file's name.",
    "title": "One line that says what it is.",
    "dimension": "2 in the plane, 3 in space; by default what the components of the points say.",
    "parameters": "Named numbers, quantities or formulas, used in the formulas of everything else.",
    "gravity": "Acceleration of gravity, [x, y] in m/s^2 (in space [x, y, z]).",
    "open_joints": "Joints (pins by their points) that relative coordinates write as equations, to open their loops.",
    "ground": "Fixed points: name = [x, y] in m (in space [x, y, z]).",
    "points": "Points: name = [x, y] in m (roughly where a moving point starts), or names.",
    "bodies": "Rigid bodies and point masses by name, or the two bodies something acts between.",
    "joints": "Joints by name. A point that two bodies share is a pin joint without more.",
    "coordinates": "Relative coordinates by name: distances, angles, positions. Of a gear: the two angles it couples.",
    "drivers": "Prescribed motions: coordinate = law(t).",
    "forces": "Forces, moments, springs, dampers and actuators by name.",
    "stops": "Limits of coordinates by name: impacts with restitution, and rest.",
    "lower": "The least value, in m or rad (or a text such as '30 deg').",
    "upper": "The greatest value.",
    "restitution": "Speed after an impact over speed before it, from 0 to 1.",
    "locks": "Clutches, brakes and catches by name.",
    "hold": "What keeps its value while the lock is closed: a coordinate or a formula of them, or several.",
    "closes": "When it closes: a time in s, or a condition such as 'phi > 30 deg'; without it, at the start.",
    "opens": "When it opens: a time in s, or a condition; without it, never.",
    "repeat": "Blocks of parts to be made once for every value of an index, with {i} in their names and texts.",
    "index": "What the number is called between braces: {i}, {i+1}.",
    "from": "The first value of the index: a whole number, or a formula of parameters that is one.",
    "to": "The last value of the index, included.",
    "initial": "The state at t = 0.",
    "run": "What to simulate when nothing else is asked for.",
    "reference": "Where the mechanism comes from and numbers it must reproduce.",
    "type": "Which of the kinds it is.",
    "mass": "Mass in kg.",
    "density": "Density in kg/m^3, instead of the mass.",
    "center": "Centre of mass [x, y] (in space [x, y, z]) in the body's own axes, m.",
    "inertia": "Inertia about the centre of mass, kg m^2: a number; in space [Ixx, Iyy, Izz] or three rows.",
    "orientation": "How the body's axes start: {axis, angle}, [w, x, y, z], three rows, or two of {x, y, z}.",
    "directions": "Named directions [x, y, z] in the body's own axes.",
    "carrier": "What carries the body in natural coordinates.",
    "size": "Sides [a, b, c] along the body's axes, m.",
    "thickness": "Thickness in m; thin without it.",
    "axis": "A direction [x, y, z]; of a joint in the ground's axes as drawn, by name, or one for each body.",
    "at": "Where the joint is: a point, a point of each body, or [x, y, z] in the ground's axes at the start.",
    "zero": "The joint's angle where the bodies start, within half a turn, rad.",
    "about": "The axis of the turn, in the axes of the body it is measured from, or by name.",
    "direction": "A direction [x, y, z] in the body's own axes, or by name.",
    "joint": "The joint (or a freedom of it, such as 'J.angle') that this is another name for.",
    "length": "Length in m; by default the one at the start.",
    "width": "Side along the body's x axis, m.",
    "height": "Side along the body's y axis, m.",
    "radius": "Radius in m.",
    "point": "The name of a point.",
    "line": "Two points of one body, a body's name (its x axis), or {body, angle, through}.",
    "lines": "The two lines, from the first to the second.",
    "angle": "Angle in rad (or a text such as '30 deg'), counterclockwise.",
    "through": "A point of the body the line passes through.",
    "body": "The name of a body, or ground.",
    "of": "The line whose angle is measured.",
    "relative_to": "The line it is measured from; by default the ground's x axis.",
    "along": "The line the position is measured along, from its start.",
    "coordinate": "The name of a coordinate, 'P.x' or 'P.y' of a point, 'crank.angle' of a body.",
    "law": "A number, a formula of t, or a table.",
    "value": "A number, a formula of t (for an actuator also of x and v), or a table.",
    "axes": "The body in whose axes the components are given; by default the ground's.",
    "scale": "Of a law that is a Python function: the shortest change in it, a time (of an actuator also a length).",
    "on": "The body that it acts on, where several share the point; of two points, of one or of each.",
    "strain": "Of a spring: a formula e of x, with the potential energy stiffness * (e - free)^2 / 2.",
    "over": "Points of the body that a load is spread over: two for a line, three or more for a surface.",
    "end": "Of a load along a line: its value at the second point; in between it changes evenly.",
    "volume": "The volume that a load goes through, m^3; by default mass over density.",
    "against": "The body that takes the opposite moment.",
    "stiffness": "Stiffness, N/m or N m/rad.",
    "potential": "Of a spring that is not linear: its energy, J, a formula of x (length or angle).",
    "free": "Length or angle without force; by default that of the drawing, put together.",
    "damping": "Damping, N s/m or N m s/rad.",
    "x": "Where the values are given, increasing; of an orientation, the body's x axis.",
    "y": "The values; of an orientation, the body's y axis.",
    "z": "The body's z axis.",
    "interpolation": "pchip: smooth, never beyond its points; cubic: a spline with accelerations; linear: lines.",
    "position": "Values at t = 0 by coordinate; of a body, where its origin starts, m.",
    "velocity": "Rates at t = 0 by coordinate.",
    "duration": "Time to simulate, s.",
    "step": "Time step, s.",
    "source": "Where it is described.",
    "note": "Remarks.",
    "values": "Numbers by channel and time, such as 'P2.y @ 10' = 0.6459.",
}


class _Schema(GenerateJsonSchema):
    # A law may also be a Python function, which no file can hold: that choice is left out on purpose.
    ignored_warning_kinds = {"skipped-choice"}


def json_schema() -> dict[str, Any]:
    """The schema of a model file.

    >>> schema = json_schema()
    >>> schema["$schema"], sorted(schema["$defs"])[:3]
    ('https://json-schema.org/draft/2020-12/schema', ['Actuator', 'Angle', 'AngleCoordinate'])
    """
    schema = Model.model_json_schema(schema_generator=_Schema)
    properties = schema["properties"]
    pair = properties["gravity"]
    scalar = pair["items"]
    # What `Model` accepts before checking: gravity by component, bodies without a type.
    by_component = {
        "type": "object",
        "properties": {"x": scalar, "y": scalar, "z": scalar},
        "additionalProperties": False,
    }
    kept = {key: pair.pop(key) for key in ("default", "title") if key in pair}
    properties["gravity"] = {"anyOf": [pair, by_component], **kept}
    for part in (schema, *schema["$defs"].values()):
        for name, value in part.get("properties", {}).items():
            if "description" not in value and name in DESCRIPTIONS:
                value["description"] = DESCRIPTIONS[name]
    for table in properties.values():
        for item in table.get("patternProperties", {}).values():
            table["additionalProperties"] = False  # a name that does not fit the pattern is a mistake
            if "oneOf" in item and "discriminator" not in item:
                item["anyOf"] = item.pop("oneOf")  # in the plane or in space: some are the same in both
    schema["description"] = (
        "A mechanism for biela, in the plane or in space: points, bodies, joints, coordinates, drivers, forces."
    )
    return {"$schema": _Schema.schema_dialect, **schema, "title": "biela model"}
