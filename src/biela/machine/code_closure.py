"""What the machine code of a function depends on: its own code and all that it uses, functions and constants alike.

Numba looks only at the file of the outermost function to decide whether machine code on disk is still good; kernels
call one another across files. So a kernel's code is kept under a digest of its *closure*: an edit makes anew what it
touches, and nothing else. Comments, docstrings and line numbers touch nothing. Where a kernel finds the arrays and the
fields of records that it names (`array_table`) is part of it, too.
"""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from .array_table import layout

_known: dict[FunctionType, bytes] = {}


def closure_digest(function: FunctionType) -> str:
    """The digest of a function and of all it uses. (To be asked when these are all there: when it is compiled.)

    >>> def double(x):
    ...     return 2.0 * x
    >>> def use(x):
    ...     return double(x) + 1.0
    >>> before = closure_digest(use)
    >>> def double(x):
    ...     return 3.0 * x
    >>> def use(x):
    ...     return double(x) + 1.0
    >>> before == closure_digest(use)
    False
    """
    return _of_function(function, ()).hex()[:20]


def _of_function(function: FunctionType, above: tuple[FunctionType, ...]) -> bytes:
    if function in _known:
        return _known[function]
    if function in above:  # it calls itself, perhaps by way of others
        return function.__qualname__.encode()
    digest = hashlib.sha256(repr((function.__name__, function.__defaults__)).encode())
    used: dict[str, None] = {}
    _add_code(digest, function.__code__, function.__doc__, used)
    here = (*above, function)
    for name in used:
        digest.update(layout(name).encode())
        if name in function.__globals__:
            digest.update(name.encode() + _of_value(function.__globals__[name], here, used))
    for cell in function.__closure__ or ():
        digest.update(_of_value(cell.cell_contents, here, used))
    _known[function] = digest.digest()
    return _known[function]


def _add_code(digest: Any, code: CodeType, doc: str | None, used: dict[str, None]) -> None:
    """Instructions, constants and names, those of functions within it too; not where they stand in the file."""
    digest.update(code.co_code + repr((code.co_names, code.co_varnames, code.co_freevars, code.co_argcount)).encode())
    used.update(dict.fromkeys(code.co_names))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            _add_code(digest, constant, None, used)
        elif constant is None or constant != doc:
            digest.update(_of_plain(constant))


def _of_plain(value: Any) -> bytes:
    if isinstance(value, frozenset):  # its order changes from process to process
        value = sorted(map(repr, value))
    return f"{type(value).__name__} {value!r};".encode()


def _of_value(value: Any, above: tuple[FunctionType, ...], used: dict[str, None]) -> bytes:
    """A thing that compiled code speaks of."""
    if isinstance(value, bool | int | float | complex | str | bytes | frozenset | np.generic | type(None)):
        return _of_plain(value)
    if isinstance(value, tuple | list):
        return b"(" + b",".join(_of_value(v, above, used) for v in value) + b")"
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}".encode() + value.tobytes()
    function = getattr(value, "py_func", value)  # of a compiled function
    if isinstance(function, FunctionType):
        options = repr(sorted(getattr(value, "targetoptions", {}).items(), key=str)).encode()
        return options + _of_function(function, above) if _is_ours(function.__module__) else _name(function)
    if isinstance(value, ModuleType):
        if not _is_ours(value.__name__):
            return value.__name__.encode()
        mine = (_of_value(vars(value)[name], above, used) for name in used if name in vars(value))
        return b"".join(mine)
    definition = getattr(value, "_defn", value)  # of an intrinsic
    module = getattr(definition, "__module__", None) or type(value).__module__
    return _name(definition) + (_text(module) if _is_ours(module) else b"")


def _name(value: Any) -> bytes:
    kind = value if hasattr(value, "__qualname__") else type(value)
    return f"{kind.__module__}.{kind.__qualname__}".encode()


def _is_ours(module: str | None) -> bool:
    return module is not None and module.partition(".")[0] not in ("numba", "numpy", "math", "llvmlite", "builtins")


@cache
def _text(module: str) -> bytes:
    """The source of a module, for what cannot be looked into."""
    file = getattr(sys.modules.get(module), "__file__", None)
    return Path(file).read_bytes() if file else b""
