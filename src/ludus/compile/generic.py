"""Generic functions: declared once, implemented for each class, dispatched at compile time.

`@generic` makes a function that only documents what it does. `@implements(function, Class)` gives it a body for
arguments of that class; numba picks the body from the types of the arguments when it compiles a caller. Code written
with generic functions (a match, a search, a learner) is therefore compiled to straight machine code for each game and
player, with nothing looked up at run time. With the compiler off, the body is picked at each call.

The classes are NamedTuples of numbers, tuples of numbers and arrays. The most specific body wins: one that names the
classes of two arguments goes before one that names the first alone, and that goes before the default body.
"""

import inspect
from collections.abc import Callable, Sequence
from functools import cache, wraps
from typing import Any, TypeVar, overload

from numba import types
from numba.core.errors import TypingError
from numba.core.typing.templates import infer, infer_global, make_overload_template

from ludus.compile.cache import check_class
from ludus.compile.jit import INTERPRETED
from ludus.compile.parts import Part

Function = TypeVar("Function", bound=Callable[..., Any])

_bodies: dict[Callable[..., Any], dict[tuple[type, ...], Callable[..., Any]]] = {}


@overload
def generic(function: Function) -> Function: ...
@overload
def generic(*, optimised: bool) -> Callable[[Function], Function]: ...
def generic(function: Function | None = None, *, optimised: bool = False) -> Function | Callable[[Function], Function]:
    """Make `function`, which only documents, a generic function that `implements` can give bodies to.

    Bodies are optimised with their callers. Where that is not enough, as for evaluators in a search, `optimised` has it
    done to each body before as well, which takes longer to compile.
    """
    if function is None:
        return lambda given: _generic(given, optimised)
    return _generic(function, optimised)


def _generic(function: Function, optimised: bool) -> Function:
    bodies = _bodies[function] = {}

    def best(classes: Sequence[type]) -> Callable[..., Any] | None:
        """The body for arguments of these classes: the one that names the most of them."""
        found = [wanted for wanted in bodies if tuple(classes[: len(wanted)]) == wanted]
        return bodies[max(found, key=len)] if found else None

    if INTERPRETED:

        @wraps(function)
        def dispatch(*arguments: Any) -> Any:
            body = best([type(each) for each in arguments])
            if body is None:
                raise TypingError(f"{function.__name__} is not implemented for {type(arguments[0]).__name__}")
            return body(*arguments)

        _bodies[dispatch] = bodies
        return dispatch  # type: ignore[return-value]

    # numba wants the template to have the very parameter names of the bodies
    names = ", ".join(inspect.signature(function).parameters)
    template = make_overload_template(function, eval(f"lambda {names}: None"), {}, True, "never")

    def part(_: Any, args: Sequence[Any], kws: Any) -> tuple[Part | None, Sequence[Any]]:
        classes = [a.instance_class if isinstance(a, types.BaseNamedTuple) else type(None) for a in args]
        body = best(classes)
        return (None if body is None else _part(body, optimised)), args

    template._get_impl = part
    infer(template)
    infer_global(function, types.Function(template))
    return function


@cache
def _part(body: Callable[..., Any], optimised: bool) -> Part:
    """A body, compiled into each caller: passing a game and a state costs more than most bodies' work.

    Numba would make another one for each set of options that its callers are compiled with.
    """
    return Part(body, inlined=True, raw=not optimised)


def implements(function: Callable[..., Any], *classes: type) -> Callable[[Function], Function]:
    """Give the generic `function` its body where its first arguments are of these `classes`.

    With no class, the body serves every class that has none of its own. A body lives in the module of the generic
    function or of one of the classes, since the cache of machine code watches just these.
    """
    for each in classes:
        check_class(each)

    def register(body: Function) -> Function:
        wanted, given = (list(inspect.signature(f).parameters) for f in (function, body))
        if wanted != given:
            raise TypeError(f"{function.__name__} takes {wanted}, but its body for {classes} takes {given}")
        if classes in _bodies[function]:
            raise TypeError(f"{function.__name__} is implemented for {classes} already")
        homes = [each.__module__ for each in (function, *classes)]
        if body.__module__ not in homes:
            raise TypeError(
                f"{function.__name__} can't be implemented for {classes} in {body.__module__}; "
                f"put the body into one of {', '.join(homes)}"
            )
        # a name of its own: numba tells functions apart by name too, across processes
        body.__name__ = body.__qualname__ = "_".join([function.__name__, *(c.__name__ for c in classes)])
        _bodies[function][classes] = body
        return body

    return register
