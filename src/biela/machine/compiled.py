"""The one way in which biela compiles: Numba, with machine code kept on disk in a folder of its own."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba import types
from numba.core.typeinfer import register_dispatcher

from .kept_code import kept, private_folder

_HERE = Path(__file__).parent


@cache
def fingerprint() -> str:
    """Identifies what all machine code depends on: the Python, the Numba, and how it reaches a system's arrays. (What
    else a kernel depends on is in the names of its files: see `code_closure`.)"""
    digest = hashlib.sha256(f"{sys.version}|{numba.__version__}|{llvmlite.__version__}".encode())
    for name in ("compiled.py", "array_table.py"):
        digest.update((_HERE / name).read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path:
    """Where machine code is kept: $BIELA_CACHE, else the user's cache folder, else a temporary one; the user's own."""
    return private_folder(fingerprint())


def compiled(signature: Any = None, **options: Any) -> Callable[[Callable], Any]:
    """Compile a function, with machine code cached in `cache_folder()`.

    Without a signature the function is compiled when first called (and inlined by LLVM where it is used).
    Division by zero gives inf or nan, as in C: no Python exception can leave a compiled loop.
    """

    def decorate(function: Callable) -> Any:
        # contract: a*b + c in one rounding where the processor can; nothing is re-ordered
        arguments = {"error_model": "numpy", "fastmath": {"contract"}, **options}
        dispatcher: Any = numba.njit(**arguments)(function)
        if not hasattr(dispatcher, "compile"):  # NUMBA_DISABLE_JIT
            return dispatcher
        kept(dispatcher, cache_folder())
        if signature is not None:
            with register_dispatcher(dispatcher):
                dispatcher.compile(signature)
                dispatcher.disable_compile()
        return dispatcher

    return decorate


# The three kinds of function that meet through pointers, so that formulations and integrators compile as a
# sum and not as a product. `header` is the address table of a system's arrays (see `array_table`).
HEADER = types.int64
"""the address of the table of addresses"""
EVALUATE = types.int64(HEADER, types.float64)
"""status = f(header, t): reads q, v; writes a, lam, power"""
SETTLE = types.int64(HEADER, types.float64)
"""status = settle(header, t): puts q, v back on the constraints, if the formulation asks for it"""
STEP = types.int64(HEADER, types.FunctionType(EVALUATE), types.FunctionType(SETTLE), types.float64, types.float64)
"""status = step(header, f, settle, t, h): from y(t) to y(t + h)"""
