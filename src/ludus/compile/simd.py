"""Vectors of sixteen single-precision numbers (lanes), on which the processor works in one or two instructions.

With loops over arrays, the compiler would decide how fast networks are, and also their last bits, as it may or may not
fuse a product with a sum. Here products are always fused with sums and sums have a fixed order, so a network gives the
same bits on every machine.
"""

import operator
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import intrinsic, register_model

from ludus.compile import interpreted as plain
from ludus.compile.jit import INTERPRETED, inlined, instruction

WIDTH, HALF = 16, 8

_FLOAT, _INDEX = ir.FloatType(), ir.IntType(32)


class _Lanes(types.Type):  # type: ignore[misc]
    def __init__(self, width: int) -> None:
        super().__init__(f"Lanes({width})")
        self.width = width
        self.vector = ir.VectorType(_FLOAT, width)


LANES, HALF_LANES = _Lanes(WIDTH), _Lanes(HALF)


@register_model(_Lanes)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, kind.vector)


def _constant(vector: Any, value: float) -> Any:
    return ir.Constant(vector, [ir.Constant(_FLOAT, float(np.float32(value)))] * vector.count)


def _broadcast(builder: Any, number: Any, vector: Any) -> Any:
    undefined = ir.Constant(vector, ir.Undefined)
    single = builder.insert_element(undefined, number, _INDEX(0))
    zeros = ir.Constant(ir.VectorType(_INDEX, vector.count), [0] * vector.count)
    return builder.shuffle_vector(single, undefined, zeros)


def _fma(builder: Any, a: Any, b: Any, c: Any) -> Any:
    """a * b + c, rounded once."""
    kind = ir.FunctionType(c.type, [c.type] * 3)
    name = f"llvm.fma.v{c.type.count}f32"
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [a, b, c])


def _place(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    return builder.gep(data, [index])


def _floats(kind: Any) -> bool:
    return isinstance(kind, types.Array) and (kind.dtype, kind.ndim, kind.layout) == (types.float32, 1, "C")


def _load(lanes: Any) -> Any:
    def loaded(context: Any, array: Any, index: Any) -> Any:
        if not _floats(array):
            return None

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            place = _place(context, builder, signature.args[0], *arguments)
            return builder.load(builder.bitcast(place, lanes.vector.as_pointer()), align=4)

        return lanes(array, types.int64), generate

    return loaded


load = instruction(plain.load)(_load(LANES))
"""Sixteen numbers of an array from that index on."""
load_half = instruction(lambda array, index: plain.load(array, index, HALF))(_load(HALF_LANES))
"""Eight numbers of an array from that index on."""


@instruction(operator.getitem)
def load_number(context: Any, array: Any, index: Any) -> Any:
    """The number at that index, which is not negative: an index might count from the end, which costs a check."""
    if not _floats(array):
        return None

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_place(context, builder, signature.args[0], *arguments))

    return types.float32(array, types.int64), generate


@instruction(plain.store)
def store(context: Any, values: Any, array: Any, index: Any) -> Any:
    """Write the lanes into an array from that index on."""
    if not _floats(array):
        return None

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(context, builder, signature.args[1], *arguments[1:])
        builder.store(arguments[0], builder.bitcast(place, arguments[0].type.as_pointer()), align=4)
        return context.get_dummy_value()

    return types.none(values, array, types.int64), generate


@instruction(plain.zeros)
def zeros(context: Any) -> Any:
    """Sixteen zeros."""
    return LANES(), lambda context, builder, signature, arguments: _constant(LANES.vector, 0.0)


@instruction(lambda: plain.zeros(HALF))
def zeros_half(context: Any) -> Any:
    """Eight zeros."""
    return HALF_LANES(), lambda context, builder, signature, arguments: _constant(HALF_LANES.vector, 0.0)


@instruction(plain.fma)
def fma(context: Any, number: Any, values: Any, more: Any) -> Any:
    """number * values + more."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _fma(builder, _broadcast(builder, arguments[0], arguments[1].type), arguments[1], arguments[2])

    return values(types.float32, values, values), generate


def _pairwise(in_python: Callable[[Any, Any], Any], operation: Callable[[Any, Any, Any], Any]) -> Any:
    @instruction(in_python)
    def combined(context: Any, a: Any, b: Any) -> Any:
        return a(a, a), lambda ctx, builder, sig, args: operation(builder, *args)

    return combined


add = _pairwise(operator.add, lambda builder, a, b: builder.fadd(a, b))
multiply = _pairwise(operator.mul, lambda builder, a, b: builder.fmul(a, b))


@instruction(plain.horizontal_sum)
def horizontal_sum(context: Any, values: Any) -> Any:
    """The sum of the sixteen numbers, by adding halves."""

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


def _tanh_in_python(values: plain.Lanes) -> plain.Lanes:
    for edge, beyond in ((_FARTHEST, np.greater), (-_FARTHEST, np.less)):
        values = np.where(beyond(values, np.float32(edge)), np.float32(edge), values)
    square = values * values

    def polynomial(factors: tuple[float, ...]) -> plain.Lanes:
        constants = [np.full_like(values, each) for each in reversed(factors)]
        return reduce(lambda value, each: plain.fma(value, square, each), constants)

    return values * polynomial(_ABOVE) / polynomial(_BELOW)


@instruction(_tanh_in_python)
def tanh(context: Any, values: Any) -> Any:
    """The hyperbolic tangent, with an error below 7e-6."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        x = arguments[0]
        for edge, beyond in ((_FARTHEST, ">"), (-_FARTHEST, "<")):
            limit = _constant(x.type, edge)
            x = builder.select(builder.fcmp_ordered(beyond, x, limit), limit, x)
        square = builder.fmul(x, x)

        def polynomial(factors: tuple[float, ...]) -> Any:
            constants = [_constant(x.type, each) for each in reversed(factors)]
            return reduce(lambda value, each: _fma(builder, value, square, each), constants)

        return builder.fdiv(builder.fmul(x, polynomial(_ABOVE)), polynomial(_BELOW))

    return values(values), generate


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
"""An array of FLOATS_ON_STACK numbers that lives until the kernel returns, without the cost of a malloc."""
indices_on_stack = _on_stack(types.int64, INDICES_ON_STACK, ir.IntType(64))
"""An array of INDICES_ON_STACK integers that lives until the kernel returns."""
