"""Elementary functions of single numbers, written out, so that they are compiled into the kernels that call them.

The ones of the system's library take a call or two, and their last bits depend on the library and the processor. These
give the same bits everywhere.
"""

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numpy.typing import NDArray

from ludus.compile import interpreted as plain
from ludus.compile.jit import inlined, instruction

_DOUBLE, _WORD = ir.DoubleType(), ir.IntType(64)

BITS = 7
PARTS = 1 << BITS
"""In so many parts a doubling is divided: e**x is a power of two, times one of these roots of 2, times nearly 1."""

LEAST, MOST = -708.0, 709.0
"""Of what `exp` takes: beyond them e**x is no ordinary number."""


def _roots_of_two() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The powers of 2**(1/PARTS) as the nearest numbers, and by which part of each the true power is larger."""
    digits = 200
    root, power = 2 << digits, 1 << digits
    for _ in range(BITS):
        root = math.isqrt(root << digits)
    nearest, rests = [], []
    for _ in range(PARTS):
        nearest.append(power / (1 << digits))
        exact = int(nearest[-1] * 2**52) << (digits - 52)
        rests.append((power - exact) / exact)
        power = power * root >> digits
    return np.array(nearest), np.array(rests)


_ROOTS, _RESTS = _roots_of_two()

# as in the exp of ARM's optimized routines, which the GNU C library has: ln 2 / PARTS in two numbers, and a polynomial
# whose error is below 0.51 units in the last place of e**x
_PARTS_OF_ONE = PARTS / math.log(2)
_PART_HIGH, _PART_LOW = float.fromhex("0x1.62e42fefa0000p-8"), float.fromhex("0x1.cf79abc9e3b39p-47")
_C2, _C3, _C4, _C5 = map(
    float.fromhex, ("0x1.ffffffffffdbdp-2", "0x1.555555555543cp-3", "0x1.55555cf172b91p-5", "0x1.1111167a4d017p-7")
)
_TO_INTEGER = 1.5 * 2**52
"""Added to a number, it leaves no digits behind the point."""


@instruction(plain.fused)
def fused(context: Any, a: Any, b: Any, c: Any) -> Any:
    """a * b + c, rounded once."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(_DOUBLE, [_DOUBLE] * 3)
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.fma.f64"), arguments)

    return types.float64(types.float64, types.float64, types.float64), generate


@instruction(math.ldexp)
def times_power_of_two(context: Any, value: Any, exponent: Any) -> Any:
    """value * 2**exponent, both ordinary numbers, not 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bits = builder.bitcast(arguments[0], _WORD)
        return builder.bitcast(builder.add(bits, builder.shl(arguments[1], _WORD(52))), _DOUBLE)

    return types.float64(types.float64, types.int64), generate


@inlined
def exp(x: float) -> Any:
    """e**x from LEAST to MOST, and beyond either its value there."""
    x = min(max(x, LEAST), MOST)
    whole = fused(x, _PARTS_OF_ONE, _TO_INTEGER) - _TO_INTEGER
    parts = int(whole)
    r = fused(-whole, _PART_LOW, fused(-whole, _PART_HIGH, x))
    square = r * r
    much = fused(fused(r, _C3, _C2), square, r + _RESTS[parts & (PARTS - 1)])
    more = fused(square * square, fused(r, _C5, _C4), much)
    scale = times_power_of_two(_ROOTS[parts & (PARTS - 1)], parts >> BITS)
    return fused(scale, more, scale)


@inlined
def logistic(x: float) -> float:
    """1 / (1 + e**-x); 0 where that is less than any ordinary number."""
    return 0.0 if x <= -MOST else 1.0 / (1.0 + exp(-x))
