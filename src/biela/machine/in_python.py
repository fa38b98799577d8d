"""Kernels run by Python itself, on numbers of any kind: symbols that write equations, numbers that record a tape.

A kernel is plain arithmetic on arrays. Its Python source does the same for whatever can be added and multiplied, once
the functions of `math` and the way to the arrays are replaced by others.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any


def in_python(
    kernel: Any, replace: dict[str, Any], constant: Callable[[float], Any] = float
) -> Callable[..., Any]:
    """The Python source of a kernel with names replaced, and those of all that it calls. `constant` is what takes the
    place of a number that is written in the source."""
    made: dict[int, Callable] = {}

    def own(x: Any) -> Any:
        return constant(x) if isinstance(x, float) else tuple(map(own, x)) if isinstance(x, tuple) else x

    def make(function: Any) -> Callable:
        if id(function) in made:
            return made[id(function)]
        plain = getattr(function, "py_func", function)
        scope = dict(plain.__globals__)
        code = plain.__code__.replace(co_consts=own(plain.__code__.co_consts))
        twin = FunctionType(code, scope, plain.__name__, plain.__defaults__, plain.__closure__)
        made[id(function)] = twin

        def instead(name: str, value: Any) -> Any:
            return replace[name] if name in replace else make(value) if hasattr(value, "py_func") else value

        for name in plain.__code__.co_names:
            if isinstance(scope.get(name), ModuleType):  # `distance.strain`, `math.sqrt`
                attributes = vars(scope[name])
                used = {x: attributes[x] for x in plain.__code__.co_names if x in attributes}
                scope[name] = SimpleNamespace(**{x: instead(x, value) for x, value in used.items()})
            elif name in scope or name in replace:
                scope[name] = instead(name, scope.get(name))
        return twin

    return make(kernel)
