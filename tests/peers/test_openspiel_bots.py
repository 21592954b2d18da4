"""Our players as OpenSpiel's bots, and its bots as our players."""

import pytest

import ludus
from ludus.play.matches import match
from ludus.players.engines.openspiel import bot, moves_of, spiel_game
from ludus.players.names import player
from tests.effort import nightly

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")


@pytest.mark.parametrize("name", ["checkers", *nightly("othello8", "go5")])
def test_our_players_play_whole_games_as_its_bots(name: str) -> None:
    game = ludus.game(name)
    theirs = spiel_game(game)
    one = bot(player("alphabeta:depth=2", game))
    for seed in range(3):
        state = theirs.new_initial_state()
        one.restart()
        bots = [one, pyspiel.make_uniform_random_bot(1, seed)]
        pyspiel.evaluate_bots(state, bots, seed)
        assert state.is_terminal()
        assert state.returns()[0] >= 0  # a search does not lose to a random player
        moves = moves_of(game, state)
        assert len(moves) > 8


@pytest.mark.parametrize("name", ["othello8", "checkers:moves=30", "go5"])
def test_its_bots_play_whole_games_as_our_players(name: str) -> None:
    game = ludus.game(name)
    mcts, anybody = player("openspiel:mcts,simulations=60", game), player("random", game)
    played = match(mcts, anybody, 4, opening="random:2", seed=2)
    assert not played.reasons
    assert played.scores.mean() >= 0.5
    again = match(mcts, anybody, 4, opening="random:2", seed=2)
    assert again.scores.tolist() == played.scores.tolist()


@pytest.mark.parametrize(
    ("text", "game", "sentence"),
    [
        ("openspiel:alphazero", "othello8", "OpenSpiel's players"),
        ("openspiel:mcts,simulations=0", "othello8", "invalid simulations=0"),
        ("openspiel:mcts", "othello6", "OpenSpiel does not play othello6"),
    ],
)
def test_what_openspiel_does_not_have_is_reported(text: str, game: str, sentence: str) -> None:
    with pytest.raises(ludus.LudusError, match=sentence):
        player(text, ludus.game(game))
