"""Random games for the tests of records."""

import random

import ludus
from ludus.records.record import Record


def random_record(name: str, seed: int, start: str = "", longest: int = 10000) -> Record:
    """A random game that seldom passes, perhaps broken off; the same for the same seed."""
    game, choice = ludus.game(name), random.Random(f"{name} {start} {seed}")
    position, moves = game.position(start) if start else game.start(), list[str]()
    while not position.over and len(moves) < longest:
        legal = [
            move for move in position.legal_moves if move != "pass" or choice.random() < 0.02
        ] or position.legal_moves
        moves.append(choice.choice(legal))
        position = position.play(moves[-1])
    return Record(game, start, tuple(moves), (f"Ann {seed}", "Bob"), position.outcome)
