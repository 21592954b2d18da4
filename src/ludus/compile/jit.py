"""Compiled functions.

`@kernel` compiles a function with numba when Python first calls it with given types; the machine code is kept on disk
(see `ludus.compile.cache`). Called from another kernel, it is a part of that (see `ludus.compile.parts`). What is
`@inlined` is compiled into each place where it is called.

With `NUMBA_DISABLE_JIT=1` nothing is compiled: the same functions run as the Python that they are written in, with the
same results, a thousand times slower. That is for debugging, for coverage, and for testing the compiler.
"""

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from ludus.compile.parts import Kernel, Part

Function = TypeVar("Function", bound=Callable[..., Any])

INTERPRETED = bool(numba.config.DISABLE_JIT)
"""Whether the compiler is off."""


def _show_compilation() -> None:
    from ludus.compile.progress import show_compilation  # here, so that what is shown shapes no machine code

    show_compilation()


_show_compilation()


def kernel(function: Function) -> Function:
    """Compile `function` when it is first called with given types, and keep the machine code on disk.

    No fast-math and no threads of its own: the same input gives the same bits. Other threads can run meanwhile.
    """
    if INTERPRETED:
        return _as_if_compiled(function)
    return Kernel(function)


class _Thread(threading.local):
    within_kernel = False


_thread = _Thread()


def _as_if_compiled(function: Function) -> Function:
    """The function as Python: numbers pass their limits as quietly as in machine code, and whoever is no kernel is
    given Python's own numbers."""

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        if _thread.within_kernel:
            return function(*arguments, **named)
        _thread.within_kernel = True
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                return _plain(function(*arguments, **named))
        finally:
            _thread.within_kernel = False

    return call  # type: ignore[return-value]


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, tuple):
        parts = map(_plain, value)
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def inlined(function: Function) -> Function:
    """A part of kernels that is compiled into each of its callers, for what is called in their innermost loops.

    Left to itself, the compiler often decides against it, and passing a game and a state costs more than the work.
    """
    return function if INTERPRETED else Part(function, inlined=True)


def instruction(plain: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Makes a function that writes the instructions for a part of kernels itself, one that in Python is `plain`."""
    return lambda written: plain if INTERPRETED else intrinsic(written)


@instruction(lambda value: value)
def without_refcount(context: Any, value: Any) -> Any:
    """The same arrays, or NamedTuple of arrays, whose owners are no longer counted.

    Numba counts the owners of an array at every call that takes it, by atomic operations, which in a small function
    that calls itself cost more than its work. Safe for what a function is given: its caller owns that meanwhile.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _without_owner(context, builder, value, arguments[0])

    return value(value), generate


@instruction(lambda value: None)
def keep_alive(context: Any, value: Any) -> Any:
    """Nothing but a use: until here the arrays of the value live, for those who took them `without_refcount`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.get_dummy_value()

    return types.none(value), generate


def _without_owner(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = array.meminfo.type(None)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        for i, each in enumerate(kind.types):
            part = _without_owner(context, builder, each, builder.extract_value(value, i))
            value = builder.insert_value(value, part, i)
    return value
