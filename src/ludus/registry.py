"""All that can be named: games, evaluators, players, learners and papers, found by what files offer.

To add one, drop a file into its folder that ends with `GAME = ...`, `EVALUATORS = (...,)`, `PLAYERS`, `LEARNERS` or
`PAPER`. Another package offers its own through the entry point group `ludus`: each entry names an object, or a tuple of
them, which is registered by what it is. Folders are imported when something is first asked of them, so this module can
stand below all of them.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pkgutil import walk_packages
from typing import TYPE_CHECKING, Any

from ludus.errors import LudusError

if TYPE_CHECKING:
    from ludus.evaluators.base import EvaluatorKind
    from ludus.games.game import GameType
    from ludus.learners.base import Learner
    from ludus.papers.base import Paper
    from ludus.players.base import PlayerKind


@cache
def game_types() -> "dict[str, GameType]":
    """Every kind of game by name."""
    return dict(sorted(_named("ludus.games", "GAME", "ludus.games.game:GameType").items()))


@cache
def evaluators() -> "dict[str, EvaluatorKind]":
    """Every kind of evaluator by name."""
    return _named("ludus.evaluators", "EVALUATORS", "ludus.evaluators.base:EvaluatorKind")


@cache
def player_kinds() -> "dict[str, PlayerKind]":
    """Every kind of player by name."""
    return _named("ludus.players", "PLAYERS", "ludus.players.base:PlayerKind")


@cache
def learners() -> "dict[str, Learner[Any, Any]]":
    """Every learner by name."""
    return _named("ludus.learners", "LEARNERS", "ludus.learners.base:Learner")


@cache
def papers() -> "dict[str, Paper]":
    """Every paper by key."""
    return _named("ludus.papers", "PAPER", "ludus.papers.base:Paper")


def _named(package: str, attribute: str, base: str) -> dict[str, Any]:
    """Every object of the class `base` that files of the package offer as `attribute`, then those of other packages."""
    module, _, name = base.partition(":")
    kind = getattr(import_module(module), name)
    found: dict[str, Any] = {}
    for each in _offered(package, attribute, kind):
        known_by = getattr(each, "key", None) or each.name
        if found.setdefault(known_by, each) is not each:
            packages = ", ".join(sorted({point.module for point in entry_points(group="ludus")}))
            raise LudusError(
                f"two things are named {known_by}; uninstall one of the packages that extend Ludus ({packages})"
            )
    return found


def _offered(package: str, attribute: str, kind: type) -> Iterator[Any]:
    folder = import_module(package)
    for each in walk_packages(folder.__path__, package + "."):
        yield from _several(getattr(import_module(each.name), attribute, ()))
    for point in entry_points(group="ludus"):
        yield from (found for found in _several(_loaded(point)) if isinstance(found, kind))


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
