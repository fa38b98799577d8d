"""From what the user said to numbers and places: names and texts resolved, and every mistake named.

In the order in which it is done, in the plane and in space:

    expansion, naming, dimension      repeat blocks written out; names that are taken twice; plane or space
    scalars, laws                     texts to numbers, formulas, tables
    bodies, space_bodies              points in the axes of bodies, and where these start (orientation)
    body_reader                       mass, centre and inertia of a shape
    places, bearers                   points and lines by name; which body bears what acts on a shared point
    joints, joint_reader,             joints between bodies, and their own coordinates
      space_joint_reader, aiming
    drawn                             dimensions that nobody gave a number
    coordinates, equations, terms     relative coordinates, drivers, starting values; formulas of them
    force_reader, events              forces; stops and locks

All of them fill a `Context`, and report to its `Problems`.
"""

from __future__ import annotations

from ..digits import rounding
from ..either import in_space
from ..model import Model
from ..resolved import GROUND, Number, Pose, ResolvedJoint, ResolvedModel
from .aiming import aim_bars
from .bearers import find_bearers
from .bodies import check_digits, check_unused, resolve_plane_bodies
from .context import Context
from .coordinates import mark_needed, resolve_coordinates, resolve_drivers, resolve_initial
from .dimension import dimension_of
from .drawn import find_guesses
from .events import resolve_locks, resolve_stops
from .expansion import expand
from .force_reader import resolve_forces
from .joints import implied_joints, joint_coordinates, opened_joints, resolve_couplings, resolve_joints
from .naming import check_names
from .problems import Problems
from .scalars import Scalars
from .space_bodies import resolve_space_bodies
from .terms import with_terms

__all__ = ["resolve"]
GEOMETRY = "parameters", "ground", "points", "bodies", "joints", "coordinates"
"""parts of a model that say where things are"""


def resolve(model: Model, symbolic: bool = False) -> ResolvedModel:
    """What a model means, in floats, or in formulas of its parameters.

    Everything that is wrong with the model is told in one `ModelError`.

    >>> m = Model(name="pendulum", parameters={"m": 2, "L": "1.5 m"}, gravity=(0, -9.81))
    >>> m = m.add_ground("O", 0, 0).add_point("P", "L", 0).add_bar("bar", "O", "P", mass="m")
    >>> resolve(m).bodies["bar"].inertia
    0.375
    >>> resolve(m, symbolic=True).bodies["bar"].inertia
    L**2*m/12
    """
    problems = Problems(model.name)
    model = expand(model, problems)
    resolved = _resolve(model, problems, symbolic=False)  # always: it finds the mistakes
    return _resolve(model, problems, symbolic=True) if symbolic else resolved


def _resolve(model: Model, problems: Problems, symbolic: bool) -> ResolvedModel:
    check_names(model, problems)
    scalars = Scalars(model.parameters, problems, symbolic)
    if dimension_of(model, problems) == 2:
        ctx = Context(model, problems, scalars, items=model)
        joints = _parts_of_plane(ctx)
    else:
        ctx = _context_of_space(model, problems, scalars)
        joints = _parts_of_space(ctx)
    if not symbolic:
        check_digits(ctx)
    gravity = (*scalars.pair(model.gravity, "gravity", "acceleration"), scalars.exact(0.0))[: len(ctx.axes)]
    joints += resolve_couplings(ctx)
    drivers = resolve_drivers(ctx)
    forces = resolve_forces(ctx)
    position, velocity = resolve_initial(ctx)
    stops, locks = resolve_stops(ctx), resolve_locks(ctx)
    mark_needed(ctx)
    check_unused(ctx)
    duration, step = _run(ctx)
    joints, coordinates = with_terms(ctx, joints)
    opened = opened_joints(ctx, joints)
    problems.stop_if_any()
    return ResolvedModel(
        name=model.name,
        gravity=gravity,
        ground=ctx.ground,
        start=ctx.start,
        bodies=ctx.bodies,
        owners=ctx.owners,
        joints=joints,
        coordinates=coordinates,
        drivers=drivers,
        forces=forces,
        position=position,
        velocity=velocity,
        duration=duration,
        step=step,
        parameters=scalars.parameters,
        scalar="sympy" if symbolic else "float",
        dimension=len(ctx.axes),
        poses={name: pose for name, pose in ctx.poses.items() if name != GROUND} if ctx.in_space else {},
        stops=stops,
        locks=locks,
        bearers=ctx.bearers,
        doubts=tuple(dict.fromkeys(ctx.doubts)),
        rounding=rounding([getattr(model, part) for part in GEOMETRY]),
        remarks=tuple(dict.fromkeys(ctx.remarks)),
        opened=opened,
        guesses=tuple(dict.fromkeys(ctx.guesses)),
    )


