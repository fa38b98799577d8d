"""Forward dynamics of an open tree in O(n), in the plane or in space, with no work for what is not there.

Most trees carry weights and forces on their own coordinates only: weight is an acceleration of the ground, and bodies
need no frames. Forces on points find the frames placed.   Featherstone (2008) 7.3   [T.12]-[T.14], [T.17]-[T.24]
"""

from __future__ import annotations

from ...machine.array_table import unpack, unpack_tree
from ...machine.compiled import compiled
from ..forces import applied_forces, element_forces
from . import plane_links as plane
from . import space_links as space
from .link_frames import (
    links_kinetic_energy,
    load_plane_links,
    load_space_links,
    place_extras,
    place_on_plane_links,
    place_on_space_links,
)
from .plane_links import accelerate_plane_links, fold_plane_links, move_plane_links
from .space_links import accelerate_space_links, fold_space_links, move_space_links

RELATIVE_TOLERANCE = 2
"""place in ctl: not zero where the error is controlled"""


@compiled()
def move_links(header, weightless):
    """All links at the present state; their weight comes as an acceleration of the ground, unless `weightless`."""
    tr = unpack_tree(header)
    at = plane.LIFT if len(tr.link_gravity) == 2 else space.LIFT
    for k in range(len(tr.link_gravity)):
        tr.link_room[at + k] = 0.0 if weightless else -tr.link_gravity[k]
    if len(tr.link_gravity) == 2:
        move_plane_links(header)
    else:
        move_space_links(header)
    s = unpack(header)
    for i in range(len(tr.link_at)):  # (y begins with q and v)
        tr.link_at[i] = s.y[i]


@compiled()
def are_here(header):
    """True if the links have been moved to the present state already, as where a step ends with an evaluation."""
    s, tr = unpack(header), unpack_tree(header)
    for i in range(len(tr.link_at)):
        if tr.link_at[i] != s.y[i]:
            return False
    return True


@compiled()
def place_on_links(header, rates):
    """x of all bodies and coordinates, and x' if wanted (in space always); the links have been moved."""
    if len(unpack_tree(header).link_gravity) == 2:
        place_on_plane_links(header, rates)
    else:
        place_on_space_links(header)
    place_extras(header)


@compiled()
def articulated(header, t):
    """v' of an open tree; 0 or 1 + freedom without inertia, and the power of the forces that have no potential."""
    s, tr = unpack(header), unpack_tree(header)
    loaded = len(s.load_law) + len(s.span_ptr) > 1  # besides forces on coordinates
    move_links(header, loaded)
    power = 0.0
    if loaded:
        place_on_links(header, True)
        power = applied_forces(header, t)
        if len(tr.link_gravity) == 2:
            load_plane_links(header)
        else:
            load_space_links(header)
    elif len(s.element_law) > 0:
        place_extras(header)
        for l in range(len(tr.extra_x)):
            s.Qx[tr.extra_x[l]] = 0.0
        power = element_forces(header, t)
    for i in range(s.n):
        s.Q[i] = 0.0
    if loaded or len(s.element_law) > 0:
        for l in range(len(tr.extra_x)):
            s.Q[tr.extra_v[l]] += tr.extra_scale[l] * s.Qx[tr.extra_x[l]]
    if len(tr.link_gravity) == 2:
        bare = fold_plane_links(header)
        if bare == 0:
            accelerate_plane_links(header)
    else:
        bare = fold_space_links(header)
        if bare == 0:
            accelerate_space_links(header)
    return bare, power


@compiled()
def tree_energy(header):
    """Kinetic energy of any tree; leaves its bodies placed, with their rates where somebody looks at them: rows, and
    steps of variable length."""
    if not are_here(header):
        move_links(header, True)
    s = unpack(header)
    place_on_links(header, s.m > 0 or s.ctl.relative_tolerance > 0.0)
    return links_kinetic_energy(header)
