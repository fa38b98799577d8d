"""Doors from Python into the compiled time loop that cost nothing to open.

Numba looks every function argument over at each call, which takes longer than a hundred steps of a small mechanism.
So the doors take addresses, found once per function, and make functions of them inside.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ..system.compiled import EVALUATE, HEADER, SETTLE, STEP, compiled
from . import march as m

_ADDRESS, _TIME, _COUNT = types.int64, types.float64, types.int64
_TABLES = (m._LIST, m._TABLE, m._TABLE, m._TABLE, m._TABLE)


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
_known: dict[Any, int] = {}


def address(function: Any) -> int:
    """Where the machine code of a compiled function with one signature begins."""
    if function not in _known:
        (made,) = function.overloads.values()
        _known[function] = made.library.get_pointer_to_function(made.fndesc.llvm_func_name)
    return _known[function]


@compiled(m._COUNTS(HEADER, _ADDRESS, _ADDRESS, _ADDRESS, _TIME, _TIME, _COUNT, _COUNT, _COUNT, _COUNT, *_TABLES))
def _march(header, step, f, settle, t0, h, first, count, total, stride, out_t, out_y, out_ydot, out_lam, out_turns):
    return m.march(header, step_at(step), evaluate_at(f), settle_at(settle), t0, h, first, count, total, stride,
                   out_t, out_y, out_ydot, out_lam, out_turns)  # fmt: skip


@compiled(types.UniTuple(types.float64, 4)(HEADER, _ADDRESS, _ADDRESS, _ADDRESS, _TIME, _TIME, _TIME, _TIME, _COUNT,
                                           _COUNT, *_TABLES))  # fmt: skip
def _march_adaptive(header, step, f, settle, t, t_end, h, h_max, trials, row, out_t, out_y, out_ydot, out_lam,
                    out_turns):  # fmt: skip
    return m.march_adaptive(header, step_at(step), evaluate_at(f), settle_at(settle), t, t_end, h, h_max, trials, row,
                            out_t, out_y, out_ydot, out_lam, out_turns)  # fmt: skip


@compiled(types.int64(HEADER, _ADDRESS, _ADDRESS, _TIME))
def _begin(header, f, settle, t):
    return m.begin(header, evaluate_at(f), settle_at(settle), t)


def march(header: int, step: Any, f: Any, settle: Any, *rest: Any) -> tuple[int, int]:
    """`march.march`."""
    return _march(header, address(step), address(f), address(settle), *rest)


def march_adaptive(header: int, step: Any, f: Any, settle: Any, *rest: Any) -> tuple[float, float, float, float]:
    """`march.march_adaptive`."""
    return _march_adaptive(header, address(step), address(f), address(settle), *rest)


def begin(header: int, f: Any, settle: Any, t: float) -> int:
    """`march.begin`."""
    return _begin(header, address(f), address(settle), t)
