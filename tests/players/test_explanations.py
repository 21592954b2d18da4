"""Players tell what they weigh, and it is what they go by."""

import pytest

import ludus
from ludus.compile.rng import stream
from ludus.players.explanations import explanation
from ludus.players.names import player
from ludus.registry import player_kinds

OPENING = ["d3", "c3", "c4", "e3", "f4", "c5", "b4"]


@pytest.mark.parametrize("name", ["heuristic", "mobility", "alphabeta:depth=3,ties=first", "minimax:depth=2"])
def test_the_move_made_is_among_the_best_weighed(name: str) -> None:
    game = ludus.game("othello8")
    one, position = player(name, game), game.start()
    for i, move in enumerate(OPENING):
        found = explanation(one, position)
        assert sorted(each.move for each in found.moves) == sorted(position.legal_moves)
        best = [each.move for each in found.moves if each.value == found.moves[0].value]
        chosen = one.seat().choose(position, stream(1, "test", i))
        assert next(text for text, number in position.legal.items() if number == chosen) in best
        position = position.play(move)


def test_a_search_expects_a_line_that_can_be_played() -> None:
    position = ludus.game("checkers").start()
    found = explanation(player("alphabeta:depth=5", position.game), position)
    assert len(found.line) == 5
    assert found.line[0] in [each.move for each in found.moves if each.value == found.moves[0].value]
    for move in found.line:
        position = position.play(move)


def test_a_search_to_the_end_is_explained_by_what_it_finds_there() -> None:
    position = ludus.game("othello6").position("XXX-O--OXX--OOOXX-OOOXXXOXXXXXO-XXXX O")
    found = explanation(player("alphabeta:depth=1,exact=7", position.game), position)
    assert found.description == "It looks to the end of the game and expects the best reply to each."
    assert [each.move for each in found.moves if each.value > 0] == ["b6"]
    for move in found.line:
        position = position.play(move)
    assert position.over
    assert position.margin == -4


def test_a_proven_move_has_a_certain_chance() -> None:
    """Where the values of simulations are calibrated: 1 for one that wins for certain."""
    game = ludus.game("go5")
    position = game.position("XX.XO/XX.XO/XXXXO/XXXXO/XXXX. X passes=1")
    found = {each.move: each for each in explanation(player("mcts:simulations=400", game), position).moves}
    assert (found["pass"].proven, found["pass"].chance) == (True, 1.0)
    assert all(0 < each.chance < 1 for each in found.values() if each.chance is not None and not each.proven)


def test_who_gives_no_reasons_says_so() -> None:
    position = ludus.game("othello6").start()
    assert explanation(player("random", position.game), position).moves == ()


def test_trained_players_are_not_described_as_random() -> None:
    kinds = player_kinds()
    assert kinds["weights"].description == "one move ahead by random weights of the squares"
    assert kinds["weights"].learned_description == "one move ahead by learned weights of the squares"
    assert kinds["wally"].learned_description == kinds["wally"].description
    assert [kind.name for kind in kinds.values() if kind.load and "random" in kind.learned_description] == []
