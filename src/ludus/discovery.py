"""Finding what the files of a folder offer, so that adding something means adding one file."""

from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, Protocol, TypeVar

from ludus.errors import LudusError


class Named(Protocol):
    @property
    def name(self) -> str: ...


Kind = TypeVar("Kind")
NamedKind = TypeVar("NamedKind", bound=Named)


def offered(folder: ModuleType, name: str, kind: type[Kind]) -> Iterator[Kind]:
    """Every object of that kind which a file in `folder` offers under `name`, alone or in a tuple.

    Then those that other packages offer through the entry point group `ludus`, each by what it is.
    """
    for each in iter_modules(folder.__path__, folder.__name__ + "."):
        yield from _several(getattr(import_module(each.name), name, ()))
    for point in entry_points(group="ludus"):
        yield from (found for found in _several(_loaded(point)) if isinstance(found, kind))


def named(folder: ModuleType, name: str, kind: type[NamedKind]) -> dict[str, NamedKind]:
    """The same by their names, of which each can be had once."""
    found: dict[str, NamedKind] = {}
    for each in offered(folder, name, kind):
        if found.setdefault(each.name, each) is not each:
            packages = ", ".join(sorted({point.module for point in entry_points(group="ludus")}))
            raise LudusError(
                f"two things are named {each.name}; of what other packages offer ({packages}), uninstall one"
            )
    return found


def _several(found: Any) -> tuple[Any, ...]:
    return found if isinstance(found, tuple) and not hasattr(found, "_fields") else (found,)


def _loaded(point: EntryPoint) -> Any:
    try:
        return point.load()
    except Exception as problem:
        package = point.dist.name if point.dist else point.module
        raise LudusError(
            f"{point.value} of the package {package} can't be loaded ({type(problem).__name__}: {problem}); "
            "repair the package, or uninstall it"
        ) from problem
