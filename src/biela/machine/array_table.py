"""One table of addresses instead of a hundred arguments.

A compiled kernel needs some eighty arrays of the system. Passing them through a function pointer would copy
them all at each call; so the caller passes one integer, the *header*: the address of a table that holds the
address and the length of each array. `unpack(header)` is that integer with attributes: s.q reads two words of the
table and makes a view of them. The views own nothing, so Numba counts no references; what a kernel does not use costs
nothing, not even time to compile. The table does not change while a kernel runs, so LLVM reads each word once.
A record (`records`) is a pointer in compiled code: s.par.alpha is one number at a place that is known when compiling.

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

from .fields import FIELDS, SADDLE_FIELDS, TREE_FIELDS
from .records import CLASSES, RECORDS, new_record

_ALL_FIELDS = FIELDS | TREE_FIELDS | SADDLE_FIELDS
Arrays = namedtuple("Arrays", list(_ALL_FIELDS))  # type: ignore[misc]
_NUMBA_KIND = {
    "n": types.int64,
    "i": types.Array(types.uint32, 1, "C"),
    "j": types.Array(types.int64, 1, "C"),
    "f": types.Array(types.float64, 1, "C"),
    "v": types.Array(types.float64, 2, "C"),
}
_NUMBER = {"f": types.float64, "j": types.int64}
_RECORD = {
    name: types.Record.make_c_struct([(field, _NUMBER[record.kind]) for field in record.fields])
    for name, record in RECORDS.items()
}
_NUMPY_KIND = {"i": np.uint32, "j": np.int64, "f": np.float64, "v": np.float64}
_WORDS = {"n": 1, "v": 3}
"""words of the table: an integer itself; address, rows and columns of vectors; of all else address and length"""


def as_arrays(values: dict[str, Any]) -> Arrays:
    """The `Arrays` of a system, NumPy arrays of the right kinds; missing arrays are empty."""
    out = {}
    for name, (kind, _) in _ALL_FIELDS.items():
        value = values.get(name)
        if kind == "n":
            out[name] = int(value or 0)
        elif kind == "r":
            out[name] = new_record(name) if value is None else value.view(CLASSES[name])
        else:
            array = np.ascontiguousarray([] if value is None else value, dtype=_NUMPY_KIND[kind])
            out[name] = np.atleast_2d(array) if kind == "v" else array.ravel()
    return Arrays(**out)


def pack(system: Arrays) -> np.ndarray:
    """The table of a system: for integers the value, for arrays address and lengths. Its address is the header."""
    header = []
    for name, (kind, _) in _ALL_FIELDS.items():
        value = getattr(system, name)
        header += [value] if kind == "n" else [value.ctypes.data, *value.shape]
    return np.array(header, dtype=np.int64)


class View(types.Type):
    """A header in compiled code: its attributes are the system's integers, arrays and records."""

    def __init__(self, name: str, fields: dict[str, tuple[str, str]], first: int):
        super().__init__(name)
        self.kinds = {field: kind for field, (kind, _) in fields.items()}
        self.words: dict[str, int] = {}
        """where in the table each field begins"""
        for field, kind in self.kinds.items():
            self.words[field] = first
            first += _WORDS.get(kind, 2)
        self.end = first

    def type_of(self, field: str) -> Any:
        """What Numba takes an attribute for."""
        return _RECORD[field] if self.kinds[field] == "r" else _NUMBA_KIND[self.kinds[field]]


_MAIN = View("System", FIELDS, 0)
_TREE = View("Tree", TREE_FIELDS, _MAIN.end)
_SADDLE = View("Saddle", SADDLE_FIELDS, _TREE.end)


def word_of(field: str) -> int:
    """Where in the table a field begins."""
    return next(view.words[field] for view in (_MAIN, _TREE, _SADDLE) if field in view.words)


@register_model(View)
class _ViewModel(models.PrimitiveModel):
    """As an integer."""

    def __init__(self, dmm: Any, fe_type: Any):
        super().__init__(dmm, fe_type, ir.IntType(64))


@infer_getattr
class _ViewAttributes(AttributeTemplate):
    key = View

    def generic_resolve(self, typ: View, attr: str) -> Any:
        return typ.type_of(attr) if attr in typ.kinds else None


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
    ty = typ.type_of(attr)
    if kind == "r":
        return builder.inttoptr(word(first), context.get_value_type(ty))
    view = context.make_array(ty)(context, builder)
    item = context.get_data_type(ty.dtype)
    size = context.get_constant(types.intp, context.get_abi_sizeof(item))
    pointer = builder.inttoptr(word(first), item.as_pointer())
    shape = [word(first + k) for k in range(1, _WORDS.get(kind, 2))]
    strides = [size] if len(shape) == 1 else [builder.mul(shape[1], size), size]
    populate_array(view, data=pointer, shape=shape, strides=strides, itemsize=size, meminfo=None)
    return view._getvalue()


def layout(name: str) -> str:
    """Where compiled code finds an attribute of this name: its words in the table, or its place in records."""
    words = [(view.words[name], view.kinds[name]) for view in (_MAIN, _TREE, _SADDLE) if name in view.words]
    places = [(r, list(x.fields).index(name), x.kind) for r, x in RECORDS.items() if name in x.fields]
    return repr((words, places)) if words or places else ""


def _view(view: View) -> Any:
    return view(types.int64), lambda context, builder, signature, args: args[0]


@intrinsic  # type: ignore[misc]
def _unpack(typing_context: Any, header: Any) -> Any:
    """The integers, arrays and records that a header stands for (compiled code only)."""
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
