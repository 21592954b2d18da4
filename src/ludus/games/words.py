"""Moves in words: what one does on the board, and what it leaves to the opponent.

A game says both by `GameType.deeds` and `GameType.prospects`; the bodies there go by pieces and legal moves alone, so
every game has them. The sentence is made here.
"""

from ludus.games.game import Position

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

FEW_MOVES = 3
"""So many legal moves or fewer are worth a word."""


def number(count: int) -> str:
    """A small number in words."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def counted(count: int, one: str, many: str) -> str:
    """So many of something: `two discs`."""
    return f"{number(count)} {one if count == 1 else many}"


def sentence(position: Position, move: str, subject: str = "It") -> str:
    """What a legal move does: `It takes the corner a1; the opponent is left with two moves.`"""
    game_type, after = position.game.type, position.play(move)
    deeds = game_type.deeds(position, move, after) or [f"plays {move}" if subject == "It" else "is a quiet move"]
    if subject == move:  # which needs no second mention
        deeds = [deed.replace(f" {move}", "") for deed in deeds]
    if move == "pass" and subject != "It":
        subject, deeds = "A pass", [] if after.over else ["gives the turn away"]
    prospects = [] if after.over else game_type.prospects(position, after)
    if after.over:
        deeds.append(_ending(position, after))
    said = f"{subject} {_enumerated(deeds)}"
    return f"{said}; the opponent {_enumerated(prospects)}." if prospects else f"{said}."


def _ending(position: Position, after: Position) -> str:
    if after.outcome == 0.5:
        return "ends the game in a draw"
    won = (after.outcome == 1.0) == (position.current_player == 0)
    return f"{'wins' if won else 'loses'} the game"


def _enumerated(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
