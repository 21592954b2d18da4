"""What Ludus raises for input that cannot be right, in kinds that a program can branch on."""

from typing import Any


class LudusError(ValueError):
    """Input that Ludus refuses: its message names what is wrong and what would be right.

    Everything a caller can get wrong raises one of its kinds and nothing else. The command line prints the message and
    exits with code 2.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Kinds whose message is put together from several arguments come back from other processes, too."""
        return _again, (type(self), self.args, vars(self))


def _again(kind: type[LudusError], arguments: tuple[Any, ...], fields: dict[str, Any]) -> LudusError:
    """An error as it was in another process."""
    error = kind.__new__(kind, *arguments)
    vars(error).update(fields)
    return error


class UnknownName(LudusError):
    """There is no game, player, evaluator, learner, paper or other thing of that name."""


class InvalidSetting(LudusError):
    """A setting, option or argument that is not known here, or a value that is out of its bounds."""


class MoveError(LudusError):
    """A move that can't be made."""


class InvalidMove(MoveError):
    """Text that is no move of the game at all."""


class IllegalMove(MoveError):
    """A move that the rules don't allow in the position."""


class AmbiguousMove(MoveError):
    """Text that may mean several legal moves."""


class InvalidPosition(LudusError):
    """Text that describes no position, or one that can't be."""


class WrongGame(LudusError):
    """A player, record or option of one game that was used with another."""


class DamagedFile(LudusError):
    """A file that is not what its name or place says, or only a part of it."""


class StorageError(LudusError):
    """A file or folder that can't be read, written or locked."""


class AlreadyAsked(StorageError):
    """A folder that holds a run, league or report that was asked for with other settings."""


class EngineError(LudusError):
    """Another program that can't be started or does not answer as its protocol demands."""


class MissingDependency(LudusError):
    """An optional package or program that is not installed."""

    @classmethod
    def extra(cls, needs: str, extra: str) -> "MissingDependency":
        """That of a package which an extra of Ludus installs; `needs` says who needs which."""
        return cls(f"{needs}: in a checkout of Ludus, pip install --editable '.[{extra}]'")
