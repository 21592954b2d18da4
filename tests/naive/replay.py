"""Records replayed move by move, in Python."""

from collections.abc import Iterable

from ludus.errors import LudusError
from ludus.games.game import Position
from ludus.records.record import BadRecord, Move, without_move_list


def replay(start: Position, moves: Iterable[Move]) -> tuple[tuple[str, ...], Position]:
    """The moves in our notation, and the last position. Passes are added where a file leaves them out."""
    position, found = start, list[str]()
    for text, side, where in moves:
        if "pass" in position.legal and (
            side == 1 - position.current_player or (side is None and text != "pass" and len(position.legal) == 1)
        ):
            position = position.play("pass")
            found.append("pass")
        if position.over and text == "pass":
            continue
        if side == 1 - position.current_player and not position.over:
            raise BadRecord(f"move {len(found) + 1}, {text}, is by the wrong side: it is {position.side}'s turn", where)
        try:
            move = position.move(text)
        except LudusError as problem:
            raise BadRecord(f"move {len(found) + 1}: {without_move_list(problem)}", where) from None
        found.append(position.game.type.move_text(position.game.rules, position.state, move))
        position = position.play(move)
    return tuple(found), position
