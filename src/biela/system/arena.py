"""One table of addresses instead of a hundred arguments.

A compiled kernel needs some eighty arrays of the system. Passing them through a function pointer would copy
them all at each call; so the caller passes one integer, the *header*: the address of a table that holds the
address and the length of each array. `unpack(header)` is that integer with attributes: s.q reads two words of the
table and makes a view of them. The views own nothing, so Numba counts no references; what a kernel does not use costs
nothing, not even time to compile. The table does not change while a kernel runs, so LLVM reads each word once.

Indexes are unsigned 32-bit: Numba then needs no test for negative (wrap-around) subscripts.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, models, register_model
from numba.np.arrayobj import populate_array

# name: (kind, meaning). Kinds: n = integer, i = indexes (uint32), j = signed integers (int64), f = float64.
FIELDS: dict[str, tuple[str, str]] = {
    "n": ("n", "velocities"),
    "nq": ("n", "coordinates: more than velocities where there are quaternions"),
    "m": ("n", "constraint rows"),
    # constraint rows: Phi_k = c_k + sum_e (b_e + 1/2 sum_l A_l x_j(l)) x_i(e)  + trig - f(t), of the variables x of
    # points and directions. In natural coordinates x is q itself and the x fields are the j fields.
    "xptr": ("i", "row -> first entry of Phi_x"),
    "xcol": ("i", "entry of Phi_x -> variable"),
    "aptr": ("i", "entry of Phi_x -> first second-derivative entry"),
    "acol": ("i", "second-derivative entry -> variable"),
    "c": ("f", "constant of each row"),
    "ref": ("f", "reference of the variables x, where the rows are polynomials of x - ref; else empty"),
    "away": ("f", "x - ref"),
    "b": ("f", "linear coefficient of each entry of Phi_x"),
    "aval": ("f", "second derivatives (constant)"),
    "jptr": ("i", "row -> first Jacobian entry"),
    "jcol": ("i", "Jacobian entry -> velocity"),
    "trig_row": ("i", "row of a sine/cosine term"),
    "trig_entry": ("i", "its Jacobian entry"),
    "trig_col": ("i", "its angle"),
    "trig_cos": ("f", "coefficient of the cosine"),
    "trig_sin": ("f", "coefficient of the sine"),
    "merge_row": ("i", "row that stands for the sine and cosine rows of an angle: cos(phi) sine - sin(phi) cosine"),
    "merge_sine": ("i", "its sine row"),
    "merge_cosine": ("i", "its cosine row"),
    "merge_col": ("i", "its angle"),
    "merge_from": ("i", "entry of the sine row for each of its entries, then of the cosine row"),
    "active": ("i", "rows that say everything once: all but sines and cosines, and the merged ones"),
    "drv_row": ("i", "row of a driver"),
    "drv_law": ("i", "its law of time"),
    "weight": ("f", "weight of each row where rows are weighed against M; makes small and large rows alike"),
    "pair_row": ("i", "B^T B: row that a product comes from"),
    "pair_weight": ("f", "B^T B: weight of that row"),
    "pair_pos": ("i", "B^T B: where a product goes in A"),
    "pair_flip": ("i", "1 if its second entry is the one eliminated later"),
    "pair_e": ("i", "B^T B: first Jacobian entry of the product"),
    "pair_f": ("i", "B^T B: second Jacobian entry"),
    # mass and forces
    "M": ("f", "mass matrix, n x n"),
    "mptr": ("i", "row of M -> first non-zero"),
    "mcol": ("i", "column of each non-zero of M"),
    "mval": ("f", "non-zeros of M"),
    "mass_from": ("i", "non-zero of M, lower triangle"),
    "mass_pos": ("i", "where it goes in A"),
    "bend_row": ("i", "second derivative of a row, lower triangle: which row"),
    "bend_val": ("f", "its value"),
    "bend_pos": ("i", "where it goes in A, times the multiplier"),
    "line_pos": ("i", "where the stiffness of a line force goes in A: pairs of its entries"),
    "cf_pos": ("i", "the same of a force on a coordinate"),
    "tor_pos": ("i", "the same of a torsion element"),
    "fill_ptr": ("i", "sparse factor of A: column -> first entry below the diagonal; empty where A is dense"),
    "fill_row": ("i", "its row"),
    "fill_to": ("i", "what each product of two entries of a column is subtracted from"),
    "fill_order": ("i", "order of elimination"),
    "fill_w": ("f", "scratch in that order"),
    "Q0": ("f", "weight: constant generalised forces with a potential"),
    "fall": ("i", "variables x with such a force"),
    "V0": ("f", "[potential energy of the weight at q = 0]"),
    "load_ptr": ("i", "load -> first entry"),
    "load_law": ("i", "law of time that multiplies it"),
    "load_col": ("i", "entry -> coordinate"),
    "load_b": ("f", "entry: constant part"),
    "load_aptr": ("i", "entry -> first linear part"),
    "load_acol": ("i", "linear part -> coordinate"),
    "load_aval": ("f", "linear part -> coefficient"),
    "line_ptr": ("i", "line force -> first entry of r_B - r_A"),
    "line_law": ("i", "its law of t, length and rate"),
    "line_col": ("i", "entry -> coordinate"),
    "line_cx": ("f", "coefficient in x"),
    "line_cy": ("f", "coefficient in y"),
    "line_cz": ("f", "coefficient in z"),
    "line_x0": ("f", "constant of x"),
    "line_y0": ("f", "constant of y"),
    "line_z0": ("f", "constant of z"),
    "cf_col": ("i", "force on a coordinate: which"),
    "cf_law": ("i", "its law"),
    "tor_ptr": ("i", "two directions per torsion element -> first entry"),
    "tor_law": ("i", "law of t, angle and rate"),
    "tor_col": ("i", "entry -> coordinate"),
    "tor_cx": ("f", "coefficient in x"),
    "tor_cy": ("f", "coefficient in y"),
    "tor_x0": ("f", "constant of x"),
    "tor_y0": ("f", "constant of y"),
    "tor_turn": ("f", "angle at the last accepted step, to count whole turns"),
    "head_ptr": ("i", "vector of each rigid body's pair: x in row 2b, y in row 2b + 1 -> first entry"),
    "head_col": ("i", "entry -> coordinate"),
    "head_c": ("f", "entry -> coefficient"),
    "head_0": ("f", "constant of each row"),
    "head_below": ("j", "1 if that vector pointed below the x axis at the last accepted step"),
    "turns": ("f", "whole turns of each rigid body since the start"),
    # laws: c0 - k (x - x0) - c v + program + table + user function
    "law_c0": ("f", "constant"),
    "law_k": ("f", "stiffness"),
    "law_x0": ("f", "free length or angle"),
    "law_c": ("f", "damping"),
    "law_prog": ("j", "program, -1 if none; next two its time derivatives"),
    "law_dprog": ("j", "program of the first derivative"),
    "law_ddprog": ("j", "program of the second derivative"),
    "law_table": ("j", "table, -1 if none"),
    "law_of_x": ("j", "1 if the table is a function of x, 0 if of t"),
    "law_user": ("j", "user function, -1 if none"),
    "user_address": ("j", "[address of the callback into Python]"),
    "prog_ptr": ("j", "program -> first operation"),
    "prog_ops": ("j", "operations"),
    "prog_const": ("f", "constants"),
    "prog_stack": ("f", "stack"),
    "tab_ptr": ("j", "table -> first break"),
    "tab_breaks": ("f", "abscissas"),
    "tab_coef": ("f", "cubic coefficients, 4 per interval"),
    # quaternions among the coordinates: q' = H v
    "quat_q": ("i", "quaternion -> its first coordinate"),
    "quat_v": ("i", "quaternion -> its first angular velocity, in the axes that turn with it"),
    "plain_q": ("i", "the other coordinates, where there are quaternions"),
    "plain_v": ("i", "their velocities"),
    "tree_calls": ("j", "addresses of the tree's own functions (`tree.calls`); empty in natural coordinates"),
    "tree_energy": ("f", "[kinetic energy]"),
    # what the formulation is set to
    "par": ("f", "alpha, xi, omega, tolerance of positions, beta, tolerance of multipliers"),
    "opt": ("j", "projection every k steps, step counter, inner iterations, evaluations, iterations, rechoices"),
    # state: y = (q, v, work), and what an evaluation gives
    "y": ("f", "q, v and the work of the forces without a potential"),
    "q": ("f", "coordinates (a view of y)"),
    "v": ("f", "velocities (a view of y)"),
    "x": ("f", "variables of points and directions (in natural coordinates q itself)"),
    "xd": ("f", "their rates"),
    "ydot": ("f", "time derivative of y"),
    "a": ("f", "accelerations (a view of ydot)"),
    "power": ("f", "[power of the forces without a potential and of the drivers] (a view of ydot)"),
    "lam": ("f", "multipliers"),
    # workspace
    "J": ("f", "Jacobian entries"),
    "Jx": ("f", "entries of Phi_x"),
    "Phi": ("f", "rows"),
    "Phit": ("f", "partial time derivative of the rows"),
    "Phid": ("f", "total time derivative of the rows"),
    "bias": ("f", "Phi'' without the accelerations: -gamma"),
    "Q": ("f", "generalised forces"),
    "Qx": ("f", "forces on the variables x"),
    "A": ("f", "matrix to factorise: n x n, or diagonal and columns of the sparse factor"),
    "B": ("f", "m x n dense Jacobian"),
    "S": ("f", "m x m matrix to factorise"),
    "R": ("f", "n x n: columns are the velocities for unit independent velocities"),
    "r": ("f", "n + m right-hand side"),
    "w": ("f", "n + m scratch"),
    "piv": ("i", "pivot rows and columns, and a candidate choice of coordinates"),
    "free": ("i", "1 for each independent coordinate"),
    "group": ("i", "of each active row: 0 for bodies, joints and drivers, 1 if it measures a coordinate"),
    "prefer": ("i", "1 for coordinates preferred as independent"),
    "margin": ("f", "rank margin: now, at choice, before, when regular; determinant: scale, best, worst"),
    "k": ("f", "stages and history of the integrator, 38 vectors of the size of y"),
    "ctl": ("f", "step control: error estimate, tolerances, history"),
    "direct": ("f", "room of the integrators that solve the index-3 equations themselves"),
    "mon": ("f", "monitors: E0, max energy error, max |Phi|, max |Phi'|, kinetic, potential, ..."),
}

TREE_FIELDS: dict[str, tuple[str, str]] = {
    # the tree: each freedom moves all that hangs on it. Motions and forces are taken at the ground's origin.
    "tree_parent": ("j", "freedom -> the one it hangs on, -1 for the ground"),
    "tree_kind": ("j", "0 slides, 1 turns (or screws), 2 3 4 the three of a quaternion"),
    "tree_q": ("i", "freedom -> its coordinate (first of four for a quaternion)"),
    "tree_axis": ("f", "axis, in the axes of what it hangs on, 3 per freedom"),
    "tree_offset": ("f", "where it is, from the origin of what it hangs on, 3 per freedom"),
    "tree_pitch": ("f", "advance of a screw, m/rad"),
    "tree_R": ("f", "axes of what each freedom moves, 9 per freedom (rows)"),
    "tree_p": ("f", "their origin"),
    "tree_S": ("f", "motion for unit rate: angular and of the ground's origin, 6 per freedom"),
    "tree_V": ("f", "motion of what it moves"),
    "tree_c": ("f", "velocity-product acceleration of the freedom"),
    "tree_a": ("f", "acceleration of what it moves, without (later with) the v'"),
    "tree_F": ("f", "force on what hangs on it"),
    "tree_I": ("f", "composite inertia: mass, first moments, second moments, 10 per freedom"),
    "body_at": ("j", "body -> the freedom it hangs on, -1 for the ground"),
    "body_turn": ("f", "its axes in those of the freedom, 9 per body (rows)"),
    "body_offset": ("f", "its centre of mass in those axes"),
    "body_mass": ("f", "mass and inertia tensor (xx, yy, zz, xy, xz, yz), 7 per body"),
    "body_I": ("f", "its inertia about the ground's origin, 10 per body"),
    "body_V": ("f", "its motion, 6 per body"),
    "body_a": ("f", "its acceleration without the v', 6 per body"),
    "body_W": ("f", "applied force, 6 per body"),
    "xbias": ("f", "x'' without the v'"),
    "extra_x": ("i", "variable that is a coordinate itself"),
    "extra_q": ("i", "that coordinate"),
    "extra_v": ("i", "its velocity"),
    "extra_scale": ("f", "x = scale q + offset"),
    "extra_offset": ("f", ""),
    "seg_ptr": ("i", "row -> first body that it speaks of"),
    "seg_body": ("i", "that body"),
    "seg_x": ("i", "its first entry in Phi_x, and one past the last"),
    "seg_dof": ("i", "segment -> first freedom that moves the body"),
    "dof_of": ("i", "that freedom"),
    "dof_entry": ("i", "where its product goes in J"),
    "plain_from": ("i", "entry of Phi_x that goes straight into J"),
    "plain_to": ("i", "where"),
    "plain_scale": ("f", "times this"),
    "massed": ("i", "bodies with mass"),
    # the same tree link by link, for the recursions of `space_links` and `plane_links`
    "link": ("i", "kind, lump, slot of the parent, coordinate and velocity, 5 per link"),
    "link_data": ("f", "constants of each link: place, axes, lump"),
    "link_room": ("f", "what is known of each slot: the ground, then the links"),
    "link_place": ("f", "origin of each slot and its velocity"),
    "link_at": ("f", "q and v at which the links have been moved last"),
    "link_gravity": ("f", "acceleration of free fall: two components in the plane, three in space"),
    "body_slot": ("i", "body -> the slot it sits on"),
    "body_seat": ("f", "its centre of mass and axes in those of the slot, 12 per body"),
    # natural coordinates with a vector that is the cross product of two others
    "cross_x": ("i", "cross product -> its first variable"),
    "cross_at": ("j", "its nine operands (first point, second point, vector): velocity, -1 if fixed"),
    "cross_value": ("f", "the fixed ones"),
    "cross_W": ("f", "its derivatives, 18 per cross product"),
    "cross_from": ("i", "entry of Phi_x of a cross product"),
    "cross_to": ("i", "where it goes in J"),
    "cross_by": ("i", "times which derivative"),
    "share_ptr": ("i", "variable x -> first of the velocities it moves with"),
    "share_v": ("i", "that velocity"),
    "share_by": ("j", "times which derivative of a cross product; -1: one"),
    "mass_i": ("i", "mass of the variables x: row"),
    "mass_j": ("i", "column"),
    "mass_x": ("f", "value"),
}
"""what only the kernels of a tree (or of crossed vectors) unpack"""

SADDLE_FIELDS: dict[str, tuple[str, str]] = {
    # sparse factor of the matrix of accelerations and multipliers together (`saddle`); empty until it is asked for
    "kkt_ptr": ("i", "column -> first entry below the diagonal"),
    "kkt_row": ("i", "its row"),
    "kkt_to": ("i", "what each product of two entries of a column is subtracted from"),
    "kkt_order": ("i", "order of elimination: velocities, then n + active row"),
    "kkt_mass": ("i", "where each mass of mass_from goes"),
    "kkt_pair": ("i", "where each product of pair_e and pair_f goes"),
    "kkt_jac": ("i", "where the Jacobian entries of the active rows go, row by row"),
    "kkt_out": ("j", "1 for each active row left out, as the others imply it; then 1 if these have been chosen"),
    "kkt_A": ("f", "diagonal and columns of the factor"),
    "kkt_ref": ("f", "what each pivot would be without the rows before it"),
    "kkt_w": ("f", "scratch in the order of elimination"),
}

_ALL_FIELDS = FIELDS | TREE_FIELDS | SADDLE_FIELDS
Arrays = namedtuple("Arrays", list(_ALL_FIELDS))  # type: ignore[misc]
_NUMBA_KIND = {
    "n": types.int64,
    "i": types.Array(types.uint32, 1, "C"),
    "j": types.Array(types.int64, 1, "C"),
    "f": types.Array(types.float64, 1, "C"),
}
_NUMPY_KIND = {"i": np.uint32, "j": np.int64, "f": np.float64}


def as_arrays(values: dict[str, Any]) -> Arrays:
    """The `Arrays` of a system, NumPy arrays of the right kinds; missing arrays are empty."""
    out = {}
    for name, (kind, _) in _ALL_FIELDS.items():
        value = values.get(name)
        if kind == "n":
            out[name] = int(value or 0)
        else:
            out[name] = np.ascontiguousarray([] if value is None else value, dtype=_NUMPY_KIND[kind]).ravel()
    return Arrays(**out)


def pack(system: Arrays) -> np.ndarray:
    """The table of a system: for integers the value, for arrays address and length. Its address is the header."""
    header = []
    for name, (kind, _) in _ALL_FIELDS.items():
        value = getattr(system, name)
        header += [value] if kind == "n" else [value.ctypes.data, value.size]
    return np.array(header, dtype=np.int64)


class View(types.Type):
    """A header in compiled code: its attributes are the system's integers and arrays."""

    def __init__(self, name: str, fields: dict[str, tuple[str, str]], first: int):
        super().__init__(name)
        self.kinds = {field: kind for field, (kind, _) in fields.items()}
        self.words: dict[str, int] = {}
        """where in the table each field begins"""
        for field, kind in self.kinds.items():
            self.words[field] = first
            first += 1 if kind == "n" else 2
        self.end = first


