"""New arrays within kernels.

`np.empty` and its kin are functions that numba compiles anew for each shape and type that a kernel asks for, about a
tenth of a second each. These are a few instructions instead.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.np import arrayobj

from ludus.compile.jit import instruction


def _array(shape: Any, dtype: Any) -> Any:
    return types.Array(dtype.dtype, len(shape) if isinstance(shape, types.BaseTuple) else 1, "C")


def _allocated(context: Any, builder: Any, kind: Any, shape_type: Any, shape: Any) -> Any:
    sides = cgutils.unpack_tuple(builder, shape) if isinstance(shape_type, types.BaseTuple) else [shape]
    given = shape_type.types if isinstance(shape_type, types.BaseTuple) else [shape_type]
    sizes = [context.cast(builder, side, each, types.intp) for side, each in zip(sides, given, strict=True)]
    return arrayobj._empty_nd_impl(context, builder, kind, sizes)


@instruction(np.empty)
def empty(context: Any, shape: Any, dtype: Any) -> Any:
    """An array whose content means nothing yet."""
    kind = _array(shape, dtype)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _allocated(context, builder, kind, shape, arguments[0])._getvalue()

    return kind(shape, dtype), generate


@instruction(np.zeros)
def zeros(context: Any, shape: Any, dtype: Any) -> Any:
    """An array of zeros."""
    kind = _array(shape, dtype)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        made = _allocated(context, builder, kind, shape, arguments[0])
        size = builder.mul(made.itemsize, made.nitems)
        pointer = builder.bitcast(made.data, ir.IntType(8).as_pointer())
        cgutils.memset(builder, pointer, size, 0)
        return made._getvalue()

    return kind(shape, dtype), generate
