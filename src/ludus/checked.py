"""Arguments of public functions, checked against the annotations: nothing else checks those that a notebook gives.

`@checked` refuses in one sentence what an annotation does not allow, and passes the rest on as it says: numpy's whole
numbers as Python's, and anything that can be gone through as a list where a sequence is wanted, a single text too. An
annotation in quotes is not looked at.
"""

import functools
import inspect
import numbers
import operator
import os
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, Union, get_args, get_origin

import numpy as np

from ludus.errors import InvalidSetting

Given = ParamSpec("Given")
Result = TypeVar("Result")

LEAST = {"seed": 0, "workers": 1, "snapshots": 0, "trials": 1, "seeds": 1, "fresh": 0}
"""Of whole numbers that mean the same in every function, by their name."""

WORDS: Mapping[Any, str] = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a string",
    Path: "a path",
    Iterable: "several, such as range(1, 11)",
    types.NoneType: "None",
}
UNIONS = (types.UnionType, Union)


class _Refused(Exception):
    """The value is not what the annotation says."""


def checked(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """The function, which raises InvalidSetting for arguments that are not what its annotations say."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*arguments: Given.args, **keywords: Given.kwargs) -> Result:
        bound = signature.bind(*arguments, **keywords)
        for name, value in bound.arguments.items():
            taker = signature.parameters[name]
            if taker.kind is taker.VAR_POSITIONAL:
                bound.arguments[name] = tuple(_take(name, each, taker.annotation) for each in value)
            elif taker.kind is not taker.VAR_KEYWORD:
                bound.arguments[name] = _take(name, value, taker.annotation)
        return function(*bound.args, **bound.kwargs)

    return call


def _take(name: str, value: Any, annotation: Any) -> Any:
    try:
        found = _as(value, annotation)
        if type(found) is int and found < LEAST.get(name, found):
            raise _Refused
    except _Refused:
        least = f", {LEAST[name]} or more" if name in LEAST else ""
        raise InvalidSetting(f"invalid {name}={_shown(value)}: must be {_words(annotation)}{least}") from None
    return found


def _as(value: Any, annotation: Any) -> Any:
    """The value as the annotation says; raises _Refused if it is nothing of the kind."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin in UNIONS:
        for each in inner:
            try:
                return _as(value, each)
            except _Refused:
                continue
        raise _Refused
    if origin is Sequence:
        if isinstance(value, Mapping):
            raise _Refused
        try:
            several = [value] if isinstance(value, str) else list(value)
        except TypeError:
            raise _Refused from None
        return [_as(each, inner[0]) for each in several]
    if origin is tuple:
        if not isinstance(value, Sequence) or len(value) != len(inner):
            raise _Refused
        return tuple(_as(each, wanted) for each, wanted in zip(value, inner, strict=True))
    if annotation is int:
        return _whole(value)
    if _fits(value, origin or annotation):
        return value
    raise _Refused


def _whole(value: Any) -> int:
    if isinstance(value, bool | np.bool_):
        raise _Refused
    try:
        return operator.index(value)
    except TypeError:
        raise _Refused from None


def _fits(value: Any, wanted: Any) -> bool:
    if wanted is bool:
        return isinstance(value, bool | np.bool_)
    if wanted is float:
        return isinstance(value, numbers.Real) and not isinstance(value, bool)
    if wanted is Path:
        return isinstance(value, os.PathLike)
    if wanted is Iterable and isinstance(value, str):
        return False
    return not isinstance(wanted, type) or isinstance(value, wanted)  # what is no class is not looked at


def _words(annotation: Any) -> str:
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin in UNIONS:
        parts = [_words(each) for each in inner]
        return " or ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))
    if origin is Sequence:
        return f"a list, each {_words(inner[0])}"
    if origin is tuple:
        return f"{len(inner)} values, each {_words(inner[0])}"
    wanted = origin or annotation
    return WORDS.get(wanted, f"a {getattr(wanted, '__name__', wanted)}")


def _shown(value: Any) -> str:
    try:
        text = " ".join(repr(value).split())
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 60 else f"{text[:57]}..."
