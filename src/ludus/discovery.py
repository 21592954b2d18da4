"""Finding what the files of a folder offer, so that adding something means adding one file."""

from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from types import ModuleType
from typing import TypeVar

Kind = TypeVar("Kind")


def offered(folder: ModuleType, name: str, kind: type[Kind]) -> Iterator[Kind]:
    """Every object of that kind which a file in `folder` offers under `name`, alone or in a tuple.

    Then those that other packages offer through the entry point group `ludus`.
    """
    for each in iter_modules(folder.__path__, folder.__name__ + "."):
        found = getattr(import_module(each.name), name, ())
        yield from found if isinstance(found, tuple) else (found,)
    for point in entry_points(group="ludus"):
        if isinstance(found := point.load(), kind):
            yield found