def _parts_of_plane(ctx: Context) -> tuple[ResolvedJoint, ...]:
    """Bodies, the joints between them, and coordinates; the declared ones come first."""
    ctx.poses[GROUND] = Pose(ctx.zero, ctx.identity)
    resolve_plane_bodies(ctx)
    find_bearers(ctx)
    resolve_joints(ctx)
    find_guesses(ctx)
    resolve_coordinates(ctx)
    joint_coordinates(ctx)
    return tuple(ctx.joints.values())


def _context_of_space(model: Model, problems: Problems, scalars: Scalars) -> Context:
    """All items read as of space; those that cannot be are reported."""
    items, wrong = in_space(model)
    for problem in wrong:
        problems.add(problem.what, problem.where, problem.why, problem.cure)
    ctx = Context(model, problems, scalars, items, axes="xyz")
    ctx.refused |= model.joints.keys() - items.joints.keys()
    return ctx


def _parts_of_space(ctx: Context) -> tuple[ResolvedJoint, ...]:
    """Bodies, the joints between them, and coordinates; those of the joints come first, as others may be named after
    them."""
    ctx.poses[GROUND] = Pose(ctx.zero, ctx.identity)
    resolve_space_bodies(ctx)
    find_bearers(ctx)
    resolve_joints(ctx)
    if aim_bars(ctx):
        ctx.joints.clear()  # they are where the bars are now
        resolve_joints(ctx)
    find_guesses(ctx)
    implied = implied_joints(ctx)
    joint_coordinates(ctx)
    resolve_coordinates(ctx)
    for name, body in ctx.bodies.items():
        for key, vector in body.directions.items():
            turned = ctx.pose(name).turn(vector)
            ctx.directed |= {f"{name}.{key}.{axis}": x for axis, x in zip(ctx.axes, turned)}
    for point in ctx.marks:  # points that belong to no body and only said where a joint is are not there any more
        if not ctx.owners[point]:
            ctx.used.add(point)
            del ctx.owners[point], ctx.start[point]
    return (*ctx.joints.values(), *implied)


def _run(ctx: Context) -> tuple[Number | None, Number | None]:
    """Duration and step of the run, if the model states them."""
    values: list[Number | None] = []
    for key, given in (("duration", ctx.model.run.duration), ("step", ctx.model.run.step)):
        value = None if given is None else ctx.scalars.read(given, f"run.{key}", "time")
        if value is not None and ctx.scalars.value(value) <= 0:
            why = f"{ctx.scalars.value(value):g} s"
            ctx.problems.add(f"the {key} of the run is not positive", f"run.{key}", why, f"give {key} > 0, in seconds")
        values.append(value)
    duration, step = values
    if duration is not None and step is not None:
        long, short = ctx.scalars.value(duration), ctx.scalars.value(step)
        if short > long > 0:
            why = f"a step of {short:g} s in a run of {long:g} s"
            ctx.problems.add("the step is longer than the run", "run.step", why, "give a smaller step")
    return duration, step
