"""One array of scratch numbers, cut into pieces that have names.

A workspace is a named tuple. Filled with integers it says how long each piece is, and `sum` of it how long the array
must be; `cut` lays the pieces one after the other and returns the same named tuple, filled with views of the array:

    w = cut(array, Workspace(u=n, residual=n + m))        w.u[i], w.residual[i]

Like the views of `array_table` they own nothing: to make them is arithmetic on addresses, and what is not used of it
costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array


@intrinsic  # type: ignore[misc]
def _cut(typing_context: Any, array: Any, lengths: Any) -> Any:
    """Named views of an array, one after the other (compiled code only)."""
    kind = types.NamedUniTuple(array, len(lengths), lengths.instance_class)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        item = context.get_data_type(array.dtype)
        size = context.get_constant(types.intp, context.get_abi_sizeof(item))
        at = context.make_array(array)(context, builder, args[0]).data
        pieces = []
        for k in range(len(lengths)):
            length = builder.extract_value(args[1], k)
            view = context.make_array(array)(context, builder)
            populate_array(view, data=at, shape=[length], strides=[size], itemsize=size, meminfo=None)
            pieces.append(view._getvalue())
            at = builder.gep(at, [length], inbounds=True)
        return context.make_tuple(builder, signature.return_type, pieces)

    return kind(array, lengths), codegen


cut: Callable[[Any, Any], Any] = _cut  # type: ignore[assignment]