_MAIN = View("System", FIELDS, 0)
_TREE = View("Tree", TREE_FIELDS, _MAIN.end)
_SADDLE = View("Saddle", SADDLE_FIELDS, _TREE.end)


@register_model(View)
class _ViewModel(models.PrimitiveModel):
    """As an integer."""

    def __init__(self, dmm: Any, fe_type: Any):
        super().__init__(dmm, fe_type, ir.IntType(64))


@infer_getattr
class _ViewAttributes(AttributeTemplate):
    key = View

    def generic_resolve(self, typ: View, attr: str) -> Any:
        return _NUMBA_KIND[typ.kinds[attr]] if attr in typ.kinds else None


@lower_getattr_generic(View)
def _attribute(context: Any, builder: Any, typ: View, value: Any, attr: str) -> Any:
    table = builder.inttoptr(value, ir.IntType(64).as_pointer())
    first, kind = typ.words[attr], typ.kinds[attr]

    def word(position: int) -> Any:
        out = builder.load(cgutils.gep(builder, table, position))
        out.set_metadata("invariant.load", builder.module.add_metadata([]))
        return out

    if kind == "n":
        return word(first)
    ty = _NUMBA_KIND[kind]
    view = context.make_array(ty)(context, builder)
    item = context.get_data_type(ty.dtype)
    size = context.get_constant(types.intp, context.get_abi_sizeof(item))
    pointer = builder.inttoptr(word(first), item.as_pointer())
    populate_array(view, data=pointer, shape=[word(first + 1)], strides=[size], itemsize=size, meminfo=None)
    return view._getvalue()


