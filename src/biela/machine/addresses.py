"""Compiled functions by their addresses: what the time loops take.

Numba looks every function argument over at each call, which takes longer than a hundred steps of a small mechanism.
So the loops take addresses, found once per function, and make functions of them inside.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .compiled import EVALUATE, HEADER, SETTLE, STEP

ADDRESS, TIME, COUNT = types.int64, types.float64, types.int64
_TABLE = types.Array(types.float64, 2, "C")
TABLES = (types.Array(types.float64, 1, "C"), _TABLE, _TABLE, _TABLE, _TABLE)
"""t, y, y', multipliers and turns of the samples"""
COUNTS = types.UniTuple(types.int64, 2)
"""status, steps taken"""
PLACES = types.UniTuple(types.float64, 4)
"""status, t, next step, next row"""


def _function_at(signature: Any) -> Any:
    kind = types.FunctionType(signature)

    def codegen(context: Any, builder: Any, _: Any, args: Any) -> Any:
        value = cgutils.create_struct_proxy(kind)(context, builder)
        nothing = cgutils.get_null_value(cgutils.voidptr_t)
        value.c_addr, value.py_addr = nothing, nothing
        value.jit_addr = builder.inttoptr(args[0], cgutils.voidptr_t)
        return value._getvalue()

    @intrinsic
    def at(typingctx: Any, address: Any) -> Any:
        return kind(types.int64), codegen

    return at


evaluate_at, settle_at, step_at = (_function_at(kind) for kind in (EVALUATE, SETTLE, STEP))
rows_and_forces_at, energies_at = _function_at(TIME(HEADER, TIME)), _function_at(types.UniTuple(TIME, 2)(HEADER))
_known: dict[Any, int] = {}


def address(function: Any) -> int:
    """Where the machine code of a compiled function with one signature begins, or that of a tape."""
    if hasattr(function, "address"):
        return function.address
    if function not in _known:
        (made,) = function.overloads.values()
        _known[function] = made.library.get_pointer_to_function(made.fndesc.llvm_func_name)
    return _known[function]
