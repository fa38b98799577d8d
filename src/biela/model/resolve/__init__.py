"""From what the user said to what it means: names to places, texts to numbers, and every mistake named."""

from __future__ import annotations

from ..digits import rounding
from ..model import Model
from ..resolved import Number, ResolvedModel
from .context import Context
from .coordinates import mark_needed, resolve_coordinates, resolve_drivers, resolve_initial
from .events import resolve_locks, resolve_stops
from .expansion import expand
from .forces import resolve_forces
from .freedoms import joint_coordinates
from .guesses import find_guesses
from .joints import resolve_couplings, resolve_joints
from .naming import check_names
from .opening import opened_joints
from .placing import check_unused, resolve_bodies
from .problems import Problems
from .scalars import Scalars
from .shapes import check_digits
from .space import resolve_space
from .space.dimension import dimension_of
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
    if dimension_of(model, problems) == 3:
        ctx, joints = resolve_space(model, problems, scalars)
        poses = ctx.poses_of_bodies()
    else:
        ctx, poses = Context(model, problems, scalars), {}
        resolve_bodies(ctx)
        joints = resolve_joints(ctx)
        find_guesses(ctx, joints)
        resolve_coordinates(ctx)
        joint_coordinates(ctx, joints)
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
        poses=poses,
        stops=stops,
        locks=locks,
        bearers=ctx.bearers,
        doubts=tuple(dict.fromkeys(ctx.doubts)),
        rounding=rounding([getattr(model, part) for part in GEOMETRY]),
        remarks=tuple(dict.fromkeys(ctx.remarks)),
        opened=opened,
        guesses=tuple(dict.fromkeys(ctx.guesses)),
    )


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