def _view(view: View) -> Any:
    return view(types.int64), lambda context, builder, signature, args: args[0]


@intrinsic  # type: ignore[misc]
def _unpack(typing_context: Any, header: Any) -> Any:
    """The integers and arrays that a header stands for (compiled code only)."""
    return _view(_MAIN)


@intrinsic  # type: ignore[misc]
def _unpack_tree(typing_context: Any, header: Any) -> Any:
    """Those of a tree (compiled code only)."""
    return _view(_TREE)


@intrinsic  # type: ignore[misc]
def _unpack_saddle(typing_context: Any, header: Any) -> Any:
    """Those of the sparse saddle-point matrix (compiled code only)."""
    return _view(_SADDLE)


@intrinsic  # type: ignore[misc]
def _call_python(typing_context: Any, address: Any, index: Any, t: Any, x: Any, v: Any) -> Any:
    """Call the C callback at `address`: double(int64 index, double t, double x, double v)."""
    signature = types.float64(types.int64, types.int64, types.float64, types.float64, types.float64)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        double, integer = ir.DoubleType(), ir.IntType(64)
        kind = ir.FunctionType(double, [integer, double, double, double])
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])

    return signature, codegen


@intrinsic  # type: ignore[misc]
def _call_kernel(typing_context: Any, address: Any, header: Any) -> Any:
    """Call the compiled function void(int64 header) at `address`: code that most systems do not need stays out."""
    signature = types.void(types.int64, types.int64)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(64)])
        builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])
        return context.get_dummy_value()

    return signature, codegen


# seen from a type checker, intrinsics are ordinary functions
unpack: Callable[[int], Any] = _unpack  # type: ignore[assignment]
unpack_tree: Callable[[int], Any] = _unpack_tree  # type: ignore[assignment]
unpack_saddle: Callable[[int], Any] = _unpack_saddle  # type: ignore[assignment]
call_kernel: Callable[[int, int], None] = _call_kernel  # type: ignore[assignment]
call_python: Callable[[int, int, float, float, float], float] = _call_python  # type: ignore[assignment]
