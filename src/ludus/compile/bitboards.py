"""Bitboards: sets of squares as bits.

A set is one 64-bit word, or a tuple of words where a board has more than 64 squares; the functions for tuples are
compiled for each length without a loop. Lanes are four words side by side, one for each line through a square, on which
the processor's vector unit works in one instruction.
"""

from collections.abc import Callable
from functools import reduce
from itertools import pairwise
from operator import and_, lshift, or_, rshift
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from ludus.compile import interpreted as plain
from ludus.compile.jit import inlined, instruction

_NO, _YES = ir.IntType(1)(0), ir.IntType(1)(1)
_WORD = ir.IntType(64)


@instruction(plain.popcount)
def popcount(context: Any, word: Any) -> Any:
    """How many bits of a word are set (population count)."""
    return types.int64(types.uint64), lambda ctx, builder, sig, args: builder.ctpop(args[0])


@instruction(plain.lowest_bit)
def lowest_bit(context: Any, word: Any) -> Any:
    """The index of the lowest set bit; 64 if there is none (count of trailing zeros)."""
    return types.int64(types.uint64), lambda ctx, builder, sig, args: builder.cttz(args[0], _NO)


@inlined
def write_bits(word: np.uint64, base: int, out: Any, n: int) -> Any:
    """Write `base` plus the index of each set bit into `out` from `n` on; return the new `n`.

    Writes in blocks of eight, since a branch for each bit would often be mispredicted; `out` must have room for seven
    more.
    """
    count = popcount(word)
    for i in range(n, n + count, 8):
        for j in range(i, i + 8):
            out[j] = base + lowest_bit(word)
            word &= word - np.uint64(1)
    return n + count


def _word_by_word(in_python: Callable[[Any, Any], Any], operation: Callable[[Any, Any, Any], Any]) -> Any:
    """A function of two tuples of words that applies `operation` to each pair of words."""

    @instruction(plain.word_by_word(in_python))
    def combined(context: Any, a: Any, b: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pairs = zip(*(cgutils.unpack_tuple(builder, each) for each in arguments), strict=True)
            return context.make_tuple(builder, signature.return_type, [operation(builder, x, y) for x, y in pairs])

        return a(a, a), generate

    return combined


intersection = _word_by_word(and_, lambda builder, x, y: builder.and_(x, y))
union = _word_by_word(or_, lambda builder, x, y: builder.or_(x, y))
difference = _word_by_word(lambda x, y: x & ~y, lambda builder, x, y: builder.and_(x, builder.not_(y)))


@instruction(plain.shift_up)
def shift_up(context: Any, board: Any, distance: Any) -> Any:
    """The set shifted up by `distance` (1 to 63) bits; what leaves the last word is lost."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        words, distance = cgutils.unpack_tuple(builder, arguments[0]), arguments[1]
        rest = builder.sub(_WORD(64), distance)
        moved = [builder.or_(builder.shl(word, distance), builder.lshr(below, rest)) for below, word in pairwise(words)]
        return context.make_tuple(builder, signature.return_type, [builder.shl(words[0], distance), *moved])

    return board(board, types.int64), generate


@instruction(plain.shift_down)
def shift_down(context: Any, board: Any, distance: Any) -> Any:
    """The set shifted down by `distance` (1 to 63) bits; what leaves the first word is lost."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        words, distance = cgutils.unpack_tuple(builder, arguments[0]), arguments[1]
        rest = builder.sub(_WORD(64), distance)
        moved = [builder.or_(builder.lshr(word, distance), builder.shl(above, rest)) for word, above in pairwise(words)]
        return context.make_tuple(builder, signature.return_type, [*moved, builder.lshr(words[-1], distance)])

    return board(board, types.int64), generate


@instruction(plain.single)
def single(context: Any, board: Any, square: Any) -> Any:
    """The set of one square, in as many words as `board` has."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        square = arguments[1]
        bit = builder.shl(_WORD(1), builder.and_(square, _WORD(63)))
        index = builder.lshr(square, _WORD(6))
        words = [
            builder.select(builder.icmp_unsigned("==", index, _WORD(i)), bit, _WORD(0))
            for i in range(signature.return_type.count)
        ]
        return context.make_tuple(builder, signature.return_type, words)

    return board(board, types.int64), generate


@instruction(plain.any_set)
def any_set(context: Any, board: Any) -> Any:
    """Whether the set is not empty."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        words = cgutils.unpack_tuple(builder, arguments[0])
        return builder.icmp_unsigned("!=", reduce(builder.or_, words), _WORD(0))

    return types.boolean(board), generate


@instruction(plain.cardinality)
def cardinality(context: Any, board: Any) -> Any:
    """How many squares the set has."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return reduce(builder.add, [builder.ctpop(word) for word in cgutils.unpack_tuple(builder, arguments[0])])

    return types.int64(board), generate


@instruction(plain.first_square)
def first_square(context: Any, board: Any) -> Any:
    """The lowest square of the set, which must not be empty."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        words = cgutils.unpack_tuple(builder, arguments[0])
        found = builder.add(builder.cttz(words[-1], _YES), _WORD(64 * (len(words) - 1)))
        for i, word in reversed(list(enumerate(words[:-1]))):
            here = builder.add(builder.cttz(word, _YES), _WORD(64 * i))
            found = builder.select(builder.icmp_unsigned("!=", word, _WORD(0)), here, found)
        return found

    return types.int64(board), generate


def _lane_by_lane(in_python: Callable[[Any, Any], Any], operation: Callable[[Any, Any, Any], Any]) -> Any:
    """A function of two lanes that applies `operation` to all four words at once."""

    @instruction(plain.word_by_word(in_python))
    def combined(context: Any, a: Any, b: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            result = operation(builder, *(_packed(builder, each) for each in arguments))
            words = [builder.extract_element(result, _INDEX(i)) for i in range(4)]
            return context.make_tuple(builder, signature.return_type, words)

        return _LANES(_LANES, _LANES), generate

    return combined


_LANES = types.UniTuple(types.uint64, 4)
_INDEX = ir.IntType(32)


def _packed(builder: Any, words: Any) -> Any:
    vector = ir.Constant(ir.VectorType(_WORD, 4), ir.Undefined)
    for i, word in enumerate(cgutils.unpack_tuple(builder, words)):
        vector = builder.insert_element(vector, word, _INDEX(i))
    return vector


def _kept_where(builder: Any, a: Any, b: Any) -> Any:
    nothing = ir.Constant(b.type, [_WORD(0)] * 4)
    return builder.select(builder.icmp_unsigned("!=", b, nothing), a, nothing)


lanes_and = _lane_by_lane(and_, lambda builder, a, b: builder.and_(a, b))
lanes_or = _lane_by_lane(or_, lambda builder, a, b: builder.or_(a, b))
lanes_shl = _lane_by_lane(lshift, lambda builder, a, b: builder.shl(a, b))
lanes_shr = _lane_by_lane(rshift, lambda builder, a, b: builder.lshr(a, b))
lanes_where = _lane_by_lane(plain.kept_where, _kept_where)
"""The words of the first lanes where those of the second are not 0, and 0 elsewhere."""


@inlined
def mixed(one: Any, other: Any) -> Any:
    """32 bits that depend on every bit of two words: where a table keeps what belongs to them."""
    bits = one * np.uint64(0x9E3779B97F4A7C15) ^ (other + (one >> np.uint64(32))) * np.uint64(0xC2B2AE3D27D4EB4F)
    return ((bits ^ (bits >> np.uint64(29))) * np.uint64(0x165667B19E3779F9)) >> np.uint64(32)
