"""The one way in which biela compiles: Numba, cached on disk in a folder of its own.

Numba looks only at the file of the outermost function to decide whether cached machine code is still good;
our kernels call one another across files. So the cache folder is named after a fingerprint of all the
sources that hold kernels or their constants: any change of them gives a fresh folder.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba import types
from numba.core.typeinfer import register_dispatcher

from .kept_code import kept, private_folder

_PACKAGE = Path(__file__).resolve().parents[1]


@cache
def fingerprint() -> str:
    """Identifies the sources, the Python and the Numba that machine code was made from."""
    digest = hashlib.sha256(f"{sys.version}|{numba.__version__}".encode())
    for folder in ("system", "methods"):
        for path in sorted((_PACKAGE / folder).rglob("*.py")):
            source = path.read_bytes()
            if b"compiled" in source:  # kernels, and the constants that they use, say so
                digest.update(source)
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
# sum and not as a product. `header` is the address table of a system's arrays (see `arena`).
HEADER = types.int64
"""the address of the table of addresses"""
EVALUATE = types.int64(HEADER, types.float64)
"""status = f(header, t): reads q, v; writes a, lam, power"""
SETTLE = types.int64(HEADER, types.float64)
"""status = settle(header, t): puts q, v back on the constraints, if the formulation asks for it"""
STEP = types.int64(HEADER, types.FunctionType(EVALUATE), types.FunctionType(SETTLE), types.float64, types.float64)
"""status = step(header, f, settle, t, h): from y(t) to y(t + h)"""
