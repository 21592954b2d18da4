"""The end of games in which both sides agree on dead pieces before they count, as Go players do.

When a game is over on the board and a person played it, the machine proposes which pieces are dead. The person may mark
others, and agrees, which decides the game, or resumes it.
"""

from typing import Any

from ludus.errors import LudusError
from ludus.games.game import Count, Game, Position

AGREED = "agreed"
"""Why a game ended otherwise than the board alone says: by dead pieces."""


def proposed_dead(position: Position) -> frozenset[int] | None:
    """What the machine takes for dead; None where there is nothing to agree about."""
    found = position.game.type.dead_pieces(position)
    return None if found is None else frozenset(found)


def toggled(position: Position, dead: frozenset[int], name: str) -> frozenset[int]:
    """The dead pieces after somebody has pointed at one: its whole chain changes sides between dead and alive."""
    square = square_named(position.game, name)
    if not position.cells[square]:
        raise LudusError(f"there is nothing on {name[:10]}; choose a piece")
    chain = _chain(position, square)
    return dead - chain if square in dead else dead | chain


def _chain(position: Position, square: int) -> frozenset[int]:
    """The pieces of one colour that are connected with this one, side by side."""
    places = position.game.coordinates
    squares = {place: i for i, place in enumerate(places)}
    found, frontier = {square}, [square]
    while frontier:
        row, column = places[frontier.pop()]
        for place in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            near = squares.get(place)
            if near is not None and near not in found and position.cells[near] == position.cells[square]:
                found.add(near)
                frontier.append(near)
    return frozenset(found)


def square_named(game: Game, name: str) -> int:
    """The square of that name."""
    for square in range(game.squares):
        if game.type.square_name(game.rules, square) == name:
            return square
    raise LudusError(f"there is no square {name[:10]!r} on this board")


def outcome_without(position: Position, dead: frozenset[int]) -> float:
    """The outcome for the first player once the dead pieces are off the board."""
    count = position.game.type.count(position, dead)
    assert count is not None
    one, other = count.totals
    return 1.0 if one > other else 0.0 if one < other else 0.5


def count_payload(position: Position, dead: frozenset[int]) -> dict[str, Any] | None:
    """How the game is counted, as the page draws it."""
    count: Count | None = position.game.type.count(position, dead)
    if count is None:
        return None
    return {
        "owners": "".join({1: "x", -1: "o", 0: "."}[owner] for owner in count.owners),
        "dead": sorted(dead),
        "pieces": list(count.pieces),
        "territory": list(count.territory),
        "bonus": list(count.bonus),
        "totals": list(count.totals),
    }
