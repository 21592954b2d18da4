"""Sixteen single-precision numbers side by side, which the processor's vector unit handles in one or two operations.

Written as loops over arrays, networks would depend on what the compiler makes of them: how fast they are, and, as it
may or may not fuse a product and a sum, their last bits. Here both are said: products are always fused with sums, and
sums are taken in a fixed order. So a network judges a position the same to the bit on every machine.
"""

from collections.abc import Callable
from functools import reduce
from operator import add, mul
from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import intrinsic, register_model

from ludus import plain
from ludus.kernels import INTERPRETED, inlined, instruction

WIDTH = 16

_FLOAT, _INDEX = ir.FloatType(), ir.IntType(32)
_VECTOR = ir.VectorType(_FLOAT, WIDTH)


class _Lanes(types.Type):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__("Lanes")


LANES = _Lanes()


@register_model(_Lanes)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)


def _constant(value: float) -> Any:
    return ir.Constant(_VECTOR, [ir.Constant(_FLOAT, float(np.float32(value)))] * WIDTH)


def _everywhere(builder: Any, number: Any) -> Any:
    single = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), number, _INDEX(0))
    return builder.shuffle_vector(
        single, ir.Constant(_VECTOR, ir.Undefined), ir.Constant(ir.VectorType(_INDEX, WIDTH), [0] * WIDTH)
    )


def _fused(builder: Any, a: Any, b: Any, c: Any) -> Any:
    """a * b + c, rounded once."""
    kind = ir.FunctionType(_VECTOR, [_VECTOR] * 3)
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.fma.v{WIDTH}f32"), [a, b, c])


def _place(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), _VECTOR.as_pointer())


def _floats(kind: Any) -> bool:
    return isinstance(kind, types.Array) and (kind.dtype, kind.ndim, kind.layout) == (types.float32, 1, "C")


@instruction(plain.lanes)
def lanes(context: Any, array: Any, index: Any) -> Any:
    """The numbers of an array from that index on."""
    if not _floats(array):
        return None

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_place(context, builder, signature.args[0], *arguments), align=4)

    return LANES(array, types.int64), generate


@instruction(plain.keep)
def keep(context: Any, values: Any, array: Any, index: Any) -> Any:
    """Write the lanes into an array from that index on."""
    if not _floats(array):
        return None

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[0], _place(context, builder, signature.args[1], *arguments[1:]), align=4)
        return context.get_dummy_value()

    return types.none(LANES, array, types.int64), generate


@instruction(plain.nothing)
def nothing(context: Any) -> Any:
    """Sixteen zeros."""
    return LANES(), lambda context, builder, signature, arguments: _constant(0.0)


@instruction(plain.fused)
def times_plus(context: Any, number: Any, values: Any, more: Any) -> Any:
    """number * values + more."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _fused(builder, _everywhere(builder, arguments[0]), arguments[1], arguments[2])

    return LANES(types.float32, LANES, LANES), generate


def _pairwise(in_python: Callable[[Any, Any], Any], operation: Callable[[Any, Any, Any], Any]) -> Any:
    @instruction(in_python)
    def combined(context: Any, a: Any, b: Any) -> Any:
        return LANES(LANES, LANES), lambda ctx, builder, sig, args: operation(builder, *args)

    return combined


plus = _pairwise(add, lambda builder, a, b: builder.fadd(a, b))
times = _pairwise(mul, lambda builder, a, b: builder.fmul(a, b))


@instruction(plain.total)
def total(context: Any, values: Any) -> Any:
    """The sum of the sixteen numbers, halves first."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        sums, width = arguments[0], WIDTH
        while width > 1:
            width //= 2
            kind = ir.VectorType(_INDEX, width)
            low, high = (
                builder.shuffle_vector(sums, sums, ir.Constant(kind, list(range(begin, begin + width))))
                for begin in (0, width)
            )
            sums = builder.fadd(low, high)
        return builder.extract_element(sums, _INDEX(0))

    return types.float32(LANES), generate


# Lambert's continued fraction x / (1 + x^2 / (3 + x^2 / (5 + ...))), cut after nine terms, as a quotient of polynomials
# in x^2. It reaches 1 at 6.297; from there on the value is kept. The largest error, there, is 7e-6.
_ABOVE = (34459425.0, 4729725.0, 135135.0, 990.0, 1.0)
_BELOW = (34459425.0, 16216200.0, 945945.0, 13860.0, 45.0)
_FARTHEST = 6.297


def _squashed_in_python(values: plain.Lanes) -> plain.Lanes:
    for edge, beyond in ((_FARTHEST, np.greater), (-_FARTHEST, np.less)):
        values = np.where(beyond(values, np.float32(edge)), np.float32(edge), values)
    square = values * values

    def polynomial(factors: tuple[float, ...]) -> plain.Lanes:
        constants = [np.full_like(values, each) for each in reversed(factors)]
        return reduce(lambda value, each: plain.fused(value, square, each), constants)

    return values * polynomial(_ABOVE) / polynomial(_BELOW)


@instruction(_squashed_in_python)
def squashed(context: Any, values: Any) -> Any:
    """The hyperbolic tangent, within 7e-6."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        x = arguments[0]
        for edge, beyond in ((_FARTHEST, ">"), (-_FARTHEST, "<")):
            limit = _constant(edge)
            x = builder.select(builder.fcmp_ordered(beyond, x, limit), limit, x)
        square = builder.fmul(x, x)

        def polynomial(factors: tuple[float, ...]) -> Any:
            constants = [_constant(each) for each in reversed(factors)]
            return reduce(lambda value, each: _fused(builder, value, square, each), constants)

        return builder.fdiv(builder.fmul(x, polynomial(_ABOVE)), polynomial(_BELOW))

    return LANES(LANES), generate


def _on_stack(kind: Any, size: int, unit: Any) -> Any:
    if INTERPRETED:
        return lambda: np.empty(size, kind.name)

    @intrinsic
    def pointer(context: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            room = cgutils.alloca_once(builder, ir.ArrayType(unit, size))
            return builder.bitcast(room, unit.as_pointer())

        return types.CPointer(kind)(), generate

    @inlined
    def room():
        return carray(pointer(), (size,))

    return room


FLOATS_ON_STACK, INDICES_ON_STACK = 2048, 512
floats_on_stack = _on_stack(types.float32, FLOATS_ON_STACK, _FLOAT)
"""Room for so many numbers, gone when the kernel that asks for it returns; an array would cost a malloc."""
indices_on_stack = _on_stack(types.int64, INDICES_ON_STACK, ir.IntType(64))
"""The same for whole numbers."""
