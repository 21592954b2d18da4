"""Players that learn during a match."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

import ludus
from ludus.compile.rng import stream
from ludus.errors import LudusError
from ludus.learners.xcs.playing import LearnedRules
from ludus.play.matches import match
from ludus.players.learning import LearningPlayer, learns
from ludus.players.names import player
from ludus.players.noisy import NoisyPlayer
from ludus.players.random import Random

GAME = ludus.game("othello6")


@dataclass
class Notes:
    """Knowledge that is but a list of the games it was taught."""

    games: list[tuple[list[int], int]] = field(default_factory=list)
    parts = Random()

    def after_game(self, moves: Sequence[int], side: int) -> "Notes":
        self.games.append((list(moves), side))
        return self


@pytest.mark.parametrize("noisy", [False, True])
def test_every_game_of_a_match_is_taught_in_order(noisy: bool) -> None:
    notes = Notes()
    one = LearningPlayer("notes", GAME, notes)
    learner = NoisyPlayer("noisy", GAME, 0.5, one) if noisy else one
    assert learns(learner)
    found = match(learner, player("discs", GAME), 6, workers=3, opening="random:3", record=True)
    played = [block.moves[i, : block.lengths[i]].tolist() for block in found.blocks for i in range(len(block.lengths))]
    assert notes.games == [(moves, i % 2) for i, moves in enumerate(played)]


def test_games_that_are_not_known_from_the_start_teach_nothing() -> None:
    """A position that was set up; and a program that shows us our own move again."""
    notes, rng = Notes(), stream(1, "test")
    seat, position = LearningPlayer("notes", GAME, notes).seat(), GAME.start()
    for begin in (GAME.start(), GAME.start().play("c2")):
        position = begin
        seat.begin(position, [])
        while not position.over:
            side, move = position.current_player, seat.choose(position, rng) if position.current_player == 0 else None
            text = next(text for text, each in position.legal.items() if move in (None, each))
            seat.see(text, side)
            position = position.play(text)
    ((moves, side),) = notes.games
    assert side == 0
    again = GAME.start()
    for move in moves:
        again = again.play(move)
    assert again.over


def test_a_match_of_a_learner_is_the_same_again() -> None:
    rival = player("minimax:depth=1,value=jain2018", GAME)
    one = player("learning:xcs:othello6", GAME)
    first, second = (match(one, rival, 8, workers=workers, seed=3).scores for workers in (1, 4))
    assert np.array_equal(first, second)
    assert isinstance(one, LearningPlayer)
    assert isinstance(one.knowledge, LearnedRules)
    assert one.knowledge.state.games == 60_000  # the seat has learned, the player stays


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("learning:heuristic", "heuristic was not trained, so it can't learn; name a player that"),
        ("learning:nobody", "unknown player 'nobody'"),
        ("learning:marker:mobility", "holds a player of kind marker, which can't learn during a match"),
        ("learning:", "unknown player ''"),
    ],
)
def test_players_that_can_not_learn(text: str, sentence: str) -> None:
    with pytest.raises(LudusError, match=sentence):
        player(text, ludus.game("othello8"))
